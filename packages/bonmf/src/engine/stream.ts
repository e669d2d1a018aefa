import { OptionError } from "../errors.js";
import { MOST_GROUPS } from "../kernel/panels.js";
import type { Scaler } from "../scale/scaler.js";
import type { Engine } from "./engine.js";
import { pool } from "./pool.js";
import type { OpenPlan, Source } from "./source.js";
import { blockSize } from "./stats.js";
import { bytesOf, isReaderModule, type Stored, sizeOf } from "./stored.js";
import { openStored, WINDOW_BYTES } from "./window-cache.js";
import { openRemoteStored } from "./worker/remote.js";
import { acquireThreads, releaseThread, threadCount } from "./worker/threads.js";

export interface StreamOptions {
  /** Bytes that may be used for samples and all that is kept of them; what is left over keeps samples in memory. */
  readonly memory: number;
  /** Bytes of samples that are read at a time, about; default 256 KB, which the kernels find in the cache. */
  readonly window?: number;
  /** ω, one number a sample. */
  readonly weights?: Float64Array | null;
  /** What the samples went through before they were stored. */
  readonly scaler?: Scaler;
}

const MOST_BYTES = 3 * 2 ** 30;

/** Samples larger than memory: a fit reads them again in every sweep, as far as it must. */
export function streamSource(stored: Stored, options: StreamOptions): Source {
  const { samples, features, precision } = stored;
  const { scaler } = options;
  return {
    samples,
    features,
    precision,
    ...(scaler && { scaler }),
    open: (plan) => openLanes(stored, options, plan),
  };
}

async function openLanes(stored: Stored, options: StreamOptions, plan: OpenPlan): Promise<Engine> {
  const { samples, kind, part } = stored;
  const { weights = null, memory, window } = options;
  const unit = kind === "sparse" ? Math.max(blockSize(samples), part) : blockSize(samples);
  const units = Math.ceil(samples / unit);
  const work = (bytesOf(stored) / sizeOf(stored)) * plan.effort;
  const most = isReaderModule(stored.reader) ? threadCount(plan.threads, work, units) : 1;
  const helpers = await acquireThreads(most - 1);
  // A memory ends at 4 GB: where one for each thread is too few, the caller's has several.
  const lanes = Math.min(units, Math.max(helpers.length + 1, Math.ceil(estimateNeed(stored, plan, 1) / MOST_BYTES)));
  // Bounds by group spare work, but a fit can do without.
  const groups = estimateNeed(stored, plan, lanes) > memory ? 1 : MOST_GROUPS;
  const need = estimateNeed(stored, plan, lanes, groups);
  if (need > memory) {
    helpers.forEach(releaseThread);
    throw new OptionError("memory", memory, describeNeed(stored, plan, need, memory));
  }
  const room = Math.max(0, Math.floor((Math.min(memory, lanes * MOST_BYTES) - need) / lanes));
  const cutAt = (lane: number) => Math.min(samples, unit * Math.floor((lane * units) / lanes));
  const optionsOf = (lane: number) => {
    const [first, last] = [cutAt(lane), cutAt(lane + 1)];
    return { first, last, room, window, groups, weights: weights?.subarray(first, last) ?? null };
  };
  // The workers first: the caller's own parts keep it busy.
  const others = helpers.map((thread, t) => openRemoteStored(thread, stored, optionsOf(lanes - helpers.length + t)));
  const own = Array.from({ length: lanes - helpers.length }, (_, lane) => openStored(stored, optionsOf(lane)));
  const opened = await Promise.allSettled([...own, ...others]);
  const engines = opened.flatMap((lane) => (lane.status === "fulfilled" ? [lane.value] : []));
  if (engines.length === opened.length) return engines.length === 1 ? engines[0] : pool(engines);
  await Promise.all(engines.map((engine) => engine.close()));
  throw (opened.find((lane) => lane.status === "rejected") as PromiseRejectedResult).reason;
}

function describeNeed({ samples }: Stored, { k, form }: OpenPlan, need: number, memory: number): string {
  const say = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MB`;
  const what = form === "real" ? "this method keeps k numbers a sample" : "labels, bounds and prototypes";
  return (
    `${say(need)} of memory are needed beside the samples to find ${k} clusters of ${samples} samples (${what}), ` +
    `but only ${say(memory)} may be used`
  );
}

/** Bytes beside the samples: what is kept of each, and what a thread's kernels and totals take. */
export function estimateNeed(
  { samples, features, kind, part, starts, ...stored }: Stored,
  plan: OpenPlan,
  lanes: number,
  most = MOST_GROUPS,
): number {
  const { k, form } = plan;
  const size = sizeOf(stored);
  // Lengths, scales and the distances of a seeding; labels and budgets, what has moved, bounds by
  // group, labels as they are handed out.
  const groups = Math.min(most, Math.ceil(k / (48 / size)));
  const labelled = 24 + 12 + 8 + 4 * groups + 4;
  const each = form === "labels" ? labelled : form === "rays" ? 24 + 3 * 12 : 24 + 8 * k * 4;
  const shared = k * features * (6 * 8 + 2 * size) + 16 * features;
  const window = kind === "dense" ? Math.max(WINDOW_BYTES, 128 * size * features) : largestPart(starts);
  return samples * each + lanes * (shared + window + 2 ** 22);
}

function largestPart(starts: Float64Array): number {
  let most = 0;
  for (let p = 1; p < starts.length; p++) most = Math.max(most, starts[p] - starts[p - 1]);
  return most;
}
