// A table of words that are found in texts and looked up by the codes of their letters: text/plain-table.ts in WebAssembly. It also
// counts them, as text/counts.ts does.
// It is a small module of its own, so that it can be compiled at once wherever texts are counted, and owns its memory.

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

// What is known of a word stands in one place of the memory: a word of a text touches few cache lines.
const NUMBER: usize = 0;
const SIZE: usize = 4;
/** How often it was counted, in how many texts, and one more than its entry in the last of them. */
const TOTAL: usize = 8;
const HOLDERS: usize = 12;
const ENTRY: usize = 16;
/** Not 0 where it is not counted. */
const LEFT: usize = 20;
/** u16 × size. */
const LETTERS: usize = 24;

/** How many words there are. */
let words: i32 = 0;
/** u32: where each word is. */
let wordsRoom: i32 = 2048;
let places: usize = heap.alloc(4 * 2048);
/** Where the next word goes, and the end of the memory for words. */
let free: usize = 0;
let end: usize = 0;
const PIECE: i32 = 1 << 16;
/** An open-addressing table of hashes and places of words, i32 and u32, a place of 0 for none; a power of two, at most half full. */
let slotCount: i32 = 4096;
let slots: usize = heap.alloc(8 * 4096);
let held: i32 = 0;

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

export function countWords(): i32 {
  return words;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function placeOf(word: i32): usize {
  return load<u32>(places + 4 * word);
}

/** Writes the words from a number on as UTF-8, one a line. @returns where */
export function spell(first: i32): usize {
  const start = heap.alloc(lettersFrom(first));
  spelt = start;
  for (let word = first; word < words; word++) {
    const place = placeOf(word);
    const size = load<i32>(place, SIZE);
    for (let at = 0; at < size; at++) put(<i32>load<u16>(place + 2 * at, LETTERS));
    put(LINE);
  }
  return start;
}

const LINE: i32 = 0x0a;
let spelt: usize = 0;

/** Where what was spelt last ends. */
export function speltTo(): usize {
  return spelt;
}

function lettersFrom(first: i32): usize {
  let most: usize = 0;
  for (let word = first; word < words; word++) most += 3 * load<i32>(placeOf(word), SIZE) + 1;
  return most;
}

/** None is half of a character. */
function put(code: i32): void {
  if (code < 0x80) {
    store<u8>(spelt++, code);
  } else if (code < 0x800) {
    store<u8>(spelt++, 0xc0 | (code >> 6));
    store<u8>(spelt++, 0x80 | (code & 0x3f));
  } else {
    store<u8>(spelt++, 0xe0 | (code >> 12));
    store<u8>(spelt++, 0x80 | ((code >> 6) & 0x3f));
    store<u8>(spelt++, 0x80 | (code & 0x3f));
  }
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
    const place = look(hash, from, to - from);
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

/** A word that is not counted. */
export function leaveOut(word: i32): void {
  store<i32>(placeOf(word), 1, LEFT);
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

/** Writes how often each word was counted, and then in how many texts, u32 × 2 × words, and begins anew. @returns where */
export function takeTotals(): usize {
  const totals = heap.alloc(8 * words);
  for (let word = 0; word < words; word++) {
    const place = placeOf(word);
    store<u32>(totals + 4 * word, load<u32>(place, TOTAL));
    store<u32>(totals + 4 * (words + word), load<u32>(place, HOLDERS));
    store<u32>(place, 0, TOTAL);
    store<u32>(place, 0, HOLDERS);
  }
  return totals;
}

/** The number of the word that all codes are. */
export function find(length: i32): i32 {
  return load<i32>(look(hashLetters(0, length), 0, length), NUMBER);
}

function look(hash: i32, from: i32, size: i32): usize {
  const mask = slotCount - 1;
  const word = codes + 2 * from;
  let slot = (hash ^ (hash >>> 15)) & mask;
  let at = slots + 8 * slot;
  for (let place: usize = load<u32>(at, 4); place != 0; place = load<u32>(at, 4)) {
    if (load<i32>(at) == hash && load<i32>(place, SIZE) == size && isSame(place + LETTERS, word, 2 * size)) return place;
    slot = (slot + 1) & mask;
    at = slots + 8 * slot;
  }
  const place = add(word, size);
  store<i32>(at, hash);
  store<u32>(at, <u32>place, 4);
  if (2 * ++held > slotCount) rehash();
  return place;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function isSame(a: usize, b: usize, length: i32): bool {
  let at: usize = 0;
  for (; at + 8 <= <usize>length; at += 8) if (load<u64>(a + at) != load<u64>(b + at)) return false;
  for (; at < <usize>length; at += 2) if (load<u16>(a + at) != load<u16>(b + at)) return false;
  return true;
}

/** A number for what is looked up elsewhere. */
export function append(): i32 {
  return load<i32>(add(0, 0), NUMBER);
}

function add(word: usize, size: i32): usize {
  const length = (<i32>LETTERS + 2 * size + 7) & ~7;
  if (free + length > end) {
    const piece = max(PIECE, length);
    free = heap.alloc(piece);
    end = free + piece;
  }
  if (words == wordsRoom) {
    places = enlarge(places, 4 * wordsRoom, 8 * wordsRoom);
    wordsRoom *= 2;
  }
  const place = free;
  free += length;
  memory.fill(place, 0, LETTERS);
  store<i32>(place, words, NUMBER);
  store<i32>(place, size, SIZE);
  memory.copy(place + LETTERS, word, 2 * size);
  store<u32>(places + 4 * words, <u32>place);
  words++;
  return place;
}

/** What is left behind is less than what is kept: sizes double. */
function enlarge(from: usize, length: i32, longer: i32): usize {
  const to = heap.alloc(longer);
  memory.copy(to, from, length);
  return to;
}

function rehash(): void {
  const old = slots;
  const last = old + 8 * slotCount;
  slotCount *= 2;
  slots = heap.alloc(8 * slotCount);
  memory.fill(slots, 0, 8 * slotCount);
  const mask = slotCount - 1;
  for (let from = old; from < last; from += 8) {
    if (load<u32>(from, 4) == 0) continue;
    const hash = load<i32>(from);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (load<u32>(slots + 8 * slot, 4) != 0) slot = (slot + 1) & mask;
    store<u64>(slots + 8 * slot, load<u64>(from));
  }
}
