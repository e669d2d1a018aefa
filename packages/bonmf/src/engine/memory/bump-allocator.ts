/**
 * A bump allocator for a WebAssembly memory. Its state is three words at address 0, so that all threads which share the
 * memory share the allocator: the next free address, where `freeReserved` resets it to, and the highest address given
 * out so far (beyond it pages are still zero). Counted in units of 64 bytes, a cache line, so that 4 GB fit in 32 bits.
 */
const NEXT = 0;
const FIRST = 1;
const HIGH = 2;
const UNIT = 64;
export const PAGE = 65_536;
/** The first page is never given out: the allocator's words are in it, and address 0 means "none". */
const START = PAGE / UNIT;

function wordsOf(memory: WebAssembly.Memory): Int32Array {
  return new Int32Array(memory.buffer, 0, 3);
}

/** Prepares a fresh memory. */
export function initAllocator(memory: WebAssembly.Memory): void {
  wordsOf(memory).fill(START);
}

/** Keeps what is reserved by now when `freeReserved` is called. */
export function keepReserved(memory: WebAssembly.Memory): void {
  const words = wordsOf(memory);
  words[FIRST] = words[NEXT];
}

/** Frees everything reserved since `keepReserved`; nobody may be using it. */
export function freeReserved(memory: WebAssembly.Memory): void {
  const words = wordsOf(memory);
  words[NEXT] = words[FIRST];
}

export function usedBytes(memory: WebAssembly.Memory): number {
  return (wordsOf(memory)[NEXT] >>> 0) * UNIT;
}

const ZEROS = new Float64Array(1024);

/** Copying zeros is several times faster than `fill` on shared memory. */
function clear(bytes: Float64Array): void {
  for (let at = 0; at < bytes.length; at += ZEROS.length) bytes.set(ZEROS.subarray(0, bytes.length - at), at);
}

/**
 * Reserves `bytes`, aligned to a cache line, and grows the memory where needed.
 *
 * @param filled the caller writes all of it at once: it need not be zeroed
 * @returns the address
 */
export function reserve(memory: WebAssembly.Memory, bytes: number, filled = false): number {
  const units = Math.ceil(bytes / UNIT);
  return open(memory, Atomics.add(wordsOf(memory), NEXT, units) >>> 0, units, filled);
}

/**
 * The same where `bytes` are at most this share of what is left below `most`; else 0. Not zeroed.
 */
export function reserveSome(memory: WebAssembly.Memory, bytes: number, most: number, share: number): number {
  const units = Math.ceil(bytes / UNIT);
  const words = wordsOf(memory);
  for (;;) {
    const at = Atomics.load(words, NEXT) >>> 0;
    if (units > share * (most / UNIT - at)) return 0;
    if (Atomics.compareExchange(words, NEXT, at | 0, (at + units) | 0) >>> 0 === at)
      return open(memory, at, units, true);
  }
}

function open(memory: WebAssembly.Memory, at: number, units: number, filled: boolean): number {
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
