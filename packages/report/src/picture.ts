import type { Matrix } from "bonmf";
import type { Size } from "./findings.js";

/** The largest size, reduced by whole blocks of pixels, at which `count` pictures fit in `budget` bytes. */
export function fitSize({ width, height }: Size, count: number, budget: number): Size {
  for (let block = 1; ; block++) {
    const size = { width: Math.ceil(width / block), height: Math.ceil(height / block) };
    if (size.width * size.height * count <= budget || size.width * size.height === 1) return size;
  }
}

/**
 * Values as greys, downsampled by block means.
 *
 * @param values from.width × from.height numbers
 * @param top the value that becomes 255
 * @param bottom the value that becomes 0: below 0 where values are
 */
export function toGreys(values: ArrayLike<number>, from: Size, to: Size, top: number, bottom = 0): Uint8Array {
  const block = Math.max(Math.ceil(from.width / to.width), Math.ceil(from.height / to.height));
  const sums = new Float64Array(to.width * to.height);
  const counts = new Float64Array(to.width * to.height);
  for (let y = 0; y < from.height; y++) {
    for (let x = 0; x < from.width; x++) {
      const cell = Math.floor(y / block) * to.width + Math.floor(x / block);
      sums[cell] += values[y * from.width + x];
      counts[cell]++;
    }
  }
  return Uint8Array.from(sums, (sum, cell) => {
    const share = top > bottom ? (sum / Math.max(1, counts[cell]) - bottom) / (top - bottom) : 0;
    return Math.round(255 * Math.min(1, Math.max(0, share)));
  });
}

/** The largest and the least value of some samples, with 0, and whether they are ink on paper: a third of the pixels is 0. */
export function surveyPixels(X: Matrix, rows: ArrayLike<number>): { top: number; bottom: number; ink: boolean } {
  let top = 0;
  let bottom = 0;
  let filled = 0;
  for (let r = 0; r < rows.length; r++) {
    X.each(rows[r], (_, value) => {
      if (value > 0) filled++;
      if (value > top) top = value;
      if (value < bottom) bottom = value;
    });
  }
  return { top, bottom, ink: filled <= (2 / 3) * rows.length * X.features };
}
