import type { Matrix } from "../matrix/matrix.js";
import { Blocks } from "./blocks.js";
import { Panel } from "./panel.js";
import type { Region } from "./region.js";
import { isTame, MOST_PRODUCTS, type Sieve } from "./sieve.js";

/** Sparse members with a larger share of values than this are compared as dense ones, which a few features often decide. */
const FULL = 0.25;

function isFull(Z: Matrix): boolean {
  return Z.kind === "dense" || Z.values.length > FULL * Z.samples * Z.features;
}

/** Whether the error bound holds for members of these lengths. */
export function canSift(Z: Matrix, lengths: Float64Array): boolean {
  if (longest(Z) > MOST_PRODUCTS) return false;
  return lengths.every((length) => length === 0 || isTame(length));
}

/** The bytes that a sieve of k clusters takes. */
export function siftBytes(Z: Matrix, k: number): number {
  if (Z.kind === "dense" || isFull(Z)) return Blocks.bytesOf(Z, k);
  return Panel.bytesOf(Z);
}

/**
 * @param Z IN n × m, values of 0 or more
 * @param lengths IN n
 * @param clusters IN n
 * @param ids IN n, members cluster by cluster
 * @param starts IN k + 1, where they begin
 */
export function makeSieve(
  region: Region,
  Z: Matrix,
  lengths: Float64Array,
  clusters: Uint32Array,
  ids: Uint32Array,
  starts: Uint32Array,
): Sieve {
  if (Z.kind === "sparse" && !isFull(Z)) return new Panel(region, Z, lengths, longest(Z), ids, starts);
  return new Blocks(region, Z, lengths, clusters, starts);
}

/** The most products in a score. */
function longest(Z: Matrix): number {
  if (Z.kind === "dense" || isFull(Z)) return Z.features;
  let most = 0;
  for (let i = 0; i < Z.samples; i++) most = Math.max(most, Z.offsets[i + 1] - Z.offsets[i]);
  return most;
}
