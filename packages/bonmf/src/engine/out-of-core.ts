import { OptionError } from "../errors.js";
import { chooseMostGroups, MOST_GROUPS } from "../kernel/choose.js";
import type { Scaler } from "../scale/scaler.js";
import type { Engine } from "./engine.js";
import { pool } from "./pool.js";
import type { OpenOptions, Source } from "./source.js";
import { blockSize } from "./stats.js";
import { bytesOf, isReaderModule, type Stored, sizeOf } from "./stored.js";
import { openStored, WINDOW_BYTES } from "./window-cache.js";
import { openRemoteStored } from "./worker/remote.js";
import { acquireThreads, releaseThread, threadCount } from "./worker/threads.js";

export interface StreamOptions {
  /** Bytes for labels, bounds and samples together; what labels and bounds leave over keeps samples in memory. */
  readonly memory: number;
  /** Bytes of samples that are read at a time, about; default 256 KB, which stays in the processor's cache. */
  readonly window?: number;
  /** ω, one number a sample. */
  readonly weights?: Float64Array | null;
  /** How the samples were scaled before they were stored. */
  readonly scaler?: Scaler;
}

/** A memory ends at 4 GB. */
const MOST_BYTES = 3 * 2 ** 30;

/** Samples larger than memory as a source: every sweep of a fit reads what it needs of them again. */
export function streamSource(stored: Stored, options: StreamOptions): Source {
  const { samples, features, precision } = stored;
  const { scaler } = options;
  return {
    samples,
    features,
    precision,
    ...(scaler && { scaler }),
    open: (given) => openSplit(stored, options, given),
  };
}

/** Cuts the samples at block boundaries, one part for each thread. */
async function openSplit(stored: Stored, options: StreamOptions, given: OpenOptions): Promise<Engine> {
  const { samples, kind, part } = stored;
  const { weights = null, memory, window } = options;
  const unit = kind === "sparse" ? Math.max(blockSize(samples), part) : blockSize(samples);
  const units = Math.ceil(samples / unit);
  const work = (bytesOf(stored) / sizeOf(stored)) * given.effort;
  const most = isReaderModule(stored.reader) ? threadCount(given.threads, work, units) : 1;
  const workers = await acquireThreads(most - 1);
  // More parts than threads where one memory cannot hold a part; the caller's thread takes the additional ones.
  const parts = Math.min(units, Math.max(workers.length + 1, Math.ceil(estimateNeed(stored, given, 1) / MOST_BYTES)));
  // A bound for each group of prototypes saves work; where memory is short, one bound for all of them must do.
  const groups = chooseMostGroups(estimateNeed(stored, given, parts), memory);
  const need = estimateNeed(stored, given, parts, groups);
  if (need > memory) {
    workers.forEach(releaseThread);
    throw new OptionError("memory", memory, describeNeed(stored, given, need, memory));
  }
  const capacity = Math.max(0, Math.floor((Math.min(memory, parts * MOST_BYTES) - need) / parts));
  const cutAt = (p: number) => Math.min(samples, unit * Math.floor((p * units) / parts));
  const optionsOf = (p: number) => {
    const [first, last] = [cutAt(p), cutAt(p + 1)];
    return { first, last, capacity, window, groups, weights: weights?.subarray(first, last) ?? null };
  };
  // The workers first: the caller's own parts keep it busy.
  const others = workers.map((thread, t) => openRemoteStored(thread, stored, optionsOf(parts - workers.length + t)));
  const own = Array.from({ length: parts - workers.length }, (_, p) => openStored(stored, optionsOf(p)));
  const opened = await Promise.allSettled([...own, ...others]);
  const engines = opened.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  if (engines.length === opened.length) return engines.length === 1 ? engines[0] : pool(engines);
  await Promise.all(engines.map((engine) => engine.close()));
  throw (opened.find((part) => part.status === "rejected") as PromiseRejectedResult).reason;
}

function describeNeed({ samples }: Stored, { k, form }: OpenOptions, need: number, memory: number): string {
  const say = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MB`;
  const what = form === "real" ? "this method keeps k numbers a sample" : "labels, bounds and prototypes";
  return (
    `${say(need)} of memory are needed beside the samples to find ${k} clusters of ${samples} samples (${what}), ` +
    `but only ${say(memory)} may be used`
  );
}

/**
 * Bytes beside the samples: what is kept of each, and what a part's prototypes and window take.
 *
 * @param most the most bounds by group that a sample keeps
 */
export function estimateNeed(
  { samples, features, kind, part, starts, ...stored }: Stored,
  { k, form }: OpenOptions,
  parts: number,
  most = MOST_GROUPS,
): number {
  const size = sizeOf(stored);
  // For each sample: length, scale and distance while seeding (24), label, upper bound and budget (12), its entry in the
  // list of moves (8), lower bounds by group, and its label in `gather` (4).
  const groups = Math.min(most, Math.ceil(k / (48 / size)));
  const labelled = 24 + 12 + 8 + 4 * groups + 4;
  const each = form === "labels" ? labelled : form === "rays" ? 24 + 3 * 12 : 24 + 8 * k * 4;
  const shared = k * features * (6 * 8 + 2 * size) + 16 * features;
  const window = kind === "dense" ? Math.max(WINDOW_BYTES, 128 * size * features) : largestPart(starts);
  return samples * each + parts * (shared + window + 2 ** 22);
}

function largestPart(starts: Float64Array): number {
  let most = 0;
  for (let p = 1; p < starts.length; p++) most = Math.max(most, starts[p] - starts[p - 1]);
  return most;
}
