import { yieldIfDue } from "bonmf/engine";

/** Between two pieces of work: input and signals are heard where that is due, and an aborted signal ends the work here. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  await yieldIfDue();
  signal?.throwIfAborted();
}

/** Values that are read between two pauses. */
const TOGETHER = 2 ** 20;

/** How many samples are read between two pauses where each has so many values. */
export function countBetween(values: number): number {
  return Math.max(1, Math.floor(TOGETHER / Math.max(1, values)));
}

/** Runs work that comes in steps. */
export async function runSteps<T>(steps: Generator<unknown, T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause(signal);
  }
}
