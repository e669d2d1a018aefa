import type { Form } from "../kernel/step.js";
import type { Precision } from "../matrix/dense.js";
import type { Scaler } from "../scale/scaler.js";
import type { Engine, RemoteEngine } from "./engine.js";

/** What a fit is going to ask of an engine. */
export interface OpenPlan {
  readonly k: number;
  readonly form: Form;
  /** How many threads; undefined: as many as the work is worth. */
  readonly threads: number | undefined;
  /** Multiply-adds to come for each stored value, roughly. */
  readonly effort: number;
}

/**
 * Samples, wherever they are: in memory, on disk, on a cluster. A fit asks for their number, and for an engine that
 * sweeps them. They are non-negative: whoever makes a source has checked and scaled them.
 */
export interface Source {
  readonly samples: number;
  /** Features as W will have them, after the scaler. */
  readonly features: number;
  readonly precision: Precision;
  /** What the samples went through to get here; absent: nothing. */
  readonly scaler?: Scaler;
  open(plan: OpenPlan): Promise<Engine>;
  /** For several runs at a time: an engine in this thread and others in threads of their own, each of all samples; null: not worth it. */
  openMany?(plan: OpenPlan, runs: number): Promise<[Engine, ...RemoteEngine[]] | null>;
}
