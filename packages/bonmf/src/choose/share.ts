import type { Steps } from "../steps.js";

/** Takes the share of some work that is done, from 0 to 1. */
export type TellShare = (share: number) => void;

/**
 * Shares of parts, told as the share of the whole.
 *
 * @param work about how much each part is
 */
export function divideShare(tell: TellShare | undefined, work: readonly number[]): TellShare[] {
  const whole = work.reduce((sum, part) => sum + part, 0) || 1;
  const done = work.map(() => 0);
  return work.map((part, at) => (share) => {
    done[at] = (Math.min(1, share) * part) / whole;
    tell?.(done.reduce((sum, part) => sum + part, 0));
  });
}

/** @param count about how many steps there are */
export function* tellSteps<T>(steps: Steps<T>, count: number, tell: TellShare): Steps<T> {
  for (let done = 0; ; done++) {
    const step = steps.next();
    if (step.done) return step.value;
    tell(done / count);
    yield;
  }
}
