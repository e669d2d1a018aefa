import type { FitOptions, Label, Model } from "bonmf";
import { chooseMemory } from "../../cache/choice.js";
import type { Call } from "../../command.js";

/** Samples to be fitted more than once, wherever they are. */
export interface Supply {
  /** What they are called, for people. */
  readonly source: string;
  readonly samples: number;
  readonly features: number;
  readonly classes: readonly Label[] | null;
  fit(options: FitOptions): Promise<Model>;
  /** The mean silhouette of a fit; null where the samples are out of reach. */
  readonly measure: ((model: Model) => Promise<number | null>) | null;
  close(): Promise<void>;
}

/** On a cluster with --engine; on disk where memory is short, or told to be; else in memory. */
export async function openSupply(call: Call): Promise<Supply> {
  if (call.options.string("engine") !== undefined) return (await import("./cluster.js")).openCluster(call);
  const memory = await chooseMemory(call);
  if (memory !== null) return (await import("./disk.js")).openDisk(call, memory);
  return (await import("./memory.js")).openMemory(call);
}
