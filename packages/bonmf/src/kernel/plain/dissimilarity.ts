import type { Step } from "../step.js";

/** Between a sample and a prototype, by their lengths and their product. */
export function dissimilarity({ fit, unit }: Step, length: number, norm: number, dot: number): number {
  let value: number;
  if (fit === "distance") value = length * length - 2 * dot + norm * norm;
  else {
    const along = norm > 0 ? dot / norm : 0;
    if (fit === "ray") value = length * length - along * along;
    else value = unit ? (length > 0 ? 1 - along / length : 0) : length - along;
  }
  // What rounding leaves of an exact match is not a dissimilarity.
  return value > 1e-12 * (fit === "cosine" ? (unit ? 1 : length) : length * length) ? value : 0;
}
