import { Dense } from "../matrix/dense.js";
import { countValues, type Matrix } from "../matrix/matrix.js";
import { orthonormalise } from "../matrix/prototypes.js";
import { eigen } from "../matrix/symmetric.js";
import { STREAM, uniform } from "../random.js";
import { countTogether, type Steps } from "../steps.js";

/**
 * Principal components by subspace iteration (Halko, Martinsson, Tropp: Finding structure with randomness, 2011), from
 * + − × ÷ √ alone. Clusters lie in the directions of most variance, and in few dimensions centres are known better.
 */

/** Directions beyond those asked for, which make the last ones more exact. */
const SPARE = 8;
/** Enough for axes that hardly rise above noise, */
const ROUNDS = 12;
/** and for those that stand out. */
export const FEW_ROUNDS = 4;

/** What is expected of every sample, and subtracted: its level times the profile. */
export interface Baseline {
  /** m numbers. */
  readonly profile: Float64Array;
  /** n numbers; null: all 1. */
  readonly levels: Float64Array | null;
}

/** How often `findComponents` reads a sample, in multiplications for each value and axis. */
export const COVARIANCES = 2 * ROUNDS;

/** How many steps `findComponents` takes. */
export function stepsOfComponents(X: Matrix, most: number): number {
  const width = Math.min(X.features, most + SPARE);
  return ROUNDS * Math.ceil(X.samples / countTogether(2 * width * countValues(X)));
}

export interface Components {
  readonly baseline: Baseline;
  /** count × m orthonormal rows, those of most variance first. */
  readonly axes: Float64Array;
  /** The mean square along each axis: the variance, where the baseline is the mean. */
  readonly variances: Float64Array;
  /** That of all features together. */
  readonly total: number;
}

/**
 * @param X n × m
 * @param most the most axes; fewer where X has fewer features
 */
export function* findComponents(
  X: Matrix,
  most: number,
  seed: number,
  baseline = meanOf(X),
  rounds = ROUNDS,
): Steps<Components> {
  const { features: m } = X;
  const width = Math.min(m, most + SPARE);
  let axes: Float64Array = new Float64Array(width * m).map((_, p) => uniform(seed, STREAM.subspace, p) - 0.5);
  orthonormalise(axes, width);
  let variances: Float64Array = new Float64Array(width);
  for (let round = 0; round < rounds; round++) {
    const CV = yield* applyCovariance(X, baseline, axes, width);
    if (round < rounds - 1) {
      axes = CV;
      orthonormalise(axes, width);
      continue;
    }
    // Rayleigh–Ritz: the best axes within the subspace.
    const inner = new Float64Array(width * width);
    for (let a = 0; a < width; a++) for (let b = 0; b < width; b++) inner[a * width + b] = dot(axes, a, CV, b, m);
    const { values, vectors } = eigen(inner, width);
    variances = values;
    axes = combine(vectors, axes, width, m);
  }
  const count = Math.min(most, width);
  const total = measureTotal(X, baseline);
  return { baseline, axes: axes.slice(0, count * m), variances: variances.slice(0, count), total };
}

/** The mean of all samples. */
export function meanOf(X: Matrix): Baseline {
  const profile = new Float64Array(X.features);
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, x) => {
      profile[f] += x / X.samples;
    });
  }
  return { profile, levels: null };
}

function measureTotal(X: Matrix, { profile, levels }: Baseline): number {
  const expected = dot(profile, 0, profile, 0, X.features);
  let total = 0;
  for (let i = 0; i < X.samples; i++) {
    const level = levels?.[i] ?? 1;
    let squares = level * level * expected;
    X.each(i, (f, x) => {
      squares += x * (x - 2 * level * profile[f]);
    });
    total += squares / X.samples;
  }
  return Math.max(0, total);
}

/** The samples' coordinates along the first `count` axes, n × count. */
export function* project(X: Matrix, { baseline, axes }: Components, count: number): Steps<Dense> {
  const { samples: n, features: m } = X;
  const { profile, levels } = baseline;
  const out = Dense.zeros(n, count, "f64");
  const offsets = Float64Array.from({ length: count }, (_, c) => dot(axes, c, profile, 0, m));
  const byFeature = transpose(axes.subarray(0, count * m), count, m);
  const together = countTogether(count * countValues(X));
  for (let i = 0, next = 0; i < n; ) {
    if (i >= next) {
      yield;
      next = i + together;
    }
    const rows = countRows(X, i);
    const along = out.data.subarray(i * count, (i + rows) * count) as Float64Array;
    startAlong(levels, i, offsets, along, rows);
    addAlong(X, i, byFeature, along, count);
    i += rows;
  }
  return out;
}

/** Rows C·v, C being the covariance of X about the baseline. */
function* applyCovariance(X: Matrix, baseline: Baseline, axes: Float64Array, width: number): Steps<Float64Array> {
  const { samples: n, features: m } = X;
  const { profile, levels } = baseline;
  const byFeature = transpose(axes, width, m);
  const sums = new Float64Array(m * width);
  const along = new Float64Array(TOGETHER * width);
  const offsets = Float64Array.from({ length: width }, (_, c) => dot(axes, c, profile, 0, m));
  const totals = new Float64Array(width);
  const together = countTogether(2 * width * countValues(X));
  for (let i = 0, next = 0; i < n; ) {
    if (i >= next) {
      yield;
      next = i + together;
    }
    const rows = countRows(X, i);
    startAlong(levels, i, offsets, along, rows);
    addAlong(X, i, byFeature, along, width);
    addBack(X, i, along, sums, width);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < width; c++) totals[c] += (levels?.[i + r] ?? 1) * along[r * width + c];
    }
    i += rows;
  }
  const out = new Float64Array(width * m);
  for (let c = 0; c < width; c++) {
    for (let f = 0; f < m; f++) out[c * m + f] = (sums[f * width + c] - profile[f] * totals[c]) / n;
  }
  return out;
}

/** Dense samples that are read together: what is loaded for one serves all. The order of additions is that of one after the other. */
const TOGETHER = 4;

function countRows(X: Matrix, i: number): number {
  return X.kind === "dense" && i + TOGETHER <= X.samples ? TOGETHER : 1;
}

/** Less what is expected: the coordinates of the baseline, for the samples from i on. */
function startAlong(
  levels: Float64Array | null,
  i: number,
  offsets: Float64Array,
  along: Float64Array,
  rows: number,
): void {
  const width = offsets.length;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < width; c++) along[r * width + c] = -(levels?.[i + r] ?? 1) * offsets[c];
  }
}

/** Adds the coordinates of the samples from i on, `countRows` of them. */
function addAlong(X: Matrix, i: number, byFeature: Float64Array, along: Float64Array, width: number): void {
  // No callback for each feature: its numbers would be allocated.
  if (X.kind === "sparse") {
    const { offsets, indices, values } = X;
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const x = values[e];
      if (x !== 0) for (let c = 0, p = indices[e] * width; c < width; c++, p++) along[c] += x * byFeature[p];
    }
    return;
  }
  if (countRows(X, i) === 1) {
    X.each(i, (f, x) => {
      if (x !== 0) for (let c = 0, p = f * width; c < width; c++, p++) along[c] += x * byFeature[p];
    });
    return;
  }
  const { data, features: m } = X;
  for (let f = 0, p = i * m; f < m; f++, p++) {
    const x0 = data[p];
    const x1 = data[p + m];
    const x2 = data[p + 2 * m];
    const x3 = data[p + 3 * m];
    if (x0 === 0 && x1 === 0 && x2 === 0 && x3 === 0) continue;
    for (let c = 0, q = f * width; c < width; c++, q++) {
      const axis = byFeature[q];
      along[c] += x0 * axis;
      along[width + c] += x1 * axis;
      along[2 * width + c] += x2 * axis;
      along[3 * width + c] += x3 * axis;
    }
  }
}

/** Adds x times the coordinates, for the same samples. */
function addBack(X: Matrix, i: number, along: Float64Array, sums: Float64Array, width: number): void {
  if (X.kind === "sparse") {
    const { offsets, indices, values } = X;
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const x = values[e];
      if (x !== 0) for (let c = 0, p = indices[e] * width; c < width; c++, p++) sums[p] += x * along[c];
    }
    return;
  }
  if (countRows(X, i) === 1) {
    X.each(i, (f, x) => {
      if (x !== 0) for (let c = 0, p = f * width; c < width; c++, p++) sums[p] += x * along[c];
    });
    return;
  }
  const { data, features: m } = X;
  for (let f = 0, p = i * m; f < m; f++, p++) {
    const x0 = data[p];
    const x1 = data[p + m];
    const x2 = data[p + 2 * m];
    const x3 = data[p + 3 * m];
    if (x0 === 0 && x1 === 0 && x2 === 0 && x3 === 0) continue;
    for (let c = 0, q = f * width; c < width; c++, q++) {
      sums[q] = sums[q] + x0 * along[c] + x1 * along[width + c] + x2 * along[2 * width + c] + x3 * along[3 * width + c];
    }
  }
}

function combine(vectors: Float64Array, rows: Float64Array, count: number, m: number): Float64Array {
  const out = new Float64Array(count * m);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      const share = vectors[a * count + b];
      for (let f = 0; f < m; f++) out[a * m + f] += share * rows[b * m + f];
    }
  }
  return out;
}

function transpose(rows: Float64Array, count: number, m: number): Float64Array {
  const out = new Float64Array(rows.length);
  for (let c = 0; c < count; c++) for (let f = 0; f < m; f++) out[f * count + c] = rows[c * m + f];
  return out;
}

function dot(A: Float64Array, a: number, B: Float64Array, b: number, m: number): number {
  let sum = 0;
  for (let f = 0, p = a * m, q = b * m; f < m; f++, p++, q++) sum += A[p] * B[q];
  return sum;
}
