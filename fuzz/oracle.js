// What a reader may do with any input: return something, or refuse it by an error of ours.
import { isDeepStrictEqual } from "node:util";
import { BonmfError } from "bonmf";
import { UserError } from "bonmf-data";

/** Whether an error tells the user what is wrong with the input; all others are faults of the reader. */
export function isRefusal(error) {
  return error instanceof BonmfError || error instanceof UserError;
}

/** Runs what may refuse the input; undefined where it does. */
export function attempt(read) {
  try {
    return read();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

export function expectSame(found, wanted, what) {
  if (!isDeepStrictEqual(found, wanted)) throw new Error(`${what}: the result differs`);
}
