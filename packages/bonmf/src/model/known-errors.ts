import type { Codes } from "../kernel/step.js";
import type { Dense } from "../matrix/dense.js";
import { eachMissing, type Gaps } from "../matrix/gaps.js";
import type { Matrix } from "../matrix/matrix.js";
import { countTogether, type Steps } from "../steps.js";

/** The errors of samples with gaps, over known entries, step by step: those of W and codes, and of the best single prototype. */
export interface KnownErrors {
  readonly relativeError: number;
  readonly singleError: number;
}

/** A step that lowers the squared error by less than this share is the last. */
const SETTLED = 1e-7;
const MOST_STEPS = 30;

/**
 * @param Z n × m, missing entries 0
 * @param one whether the code of a single prototype is 1
 */
export function* knownErrorSteps(Z: Matrix, gaps: Gaps, W: Dense, codes: Codes, one: boolean): Steps<KnownErrors> {
  const { samples: n, features: m } = Z;
  const normSq = yield* sumOver(Z, (row) => row.reduce((sum, x) => sum + x * x, 0));
  const errorOf = (loss: number) => (normSq > 0 ? Math.sqrt(loss / normSq) : 0);
  const lossOf = (guess: (i: number, f: number) => number) =>
    sumOver(Z, (row, i) => {
      for (let f = 0; f < m; f++) row[f] -= guess(i, f);
      eachMissing(gaps, i, (f) => {
        row[f] = 0;
      });
      return row.reduce((sum, rest) => sum + rest * rest, 0);
    });
  const relativeError = errorOf(yield* lossOf((i, f) => guessOf(codes, W, i, f)));

  const h = new Float64Array(n).fill(1);
  let loss = Number.POSITIVE_INFINITY;
  for (let step = 0; step <= MOST_STEPS; step++) {
    const above = new Float64Array(m);
    const below = new Float64Array(m);
    yield* sumOver(Z, (row, i) => {
      const missing = new Set<number>();
      eachMissing(gaps, i, (f) => missing.add(f));
      for (let f = 0; f < m; f++) {
        above[f] += h[i] * row[f];
        if (!missing.has(f)) below[f] += h[i] * h[i];
      }
      return 0;
    });
    const w = above.map((sum, f) => (below[f] > 0 ? sum / below[f] : 0));
    const before = loss;
    loss = yield* lossOf((i, f) => h[i] * w[f]);
    if (one || !(loss < before * (1 - SETTLED))) break;
    yield* sumOver(Z, (row, i) => {
      const known = w.slice();
      eachMissing(gaps, i, (f) => {
        known[f] = 0;
      });
      const square = known.reduce((sum, x) => sum + x * x, 0);
      h[i] = square > 0 ? Math.max(0, row.reduce((sum, x, f) => sum + x * known[f], 0) / square) : 0;
      return 0;
    });
  }
  return { relativeError, singleError: errorOf(loss) };
}

function guessOf({ k, labels, values }: Codes, W: Dense, i: number, f: number): number {
  const m = W.features;
  if (labels !== null) return W.data[labels[i] * m + f];
  let sum = 0;
  for (let r = 0; r < k; r++) sum += values![i * k + r] * W.data[r * m + f];
  return sum;
}

/** Adds up what `measure` says of each sample, given a copy of it. */
function* sumOver(Z: Matrix, measure: (row: Float64Array, i: number) => number): Steps<number> {
  const together = countTogether(Z.features);
  let sum = 0;
  for (let i = 0; i < Z.samples; i++) {
    if (i % together === 0) yield;
    sum += measure(Float64Array.from(Z.row(i)), i);
  }
  return sum;
}
