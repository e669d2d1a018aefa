import { Random, STREAM } from "../random.js";
import { findListed, type PointLists } from "./nearest-samples.js";

/** Most samples that are laid out themselves. */
const MOST_LANDMARKS = 100_000;
/** Landmarks that tell where another sample lies. */
const GUIDES = 3;

/** Where samples lie between landmarks. */
export interface Followers {
  /** n × GUIDES, places in the list of landmarks. */
  readonly guides: Uint32Array;
  /** Beside it; those of a sample add up to 1. */
  readonly weights: Float64Array;
}

/**
 * The samples to lay out, rising: one of each set of equal ones, which would only attract each other, and not too many.
 *
 * @param points n × d
 * @returns null: all of them
 */
export function chooseLandmarks(points: Float32Array, d: number, seed: number): Uint32Array | null {
  const n = points.length / d;
  const distinct = findDistinct(points, d);
  if (distinct.length <= MOST_LANDMARKS) return distinct.length === n ? null : distinct;
  const chosen = new Random(seed, STREAM.map).choose(distinct.length, MOST_LANDMARKS).sort();
  return chosen.map((place) => distinct[place]);
}

/** The first of each set of equal points, by a hash table with open addressing. */
function findDistinct(points: Float32Array, d: number): Uint32Array {
  const n = points.length / d;
  const bits = new Uint32Array(points.buffer, points.byteOffset, points.length);
  const mask = 2 ** Math.ceil(Math.log2(2 * n + 1)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const distinct: number[] = [];
  for (let i = 0; i < n; i++) {
    let hash = 0x811c9dc5;
    for (let a = i * d; a < (i + 1) * d; a++) hash = Math.imul(hash ^ bits[a], 0x01000193) ^ (hash >>> 15);
    let slot = hash & mask;
    while (table[slot] >= 0 && !areEqual(bits, table[slot] * d, i * d, d)) slot = (slot + 1) & mask;
    if (table[slot] >= 0) continue;
    table[slot] = i;
    distinct.push(i);
  }
  return Uint32Array.from(distinct);
}

function areEqual(bits: Uint32Array, a: number, b: number, d: number): boolean {
  for (let f = 0; f < d; f++) if (bits[a + f] !== bits[b + f]) return false;
  return true;
}

/**
 * Finds the landmarks around each sample.
 *
 * @param points n × d
 * @param lists of the landmarks
 */
export function* followLandmarks(points: Float32Array, lists: PointLists): Generator<number, Followers> {
  const near = Math.min(GUIDES, lists.ids.length);
  const { nearest, distances } = yield* findListed(lists, points, near);
  const guides = new Uint32Array((points.length / lists.d) * GUIDES);
  const weights = new Float64Array(guides.length);
  for (let i = 0; i < nearest.length / near; i++) {
    const least = distances[i * near];
    let total = 0;
    for (let e = 0; e < near; e++) {
      // Inverse squared distances: a sample that equals a landmark lies on it.
      const distance = distances[i * near + e];
      const weight = distance === least ? 1 : least / distance;
      guides[i * GUIDES + e] = nearest[i * near + e];
      weights[i * GUIDES + e] = weight;
      total += weight;
    }
    for (let e = 0; e < near; e++) weights[i * GUIDES + e] /= total;
  }
  return { guides, weights };
}

/**
 * The places of all samples.
 *
 * @param at places of the landmarks, × 2
 * @returns n × 2
 */
export function placeAll(at: Float64Array, { guides, weights }: Followers): Float64Array {
  const all = new Float64Array((2 * guides.length) / GUIDES);
  for (let g = 0; g < guides.length; g++) {
    const i = 2 * Math.floor(g / GUIDES);
    all[i] += weights[g] * at[2 * guides[g]];
    all[i + 1] += weights[g] * at[2 * guides[g] + 1];
  }
  return all;
}
