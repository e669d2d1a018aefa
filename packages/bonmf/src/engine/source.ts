import type { Form } from "../kernel/step.js";
import type { Precision } from "../matrix/dense.js";
import type { Gaps } from "../matrix/gaps.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Scaler } from "../scale/scaler.js";
import type { Engine, RemoteEngine } from "./engine.js";

/** What a fit tells a source about the work to come. */
export interface OpenOptions {
  /** The number of clusters. */
  readonly k: number;
  /** How codes will be stored. */
  readonly form: Form;
  /** How many threads; undefined: as many as the work is worth. */
  readonly threads: number | undefined;
  /** Multiply-adds to come for each stored value, roughly. */
  readonly effort: number;
}

/**
 * Samples, wherever they are: in memory, on disk, on a cluster. A fit asks for their number, and for an engine that
 * sweeps them. They must be non-negative: whoever makes a source has checked and scaled them.
 */
export interface Source {
  /** The number of samples. */
  readonly samples: number;
  /** Features as W will have them, after the scaler. */
  readonly features: number;
  /** The precision of their values. */
  readonly precision: Precision;
  /** How the samples were scaled; absent: not at all. */
  readonly scaler?: Scaler;
  /** Opens an engine, which the fit closes. */
  open(options: OpenOptions): Promise<Engine>;
  /**
   * For several runs at a time: an engine in the caller's thread and others in workers, each with all samples; null: not
   * worth it.
   */
  openMany?(options: OpenOptions, runs: number): Promise<[Engine, ...RemoteEngine[]] | null>;
}

/** What belongs to scaled samples in memory. */
export interface SampleOptions {
  /** ω, one number a sample; null: 1 each. */
  readonly weights: Float64Array | null;
  /** What is missing of the samples. */
  readonly gaps: Gaps | null;
  /** Nobody has checked the values yet: a negative or not finite one is an error. */
  readonly unchecked: boolean;
  /** Called with what is worth knowing, such as why something else computes. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** Makes a source of samples in memory whose engine gives the bits that `memorySource` gives, wherever it computes. */
export type MakeSource = (X: Matrix, options: SampleOptions) => Source;
