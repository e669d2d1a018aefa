import type { FitOptions, Label, Matrix, Model, Source } from "bonmf";
import { chooseMemory } from "../cache/memory-limit.js";
import type { Call } from "../command.js";
import type { Data } from "../read/data.js";

/** The samples of a command: in memory, packed on disk, or rows on a Spark cluster. */
export interface Input extends Pick<Data, "kind" | "recipe"> {
  readonly place: "memory" | "disk" | "cluster";
  /** What the samples are called, in messages and in the model's tags. */
  readonly name: string;
  /** The cluster's address without its token. */
  readonly url?: string;
  readonly samples: number;
  /** Before the scaler. */
  readonly features: number;
  readonly labels: readonly Label[] | null;
  /** What the library fits; a source has its own scaler and weights. */
  readonly X: Matrix | Source;
  /** The options of a fit that follow from the samples. */
  readonly options: Pick<FitOptions, "scale" | "weights" | "featureNames" | "tags">;
  /** Aborted by Ctrl-C, and when the cluster is lost. */
  readonly signal: AbortSignal;
  /** Why the signal was aborted, as the beginning of a message; "" for Ctrl-C. */
  describeAbort(): string;
  /** Turns an error of a fit into one that names these samples. */
  explain(error: unknown): unknown;
  /** Where to keep the state of a fit, so that a killed run can continue; null where the samples have no stable key. */
  checkpointPath(fit: readonly unknown[]): string | null;
  writeAssignments(path: string, model: Model): Promise<void>;
  /** The following two need the samples in memory. */
  readonly writeReport?: (path: string, model: Model) => Promise<void>;
  readonly measureSilhouette?: (model: Model) => Promise<number | null>;
  close(): Promise<void>;
}

/**
 * Opens the samples on a cluster with --engine, on disk where memory is short or --memory says so, else in memory.
 *
 * @param from the model to resume: its samples are read and scaled as they were
 */
export async function openInput(call: Call, from: Model | null = null): Promise<Input> {
  if (call.options.string("engine") !== undefined) return (await import("./cluster.js")).openCluster(call);
  const memory = await chooseMemory(call);
  if (memory !== null) return (await import("./disk.js")).openDisk(call, memory, from);
  return (await import("./memory.js")).openMemory(call, from);
}
