import type { Rows } from "../kernel/plain/rows.js";
import type { Placed } from "../kernel/region.js";
import type { Codes, Step } from "../kernel/step.js";
import type { Dense, Precision } from "../matrix/dense.js";
import type { Gaps } from "../matrix/gaps.js";
import type { Stats } from "./stats.js";
import type { AssistOrder } from "./worker/assist.js";

/**
 * Where the samples live and how sweeps over them run. An engine holds X, its weights and H beside it; algorithms see
 * nothing else of the data. Engines compose: whatever can answer for some blocks of samples can be pooled with others.
 */
export interface Engine {
  readonly samples: number;
  readonly features: number;
  /**
   * One sweep: updates H by the step's rule and returns the totals. All or nothing: an aborted pass leaves H as it was
   * and rejects with the signal's reason.
   */
  pass(step: Step, signal?: AbortSignal): Promise<Stats>;
  /** Undoes the last pass that updated H, once: for pools in which another engine's part of it failed. */
  revert(): Promise<void>;
  /** Copies of the named samples (numbers of the whole data), weights not applied. */
  rows(ids: ArrayLike<number>): Promise<Dense>;
  /** A copy of H. Labels that are not collected but stay with the samples are missing from it. */
  gather(): Promise<Codes>;
  /** Replaces H, to continue an earlier run. */
  scatter(codes: Codes): Promise<void>;
  close(): Promise<void>;
}

/** An engine in a worker, which can also run a task of the layers above the engine, or join in the sweeps of a shared memory. */
export interface RemoteEngine extends Engine {
  /** Ends when no sweeps come any more. */
  assist(order: AssistOrder): Promise<void>;
  run(task: unknown, signal: AbortSignal | undefined, report: ((value: unknown) => void) | null): Promise<unknown>;
}

/** A WebAssembly.Memory, for callers whose TypeScript has no such type. */
export interface Memory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

export interface ShardOptions {
  /** ω, one number a sample. */
  weights?: Float64Array | null;
  /** What is missing of the samples. */
  gaps?: Gaps | null;
  /** Where these samples begin in the whole data; must be a block boundary. */
  offset?: number;
  /** How many samples the whole data has. */
  total?: number;
  /** The memory that X lies in, if it is one that kernels can use. */
  memory?: Memory | null;
  /** Where ‖x‖ of the samples goes, in that memory, in which the weights are then, too. */
  norms?: Float64Array | null;
  /** Nobody has checked the values yet: one that is not finite is an error. */
  unchecked?: boolean;
}

/**
 * How one thread reads its samples: all of them in memory, or a window at a time. Samples are numbered from the thread's
 * first.
 */
export interface SampleWindows {
  readonly samples: number;
  readonly features: number;
  readonly precision: Precision;
  /** The number of the first sample in the whole data. */
  readonly offset: number;
  /** ω, one number a sample; null: 1 each. */
  readonly weights: Float64Array | null;
  /** What is missing of the samples; null: nothing. Only samples that are resident may have gaps. */
  readonly gaps: Gaps | null;
  /** Where kernels find the samples by their number; null: kernels cannot run here. */
  readonly placed: Placed | null;
  /** The same for kernels that count from `first` of the last `view`. */
  readonly viewed: Placed | null;
  /** All samples stay in memory: `load` does nothing. */
  readonly resident: boolean;
  /** The end of the window that begins at `from`, at most `to`. */
  windowEnd(from: number, to: number): number;
  /**
   * Makes samples from … to − 1 of one window readable, at once or in a promise.
   *
   * @param list the samples that are needed, ascending; the others may be missing. Absent: all
   */
  load(from: number, to: number, list?: Uint32Array): Promise<void> | undefined;
  /** Samples from … to − 1, which were loaded: sample i is row i − `first`. */
  view(from: number, to: number): { readonly rows: Rows; readonly first: number };
  /** Copies of the samples. */
  take(ids: ArrayLike<number>): Promise<Dense>;
  /**
   * Called for every window that the survey at opening has read.
   *
   * @param bad the first sample with a value that is not finite that a kernel found, or −1
   */
  surveyed(from: number, to: number, bad: number): void;
  close(): Promise<void>;
}
