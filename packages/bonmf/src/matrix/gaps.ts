import { DataError, describePlace } from "../errors.js";
import { allocate, Dense, type Floats } from "./dense.js";
import type { Matrix } from "./matrix.js";
import { Sparse } from "./sparse.js";

/** Which entries of n samples are missing: whichever are fewer, the missing ones or the known ones, are listed. */
export interface Gaps {
  readonly listed: "missing" | "known";
  /** n + 1 positions in `features`: sample i lists those from offsets[i] to offsets[i + 1] − 1. */
  readonly offsets: Uint32Array;
  /** Features, rising within a sample. */
  readonly features: Uint32Array;
  /** m numbers: the mean of the known values of each feature. */
  readonly means: Float64Array;
  /** How much of all samples is known, 0 … 1. */
  readonly share: number;
}

/** Samples whose missing entries are 0, and the list of what is missing; null where nothing is. */
export interface Separated {
  readonly X: Matrix;
  readonly gaps: Gaps | null;
}

/**
 * Separates samples from their gaps: NaN of dense samples; of sparse ones every value that is not stored. Equal entries give
 * equal results, however the samples were stored.
 */
export function separateGaps(X: Matrix): Separated {
  const { samples: n, features: m } = X;
  const { known, means } = X.kind === "sparse" ? countKnown(X) : { known: -1, means: null };
  if (X.kind === "sparse" && 2 * known < n * m) return listKnown(X, known, means!);
  const dense = X.kind === "dense" ? X : spread(X);
  const found = listMissing(dense);
  if (found === null) return { X: dense, gaps: null };
  if (2 * found.features.length > n * m) return listKnown(dense, n * m - found.features.length, found.means);
  const share = 1 - found.features.length / (n * m);
  // A copy, unless it is one already.
  const data = dense === X ? dense.data.slice() : dense.data;
  const { offsets, features } = found;
  for (let i = 0; i < n; i++) for (let at = offsets[i]; at < offsets[i + 1]; at++) data[i * m + features[at]] = 0;
  return { X: new Dense(n, m, data), gaps: { listed: "missing", ...found, share } };
}

/** How many entries are known, and the means of each feature. */
function countKnown({ features: m, indices, values }: Sparse): {
  readonly known: number;
  readonly means: Float64Array;
} {
  const means = new Float64Array(m);
  const counts = new Float64Array(m);
  let known = 0;
  for (let p = 0; p < values.length; p++) {
    if (Number.isNaN(values[p])) continue;
    means[indices[p]] += values[p];
    counts[indices[p]]++;
    known++;
  }
  return { known, means: means.map((sum, f) => sum / Math.max(1, counts[f])) };
}

/** Which entries are missing; null where none is. */
function listMissing({ samples: n, features: m, data }: Dense): Pick<Gaps, "offsets" | "features" | "means"> | null {
  const means = new Float64Array(m);
  const counts = new Float64Array(m).fill(n);
  const offsets = new Uint32Array(n + 1);
  let features = new Uint32Array(1024);
  let at = 0;
  for (let i = 0, p = 0; i < n; i++) {
    if (at + m > features.length) features = lengthen(features, 2 * (at + m));
    for (let f = 0; f < m; f++, p++) {
      const x = data[p];
      if (Number.isNaN(x)) {
        features[at++] = f;
        counts[f]--;
      } else means[f] += x;
    }
    offsets[i + 1] = at;
  }
  if (at === 0) return null;
  return { offsets, features: features.slice(0, at), means: means.map((sum, f) => sum / Math.max(1, counts[f])) };
}

function lengthen(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(length);
  longer.set(numbers);
  return longer;
}

/** The known entries as sparse samples, zeros included. @param known how many there are */
function listKnown(X: Matrix, known: number, means: Float64Array): Separated {
  const stored = takeKnown(X, known);
  const share = known / (X.samples * X.features);
  return { X: stored, gaps: { listed: "known", offsets: stored.offsets, features: stored.indices, means, share } };
}

function takeKnown(X: Matrix, known: number): Sparse {
  const { samples: n, features: m } = X;
  if (X.kind === "sparse" && X.values.length === known) return X;
  const offsets = new Uint32Array(n + 1);
  const indices = new Uint32Array(known);
  const values = allocate(X.precision, known);
  let at = 0;
  for (let i = 0; i < n; i++) {
    X.each(i, (f, x) => {
      if (Number.isNaN(x)) return;
      indices[at] = f;
      values[at++] = x;
    });
    offsets[i + 1] = at;
  }
  return Sparse.trust(n, m, offsets, indices, values);
}

/** Sparse samples as dense ones that have NaN where nothing is stored. */
export function spread(X: Sparse): Dense {
  const { samples: n, features: m } = X;
  const data = allocate(X.precision, n * m).fill(Number.NaN);
  for (let i = 0; i < n; i++) {
    X.each(i, (f, x) => {
      data[i * m + f] = x;
    });
  }
  return new Dense(n, m, data);
}

/** The gaps of samples from … to − 1: a copy, which another thread can be given. */
export function sliceGaps(gaps: Gaps, from: number, to: number): Gaps {
  const first = gaps.offsets[from];
  const offsets = gaps.offsets.slice(from, to + 1).map((at) => at - first);
  return { ...gaps, offsets, features: gaps.features.slice(first, gaps.offsets[to]) };
}

/** Calls `visit` for every missing feature of sample i, rising. */
export function eachMissing({ listed, offsets, features, means }: Gaps, i: number, visit: (f: number) => void): void {
  const end = offsets[i + 1];
  if (listed === "missing") {
    for (let at = offsets[i]; at < end; at++) visit(features[at]);
    return;
  }
  for (let f = 0, at = offsets[i]; f < means.length; f++) {
    if (at < end && features[at] === f) at++;
    else visit(f);
  }
}

/** Puts the mean of its feature into every missing entry of a sample. */
export function fillByMeans(gaps: Gaps, i: number, row: Floats): void {
  eachMissing(gaps, i, (f) => {
    row[f] = gaps.means[f];
  });
}

/** How many entries are missing. */
export function countMissing({ listed, features, offsets, means }: Gaps): number {
  const listing = features.length;
  return listed === "missing" ? listing : (offsets.length - 1) * means.length - listing;
}

/** Stops at the first sample of which nothing is known; with `columns`, also at the first such feature. */
export function checkSomeKnown(
  gaps: Gaps,
  options: { columns: boolean; featureNames?: readonly string[] | undefined },
): void {
  const { listed, offsets, features, means } = gaps;
  const m = means.length;
  const n = offsets.length - 1;
  const none = listed === "missing" ? m : 0;
  for (let sample = 0; sample < n; sample++) {
    if (offsets[sample + 1] - offsets[sample] !== none) continue;
    throw new DataError("no-value", `${describePlace({ sample })} has no known value: drop the sample`, { sample });
  }
  if (!options.columns) return;
  const counts = new Float64Array(m);
  for (const f of features) counts[f]++;
  const feature = counts.indexOf(listed === "missing" ? n : 0);
  if (feature < 0) return;
  const place = { feature, featureName: options.featureNames?.[feature] };
  throw new DataError("no-value", `${describePlace(place)} has no known value in any sample: drop the feature`, place);
}
