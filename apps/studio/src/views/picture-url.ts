import type { Size } from "../data/source.js";

const kept = new WeakMap<Uint8Array, { readonly dark: boolean; readonly url: string }>();

/**
 * Greys as the address of a picture, for SVG.
 *
 * @param ink large values are ink: light on a dark theme
 */
export function pictureUrl(greys: Uint8Array, { width, height }: Size, ink: boolean, dark: boolean): string {
  const known = kept.get(greys);
  if (known?.dark === dark) return known.url;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (!pen) return "data:,";
  const image = pen.createImageData(width, height);
  for (let p = 0; p < width * height; p++) {
    image.data.fill(ink ? (dark ? 235 : 28) : greys[p], 4 * p, 4 * p + 3);
    image.data[4 * p + 3] = ink ? greys[p] : 255;
  }
  pen.putImageData(image, 0, 0);
  const url = canvas.toDataURL();
  kept.set(greys, { dark, url });
  return url;
}
