/** Work in steps of a few milliseconds, for callers that pause it; what is yielded means nothing. */
export type Steps<T> = Generator<undefined, T>;

/** Multiplications between two steps. */
const STEP = 2 ** 21;

/** How many samples make a step where each takes so many multiplications. */
export function countTogether(each: number): number {
  return Math.max(1, Math.floor(STEP / each));
}

/** All steps at once. */
export function finishSteps<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
