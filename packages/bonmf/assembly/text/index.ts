// A table of words that are found in texts and looked up by the codes of their letters: text/plain-table.ts in WebAssembly.
// It is a small module of its own, so that it can be compiled at once wherever texts are counted, and owns its memory.

/** Digits and letters have larger codes than breaks and joiners. */
const FIRST_DIGIT: i32 = 0x30;
const BREAK: i32 = 0;
const APOSTROPHE: i32 = 0x27;
const LETTER_S: i32 = 0x73;
/** The hash of no letters. */
const FIRST: i32 = <i32>0x811c9dc5;

/** u8 × 128: what ASCII characters are in a word. */
const folds: usize = heap.alloc(128);
/** The text at hand: u8 × room, u16 × room, and the numbers of its words, i32 × room. */
let room: i32 = 0;
let bytes: usize = 0;
let codes: usize = 0;
let tokens: usize = 0;

/** How many words there are. */
let words: i32 = 0;
/** u16: the letters of all words, one word after the other. */
let lettersRoom: i32 = 8192;
let letters: usize = heap.alloc(2 * 8192);
/** u32 × (words + 1): where the letters of each begin; i32 × words: their hashes. */
let wordsRoom: i32 = 2048;
let starts: usize = heap.alloc(4 * 2049);
let hashes: usize = heap.alloc(4 * 2048);
/** i32: an open-addressing table of numbers plus 1, 0 for none; a power of two, at most half full. */
let slotCount: i32 = 4096;
let slots: usize = heap.alloc(4 * 4096);
let held: i32 = 0;

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

export function lettersAt(word: i32): usize {
  return letters + 2 * load<u32>(starts + 4 * word);
}

export function sizeOf(word: i32): i32 {
  return load<u32>(starts + 4 * word + 4) - load<u32>(starts + 4 * word);
}

/** Codes of ASCII characters. */
export function fold(length: i32): void {
  for (let at: usize = 0; at < <usize>length; at++) {
    store<u16>(codes + 2 * at, load<u8>(folds + load<u8>(bytes + at)));
  }
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

/** Reads the words of the codes. @returns how many */
export function scan(length: i32): i32 {
  store<u16>(codes + 2 * length, BREAK);
  store<u16>(codes + 2 * length + 2, BREAK);
  let count = 0;
  for (let at = 0; at < length; at++) {
    let code = codeAt(at);
    if (code < FIRST_DIGIT) continue;
    const from = at;
    let hash = FIRST;
    // A joiner belongs to the word where another letter follows.
    while (code >= FIRST_DIGIT || (code != BREAK && codeAt(at + 1) >= FIRST_DIGIT)) {
      hash = mix(hash, code);
      code = codeAt(++at);
    }
    let to = at;
    if (to - 2 > from && codeAt(to - 1) == LETTER_S && codeAt(to - 2) == APOSTROPHE) {
      to -= 2;
      hash = hashLetters(from, to);
    }
    if (to - from > 1) store<i32>(tokens + 4 * count++, look(hash, from, to - from));
  }
  return count;
}

/** The number of the word that all codes are. */
export function find(length: i32): i32 {
  return look(hashLetters(0, length), 0, length);
}

function look(hash: i32, from: i32, size: i32): i32 {
  const mask = slotCount - 1;
  const word = codes + 2 * from;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (let found = load<i32>(slots + 4 * slot); found != 0; found = load<i32>(slots + 4 * slot)) {
    const number = found - 1;
    if (load<i32>(hashes + 4 * number) == hash && sizeOf(number) == size) {
      const known = lettersAt(number);
      let at: usize = 0;
      while (at < <usize>(2 * size) && load<u16>(known + at) == load<u16>(word + at)) at += 2;
      if (at == 2 * size) return number;
    }
    slot = (slot + 1) & mask;
  }
  const number = add(hash, word, size);
  store<i32>(slots + 4 * slot, number + 1);
  if (2 * ++held > slotCount) rehash();
  return number;
}

/** A number for what is looked up elsewhere. */
export function append(): i32 {
  return add(0, 0, 0);
}

function add(hash: i32, word: usize, size: i32): i32 {
  const start = <i32>load<u32>(starts + 4 * words);
  if (start + size > lettersRoom) {
    const longer = max(2 * lettersRoom, start + size);
    letters = enlarge(letters, 2 * lettersRoom, 2 * longer);
    lettersRoom = longer;
  }
  if (words == wordsRoom) {
    starts = enlarge(starts, 4 * (wordsRoom + 1), 4 * (2 * wordsRoom + 1));
    hashes = enlarge(hashes, 4 * wordsRoom, 8 * wordsRoom);
    wordsRoom *= 2;
  }
  memory.copy(letters + 2 * start, word, 2 * size);
  store<u32>(starts + 4 * words + 4, start + size);
  store<i32>(hashes + 4 * words, hash);
  return words++;
}

/** What is left behind is less than what is kept: sizes double. */
function enlarge(from: usize, length: i32, longer: i32): usize {
  const to = heap.alloc(longer);
  memory.copy(to, from, length);
  return to;
}

function rehash(): void {
  slotCount *= 2;
  slots = heap.alloc(4 * slotCount);
  memory.fill(slots, 0, 4 * slotCount);
  const mask = slotCount - 1;
  for (let number = 0; number < words; number++) {
    if (sizeOf(number) == 0) continue;
    const hash = load<i32>(hashes + 4 * number);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (load<i32>(slots + 4 * slot) != 0) slot = (slot + 1) & mask;
    store<i32>(slots + 4 * slot, number + 1);
  }
}
