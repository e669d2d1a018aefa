import { drawHtml, isClear, SVG, setBox, toHex } from "./draw-html.js";
import { element } from "./element.js";

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
  "filter",
  "image-rendering",
];
/** Pixels of a PNG for each of the page's. */
const SHARPNESS = 2;
/** Around a plot, in pixels. */
const MARGIN = 8;
/** Plots that style sheets draw. */
export const HTML = "table, .bonmf-topic-grid";
/**
 * Saves a plot as it is on the page, in PNG or SVG.
 *
 * @param plot an SVG, a canvas, a table, or an element with any number of them
 * @param name the file's, without its ending
 */
export async function savePicture(plot: Element, name: string, format: "png" | "svg"): Promise<void> {
  const { text, width, height } = drawSvg(plot);
  if (format === "svg") {
    saveFile(`${name}.svg`, new Blob([text], { type: "image/svg+xml" }));
    return;
  }
  const canvas = element("canvas", { width: SHARPNESS * width, height: SHARPNESS * height });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("this browser made no PNG: save the picture as SVG");
  saveFile(`${name}.png`, blob);
}

function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** One SVG without a style sheet: canvases become pictures in it, tables boxes and text. */
function drawSvg(plot: Element): { text: string; width: number; height: number } {
  const box = plot.getBoundingClientRect();
  const frame = new DOMRect(box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN);
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)];
  const whole = document.createElementNS(SVG, "svg");
  whole.setAttribute("xmlns", SVG);
  setBox(whole, 0, 0, width, height);
  whole.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const ground = document.createElementNS(SVG, "rect");
  setBox(ground, 0, 0, width, height);
  ground.setAttribute("fill", toHex(findGround(plot)));
  whole.append(ground);
  const parts = `svg, canvas, ${HTML}`;
  for (const part of plot.matches(parts) ? [plot, ...plot.querySelectorAll(parts)] : plot.querySelectorAll(parts)) {
    if (part.parentElement?.closest("svg") || getComputedStyle(part).display === "none") continue;
    const box = part.getBoundingClientRect();
    if (part.matches(HTML)) {
      whole.append(...drawHtml(part, frame));
      continue;
    }
    const copy = part instanceof HTMLCanvasElement ? drawCanvas(part) : copySvg(part as SVGSVGElement);
    setBox(copy, box.left - frame.left, box.top - frame.top, box.width, box.height);
    whole.append(copy);
  }
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}

function drawCanvas(canvas: HTMLCanvasElement): Element {
  const image = document.createElementNS(SVG, "image");
  const { backgroundColor, filter, imageRendering } = getComputedStyle(canvas);
  const styled = filter !== "none" || !isClear(backgroundColor);
  image.setAttribute("href", (styled ? applyStyle(canvas, backgroundColor, filter) : canvas).toDataURL());
  image.setAttribute("image-rendering", imageRendering);
  image.setAttribute("preserveAspectRatio", "none");
  return image;
}

/** Its ground and its filter, such as ink that is light on a dark theme, become part of the picture. */
function applyStyle(canvas: HTMLCanvasElement, ground: string, filter: string): HTMLCanvasElement {
  const copy = element("canvas", { width: canvas.width, height: canvas.height });
  const pen = copy.getContext("2d");
  if (!pen) return canvas;
  pen.filter = filter;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, copy.width, copy.height);
  pen.drawImage(canvas, 0, 0);
  return copy;
}

function copySvg(svg: SVGSVGElement): Element {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, e) => {
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (value !== "" && !(property === "filter" && value === "none"))
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
    if (!isClear(backgroundColor)) return backgroundColor;
  }
  return "white";
}
