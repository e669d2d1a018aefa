import { UserError } from "../errors.js";

/** The largest number of fits: more must be a typing mistake. */
const MOST = 1000;
const HINT = "write it as --k 2-12, --k 5-50:5 (in steps of 5) or --k 2,4,8";

/** "2-4,10-30:10": 2, 3, 4, 10, 20, 30. Each once, the smallest first. */
export function parseRange(text: string): number[] {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [, from, to = from, step = "1"] = /^\s*(\d+)(?:\s*[-–]\s*(\d+)(?::(\d+))?)?\s*$/.exec(part) ?? [];
    const [first, last, stride] = [from, to, step].map(Number);
    if (!(first >= 1 && last >= first && stride >= 1)) {
      throw new UserError(`--k ${text}: ${JSON.stringify(part)} is neither a number of clusters nor a range`, HINT);
    }
    for (let k = first; k <= last && found.size <= MOST; k += stride) found.add(k);
  }
  if (found.size > MOST) throw new UserError(`--k ${text} is more than ${MOST} fits`, "take larger steps: --k 5-50:5");
  if (found.size < 2) {
    throw new UserError(`--k ${text} is a single number: give at least two numbers of clusters`, HINT);
  }
  return [...found].sort((a, b) => a - b);
}
