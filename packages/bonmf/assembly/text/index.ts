// A table of words that are found in texts and looked up by the codes of their letters: text/plain-table.ts in WebAssembly. It also
// counts them, as text/counts.ts does.
// It is a small module of its own, so that it can be compiled at once wherever texts are counted, and owns its memory.

import { ENTRY, enlarge, HOLDERS, LEFT, look, NUMBER, TOTAL } from "./words";

export { append, countWords, leaveOut, spell, speltTo, takeTotals } from "./words";

/** Digits and letters have larger codes than breaks and joiners. */
const FIRST_DIGIT: i32 = 0x30;
const BREAK: i32 = 0;
const APOSTROPHE: i32 = 0x27;
const LETTER_A: i32 = 0x61;
const LETTER_L: i32 = 0x6c;
const LETTER_N: i32 = 0x6e;
const LETTER_Q: i32 = 0x71;
const LETTER_S: i32 = 0x73;
const LETTER_U: i32 = 0x75;
const LETTER_Z: i32 = 0x7a;
/** a, e, h, i, o, u and y. */
const VOWELS: i32 = 0x1104191;
/** c, d, j, l, m, n, s and t. */
const ARTICLES: i32 = 0xc3a0c;
const FIRST_ACCENTED: i32 = 0xc0;
/** The hash of no letters. */
const FIRST: i32 = <i32>0x811c9dc5;

/** u8 × 256: what ASCII characters are in a word; of other bytes nothing is known. */
const folds: usize = heap.alloc(256);
/** The text at hand: u8 × room, u16 × room, and the numbers of its words, i32 × room. */
let room: i32 = 0;
let bytes: usize = 0;
let codes: usize = 0;
let tokens: usize = 0;

/** The words of texts that were counted and not taken yet, u32, and how often each occurs, f32. */
let entriesRoom: i32 = 0;
let entries: usize = 0;
let times: usize = 0;
let stored: i32 = 0;
/** Entries that were taken. */
let taken: u32 = 0;
/** Of each of these texts: how many words it has, and where its entries end. u32 */
const TEXTS: i32 = 4096;
const lengths: usize = heap.alloc(4 * TEXTS);
const ends: usize = heap.alloc(4 * TEXTS);
let texts: i32 = 0;

/** Texts that are read one after another: their UTF-8, where each begins and ends in it, u32 × 2 × TEXTS, and their hashes, u32. */
const BLOCK: i32 = 1 << 18;
const block: usize = heap.alloc(BLOCK);
const spans: usize = heap.alloc(8 * TEXTS);
const hashes: usize = heap.alloc(4 * TEXTS);

export function blockAt(): usize {
  return block;
}

/** In bytes. */
export function blockSize(): i32 {
  return BLOCK;
}

/** How many texts a block has at most. */
export function blockTexts(): i32 {
  return TEXTS;
}

export function spansAt(): usize {
  return spans;
}

export function hashesAt(): usize {
  return hashes;
}

export function foldsAt(): usize {
  return folds;
}

/** Makes room for a text. Views of the memory may be detached by any call. */
export function reserve(length: i32): void {
  if (length + 2 <= room) return;
  room = max(2 * room, length + 2);
  bytes = heap.alloc(room);
  codes = heap.alloc(2 * room);
  tokens = heap.alloc(4 * room);
}

export function bytesAt(): usize {
  return bytes;
}

export function codesAt(): usize {
  return codes;
}

export function tokensAt(): usize {
  return tokens;
}

/** Codes of ASCII characters. */
export function fold(length: i32): void {
  foldBytes(bytes, length);
}

/** @returns whether all are ASCII characters */
// @ts-ignore: a decorator of AssemblyScript
@inline
function foldBytes(from: usize, length: i32): bool {
  let all = 0;
  for (let at: usize = 0; at < <usize>length; at++) {
    const byte = <i32>load<u8>(from + at);
    all |= byte;
    store<u16>(codes + 2 * at, load<u8>(folds + byte));
  }
  return all < 0x80;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function codeAt(at: i32): i32 {
  return <i32>load<u16>(codes + 2 * at);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function mix(hash: i32, code: i32): i32 {
  return (hash ^ code) * 0x01000193;
}

function hashLetters(from: i32, to: i32): i32 {
  let hash = FIRST;
  for (let at = from; at < to; at++) hash = mix(hash, codeAt(at));
  return hash;
}

/** FNV-1a of the characters of the texts of the block from one on. @returns the first that has others than ASCII ones, or `to` */
export function hashTexts(first: i32, to: i32): i32 {
  for (let text = first; text < to; text++) {
    const end = block + load<u32>(spans + 8 * text, 4);
    let hash = FIRST;
    let all = 0;
    for (let at: usize = block + load<u32>(spans + 8 * text); at < end; at++) {
      const byte = <i32>load<u8>(at);
      all |= byte;
      hash = mix(hash, byte);
    }
    if (all >= 0x80) return text;
    store<i32>(hashes + 4 * text, hash);
  }
  return to;
}

/** Reads the words of the codes. @returns how many */
export function scan(length: i32): i32 {
  return read(length, false);
}

/** Reads and counts the words of the codes. @returns how many entries are to be taken; −1 where another text has no room */
export function count(length: i32): i32 {
  if (stored + length > entriesRoom) growEntries(stored + length);
  store<u32>(lengths + 4 * texts, read(length, true));
  store<u32>(ends + 4 * texts, stored);
  return ++texts == TEXTS ? -1 : stored;
}

/** Counts the words of the texts of the block from one on; a text as long as the block has room. @returns the first that has others than ASCII characters, or `to` */
export function countTexts(first: i32, to: i32): i32 {
  for (let text = first; text < to; text++) {
    const begin = load<u32>(spans + 8 * text);
    const length = <i32>(load<u32>(spans + 8 * text, 4) - begin);
    if (!foldBytes(block + begin, length)) return text;
    count(length);
  }
  return to;
}

function growEntries(least: i32): void {
  const longer = max(2 * entriesRoom, least);
  entries = enlarge(entries, 4 * stored, 4 * longer);
  times = enlarge(times, 4 * stored, 4 * longer);
  entriesRoom = longer;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function read(length: i32, counts: bool): i32 {
  store<u16>(codes + 2 * length, BREAK);
  store<u16>(codes + 2 * length + 2, BREAK);
  const first = taken + stored;
  let count = 0;
  for (let at = 0; at < length; at++) {
    let code = codeAt(at);
    if (code < FIRST_DIGIT) continue;
    let from = at;
    let hash = FIRST;
    for (let joiners = 0; ; joiners++) {
      while (code >= FIRST_DIGIT) {
        hash = mix(hash, code);
        code = codeAt(++at);
      }
      // A joiner belongs to the word where another letter follows.
      if (code == BREAK || codeAt(at + 1) < FIRST_DIGIT) break;
      hash = mix(hash, code);
      const apostrophe = code == APOSTROPHE;
      code = codeAt(++at);
      if (joiners > 0 || !apostrophe || !beginsElided(from, at)) continue;
      from = at;
      hash = FIRST;
    }
    let to = at;
    if (to - 2 > from && codeAt(to - 1) == LETTER_S && codeAt(to - 2) == APOSTROPHE) {
      to -= 2;
      hash = hashLetters(from, to);
    }
    if (to - from <= 1) continue;
    const place = look(hash, codes + 2 * from, to - from);
    if (counts) enter(place, first);
    else store<i32>(tokens + 4 * count, load<i32>(place, NUMBER));
    count++;
  }
  return count;
}

/** As ELIDED of words.ts. @param to behind an apostrophe */
function beginsElided(from: i32, to: i32): bool {
  const size = to - 1 - from;
  const next = codeAt(to);
  if (size > 6 || (next < FIRST_ACCENTED && !has(VOWELS, next))) return false;
  const last = codeAt(to - 2);
  if (size == 1) return has(ARTICLES, last);
  const before = codeAt(to - 3);
  if (size == 2 && before == LETTER_U && last == LETTER_N) return true;
  return (before == LETTER_Q && last == LETTER_U) || (before == LETTER_L && last == LETTER_L);
}

/** Whether a set of letters, a bit for each from a on, has one. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function has(letters: i32, code: i32): bool {
  return code >= LETTER_A && code <= LETTER_Z && ((letters >> (code - LETTER_A)) & 1) == 1;
}

/** Counts a word once more. @param first the entry that the text begins with */
// @ts-ignore: a decorator of AssemblyScript
@inline
function enter(place: usize, first: u32): void {
  if (load<i32>(place, LEFT) != 0) return;
  store<u32>(place, load<u32>(place, TOTAL) + 1, TOTAL);
  const entry = load<u32>(place, ENTRY);
  if (entry > first) {
    const at = times + 4 * <usize>(entry - 1 - taken);
    store<f32>(at, load<f32>(at) + 1);
    return;
  }
  store<u32>(place, load<u32>(place, HOLDERS) + 1, HOLDERS);
  store<u32>(entries + 4 * stored, load<u32>(place, NUMBER));
  store<f32>(times + 4 * stored, 1);
  store<u32>(place, taken + ++stored, ENTRY);
}

export function entriesAt(): usize {
  return entries;
}

export function timesAt(): usize {
  return times;
}

export function lengthsAt(): usize {
  return lengths;
}

export function endsAt(): usize {
  return ends;
}

/** How many texts were counted and not taken. */
export function counted(): i32 {
  return texts;
}

/** They were taken. */
export function takeTexts(): void {
  taken += stored;
  stored = 0;
  texts = 0;
}

/** The number of the word that all codes are. */
export function find(length: i32): i32 {
  return load<i32>(look(hashLetters(0, length), codes, length), NUMBER);
}
