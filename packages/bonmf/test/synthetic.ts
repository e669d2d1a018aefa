import { createHash } from "node:crypto";
import type { MethodName } from "../src/factor/settings.js";
import type { Codes } from "../src/kernel/step.js";
import { Dense } from "../src/matrix/dense.js";
import type { Model } from "../src/model/model.js";

/** Small data made from a seed without the library's own generator, and ways to compare results to the bit. */
export const ONE_HOT = ["bonmf", "spherical", "kmeans", "em-onmf"] as const satisfies MethodName[];
export const REAL = ["nmf", "hals", "onmf", "onmf-ding", "semi-binary"] as const satisfies MethodName[];
export const ALL = [...ONE_HOT, ...REAL] as const;

/** mulberry32: uniform numbers in [0, 1). */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** n samples of m features, a share `zeros` of them zero. */
export function randomRows(seed: number, n: number, m: number, zeros = 0): number[][] {
  const next = draws(seed);
  return Array.from({ length: n }, () => Array.from({ length: m }, () => (next() < zeros ? 0 : next() + 0.01)));
}

/** Rows of very different lengths, one of them zero. */
export function lengthyRows(seed: number, n: number, m: number, zeros: number): number[][] {
  const rows = randomRows(seed, n, m, zeros).map((row, i) => row.map((v) => v * [1e-9, 1, 3, 1e9][i % 4]));
  rows[n >> 1].fill(0);
  return rows;
}

/** 0 where one has no direction. */
export function cosineOf(z: ArrayLike<number>, x: ArrayLike<number>): number {
  let [dot, zz, xx] = [0, 0, 0];
  for (let f = 0; f < z.length; f++) {
    dot += z[f] * x[f];
    zz += z[f] * z[f];
    xx += x[f] * x[f];
  }
  return zz * xx > 0 ? dot / Math.sqrt(zz * xx) : 0;
}

/** The same with whole numbers 0 … 9, whose sums are exact in any order. */
export function wholeRows(seed: number, n: number, m: number, zeros = 0.3): number[][] {
  return randomRows(seed, n, m, zeros).map((row) => row.map((x) => Math.floor(x * 9.9)));
}

/** Whole-numbered samples around k overlapping directions: a fit takes several iterations. */
export function blobRows(seed: number, n: number, m: number, k: number): number[][] {
  const next = draws(seed);
  const centres = Array.from({ length: k }, () => Array.from({ length: m }, () => next() * 12));
  return Array.from({ length: n }, (_, i) =>
    centres[i % k].map((c) => Math.max(0, Math.round(c + (next() + next() + next() - 1.5) * 8))),
  );
}

export const dense = (rows: number[][], precision: "f32" | "f64" = "f64") => Dense.from(rows, precision);

type Typed = Float64Array | Float32Array | Uint8Array | Uint16Array | Uint32Array;

/** The bytes of an array as a short text: equal texts mean Object.is on every element. */
export function bits(array: Typed | null): string | null {
  if (array === null) return null;
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return `${array.constructor.name}(${array.length}) ${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;
}

export const codeBits = ({ form, k, labels, values }: Codes) => ({
  form,
  k,
  labels: bits(labels),
  values: bits(values),
});

/** All a run leaves behind, comparable with toEqual to the bit. */
export function record(model: Model) {
  const { W, labels, codes, history, stopped, repairs, restart, zeroSamples } = model;
  return {
    W: bits(W.data),
    labels: [...labels],
    codes: codeBits(codes),
    history: [...history],
    stopped,
    repairs,
    restart,
    zeroSamples,
  };
}
