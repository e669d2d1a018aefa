/** Memories that are out of use: their pages are there already, which to ask for anew takes longer than to fill them. */

/** How long they wait for another fit. */
const IDLE_MS = 10_000;
/** How much they may be together. */
const MOST_BYTES = 2 ** 30;
/** What nobody minds holding too much. */
const SMALL = 2 ** 25;

const spares = new Map<WebAssembly.Memory, ReturnType<typeof setTimeout>>();

/** Leaves a memory to whoever needs the next one; nobody may be using it. */
export function giveBack(memory: WebAssembly.Memory): void {
  const kept = [...spares.keys()].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  if (spares.has(memory) || kept + memory.buffer.byteLength > MOST_BYTES) return;
  const timer = setTimeout(() => spares.delete(memory), IDLE_MS);
  (timer as { unref?(): void }).unref?.();
  spares.set(memory, timer);
}

/**
 * The smallest of at least `bytes`, but none so large that whoever takes it would hold much more than was asked for. Those
 * that are too small make room where there is none.
 */
export function takeSpare(bytes: number): WebAssembly.Memory | null {
  const all = [...spares.keys()].sort((a, b) => a.buffer.byteLength - b.buffer.byteLength);
  const memory = all.find(({ buffer }) => buffer.byteLength >= bytes && buffer.byteLength <= 2 * bytes + SMALL) ?? null;
  for (const one of memory === null ? all.filter(({ buffer }) => buffer.byteLength < bytes) : [memory]) {
    clearTimeout(spares.get(one));
    spares.delete(one);
  }
  return memory;
}
