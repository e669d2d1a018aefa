import type { Size } from "./data.js";
import { listNames } from "./labels.js";

const LARGEST = 64;

/** The size that pictures are brought to: the first one's, at most 64 × 64. */
export function shrinkSize({ width, height }: Size): Size {
  const shrink = Math.min(1, LARGEST / width, LARGEST / height);
  return { width: Math.max(1, Math.round(shrink * width)), height: Math.max(1, Math.round(shrink * height)) };
}

/** A feature a pixel, row by row. */
export function namePixels({ width, height }: Size): string[] {
  return Array.from({ length: width * height }, (_, p) => `p${Math.floor(p / width)}_${p % width}`);
}

/** Features that are only numbered and make a square are pixels, most likely. */
export function guessSize(features: number, names: readonly string[] | null): Size | null {
  const side = Math.sqrt(features);
  if (!Number.isInteger(side) || side < 7) return null;
  const stems = new Set(names?.map(dropNumber) ?? []);
  return names === null || stems.size === 1 ? { width: side, height: side } : null;
}

/** "Pixel3_4" without its number. */
function dropNumber(name: string): string {
  let end = name.length;
  while (end > 0 && /[\d_x.-]/i.test(name[end - 1])) end--;
  return name.slice(0, end).toLowerCase();
}

/** What to tell of pictures that were skipped. */
export function noteBroken(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const count = names.length === 1 ? "1 picture that is" : `${names.length} pictures that are`;
  return [`skipped ${count} damaged: ${listNames(names)}`];
}
