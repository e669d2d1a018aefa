import { setImmediate } from "node:timers/promises";

/** Milliseconds of work between two turns of the event loop. */
const TURN = 12;
let last = 0;

/** Between two pieces of work: signals are heard where the last turn of the event loop is a while ago, and one ends the work here. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  if (performance.now() - last >= TURN) {
    await setImmediate();
    last = performance.now();
  }
  signal?.throwIfAborted();
}

/** Time for interrupted work to clean up after itself. */
const GRACE_MS = 500;

/** Ends soon after the signal even if the work itself ignores it. */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal | undefined, grace = GRACE_MS): Promise<T> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => void setTimeout(() => reject(signal.reason), grace);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
  aborted.catch(() => {});
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => {});
  }
}
