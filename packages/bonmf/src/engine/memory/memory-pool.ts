/** Keeps idle WASM memories for 10 s: their pages are mapped already, and page faults cost more than filling them. */

const IDLE_MS = 10_000;
/** The most bytes that idle memories hold together. */
const MOST_BYTES = 2 ** 30;
/** A memory may be reused for less than half of it when it exceeds the need by no more than this. */
const SMALL = 2 ** 25;

const idle = new Map<WebAssembly.Memory, ReturnType<typeof setTimeout>>();

/** Offers a memory for reuse; nobody may be using it any more. */
export function releaseMemory(memory: WebAssembly.Memory): void {
  const kept = [...idle.keys()].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  if (idle.has(memory) || kept + memory.buffer.byteLength > MOST_BYTES) return;
  const timer = setTimeout(() => idle.delete(memory), IDLE_MS);
  (timer as { unref?(): void }).unref?.();
  idle.set(memory, timer);
}

/**
 * Takes the smallest idle memory of at least `bytes` that is not much larger; null: none. When none fits, the smaller
 * ones are dropped, so that the new memory does not add to them.
 */
export function reuseMemory(bytes: number): WebAssembly.Memory | null {
  const all = [...idle.keys()].sort((a, b) => a.buffer.byteLength - b.buffer.byteLength);
  const memory = all.find(({ buffer }) => buffer.byteLength >= bytes && buffer.byteLength <= 2 * bytes + SMALL) ?? null;
  for (const one of memory === null ? all.filter(({ buffer }) => buffer.byteLength < bytes) : [memory]) {
    clearTimeout(idle.get(one));
    idle.delete(one);
  }
  return memory;
}
