const SLICE_MS = 12;
let last = 0;

type Immediate = (callback: () => void) => unknown;

/**
 * Lets timers, input and abort signals through, at most every few milliseconds so that a fit pays nothing for it: null
 * when it is not yet time.
 */
export function yieldIfDue(): Promise<void> | null {
  const since = performance.now() - last;
  return since >= 0 && since < SLICE_MS ? null : yieldNow();
}

/** Lets everything through that waits. */
export async function yieldNow(): Promise<void> {
  await new Promise<void>((resume) => {
    const immediate = (globalThis as { setImmediate?: Immediate }).setImmediate;
    if (immediate) immediate(resume);
    else {
      // Nested timeouts wait 4 ms in browsers; a message does not.
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        channel.port1.close();
        resume();
      };
      channel.port2.postMessage(null);
    }
  });
  last = performance.now();
}
