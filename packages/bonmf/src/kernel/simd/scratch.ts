import type { Gaps } from "../../matrix/gaps.js";
import type { Matrix } from "../../matrix/matrix.js";
import { encodesOnScratch } from "../choose.js";
import { CHUNK, type Products } from "../plain/products.js";
import type { PlacedGaps, Region } from "../region.js";
import { SimdProducts } from "./simd-products.js";

/** A region for work that ends before the call does. */
export interface Scratch extends Region {
  /** Takes all room back. */
  clear(): void;
}

let scratch: Scratch | null = null;

/** The engine provides it once the kernels are compiled; until then, and with null, samples are encoded plainly. */
export function provideScratch(given: Scratch | null): void {
  scratch = given;
}

/** The scratch with all its room free, until the next call; null where the kernels cannot run. */
export function takeScratch(): Region | null {
  scratch?.clear();
  return scratch;
}

/** The scratch, where it pays to encode samples on it. */
export function scratchFor(X: Matrix, k: number): Region | null {
  return encodesOnScratch(X.samples, X.features, k) ? takeScratch() : null;
}

/** Memory that some samples at a time are copied to. */
export interface Stage {
  /** Addresses; of dense samples the first is that of their values. */
  readonly X: number;
  readonly indices: number;
  readonly values: number;
  /** Copies samples from … to − 1 there. */
  copy(from: number, to: number): void;
}

/** @param most how many samples are copied at a time */
export function makeStage(region: Region, X: Matrix, most: number): Stage {
  const { features, precision } = X;
  const view = (at: number, length: number) => (precision === "f64" ? region.f64(at, length) : region.f32(at, length));
  const capacity = X.kind === "dense" ? Math.min(most, X.samples) * features : fullest(X.offsets, most);
  const values = region.reserve((precision === "f64" ? 8 : 4) * capacity, true);
  if (X.kind === "dense") {
    const copy = (from: number, to: number) =>
      view(values, (to - from) * features).set(X.data.subarray(from * features, to * features));
    return { X: values, indices: 0, values, copy };
  }
  const indices = region.reserve(4 * capacity, true);
  const offsets = region.reserve(4 * (most + 1), true);
  const copy = (from: number, to: number) => {
    const [first, last] = [X.offsets[from], X.offsets[to]];
    view(values, last - first).set(X.values.subarray(first, last));
    copyRuns(region, X.offsets, X.indices, from, to, offsets, indices);
  };
  return { X: offsets, indices, values, copy };
}

/** The same for what is missing of them. */
export function makeGapStage(region: Region, list: Gaps, most: number): PlacedGaps & Pick<Stage, "copy"> {
  const offsets = region.reserve(4 * (most + 1), true);
  const features = region.reserve(4 * fullest(list.offsets, most), true);
  const copy = (from: number, to: number) => copyRuns(region, list.offsets, list.features, from, to, offsets, features);
  return { list, offsets, features, copy };
}

/** Copies the numbers of samples from … to − 1, and offsets that begin with 0. */
function copyRuns(
  region: Region,
  offsets: Uint32Array,
  numbers: Uint32Array,
  from: number,
  to: number,
  offsetsAt: number,
  numbersAt: number,
): void {
  const [first, last] = [offsets[from], offsets[to]];
  region.u32(numbersAt, last - first).set(numbers.subarray(first, last));
  const rebased = region.u32(offsetsAt, to - from + 1);
  for (let s = 0; s < rebased.length; s++) rebased[s] = offsets[from + s] - first;
}

/**
 * Products in WebAssembly of samples outside the memory: each chunk is copied first. Valid until the next call; null
 * where kernels cannot run or would not pay. Nothing is added up: for `codesOnly` steps.
 */
export function copyingProducts(X: Matrix, k: number, gaps: Gaps | null = null): Products | null {
  const region = scratchFor(X, k);
  if (region === null) return null;
  const { features, precision } = X;
  const { copy: copySamples, ...stage } = makeStage(region, X, CHUNK);
  const missing = gaps && makeGapStage(region, gaps, CHUNK);
  const copy = (from: number, to: number) => {
    copySamples(from, to);
    missing?.copy(from, to);
  };
  const sparse = X.kind === "sparse";
  const place = { region, samples: CHUNK, features, precision, sparse, bytes: 0, longest: features };
  const products = new SimdProducts({ ...place, ...stage, norms: 0, offset: 0, weights: 0, gaps: missing });

  return {
    begin: (step, prepared) => products.begin(step, prepared),
    dots(from, to) {
      copy(from, to);
      return products.dots(0, to - from);
    },
    renew: (before, H) => products.renew(before, H),
    errors(from, to, classes) {
      copy(from, to);
      return products.errors(0, to - from, classes);
    },
    addErrors() {},
    divide(from, to, before, H, weights, sums) {
      copy(from, to);
      products.divide(0, to - from, before, H, weights, sums);
    },
    draws: (seed, stream, first, count) => products.draws(seed, stream, first, count),
    labels(from, to) {
      copy(from, to);
      return products.labels(0, to - from);
    },
    own(from, to, labels) {
      copy(from, to);
      return products.own(0, to - from, labels);
    },
    add() {},
    addCodes() {},
    addListed() {},
    finish() {},
  };
}

/** The most values that the samples of one chunk store. */
function fullest(offsets: Uint32Array, chunk: number): number {
  let most = 0;
  for (let from = 0; from < offsets.length - 1; from += chunk) {
    most = Math.max(most, offsets[Math.min(from + chunk, offsets.length - 1)] - offsets[from]);
  }
  return most;
}
