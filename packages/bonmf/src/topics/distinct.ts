/** Documents in an order that does not depend on the order they came in, each once. */
export interface Distinct {
  /** The first document of each kind, in that order. */
  readonly firsts: Uint32Array;
  /** The kind of each document. */
  readonly kindOf: Uint32Array;
  /** How many documents are of each kind, divided by what all these numbers share: a corpus given twice is the same corpus. */
  readonly weights: Float64Array;
}

/** How documents are told apart. */
export interface Comparison {
  readonly samples: number;
  /** A whole number below 2³², the same for equal documents. */
  hash(i: number): number;
  /** 0 for equal documents. */
  compare(i: number, j: number): number;
}

/** Bits of a digit: three of them are a hash. */
const DIGIT = 11;
const LARGEST = 2 ** DIGIT - 1;

/** Finds equal documents, and puts them in the order of their hashes. */
export function findDistinct({ samples, hash, compare }: Comparison): Distinct {
  const hashes = new Uint32Array(samples);
  for (let i = 0; i < samples; i++) hashes[i] = hash(i);
  const { order, keys } = sortByHash(hashes);
  const kindOf = new Uint32Array(samples);
  const firsts = new Uint32Array(samples);
  const copies = new Float64Array(samples);
  let kinds = 0;
  for (let from = 0, to = 0; from < samples; from = to) {
    for (to = from + 1; to < samples && keys[to] === keys[from]; ) to++;
    if (to - from > 1) order.subarray(from, to).sort((i, j) => compare(i, j) || i - j);
    for (let at = from; at < to; at++) {
      const i = order[at];
      // Those of another hash are different.
      if (at === from || compare(order[at - 1], i) !== 0) firsts[kinds++] = i;
      copies[kinds - 1]++;
      kindOf[i] = kinds - 1;
    }
  }
  return { firsts: firsts.slice(0, kinds), kindOf, weights: divideCommon(copies.subarray(0, kinds)) };
}

/** The numbers of documents in the order of their hashes, digit by digit: comparisons would take several times as long. */
function sortByHash(hashes: Uint32Array) {
  const n = hashes.length;
  let keys = hashes.slice();
  let order = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  for (let shift = 0, others = new Uint32Array(n), places = new Uint32Array(n); shift < 32; shift += DIGIT) {
    const ends = new Uint32Array(LARGEST + 1);
    for (let at = 0; at < n; at++) ends[(keys[at] >>> shift) & LARGEST]++;
    for (let digit = 0, sum = 0; digit < ends.length; digit++) {
      sum += ends[digit];
      // Where it begins, until its documents are put there.
      ends[digit] = sum - ends[digit];
    }
    for (let at = 0; at < n; at++) {
      const to = ends[(keys[at] >>> shift) & LARGEST]++;
      others[to] = keys[at];
      places[to] = order[at];
    }
    [keys, others] = [others, keys];
    [order, places] = [places, order];
  }
  return { order, keys };
}

/** Whole numbers divided by what all share. */
function divideCommon(counts: Float64Array): Float64Array {
  let shared = 0;
  for (let i = 0; i < counts.length && shared !== 1; i++) shared = greatestDivisor(counts[i], shared);
  return counts.map((count) => count / shared);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** FNV-1a, begun or carried on. */
export function hashNumber(value: number, hash = 0x811c9dc5): number {
  return Math.imul(hash ^ value, 0x01000193) >>> 0;
}
