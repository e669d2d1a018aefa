const SLICE_MS = 12;
let lastYield = 0;

type Immediate = (callback: () => void) => unknown;

/** Yields to timers, input and abort signals when 12 ms have passed since the last time; else null, at no cost. */
export function yieldIfDue(): Promise<void> | null {
  const since = performance.now() - lastYield;
  return since >= 0 && since < SLICE_MS ? null : yieldNow();
}

/** Lets waiting timers, input and messages run. */
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
  lastYield = performance.now();
}

/**
 * Runs work that comes in steps, and yields between them when that is due.
 *
 * @throws the signal's reason when it aborts
 */
export async function runSteps<T>(steps: Generator<unknown, T>, signal?: AbortSignal | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldIfDue();
    signal?.throwIfAborted();
  }
}
