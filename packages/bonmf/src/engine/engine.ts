import type { Codes, Step } from "../kernel/step.js";
import type { Dense } from "../matrix/dense.js";
import type { Stats } from "./stats.js";

/**
 * Where the samples live and how sweeps over them run. An engine holds X, its weights and H beside it; algorithms see
 * nothing else of the data. Engines compose: whatever can answer for some blocks of samples can be pooled with others.
 */
export interface Engine {
  readonly samples: number;
  readonly features: number;
  /**
   * One sweep: H is updated by the step's rule and the totals come back. All or nothing: an aborted pass leaves H as
   * it was and rejects with the signal's reason.
   */
  pass(step: Step, signal?: AbortSignal): Promise<Stats>;
  /** Takes the last pass that updated H back, once: for pools in which another engine's part of it failed. */
  revert(): Promise<void>;
  /** Copies of the named samples (numbers of the whole data), weights not applied. */
  rows(ids: ArrayLike<number>): Promise<Dense>;
  /** A copy of H. Where labels are not collected but stay with the samples there are none in it. */
  gather(): Promise<Codes>;
  /** Puts H in place, to go on from an earlier run. */
  scatter(codes: Codes): Promise<void>;
  close(): Promise<void>;
}
