import { FEW } from "../text/lexicon.js";
import { openAsciiHash } from "../text/wasm-table.js";

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

/** Finds equal documents, and puts them in the order of their hashes. */
export function findDistinct({ samples, hash, compare }: Comparison): Distinct {
  // A hash and the document's number in the 53 bits of one number: typed arrays are sorted quickly.
  const span = 2 ** Math.ceil(Math.log2(samples + 1));
  const coarse = Math.max(1, (2 ** 32 * span) / 2 ** 53);
  const keys = new Float64Array(samples);
  for (let i = 0; i < samples; i++) keys[i] = Math.floor(hash(i) / coarse) * span + i;
  keys.sort();
  const order = new Uint32Array(samples);
  for (let at = 0; at < samples; at++) order[at] = keys[at] % span;
  const kindOf = new Uint32Array(samples);
  const firsts: number[] = [];
  const copies: number[] = [];
  for (let from = 0, to = 0; from < samples; from = to) {
    const bucket = Math.floor(keys[from] / span);
    for (to = from + 1; to < samples && Math.floor(keys[to] / span) === bucket; ) to++;
    if (to - from > 1) order.subarray(from, to).sort((i, j) => compare(i, j) || i - j);
    for (let at = from; at < to; at++) {
      const i = order[at];
      // Those of another hash are different.
      if (at === from || compare(order[at - 1], i) !== 0) {
        firsts.push(i);
        copies.push(0);
      }
      copies[copies.length - 1]++;
      kindOf[i] = firsts.length - 1;
    }
  }
  const shared = copies.reduce(greatestDivisor, 0);
  return { firsts: Uint32Array.from(firsts), kindOf, weights: Float64Array.from(copies, (count) => count / shared) };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** A whole number below 2³², the same for equal texts. @param characters about how many texts have */
export function openTextHash(characters: number): (text: string) => number {
  const hashAscii = characters < FEW ? null : openAsciiHash();
  return hashAscii === null ? hashText : (text) => hashAscii(text) ?? hashText(text);
}

/** FNV-1a, begun or carried on. */
export function hashNumber(value: number, hash = 0x811c9dc5): number {
  return Math.imul(hash ^ value, 0x01000193) >>> 0;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
