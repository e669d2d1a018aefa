/**
 * Who has what of a memory, kept in its first words for all threads that use it: where the next room is, where the first
 * was, and up to where it has been written to. In units of 64 bytes, a cache line, so that 4 GB fit in 32 bits.
 */
const NEXT = 0;
const FIRST = 1;
const HIGH = 2;
const UNIT = 64;
export const PAGE = 65_536;
/** A page is not given out: the ledger is in it, and nothing lies at address 0. */
const START = PAGE / UNIT;

function wordsOf(memory: WebAssembly.Memory): Int32Array {
  return new Int32Array(memory.buffer, 0, 3);
}

/** Opens the books of a fresh memory. */
export function openLedger(memory: WebAssembly.Memory): void {
  wordsOf(memory).fill(START);
}

/** What was reserved by now stays when the rest is taken back. */
export function settleLedger(memory: WebAssembly.Memory): void {
  const words = wordsOf(memory);
  words[FIRST] = words[NEXT];
}

/** Takes back all room reserved since; nobody may be using it. */
export function resetLedger(memory: WebAssembly.Memory): void {
  const words = wordsOf(memory);
  words[NEXT] = words[FIRST];
}

/** How much has been given out. */
export function usedBytes(memory: WebAssembly.Memory): number {
  return (wordsOf(memory)[NEXT] >>> 0) * UNIT;
}

const ZEROS = new Float64Array(1024);

/** To fill shared memory takes several times as long as to copy zeros there. */
function clear(room: Float64Array): void {
  for (let at = 0; at < room.length; at += ZEROS.length) room.set(ZEROS.subarray(0, room.length - at), at);
}

/** Room for `bytes`, zeroed unless it is `filled` at once, aligned to a cache line. */
export function reserve(memory: WebAssembly.Memory, bytes: number, filled = false): number {
  const units = Math.ceil(bytes / UNIT);
  const at = Atomics.add(wordsOf(memory), NEXT, units) >>> 0;
  const end = at + units;
  const short = end * UNIT - memory.buffer.byteLength;
  if (short > 0) memory.grow(Math.ceil(short / PAGE));
  const words = wordsOf(memory);
  const high = Atomics.load(words, HIGH) >>> 0;
  if (at < high && !filled) clear(new Float64Array(memory.buffer, at * UNIT, ((Math.min(end, high) - at) * UNIT) / 8));
  for (let seen = high; seen < end; ) {
    const was = Atomics.compareExchange(words, HIGH, seen | 0, end | 0) >>> 0;
    if (was === seen) break;
    seen = was;
  }
  return at * UNIT;
}
