import { ln } from "../random.js";

/** A sample in a ranking: smaller keys come first, then smaller ids. */
export interface Ranked {
  readonly id: number;
  readonly key: number;
  readonly label: number;
  /** The sample's coefficient on its prototype; 1 for plain labels. */
  readonly value: number;
  readonly weight: number;
}

/** What a sweep over some samples adds up to. Every field merges by adding, xor or ranking. */
export interface Sums {
  /** k × m: row j is Σ ω h_j x. Empty where nothing is summed, or where it is exact and the first block of a shard has that of all. */
  XHt: Float64Array;
  /** k × k: Σ ω h hᵀ; only its diagonal, k numbers, for one-hot codes. */
  readonly HHt: Float64Array;
  /**
   * Of samples with gaps, HHᵀ of the samples that have each feature: m lower triangles of k(k + 1)/2, or for one-hot codes k × m.
   * Else empty. Until the total is made, that of the samples which lack it, where `lacking` says so.
   */
  readonly known: Float64Array;
  /** k × m, from `divide` of samples with gaps: Σ ω h of the samples that list each feature, as what they lack or as what they know. Else empty. */
  readonly listedCodes: Float64Array;
  /** Σ ω (Wh)² at listed features, from `divide`. */
  listedSquare: number;
  /** Whether samples list what they lack. */
  lacking: boolean;
  /** k: Σ ω h, from `divide` and of steps with `l1`. Else empty. */
  readonly codes: Float64Array;
  /** How many samples' codes differ from before. */
  changed: number;
  /** How many products of a sample and a prototype it took to find the codes. */
  products: number;
  /** A fingerprint of all labels: two xor-ed 32-bit hashes of (sample, label). */
  hash0: number;
  hash1: number;
  /** Σ ω ‖x‖². */
  normSq: number;
  /** Σ of all entries, weighted. */
  total: number;
  /** Σ ω · (log loss), from `softmax`; from `divide` Σ ω (x ln(x/(Wh)) − x). */
  loss: number;
  /** Σ ω ⟨x, Wh⟩, from `divide`. */
  cross: number;
  /** Within a block: a product whose logarithm is still to be added to the loss. 1 elsewhere. */
  factor: number;
  /** Σ ω. */
  weight: number;
  /** How many samples are all zero, and their Σ ω. */
  zeros: number;
  zeroWeight: number;
  /** How many samples have a negative value. */
  negatives: number;
  /** m numbers: the largest |value| of each feature, from `survey`; else empty. */
  most: Float64Array;
  ranked: Ranked[];
}

/** How long HHt is: k for one-hot codes, k × k for real ones, and no sums at all when nothing is summed. Without gaps, `known` is 0. */
export type Layout = {
  readonly XHt: number;
  readonly HHt: number;
  readonly known?: number;
  readonly listedCodes?: number;
  readonly lacking?: boolean;
  readonly codes?: number;
};

/** @param spares IN/OUT arrays that nobody needs any more */
export function zeroSums(
  { XHt, HHt, known = 0, listedCodes = 0, lacking = false, codes = 0 }: Layout,
  spares: Float64Array[] = [],
): Sums {
  const take = (length: number) => {
    const at = length > 0 ? spares.findIndex((spare) => spare.length === length) : -1;
    return at < 0 ? new Float64Array(length) : spares.splice(at, 1)[0].fill(0);
  };
  const sums = makeSums(take(XHt), new Float64Array(HHt));
  const more = {
    known: take(known),
    listedCodes: new Float64Array(listedCodes),
    codes: new Float64Array(codes),
  };
  return { ...sums, ...more, lacking };
}

/** Turns sums of the samples that lack a feature into those of the samples that have it, in place. */
export function finishKnown(sums: Sums): Sums {
  const { XHt, HHt, known } = sums;
  if (!sums.lacking || known.length === 0) return sums;
  sums.lacking = false;
  const oneHot = known.length === XHt.length;
  const k = oneHot ? HHt.length : Math.sqrt(HHt.length);
  const m = XHt.length / k;
  if (oneHot) {
    for (let j = 0, p = 0; j < k; j++) for (let f = 0; f < m; f++, p++) known[p] = HHt[j] - known[p];
    return sums;
  }
  for (let f = 0, p = 0; f < m; f++) {
    for (let r = 0; r < k; r++) for (let s = 0; s <= r; s++, p++) known[p] = HHt[r * k + s] - known[p];
  }
  return sums;
}

const NOTHING = new Float64Array(0);

/** Sums of which only the matrices are known yet. */
export function makeSums(XHt: Float64Array, HHt: Float64Array): Sums {
  return {
    XHt,
    HHt,
    known: NOTHING,
    listedCodes: NOTHING,
    listedSquare: 0,
    lacking: false,
    codes: NOTHING,
    changed: 0,
    products: 0,
    hash0: 0,
    hash1: 0,
    normSq: 0,
    total: 0,
    loss: 0,
    cross: 0,
    factor: 1,
    weight: 0,
    zeros: 0,
    zeroWeight: 0,
    negatives: 0,
    most: NOTHING,
    ranked: [],
  };
}

/** Adds b to a, in place. `rank` bounds the ranking. */
export function mergeSums(a: Sums, b: Sums, rank: number): Sums {
  if (a.XHt.length === 0) a.XHt = b.XHt;
  else addTo(a.XHt, b.XHt);
  addTo(a.HHt, b.HHt);
  addTo(a.known, b.known);
  addTo(a.listedCodes, b.listedCodes);
  a.listedSquare += b.listedSquare;
  addTo(a.codes, b.codes);
  a.changed += b.changed;
  a.products += b.products;
  a.hash0 = (a.hash0 ^ b.hash0) >>> 0;
  a.hash1 = (a.hash1 ^ b.hash1) >>> 0;
  a.normSq += b.normSq;
  a.total += b.total;
  a.loss += b.loss;
  a.cross += b.cross;
  a.weight += b.weight;
  a.zeros += b.zeros;
  a.zeroWeight += b.zeroWeight;
  a.negatives += b.negatives;
  // Blocks of one thread share their maxima.
  if (a.most !== b.most) for (let f = 0; f < a.most.length; f++) a.most[f] = Math.max(a.most[f], b.most[f]);
  for (const entry of b.ranked) insertRanked(a.ranked, entry, rank);
  return a;
}

/** Adds what is left of a block to its loss. */
export function closeLoss(sums: Sums): void {
  sums.loss += ln(sums.factor);
  sums.factor = 1;
}

/** One logarithm for hundreds of samples: it would take half of the time of a sweep. Times 2³² this is still a number. */
export const MOST_FACTOR = 2 ** 960;

function addTo(sums: Float64Array, more: Float64Array): void {
  for (let p = 0; p < more.length; p++) sums[p] += more[p];
}

/** Keeps `ranked` sorted by (key, id) and no longer than `rank`. */
export function insertRanked(ranked: Ranked[], entry: Ranked, rank: number): void {
  if (!isRanked(ranked, entry.key, entry.id, rank)) return;
  let at = ranked.length;
  while (at > 0 && !precedes(ranked[at - 1], entry.key, entry.id)) at--;
  ranked.splice(at, 0, entry);
  if (ranked.length > rank) ranked.pop();
}

function precedes(other: Ranked, key: number, id: number): boolean {
  return other.key < key || (other.key === key && other.id < id);
}

/** Whether a sample would find a place in the ranking; asked first, it spares making the entry. */
export function isRanked(ranked: readonly Ranked[], key: number, id: number, rank: number): boolean {
  return ranked.length < rank || (rank > 0 && !precedes(ranked[rank - 1], key, id));
}

/** Takes a sample's label into a fingerprint of all labels, or out of it again. */
export function markLabel(into: Pick<Sums, "hash0" | "hash1">, id: number, label: number): void {
  into.hash0 = (into.hash0 ^ mixLabel(id, label, 0)) >>> 0;
  into.hash1 = (into.hash1 ^ mixLabel(id, label, 0x5bd1e995)) >>> 0;
}

/** Mixes a sample's number and label into 32 bits (the finaliser of MurmurHash3). */
export function mixLabel(sample: number, label: number, salt: number): number {
  let h = Math.imul(sample ^ salt, 0x9e3779b1) ^ Math.imul(label + 1, 0x85ebca77);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

// Exact sums. A term is rounded to a grid so coarse that no sum of terms can need more than 53 bits, and so fine that
// the rounding is below 2⁻⁵² of the largest possible sum. Sums of grid points are exact in any order: the same bits
// however samples are divided, and a sample that moves can be taken out of one sum and put into another without any
// drift.

const view = new DataView(new ArrayBuffer(8));

/** The smallest power of two that is at least x, for positive finite x. */
export function powerAbove(x: number): number {
  view.setFloat64(0, x);
  const high = view.getUint32(0);
  view.setUint32(0, high & 0x7ff00000);
  view.setUint32(4, 0);
  const floor = view.getFloat64(0);
  return floor < x ? 2 * floor : floor;
}

/** A number c such that (t + c) − c rounds t to the grid for sums of at most `largest`. */
export function gridFor(largest: number): number {
  return largest > 0 ? 1.5 * powerAbove(largest) : 0;
}
