import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { FEW_VALUES } from "../measure/one-group.js";
import { uniform } from "../random.js";

/** Streams of features begin here, beyond those of the one-group references. */
const STREAMS = 0x6000_0000;

/**
 * The same samples where the values of features that have few are drawn anew from around them, as far as the next value: years,
 * grades and categories lie in steps, whose gaps are no signs of clusters.
 *
 * @param X n × m
 */
export function blurSteps(X: Matrix, seed: number): Dense {
  const { samples: n, features: m } = X;
  const data = Float64Array.from(X.toDense().data);
  for (let f = 0; f < m; f++) {
    const values = Float64Array.from({ length: n }, (_, i) => data[i * m + f]).sort();
    if (countValues(values) > FEW_VALUES) continue;
    const step = findStep(values);
    for (let i = 0; i < n; i++) data[i * m + f] += step * (2 * uniform(seed, STREAMS + f, i) - 1);
  }
  return new Dense(n, m, data);
}

function countValues(sorted: Float64Array): number {
  return sorted.reduce((count, value, i) => count + (i > 0 && value !== sorted[i - 1] ? 1 : 0), 1);
}

/** How far it is from a sample's value to the nearest different one: the median. 0 where all values are the same. */
function findStep(sorted: Float64Array): number {
  const n = sorted.length;
  const steps = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  for (let i = 1, before = -1; i < n; i++) {
    if (sorted[i] !== sorted[i - 1]) before = i - 1;
    if (before >= 0) steps[i] = sorted[i] - sorted[before];
  }
  for (let i = n - 2, after = -1; i >= 0; i--) {
    if (sorted[i] !== sorted[i + 1]) after = i + 1;
    if (after >= 0) steps[i] = Math.min(steps[i], sorted[after] - sorted[i]);
  }
  const median = steps.sort()[n >> 1];
  return Number.isFinite(median) ? median : 0;
}
