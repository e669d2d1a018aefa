import { orthonormalise } from "../matrix/prototypes.js";
import { STREAM, uniform } from "../random.js";
import { countTogether, type Steps } from "../steps.js";
import { invert, solve } from "./positive.js";
import type { ScaledTable } from "./scaled-table.js";

/**
 * Principal components of known values by variational Bayes (Bishop 1999: Variational principal components; with missing values,
 * Ilin and Raiko 2010: Practical approaches to principal component analysis in the presence of missing values). Codes have a normal
 * prior, components one whose variance is learnt, and so is the noise: few known values pull a code to 0, and components that the data
 * do not need vanish.
 */
export interface Components {
  readonly k: number;
  /** The variance of what components leave. */
  noise: number;
  /** m × k: each feature's share in the components. */
  readonly W: Float64Array;
  /** m lower triangles of k(k + 1)/2: the expectation of w·wᵀ. */
  readonly squares: Float64Array;
  /** The sum of these. */
  readonly whole: Float64Array;
}

/** Passes over the samples; more hardly change anything after so good a start. */
const PASSES = 5;
const START_PASSES = 3;
/** Of the mean square of known values: less noise is rounding. */
const LEAST_NOISE = 1e-9;
/** The square of a component that is not needed. */
const VANISHED = 1e-100;

/** @param rows which samples to learn from */
export function* findComponents(table: ScaledTable, rows: Uint32Array, k: number, seed: number): Steps<Components> {
  const { known, square } = measure(table, rows);
  const W = yield* start(table, rows, k, known, seed);
  const width = (k * (k + 1)) / 2;
  const components = {
    k,
    noise: Math.max(0.5 * (square / known), Number.MIN_VALUE),
    W,
    squares: new Float64Array(table.m * width),
    whole: new Float64Array(width),
  };
  setSquares(components, null);
  yield* refine(table, rows, components, PASSES);
  return components;
}

/** How many values are known, and the sum of their squares. */
function measure({ m, values, known }: ScaledTable, rows: Uint32Array): { known: number; square: number } {
  const found = { known: 0, square: 0 };
  for (const i of rows) {
    for (let p = i * m; p < (i + 1) * m; p++) {
      if (known[p] === 0) continue;
      found.known++;
      found.square += values[p] * values[p];
    }
  }
  return found;
}

/** Goes on from these components, with the values that are known now. */
export function* refine(table: ScaledTable, rows: Uint32Array, components: Components, passes: number): Steps<void> {
  const { m } = table;
  const { k, W } = components;
  const { known, square } = measure(table, rows);
  if (!(square > 0)) return;
  for (let pass = 0; pass < passes; pass++) {
    const sums = yield* sumCodes(table, components, rows);
    const precisions = new Float64Array(k).map((_, r) => m / Math.max(components.whole[(r * (r + 3)) / 2], VANISHED));
    setSquares(components, renewFeatures(components, sums, precisions));
    let left = square;
    for (let q = 0; q < W.length; q++) left -= 2 * W[q] * sums.XHt[q];
    for (let q = 0, f = 0; f < m; f++) {
      for (let r = 0; r < k; r++) {
        for (let s = 0; s <= r; s++, q++) left += (s < r ? 2 : 1) * components.squares[q] * sums.HHt[q];
      }
    }
    components.noise = Math.max(left, LEAST_NOISE * square) / known;
  }
}

/** The leading directions of the samples, missing values being 0, by subspace iteration. @param count how many values are known */
function* start(
  { m, values, known }: ScaledTable,
  rows: Uint32Array,
  k: number,
  count: number,
  seed: number,
): Steps<Float64Array> {
  let W: Float64Array = Float64Array.from({ length: m * k }, (_, q) => uniform(seed, STREAM.subspace, q) - 0.5);
  const t = new Float64Array(k);
  const together = countTogether(2 * m * k);
  let lengths = new Float64Array(k);
  for (let pass = 0; pass < START_PASSES; pass++) {
    W = transpose(orthonormalise(transpose(W, m), k), k);
    const next = new Float64Array(m * k);
    lengths = new Float64Array(k);
    for (let at = 0; at < rows.length; at++) {
      if (at % together === 0) yield;
      const base = rows[at] * m;
      t.fill(0);
      for (let f = 0, q = 0; f < m; f++, q += k) {
        if (known[base + f] === 0) continue;
        const z = values[base + f];
        for (let r = 0; r < k; r++) t[r] += z * W[q + r];
      }
      for (let r = 0; r < k; r++) lengths[r] += t[r] * t[r];
      for (let f = 0, q = 0; f < m; f++, q += k) {
        const z = known[base + f] * values[base + f];
        if (z !== 0) for (let r = 0; r < k; r++) next[q + r] += z * t[r];
      }
    }
    if (pass < START_PASSES - 1) W = next;
  }
  const share = count / (rows.length * m);
  const scale = lengths.map((sum) => Math.sqrt(sum / rows.length) / share);
  return W.map((w, q) => w * scale[q % k]);
}

/** Rows of a matrix of `rows` rows as columns. */
function transpose(A: Float64Array, rows: number): Float64Array {
  const columns = A.length / rows;
  return Float64Array.from(A, (_, q) => A[(q % rows) * columns + Math.floor(q / rows)]);
}

/** @param spread m lower triangles: the variance of each feature's W; null: none */
function setSquares({ k, W, squares, whole }: Components, spread: Float64Array | null): void {
  whole.fill(0);
  for (let f = 0, q = 0; f < W.length / k; f++) {
    for (let r = 0, t = 0; r < k; r++) {
      for (let s = 0; s <= r; s++, q++, t++) {
        squares[q] = W[f * k + r] * W[f * k + s] + (spread === null ? 0 : spread[q]);
        whole[t] += squares[q];
      }
    }
  }
}

/**
 * What codes follow from: G = noise·I + Σ w·wᵀ of the features that sample i has, and b = Σ x·w.
 *
 * @param scratch OUT G and b
 */
function sumKnown({ k, noise, W, squares, whole }: Components, table: ScaledTable, i: number, scratch: Scratch): void {
  const { m, values, known, counts } = table;
  const { own, G, b, places } = scratch;
  const width = whole.length;
  const few = 2 * counts[i] > m;
  const wanted = few ? 0 : 1;
  b.fill(0);
  let count = 0;
  for (let f = 0, p = i * m; f < m; f++, p++) {
    if (known[p] === wanted) places[count++] = f * width;
    if (known[p] === 0) continue;
    const x = values[p];
    for (let r = 0, q = f * k; r < k; r++, q++) b[r] += x * W[q];
  }
  sumRows(squares, places.subarray(0, count), own);
  if (few) for (let t = 0; t < width; t++) own[t] = whole[t] - own[t];
  for (let r = 0, t = 0; r < k; r++) {
    for (let s = 0; s <= r; s++, t++) G[r * k + s] = G[s * k + r] = own[t];
    G[r * k + r] += noise;
  }
}

/** Sums of rows of a matrix. @param places where they begin @param out OUT */
function sumRows(rows: Float64Array, places: Uint32Array, out: Float64Array): void {
  out.fill(0);
  let at = 0;
  // Eight at a time: the sums are read and written once for them.
  for (; at + 8 <= places.length; at += 8) {
    let [a, b, c, d] = [places[at], places[at + 1], places[at + 2], places[at + 3]];
    let [e, f, g, h] = [places[at + 4], places[at + 5], places[at + 6], places[at + 7]];
    for (let t = 0; t < out.length; t++) {
      out[t] += rows[a++] + rows[b++] + rows[c++] + rows[d++] + rows[e++] + rows[f++] + rows[g++] + rows[h++];
    }
  }
  for (; at < places.length; at++) for (let t = 0, q = places[at]; t < out.length; t++, q++) out[t] += rows[q];
}

interface Scratch {
  readonly own: Float64Array;
  readonly G: Float64Array;
  readonly b: Float64Array;
  readonly places: Uint32Array;
}

function makeScratch(k: number, m: number): Scratch {
  return {
    places: new Uint32Array(m),
    own: new Float64Array((k * (k + 1)) / 2),
    G: new Float64Array(k * k),
    b: new Float64Array(k),
  };
}

interface CodeSums {
  /** m × k: Σ x h over the samples that have a feature. */
  readonly XHt: Float64Array;
  /** m lower triangles: the expectation of Σ h·hᵀ over these samples. */
  readonly HHt: Float64Array;
}

/** Numbers of the lists of one part of the samples, about, and how few and how many samples it has. */
const LISTED = 2 ** 20;
const [LEAST_TOGETHER, MOST_TOGETHER] = [32, 1024];

function* sumCodes(table: ScaledTable, components: Components, rows: Uint32Array): Steps<CodeSums> {
  const { m, counts } = table;
  const { k } = components;
  const width = components.whole.length;
  const sums = { XHt: new Float64Array(m * k), HHt: new Float64Array(m * width) };
  const together = Math.max(LEAST_TOGETHER, Math.min(MOST_TOGETHER, Math.floor(LISTED / m)));
  const part: Part = {
    outers: new Float64Array(together * width),
    lists: new Uint32Array(m * together),
    lengths: new Uint32Array(m),
  };
  const all = new Float64Array(width);
  const one = new Float64Array(width);
  const stepOf = (length: number) => countTogether(length * width);
  for (let from = 0; from < rows.length; from += together) {
    const some = rows.subarray(from, from + together);
    const known = some.reduce((sum, i) => sum + counts[i], 0);
    // HHᵀ of all samples less those that lack a feature, or of those that have it: what is shorter.
    const few = 2 * known > some.length * m;
    yield* listCodes(table, components, some, few ? 0 : 1, part, sums.XHt);
    if (few) for (let q = 0; q < some.length * width; q++) all[q % width] += part.outers[q];
    const sign = few ? -1 : 1;
    const step = stepOf(some.length);
    for (let f = 0; f < m; f++) {
      if (f % step === 0) yield;
      sumRows(part.outers, part.lists.subarray(f * together, f * together + part.lengths[f]), one);
      for (let t = 0, q = f * width; t < width; t++, q++) sums.HHt[q] += sign * one[t];
    }
  }
  for (let q = 0; q < sums.HHt.length; q++) sums.HHt[q] += all[q % width];
  return sums;
}

interface Part {
  /** Of each sample the expectation of h·hᵀ, a lower triangle. */
  readonly outers: Float64Array;
  /** Of each feature the places of samples there, and how many there are. */
  readonly lists: Uint32Array;
  readonly lengths: Uint32Array;
}

/** The codes of some samples. @param wanted which samples to list: 1, those that have a feature; 0, those that lack it */
function* listCodes(
  table: ScaledTable,
  components: Components,
  rows: Uint32Array,
  wanted: 0 | 1,
  { outers, lists, lengths }: Part,
  XHt: Float64Array,
): Steps<void> {
  const { m, values, known } = table;
  const { k, noise, whole } = components;
  const room = lists.length / m;
  const h = new Float64Array(k);
  const scratch = makeScratch(k, m);
  const { G, b } = scratch;
  const together = countTogether(k * k * k + 2 * m * k);
  lengths.fill(0);
  for (let at = 0; at < rows.length; at++) {
    if (at % together === 0) yield;
    const base = rows[at] * m;
    const place = at * whole.length;
    sumKnown(components, table, rows[at], scratch);
    invert(G, k);
    h.fill(0);
    for (let r = 0; r < k; r++) for (let s = 0; s < k; s++) h[r] += G[r * k + s] * b[s];
    for (let r = 0, t = place; r < k; r++) {
      for (let s = 0; s <= r; s++, t++) outers[t] = h[r] * h[s] + noise * G[r * k + s];
    }
    for (let f = 0; f < m; f++) {
      if (known[base + f] === wanted) lists[f * room + lengths[f]++] = place;
      if (known[base + f] === 0) continue;
      const x = values[base + f];
      for (let r = 0, q = f * k; r < k; r++, q++) XHt[q] += x * h[r];
    }
  }
}

/** Renews W, feature by feature. @returns m lower triangles: its variance */
function renewFeatures({ k, noise, W }: Components, { XHt, HHt }: CodeSums, precisions: Float64Array): Float64Array {
  const m = W.length / k;
  const width = HHt.length / m;
  const spread = new Float64Array(HHt.length);
  const A = new Float64Array(k * k);
  for (let f = 0; f < m; f++) {
    for (let r = 0, q = f * width; r < k; r++) {
      for (let s = 0; s <= r; s++, q++) A[r * k + s] = A[s * k + r] = HHt[q];
      A[r * k + r] += noise * precisions[r];
    }
    invert(A, k);
    for (let r = 0, q = f * width; r < k; r++) {
      let w = 0;
      for (let s = 0; s < k; s++) w += A[r * k + s] * XHt[f * k + s];
      W[f * k + r] = w;
      for (let s = 0; s <= r; s++, q++) spread[q] = noise * A[r * k + s];
    }
  }
  return spread;
}

/** The codes of samples, rows × k. */
export function* encodeKnown(table: ScaledTable, components: Components, rows: Uint32Array): Steps<Float64Array> {
  const { k } = components;
  const codes = new Float64Array(rows.length * k);
  const scratch = makeScratch(k, table.m);
  const together = countTogether(k * k * k + table.m * k);
  for (let at = 0; at < rows.length; at++) {
    if (at % together === 0) yield;
    sumKnown(components, table, rows[at], scratch);
    solve(scratch.G, k, scratch.b);
    codes.set(scratch.b, at * k);
  }
  return codes;
}

/** What components say of a value. @param at which row of the codes */
export function guess({ k, W }: Components, codes: Float64Array, at: number, f: number): number {
  let sum = 0;
  for (let r = 0, c = at * k, q = f * k; r < k; r++, c++, q++) sum += codes[c] * W[q];
  return sum;
}
