import { FEW } from "./lexicon.js";
import { areEqual, countCharacters, type TextList } from "./texts.js";
import { hashInWasm } from "./wasm-table.js";

/** Which texts are equal. */
export interface EqualTexts {
  /** The first text of each kind, rising. */
  readonly firsts: Uint32Array;
  /** The kind of each text. */
  readonly kindOf: Uint32Array;
  /** Of each kind a whole number below 2³² that looks drawn by chance, and depends on the text alone. */
  readonly hashes: Uint32Array;
}

/** Finds equal texts, in a fraction of the time and the memory of a `Map` of them. */
export function groupEqualTexts(texts: TextList): EqualTexts {
  const all = hashTexts(texts);
  const kindOf = new Uint32Array(texts.length);
  const firsts = new Uint32Array(texts.length);
  // One more than the kind, 0 for none; at most half full.
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * texts.length + 1)));
  let kinds = 0;
  for (let i = 0; i < texts.length; i++) {
    let slot = all[i] & (slots.length - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      const first = firsts[slots[slot] - 1];
      if (all[first] === all[i] && areEqual(texts, first, i)) break;
    }
    if (slots[slot] === 0) {
      firsts[kinds] = i;
      slots[slot] = ++kinds;
    }
    kindOf[i] = slots[slot] - 1;
  }
  const hashes = new Uint32Array(kinds);
  for (let kind = 0; kind < kinds; kind++) hashes[kind] = all[firsts[kind]];
  return { firsts: firsts.slice(0, kinds), kindOf, hashes };
}

/** Of each text a whole number below 2³², the same for equal texts. */
export function hashTexts(texts: TextList): Uint32Array {
  const found = countCharacters(texts) < FEW ? null : hashInWasm(texts, hashText);
  return found ?? Uint32Array.from(texts, hashText);
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
