import { allocate, type Dense, type Floats } from "../matrix/dense.js";

/** Samples whose features were brought to a range of 1 around a mean of 0, and which of their values are known. */
export interface ScaledTable {
  readonly n: number;
  readonly m: number;
  /** n × m. Missing values are guesses, 0 at first. */
  readonly values: Floats;
  /** n × m: 1 where a value is known. */
  readonly known: Uint8Array;
  /** n numbers: how many values of each sample are known. */
  readonly counts: Uint32Array;
  /** m numbers each, of known values: the mean, the least and the largest. NaN where there are none. */
  readonly means: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** @param X NaN is missing */
export function scaleTable({ samples: n, features: m, data, precision }: Dense): ScaledTable {
  const known = new Uint8Array(n * m);
  const counts = new Uint32Array(n);
  const having = new Float64Array(m);
  const least = new Float64Array(m).fill(Number.NaN);
  const most = new Float64Array(m).fill(Number.NaN);
  for (let p = 0, i = 0; i < n; i++) {
    for (let f = 0; f < m; f++, p++) {
      const x = data[p];
      if (Number.isNaN(x)) continue;
      known[p] = 1;
      counts[i]++;
      having[f]++;
      if (!(x >= least[f])) least[f] = x;
      if (!(x <= most[f])) most[f] = x;
    }
  }
  const means = least.map((low, f) => (having[f] === 0 ? Number.NaN : low));
  for (let p = 0, i = 0; i < n; i++) {
    for (let f = 0; f < m; f++, p++) if (known[p] === 1) means[f] += (data[p] - least[f]) / having[f];
  }
  const values = allocate(precision, n * m);
  for (let p = 0, i = 0; i < n; i++) {
    for (let f = 0; f < m; f++, p++) if (known[p] === 1) values[p] = (data[p] - means[f]) / rangeOf(least[f], most[f]);
  }
  return { n, m, values, known, counts, means, least, most };
}

/** 1 for a feature of one value. */
function rangeOf(least: number, most: number): number {
  return most > least ? most - least : 1;
}

/** The guess of a missing value in the units of the samples, within the range of the feature's known values. */
export function unscale({ m, values, means, least, most }: ScaledTable, p: number): number {
  const f = p % m;
  const x = means[f] + values[p] * rangeOf(least[f], most[f]);
  return Math.min(most[f], Math.max(least[f], x));
}

/** The features that sample i lacks, rising. */
export function listMissing({ m, known, counts }: ScaledTable, i: number): Uint32Array {
  const lacks = new Uint32Array(m - counts[i]);
  for (let f = 0, l = 0, p = i * m; l < lacks.length; f++, p++) if (known[p] === 0) lacks[l++] = f;
  return lacks;
}
