import type { Matrix } from "../matrix/matrix.js";
import type { Engine, RemoteEngine, ShardOptions } from "./engine.js";
import { releaseMemory } from "./memory/memory-pool.js";
import { type LoadedSamples, loadSamples, useSamples } from "./memory/samples.js";
import { pool } from "./pool.js";
import { openShard, shardOf } from "./shard.js";
import { blockSize } from "./stats.js";
import { openRemote } from "./worker/remote.js";
import type { Thread } from "./worker/thread.js";
import { acquireThreads, releaseThread, startThreads, threadCount } from "./worker/threads.js";
import { yieldNow } from "./yield.js";

export interface OpenOptions {
  /** ω, one number a sample. */
  weights: Float64Array | null;
  /** How many threads; undefined: as many as the work is worth. */
  threads?: number | undefined;
  /** Nobody has looked at the values yet: a negative or not finite one is an error. */
  unchecked?: boolean;
  /** Multiply-adds of all the sweeps to come, roughly. */
  work: number;
  /** Bytes of samples that one memory may hold. */
  most?: number;
}

/** Memories end at 4 GB, and hold more than samples. */
const MOST_BYTES = 3 * 2 ** 30;

/**
 * The samples dealt out over threads, the first part to the caller's. Where workers cannot be had, one thread does it
 * all; the results are the same.
 */
export async function openEngine(X: Matrix, options: OpenOptions): Promise<Engine> {
  const leave = useSamples(X);
  try {
    const engine = await dealOut(X, options);
    return { ...engine, close: () => engine.close().finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}

/** Labels and bounds of all runs under way must be small beside what a fit may use anyway. */
const MOST_SAMPLES = 2 ** 20;

/**
 * Engines for several runs at a time, each with all samples, which lie in one memory: the first in the caller's thread.
 * Null where that is not to be had or not worth it.
 *
 * @param options.work that of all runs
 */
export async function openCrew(
  X: Matrix,
  options: OpenOptions,
  runs: number,
): Promise<[Engine, ...RemoteEngine[]] | null> {
  const { weights, threads, work, unchecked = false, most = MOST_BYTES } = options;
  const wanted = Math.min(threadCount(threads, work, runs), Math.floor(MOST_SAMPLES / X.samples));
  if (wanted < 2 || bytesOf(X) > most) return null;
  const helpers = await acquireThreads(wanted - 1);
  const leave = useSamples(X);
  const loaded = helpers.length > 0 ? await loadSamples(X) : null;
  if (loaded === null || loaded.memory.buffer instanceof ArrayBuffer) {
    helpers.forEach(releaseThread);
    leave();
    return null;
  }
  const shared = { weights, unchecked, memory: loaded.memory };
  const done = lease(loaded, helpers.length + 1);
  const crew = helpers.map(async (thread) => {
    const remote = await openRemote(thread, loaded.X, shared);
    return { ...remote, close: () => closeRemote(remote, thread, done) };
  });
  const own = openShard(loaded.X, shared).then((engine) => ({
    ...engine,
    close: async () => {
      await engine.close();
      leave();
      done(true);
    },
  }));
  const settled = await Promise.allSettled([own, ...crew]);
  const failed = settled.find((part) => part.status === "rejected");
  if (failed === undefined) return Promise.all([own, ...crew]) as Promise<[Engine, ...RemoteEngine[]]>;
  await Promise.all(settled.map((part) => (part.status === "fulfilled" ? part.value.close() : null)));
  if (settled[0].status === "rejected") leave();
  throw failed.reason;
}

async function dealOut(X: Matrix, options: OpenOptions): Promise<Engine> {
  const { weights, threads, work, unchecked = false, most = MOST_BYTES } = options;
  const total = X.samples;
  const block = blockSize(total);
  const blocks = Math.ceil(total / block);
  const helpers = startThreads(threadCount(threads, work, blocks) - 1);
  // One for each thread; what is more than memories can hold stays with the caller's.
  const parts = Math.min(blocks, Math.max(helpers.length + 1, Math.ceil(bytesOf(X) / most)));
  if (parts === 1) return openShard(X, { weights, unchecked });

  // An odd block goes to the caller, who need not wait for the post.
  const cutAt = (part: number) => Math.ceil((part * blocks) / parts);
  const cut = (part: number) => {
    const shard = shardOf(X, cutAt(part), cutAt(part + 1));
    const offset = cutAt(part) * block;
    const own = weights?.subarray(offset, offset + shard.samples) ?? null;
    return { shard, options: { weights: own, offset, total, unchecked } };
  };
  // Workers that wait already are given theirs first: the caller's own parts keep it busy, while other workers start.
  const openOthers = helpers.map(async (helper, t) => {
    const thread = await helper;
    const { shard, options } = cut(parts - helpers.length + t);
    return openAfar(thread, shard, options);
  });
  const others = Promise.allSettled(openOthers);
  await yieldNow();
  const openOwn = Array.from({ length: parts - helpers.length }, async (_, part) => {
    const { shard, options } = cut(part);
    return openShard(shard, options);
  });
  const opened = [...(await Promise.allSettled(openOwn)), ...(await others)];
  const engines = opened.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  if (engines.length === opened.length) return pool(engines);
  await Promise.all(engines.map((engine) => engine.close()));
  if (helpers.length === 0) throw (opened.find((part) => part.status === "rejected") as PromiseRejectedResult).reason;
  return dealOut(X, { ...options, threads: 1 });
}

/** A part in a worker. In a shared memory it finds the samples where they are; else they are copied once more, for the post. */
async function openAfar(thread: Thread, shard: Matrix, options: ShardOptions): Promise<Engine> {
  const loaded = await loadSamples(shard);
  const shared = loaded !== null && !(loaded.memory.buffer instanceof ArrayBuffer);
  if (!shared) return openRemote(thread, shard, options);
  const done = lease(loaded, 1);
  const remote = await openRemote(thread, loaded.X, { ...options, memory: loaded.memory });
  return { ...remote, close: () => closeRemote(remote, thread, done) };
}

/** What each user of a memory says at the end, and whether it has let go of it: the last one gives it back. */
function lease({ memory, own }: LoadedSamples, users: number): (gone: boolean) => void {
  let free = own;
  return (gone) => {
    free &&= gone;
    if (--users === 0 && free) releaseMemory(memory);
  };
}

/** A worker that is still busy is ended, and may write to its memory a little longer. */
async function closeRemote(remote: Engine, thread: Thread, done: (gone: boolean) => void): Promise<void> {
  const quiet = thread.free;
  await remote.close();
  done(quiet);
}

function bytesOf(X: Matrix): number {
  const arrays = X.kind === "dense" ? [X.data] : [X.values, X.offsets, X.indices];
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
