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
  /** m numbers: the mean of the known values of each feature, in dense samples of some of them. */
  readonly means: Float64Array;
  /** How much of all samples is known, 0 … 1. */
  readonly share: number;
}

/** Samples, and the list of what is missing of them; null where nothing is. */
export interface Separated {
  readonly X: Matrix;
  readonly gaps: Gaps | null;
}

/** Separates samples from their gaps: their missing entries are 0. */
export function separateGaps(X: Matrix): Separated {
  const { X: found, gaps } = findGaps(X);
  return { X: clearGaps(found, gaps), gaps };
}

/**
 * Lists the gaps of samples: NaN of dense ones, which stay; of sparse ones every value that is not stored. Equal entries give
 * equal results, however the samples were stored.
 */
export function findGaps(X: Matrix): Separated {
  const { samples: n, features: m } = X;
  const { known, means } = X.kind === "sparse" ? countKnown(X) : { known: -1, means: null };
  if (X.kind === "sparse" && 2 * known < n * m) return listKnown(X, known, means!);
  const dense = X.kind === "dense" ? X : spread(X);
  const found = listMissing(dense);
  if (found === null) return { X: dense, gaps: null };
  if (2 * found.features.length > n * m) return listKnown(dense, n * m - found.features.length, found.means);
  const share = 1 - found.features.length / (n * m);
  return { X: dense, gaps: { listed: "missing", ...found, share } };
}

/** Samples whose missing entries are 0: a copy where there are such. */
export function clearGaps(X: Matrix, gaps: Gaps | null): Matrix {
  if (gaps?.listed !== "missing" || X.kind === "sparse") return X;
  const data = X.data.slice();
  clearRows(data, X.features, gaps, 0, X.samples);
  return new Dense(X.samples, X.features, data);
}

/** Puts 0 where values are missing. @param rows IN/OUT samples from … to − 1 */
export function clearRows(rows: Floats, m: number, { offsets, features }: Gaps, from: number, to: number): void {
  for (let i = from, base = 0; i < to; i++, base += m) {
    for (let at = offsets[i]; at < offsets[i + 1]; at++) rows[base + features[at]] = 0;
  }
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

/** Which entries are missing; null where none is. Eight at a time, which takes two thirds of the time: of eight without NaN the sum is rarely one. */
function listMissing(X: Dense): Pick<Gaps, "offsets" | "features" | "means"> | null {
  const { samples: n, features: m, data } = X;
  const offsets = new Uint32Array(n + 1);
  let features = new Uint32Array(1024);
  let at = 0;
  for (let i = 0, p = 0; i < n; i++) {
    if (at + m > features.length) features = lengthen(features, 2 * (at + m));
    const base = p;
    const end = base + m;
    while (p < end) {
      for (; p + 8 <= end; p += 8) {
        const four = data[p] + data[p + 1] + data[p + 2] + data[p + 3];
        const eight = four + (data[p + 4] + data[p + 5] + data[p + 6] + data[p + 7]);
        if (eight - eight !== 0) break;
      }
      for (const stop = Math.min(p + 8, end); p < stop; p++) if (Number.isNaN(data[p])) features[at++] = p - base;
    }
    offsets[i + 1] = at;
  }
  if (at === 0) return null;
  return { offsets, features: features.slice(0, at), means: findMeans(X) };
}

/** The means of the features are those of so many samples, evenly spread, which is enough to fill first prototypes. */
const MOST_AVERAGED = 256;

function findMeans({ samples: n, features: m, data }: Dense): Float64Array {
  const means = new Float64Array(m);
  const counts = new Uint32Array(m);
  const step = Math.ceil(n / MOST_AVERAGED);
  for (let i = 0; i < n; i += step) {
    for (let f = 0, p = i * m; f < m; f++, p++) {
      const x = data[p];
      if (Number.isNaN(x)) continue;
      means[f] += x;
      counts[f]++;
    }
  }
  return means.map((sum, f) => (counts[f] > 0 ? sum / counts[f] : meanOf(data, m, f)));
}

function meanOf(data: Floats, m: number, f: number): number {
  let [sum, count] = [0, 0];
  for (let p = f; p < data.length; p += m) {
    if (Number.isNaN(data[p])) continue;
    sum += data[p];
    count++;
  }
  return sum / Math.max(1, count);
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
  for (let at = 0; at < features.length; at++) counts[features[at]]++;
  const feature = counts.indexOf(listed === "missing" ? n : 0);
  if (feature < 0) return;
  const place = { feature, featureName: options.featureNames?.[feature] };
  throw new DataError("no-value", `${describePlace(place)} has no known value in any sample: drop the feature`, place);
}
