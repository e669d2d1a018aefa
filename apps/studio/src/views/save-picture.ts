import { saveFile } from "./save.js";

const SVG = "http://www.w3.org/2000/svg";
/** What style sheets say of a plot; a saved picture has none. */
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "visibility",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "text-anchor",
  "dominant-baseline",
];
/** Pixels of a PNG for each of the page's. */
const SHARPNESS = 2;

/**
 * Saves a plot as it is on the page, in PNG or SVG.
 *
 * @param plot an SVG, a canvas, or an element with any number of them
 * @param name the file's, without its ending
 */
export async function savePicture(plot: Element, name: string, format: "png" | "svg"): Promise<void> {
  const { text, width, height } = drawSvg(plot);
  if (format === "svg") {
    saveFile(`${name}.svg`, [text], "image/svg+xml");
    return;
  }
  const canvas = document.createElement("canvas");
  canvas.width = SHARPNESS * width;
  canvas.height = SHARPNESS * height;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("this browser made no PNG: save the picture as SVG");
  saveFile(`${name}.png`, [blob], "image/png");
}

/** One SVG without a style sheet: canvases become pictures in it. */
export function drawSvg(plot: Element): { text: string; width: number; height: number } {
  const frame = plot.getBoundingClientRect();
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)];
  const whole = document.createElementNS(SVG, "svg");
  whole.setAttribute("xmlns", SVG);
  setBox(whole, 0, 0, width, height);
  whole.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const ground = document.createElementNS(SVG, "rect");
  setBox(ground, 0, 0, width, height);
  ground.setAttribute("fill", toHex(findGround(plot)));
  whole.append(ground);
  const parts = plot.matches("svg, canvas") ? [plot] : plot.querySelectorAll("svg, canvas");
  for (const part of parts) {
    if (part.parentElement?.closest("svg") || getComputedStyle(part).display === "none") continue;
    const box = part.getBoundingClientRect();
    const copy = part instanceof HTMLCanvasElement ? drawCanvas(part) : copySvg(part as SVGSVGElement);
    setBox(copy, box.left - frame.left, box.top - frame.top, box.width, box.height);
    whole.append(copy);
  }
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}

function setBox(element: Element, x: number, y: number, width: number, height: number): void {
  for (const [name, value] of Object.entries({ x, y, width, height })) {
    element.setAttribute(name, String(Math.round(100 * value) / 100));
  }
}

function drawCanvas(canvas: HTMLCanvasElement): Element {
  const image = document.createElementNS(SVG, "image");
  image.setAttribute("href", canvas.toDataURL());
  image.setAttribute("preserveAspectRatio", "none");
  return image;
}

function copySvg(svg: SVGSVGElement): Element {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, e) => {
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (value !== "")
        copies[e].setAttribute(property, /^(oklch|oklab|color|lab|lch)\(/.test(value) ? toHex(value) : value);
    }
    copies[e].removeAttribute("class");
    copies[e].removeAttribute("style");
  });
  for (const extra of copy.querySelectorAll("style")) extra.remove();
  if (!copy.hasAttribute("viewBox")) {
    copy.setAttribute("viewBox", `0 0 ${svg.clientWidth || 1} ${svg.clientHeight || 1}`);
  }
  return copy;
}

/** The first colour behind it that is not transparent. */
function findGround(plot: Element): string {
  for (let at: Element | null = plot; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) return backgroundColor;
  }
  return "white";
}

/** A colour as every program reads it. */
function toHex(colour: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return colour;
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b, alpha] = pen.getImageData(0, 0, 1, 1).data;
  const hex = [r, g, b].map((value) => value.toString(16).padStart(2, "0")).join("");
  return alpha === 255 ? `#${hex}` : `rgba(${r}, ${g}, ${b}, ${(alpha / 255).toFixed(3)})`;
}
