export const SVG = "http://www.w3.org/2000/svg";

/** Boxes, lines and text of an element, as SVG without a style sheet; SVGs and canvases in it are left out. */
export function drawHtml(part: Element, frame: DOMRect): SVGElement[] {
  const style = getComputedStyle(part);
  if (part.matches("svg, canvas") || style.display === "none" || style.visibility === "hidden") return [];
  const box = part.getBoundingClientRect();
  const drawn = drawBoxes(part, style, new DOMRect(box.x - frame.x, box.y - frame.y, box.width, box.height));
  for (const child of part.childNodes) {
    if (child instanceof Element) drawn.push(...drawHtml(child, frame));
    else if (child.textContent?.trim()) drawn.push(...drawText(child, part, style, frame));
  }
  return drawn;
}

export function setBox(element: Element, x: number, y: number, width: number, height: number): void {
  for (const [name, value] of Object.entries({ x, y, width, height })) element.setAttribute(name, String(round(value)));
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}

/** The ground, the borders, and the filled part of a bar. */
function drawBoxes(part: Element, style: CSSStyleDeclaration, box: DOMRect): SVGElement[] {
  const drawn = [drawRect(style.backgroundColor, box, style.borderTopLeftRadius)];
  for (const side of ["Top", "Right", "Bottom", "Left"] as const) {
    const width = style[`border${side}Style`] === "none" ? 0 : Number.parseFloat(style[`border${side}Width`]);
    if (width === 0) continue;
    const along = side === "Top" || side === "Bottom";
    const [x, y] = [side === "Right" ? box.right - width : box.x, side === "Bottom" ? box.bottom - width : box.y];
    const line = new DOMRect(x, y, along ? box.width : width, along ? width : box.height);
    drawn.push(drawRect(style[`border${side}Color`], line, "0"));
  }
  const before = getComputedStyle(part, "::before");
  if (before.content === '""' && before.position === "absolute") {
    const [left, top, width, height] = [before.left, before.top, before.width, before.height].map(Number.parseFloat);
    const inside = new DOMRect(box.x + left, box.y + top, width, height);
    drawn.push(drawRect(before.backgroundColor, inside, before.borderTopLeftRadius));
  }
  return drawn.filter((one) => one !== null);
}

function drawRect(colour: string, { x, y, width, height }: DOMRect, radius: string): SVGElement | null {
  if (isClear(colour) || width === 0 || height === 0) return null;
  const rect = document.createElementNS(SVG, "rect");
  setBox(rect, x, y, width, height);
  const rx = radius.endsWith("%") ? width / 2 : Number.parseFloat(radius);
  if (rx > 0) rect.setAttribute("rx", String(round(Math.min(rx, width / 2, height / 2))));
  rect.setAttribute("fill", toHex(colour));
  return rect;
}

/** A text for every line of it on the page. */
function drawText(node: Node, parent: Element, style: CSSStyleDeclaration, frame: DOMRect): SVGElement[] {
  const lines: { words: string; left: number; top: number }[] = [];
  const range = document.createRange();
  for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { left, top } = range.getBoundingClientRect();
    const line = lines.find((one) => Math.abs(one.top - top) < 2);
    if (!line) lines.push({ words: word, left, top });
    else Object.assign(line, { words: `${line.words} ${word}`, left: Math.min(line.left, left) });
  }
  const pen = document.createElement("canvas").getContext("2d");
  if (pen) pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: ascent = 0 } = pen?.measureText("x") ?? {};
  return lines.map(({ words, left, top }) => {
    const text = document.createElementNS(SVG, "text");
    const kept = parent.scrollWidth > parent.clientWidth ? parent.clientWidth / parent.scrollWidth : 1;
    text.textContent = kept < 1 && parent.clientWidth > 0 ? cut(words, kept) : words;
    text.setAttribute("x", String(round(left - frame.x)));
    text.setAttribute("y", String(round(top - frame.y + ascent)));
    text.setAttribute("fill", toHex(style.color));
    for (const name of ["font-family", "font-size", "font-weight", "font-style"]) {
      text.setAttribute(name, style.getPropertyValue(name));
    }
    return text;
  });
}

/** As the page shortens it. */
function cut(words: string, share: number): string {
  const letters = [...words];
  return `${letters.slice(0, Math.max(1, Math.floor(share * letters.length) - 1)).join("")}…`;
}

export function isClear(colour: string): boolean {
  return /^rgba\(.*, 0\)$|^transparent$/.test(colour);
}

const hexes = new Map<string, string>();

/** A colour as every program reads it. */
export function toHex(colour: string): string {
  const known = hexes.get(colour);
  if (known !== undefined) return known;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return colour;
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b, alpha] = pen.getImageData(0, 0, 1, 1).data;
  const hex = [r, g, b].map((value) => value.toString(16).padStart(2, "0")).join("");
  const found = alpha === 255 ? `#${hex}` : `rgba(${r}, ${g}, ${b}, ${(alpha / 255).toFixed(3)})`;
  hexes.set(colour, found);
  return found;
}
