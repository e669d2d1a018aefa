import { STREAM, uniform } from "../random.js";
import { countTogether, type Steps } from "../steps.js";
import type { Neighbors, Trust } from "./neighbors.js";
import type { ScaledTable } from "./scaled-table.js";

/** Known values that are hidden for a trial. */
export interface Hidden {
  /** The samples they are of, rising. */
  readonly rows: Uint32Array;
  /** Their places in the table, rising. */
  readonly places: Uint32Array;
  readonly truth: Float64Array;
}

/** Of the known values of a sample, how many are hidden. */
const SHARE = 0.15;
/** A trial of fewer values says nothing. */
const FEWEST = 20;
/** Neighbours that lower the squared error by less are not asked. */
const LEAST_GAIN = 0.02;

/** Hides values of some samples, drawn by (seed, stream, place). Every sample keeps one. */
export function hideValues({ m, values, known, counts }: ScaledTable, rows: Uint32Array, seed: number): Hidden {
  const places: number[] = [];
  for (const i of rows) {
    let first = true;
    for (let p = i * m; p < (i + 1) * m; p++) {
      if (known[p] === 0) continue;
      if (!first && uniform(seed, STREAM.hidden, p) < SHARE) places.push(p);
      first = false;
    }
  }
  for (const p of places) {
    known[p] = 0;
    counts[Math.floor(p / m)]--;
  }
  return { rows, places: Uint32Array.from(places), truth: Float64Array.from(places, (p) => values[p]) };
}

export function showValues({ m, values, known, counts }: ScaledTable, { places, truth }: Hidden): void {
  places.forEach((p, at) => {
    values[p] = truth[at];
    known[p] = 1;
    counts[Math.floor(p / m)]++;
  });
}

/** What least squares over the hidden values say, and the error that is left as a share of that of feature means; null: unknown. */
export function* learnTrust(
  neighbors: Neighbors,
  { rows, places, truth }: Hidden,
): Steps<{ readonly trust: Trust; readonly error: number | null }> {
  const { m } = neighbors.table;
  const sums = { aa: 0, ab: 0, bb: 0, ay: 0, by: 0, yy: 0 };
  const together = countTogether(neighbors.count * m);
  let square = 0;
  let at = 0;
  for (const [r, i] of rows.entries()) {
    if (r % together === 0) yield;
    const from = at;
    while (at < places.length && places[at] < (i + 1) * m) at++;
    const features = places.subarray(from, at).map((p) => p - i * m);
    const opinions = neighbors.ask(i, features);
    for (let l = 0; l < features.length; l++) {
      const own = opinions.own[l];
      const [a, b, y] = [opinions.values[l] - own, own - opinions.guesses[l], truth[from + l] - own];
      sums.aa += a * a;
      sums.ab += a * b;
      sums.bb += b * b;
      sums.ay += a * y;
      sums.by += b * y;
      sums.yy += y * y;
      square += truth[from + l] ** 2;
    }
  }
  const fitted = fitTrust(sums);
  const trust = lossOf(sums, fitted) < (1 - LEAST_GAIN) * sums.yy ? fitted : { values: 0, shift: 0 };
  const left = Math.max(0, lossOf(sums, trust));
  return { trust, error: places.length < FEWEST || !(square > 0) ? null : Math.sqrt(left / square) };
}

interface Normal {
  readonly aa: number;
  readonly ab: number;
  readonly bb: number;
  readonly ay: number;
  readonly by: number;
  readonly yy: number;
}

/** Σ (y − values·a − shift·b)². */
function lossOf({ aa, ab, bb, ay, by, yy }: Normal, { values: v, shift: s }: Trust): number {
  return yy - 2 * (v * ay + s * by) + v * v * aa + 2 * v * s * ab + s * s * bb;
}

/** The least squares with both numbers in 0 … 1: inside, on a side or in a corner of that square. */
function fitTrust(sums: Normal): Trust {
  const { aa, ab, bb, ay, by } = sums;
  const inside = (x: number) => Math.min(1, Math.max(0, x || 0));
  const determinant = aa * bb - ab * ab;
  const places: Trust[] = [];
  if (determinant > 1e-9 * aa * bb) {
    places.push({ values: (ay * bb - by * ab) / determinant, shift: (by * aa - ay * ab) / determinant });
  }
  for (const end of [0, 1]) {
    places.push({ values: end, shift: inside((by - end * ab) / bb) });
    places.push({ values: inside((ay - end * ab) / aa), shift: end });
  }
  const within = places.filter(({ values, shift }) => values >= 0 && values <= 1 && shift >= 0 && shift <= 1);
  return within.reduce((best, each) => (lossOf(sums, each) < lossOf(sums, best) ? each : best));
}
