// The words of a table, found by the codes of their letters and a hash of these.

// What is known of a word stands in one place of the memory: a word of a text touches few cache lines.
export const NUMBER: usize = 0;
const SIZE: usize = 4;
/** How often it was counted, in how many texts, and one more than its entry in the last of them. */
export const TOTAL: usize = 8;
export const HOLDERS: usize = 12;
export const ENTRY: usize = 16;
/** Not 0 where it is not counted. */
export const LEFT: usize = 20;
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

/** A word that is not counted. */
export function leaveOut(word: i32): void {
  store<i32>(placeOf(word), 1, LEFT);
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

/** Where a word is known; a new one is added. @param word the address of its codes @param size how many they are */
export function look(hash: i32, word: usize, size: i32): usize {
  const mask = slotCount - 1;
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
export function enlarge(from: usize, length: i32, longer: i32): usize {
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
