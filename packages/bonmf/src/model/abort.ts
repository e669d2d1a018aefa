import { BonmfError } from "../errors.js";
import type { Model } from "./model.js";

/**
 * The fit was aborted. `model` is the state of the last finished sweep, from which `resume` continues; null if no sweep
 * was finished.
 *
 * @example
 * ```ts
 * import { AbortError, fit, resume } from "bonmf";
 * const X = [[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]];
 * const stop = new AbortController();
 * const watch = { signal: stop.signal, onStep: () => stop.abort() };
 * const error = await fit(X, { k: 2, seed: 7, ...watch }).catch((reason) => reason);
 * error instanceof AbortError; // → true
 * (await resume(error.model, X)).converged; // → true
 * ```
 */
export class AbortError extends BonmfError {
  /** The model reached so far, if any. */
  readonly model: Model | null;
  constructor(model: Model | null, reason: unknown) {
    super("aborted", "the fit was aborted", { cause: reason });
    this.name = "AbortError";
    this.model = model;
  }
}

/** Where the signal has ended the fit before its first sweep. */
export function explainAbort(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted && error === signal.reason ? new AbortError(null, error) : error;
}
