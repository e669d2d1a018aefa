import { yieldIfDue } from "bonmf/engine";

export { runSteps } from "bonmf/engine";

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
