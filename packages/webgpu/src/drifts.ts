import type { Floats } from "bonmf";

/** How far prototypes have moved, rounded up. */
export interface Drifts {
  /** k. */
  readonly each: Float32Array<ArrayBuffer>;
  /** The prototype that has moved farthest, how far, and how far any other at most. */
  readonly farthest: number;
  readonly most: number;
  readonly other: number;
}

/** Above what rounding makes of a length of up to a million features, and of its 32 bits. */
const ABOVE = 1 + 2 ** -20;

/**
 * @param before IN k × m
 * @param now IN k × m
 * @param share 1, but in tests
 */
export function measureDrifts(before: Floats, now: Floats, k: number, share = 1): Drifts {
  const m = now.length / k;
  const each = new Float32Array(k);
  let [farthest, most, other] = [0, 0, 0];
  for (let j = 0; j < k; j++) {
    let sum = 0;
    for (let q = j * m, end = q + m; q < end; q++) {
      const moved = now[q] - before[q];
      sum += moved * moved;
    }
    each[j] = Math.sqrt(sum) * ABOVE * share;
    if (each[j] > most) [farthest, most, other] = [j, each[j], most];
    else if (each[j] > other) other = each[j];
  }
  return { each, farthest, most, other };
}

/** Whether every row is a unit vector, as far as 32 bits go. */
export function areUnits(rows: Floats, k: number): boolean {
  const m = rows.length / k;
  for (let j = 0; j < k; j++) {
    let sum = 0;
    for (let q = j * m, end = q + m; q < end; q++) sum += rows[q] * rows[q];
    if (Math.abs(sum - 1) > 1e-6) return false;
  }
  return true;
}
