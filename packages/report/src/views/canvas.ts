import type { Pictures, Size } from "../findings.js";
import { element } from "./element.js";

/** Greys as a picture with a text alternative: ink is inverted on a dark theme, photographs are not. */
export function drawPixels(
  pixels: ArrayLike<number>,
  { width, height }: Size,
  { ink }: Pick<Pictures, "ink">,
  label: string,
): HTMLCanvasElement {
  const canvas = element("canvas", {
    width,
    height,
    class: ink ? "bonmf-picture bonmf-ink" : "bonmf-picture",
    role: "img",
    "aria-label": label,
  });
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  const image = context.createImageData(width, height);
  for (let p = 0; p < width * height; p++) {
    const at = 4 * p;
    if (!ink) image.data.fill(pixels[p], at, at + 3);
    image.data[at + 3] = ink ? pixels[p] : 255;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
