import { rowsOf } from "../kernel/plain/rows.js";
import type { Placed, PlacedGaps, Region } from "../kernel/region.js";
import { Dense } from "../matrix/dense.js";
import { clearGaps, fillByMeans, type Gaps, sliceGaps } from "../matrix/gaps.js";
import { checkValues, type Matrix } from "../matrix/matrix.js";
import { fullestRow, Sparse } from "../matrix/sparse.js";
import type { Engine, RemoteEngine, SampleWindows, ShardOptions } from "./engine.js";
import { releaseMemory } from "./memory/memory-pool.js";
import { canShare, openRegion } from "./memory/regions.js";
import { type LoadedSamples, loadSamples, useSamples } from "./memory/samples.js";
import { pool } from "./pool.js";
import { openSingleThread } from "./single-thread.js";
import type { Source } from "./source.js";
import { blockSize } from "./stats.js";
import { TeamEngine } from "./team.js";
import { openRemote } from "./worker/remote.js";
import type { Thread } from "./worker/threads.js";
import { acquireThreads, releaseThread, startThreads, threadCount } from "./worker/threads.js";
import { yieldNow } from "./yield.js";

export interface EngineOptions {
  /** ω, one number a sample. */
  weights: Float64Array | null;
  /** What is missing of the samples, whatever stands there. */
  gaps?: Gaps | null;
  /** How many threads; undefined: as many as the work is worth. */
  threads?: number | undefined;
  /** Nobody has checked the values yet: a negative or not finite one is an error. */
  unchecked?: boolean;
  /** Multiply-adds of all the sweeps to come, roughly. */
  work: number;
  /** The most bytes of samples in one memory. */
  most?: number;
}

/** A memory ends at 4 GB, and holds more than samples. */
const MOST_BYTES = 3 * 2 ** 30;
/** Parallel runs keep labels and bounds each: beyond this many samples they take too much memory. */
const MOST_SAMPLES = 2 ** 20;

/** Samples in memory as a source. @param gaps what is missing of them, whatever stands there */
export function memorySource(
  X: Matrix,
  weights: Float64Array | null,
  unchecked = false,
  gaps: Gaps | null = null,
): Source {
  const { samples, features, precision } = X;
  const stored = X.kind === "dense" ? X.data.length : X.values.length;
  const optionsOf = (threads: number | undefined, work: number) => ({ weights, gaps, threads, work, unchecked });
  return {
    samples,
    features,
    precision,
    open: ({ threads, effort }) => openEngine(X, optionsOf(threads, stored * effort)),
    openMany: ({ threads, effort }, runs) => openEngines(X, optionsOf(threads, stored * effort * runs), runs),
  };
}

/**
 * An engine for samples in memory, split over threads; the first part stays in the caller's. Where workers cannot start,
 * the caller's thread sweeps everything; the results are the same.
 */
export async function openEngine(X: Matrix, options: EngineOptions): Promise<Engine> {
  const endUse = useSamples(X);
  try {
    const engine = await openSplit(X, options);
    return { ...engine, close: () => engine.close().finally(endUse) };
  } catch (error) {
    endUse();
    throw error;
  }
}

/**
 * Engines for several runs at a time, all on the same samples in one shared memory: the first in the caller's thread.
 * Null where memory cannot be shared or the work is too little.
 *
 * @param options.work that of all runs
 */
export async function openEngines(
  X: Matrix,
  options: EngineOptions,
  runs: number,
): Promise<[Engine, ...RemoteEngine[]] | null> {
  const { weights, gaps = null, threads, work, unchecked = false, most = MOST_BYTES } = options;
  const wanted = Math.min(threadCount(threads, work, runs), Math.floor(MOST_SAMPLES / X.samples));
  if (wanted < 2 || bytesOf(X) > most) return null;
  const workers = await acquireThreads(wanted - 1);
  const endUse = useSamples(X);
  const loaded = workers.length > 0 ? await loadSamples(X, gaps) : null;
  if (loaded === null || !isShared(loaded)) {
    workers.forEach(releaseThread);
    endUse();
    return null;
  }
  const shared = { weights, gaps, unchecked, memory: loaded.memory };
  const release = releaseAfter(loaded, workers.length + 1);
  const remotes = workers.map(async (thread) => {
    const remote = await openRemote(thread, loaded.X, shared);
    return { ...remote, close: () => closeRemote(remote, thread, release) };
  });
  const own = openShard(loaded.X, shared).then((engine) => ({
    ...engine,
    close: async () => {
      await engine.close();
      endUse();
      release(true);
    },
  }));
  const settled = await Promise.allSettled([own, ...remotes]);
  const failed = settled.find((part) => part.status === "rejected");
  if (failed === undefined) return Promise.all([own, ...remotes]) as Promise<[Engine, ...RemoteEngine[]]>;
  await Promise.all(settled.map((part) => (part.status === "fulfilled" ? part.value.close() : null)));
  if (settled[0].status === "rejected") endUse();
  throw failed.reason;
}

/** Cuts the samples at block boundaries, one part for each thread. */
async function openSplit(X: Matrix, options: EngineOptions): Promise<Engine> {
  const { weights, gaps = null, threads, work, unchecked = false, most = MOST_BYTES } = options;
  const total = X.samples;
  const block = blockSize(total, gaps !== null);
  const blocks = Math.ceil(total / block);
  if (blocks === 1) return openShard(X, { weights, gaps, unchecked });
  const workers = startThreads(threadCount(threads, work, blocks) - 1);
  if (workers.length > 0 && gaps === null && bytesOf(X) <= most && canShare()) {
    const team = await openTeam(X, options, workers, block);
    if (team !== null) return team;
  }
  // More parts than threads where one memory cannot hold a part; the caller's thread takes the additional ones.
  const parts = Math.min(blocks, Math.max(workers.length + 1, Math.ceil(bytesOf(X) / most)));
  if (parts === 1) return openShard(X, { weights, gaps, unchecked });

  // Rounded up: the caller's part, which waits for no message, gets the block that is left over.
  const cutAt = (part: number) => Math.ceil((part * blocks) / parts);
  const cut = (part: number) => {
    const offset = cutAt(part) * block;
    const shard = shardOf(X, cutAt(part), cutAt(part + 1), block);
    const own = weights?.subarray(offset, offset + shard.samples) ?? null;
    const missing = gaps && sliceGaps(gaps, offset, offset + shard.samples);
    return { shard, options: { weights: own, gaps: missing, offset, total, unchecked } };
  };
  // Idle workers get their parts first, and others start while the caller loads its own.
  const openOthers = workers.map(async (worker, t) => {
    const thread = await worker;
    const { shard, options } = cut(parts - workers.length + t);
    return openInWorker(thread, shard, options);
  });
  const others = Promise.allSettled(openOthers);
  await yieldNow();
  const openOwn = Array.from({ length: parts - workers.length }, async (_, part) => {
    const { shard, options } = cut(part);
    return openShard(shard, options);
  });
  const opened = [...(await Promise.allSettled(openOwn)), ...(await others)];
  const engines = opened.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  if (engines.length === opened.length) return pool(engines);
  await Promise.all(engines.map((engine) => engine.close()));
  if (workers.length === 0) throw (opened.find((part) => part.status === "rejected") as PromiseRejectedResult).reason;
  return openSplit(X, { ...options, threads: 1 });
}

/** All samples in one shared memory. Null where kernels cannot run on it or a worker cannot start. */
async function openTeam(
  X: Matrix,
  options: EngineOptions,
  workers: readonly Promise<Thread>[],
  block: number,
): Promise<Engine | null> {
  const { weights, unchecked = false } = options;
  // A worker that is idle helps to bring the samples in; others start meanwhile.
  const ready = await Promise.race([workers[0].catch(() => null), yieldNow()]);
  const loaded = await loadSamples(X, null, ready ? (memory, plan) => ready.ask("convert", [memory, plan]) : null);
  const placed = loaded && (await place(loaded, { weights }));
  const started = await Promise.allSettled(workers);
  const threads = started.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  if (placed === null || threads.length < workers.length) {
    if (loaded?.own) releaseMemory(loaded.memory);
    return null;
  }
  const { X: inside, memory } = loaded!;
  const { region, samples } = placed;
  const norms = region.f64(placed.norms, samples);
  const placedWeights = weights && region.f64(placed.weights, samples);
  const release = releaseAfter(loaded!, 1 + threads.length);
  const parts = threads.length + 1;
  // Rounded up: the caller's part, which waits for no message, gets the block that is left over.
  const cutAt = (part: number) => Math.ceil((part * Math.ceil(samples / block)) / parts);
  const cut = (part: number) => {
    const offset = cutAt(part) * block;
    const shard = moveOffsets(shardOf(inside, cutAt(part), cutAt(part + 1), block), region);
    const of = (numbers: Float64Array) => numbers.subarray(offset, offset + shard.samples);
    const own = { weights: placedWeights && of(placedWeights), norms: of(norms) };
    return { shard, about: { ...own, offset, total: samples, memory, unchecked } };
  };
  const remotes = threads.map(async (thread, t) => {
    const { shard, about } = cut(t + 1);
    const remote = await openRemote(thread, shard, about);
    return { ...remote, close: () => closeRemote(remote, thread, release) };
  });
  const { shard, about } = cut(0);
  const own = openShard(shard, about).then((engine) => ({
    ...engine,
    close: () => engine.close().finally(() => release(true)),
  }));
  const settled = await Promise.allSettled([own, ...remotes]);
  const failed = settled.find((part) => part.status === "rejected");
  if (failed === undefined) {
    return new TeamEngine(inside, placed, pool(await Promise.all([own, ...remotes])), await Promise.all(remotes));
  }
  await Promise.all(settled.map((part) => (part.status === "fulfilled" ? part.value.close() : null)));
  return openSplit(X, { ...options, threads: 1 });
}

/** A part of sparse samples has offsets of its own: puts them into the memory, too. */
function moveOffsets(shard: Matrix, region: Region): Matrix {
  if (shard.kind === "dense") return shard;
  const { samples, features, offsets, indices, values } = shard;
  const inside = region.u32(region.reserve(offsets.byteLength, true), offsets.length);
  inside.set(offsets);
  return Sparse.trust(samples, features, inside, indices, values);
}

/** Loads a part into a shared memory that the worker reads; without shared memory the part is copied to the worker. */
async function openInWorker(thread: Thread, shard: Matrix, options: ShardOptions): Promise<Engine> {
  const loaded = await loadSamples(shard, options.gaps ?? null);
  if (loaded === null || !isShared(loaded)) return openRemote(thread, shard, options);
  const release = releaseAfter(loaded, 1);
  const remote = await openRemote(thread, loaded.X, { ...options, memory: loaded.memory });
  return { ...remote, close: () => closeRemote(remote, thread, release) };
}

function isShared({ memory }: LoadedSamples): boolean {
  return !(memory.buffer instanceof ArrayBuffer);
}

/**
 * Releases a memory when its last user has ended, unless one of them may still write to it.
 *
 * @returns what each user calls at its end, with whether it has stopped using the memory
 */
function releaseAfter({ memory, own }: LoadedSamples, users: number): (stopped: boolean) => void {
  let free = own;
  return (stopped) => {
    free &&= stopped;
    if (--users === 0 && free) releaseMemory(memory);
  };
}

/** A worker that is still busy is terminated, and may write to its memory a little longer. */
async function closeRemote(remote: Engine, thread: Thread, release: (stopped: boolean) => void): Promise<void> {
  const stopped = thread.free;
  await remote.close();
  release(stopped);
}

function bytesOf(X: Matrix): number {
  const arrays = X.kind === "dense" ? [X.data] : [X.values, X.offsets, X.indices];
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/**
 * The engine for samples that one thread holds in memory, the caller's or a worker's. Where WebAssembly is missing it is
 * the plain engine. The results are the same bits.
 */
export async function openShard(X: Matrix, options: ShardOptions = {}): Promise<Engine> {
  const memory = options.memory as WebAssembly.Memory | null | undefined;
  const { gaps = null } = options;
  const loaded = memory ? { X, memory, own: false } : await loadSamples(X, gaps);
  const placed = loaded && (await place(loaded, options));
  // A kernel checks 32-bit values while it surveys them.
  if (options.unchecked && (placed === null || X.precision === "f64")) {
    checkValues(X, { signed: true, gaps: gaps !== null });
  }
  if (placed === null) return openPlain(X, options);
  let open = true;
  const release = () => {
    if (open && loaded!.own) releaseMemory(loaded!.memory);
    open = false;
  };
  return openSingleThread(holdInMemory(X, options, placed, release), options.total ?? X.samples);
}

/** The same without kernels: the oracle of the tests, and what serves where WebAssembly is missing. */
export async function openPlain(X: Matrix, options: ShardOptions = {}): Promise<Engine> {
  return openSingleThread(
    holdInMemory(clearGaps(X, options.gaps ?? null), options, null, () => {}),
    options.total ?? X.samples,
  );
}

/** The samples a shard holds as a view of the whole: blocks first … last − 1 of the data. */
export function shardOf(X: Matrix, first: number, last: number, block = blockSize(X.samples)): Matrix {
  return X.slice(Math.min(first * block, X.samples), Math.min(last * block, X.samples)) as Matrix;
}

/** All samples as one window. */
function holdInMemory(X: Matrix, options: ShardOptions, placed: Placed | null, release: () => void): SampleWindows {
  const { samples, features, precision } = X;
  const { weights = null, gaps = null, offset = 0 } = options;
  // Where values are missing, anything may stand; in the kernels' memory there are zeros, but a view of it may be detached.
  const whole = gaps !== null && placed !== null ? null : { rows: rowsOf(X), first: 0 };
  return {
    samples,
    features,
    precision,
    offset,
    weights,
    gaps,
    placed,
    viewed: placed,
    resident: true,
    windowEnd: (_from, to) => to,
    load: () => undefined,
    view: () => whole ?? { rows: rowsOf(viewOf(placed!)), first: 0 },
    take: async (ids) => {
      const rows = X.take(ids).toDense();
      if (gaps !== null) for (let row = 0; row < ids.length; row++) fillByMeans(gaps, ids[row], rows.row(row));
      return rows;
    },
    surveyed(_from, _to, bad) {
      if (bad >= 0) checkValues(X.slice(bad, bad + 1) as Matrix, { signed: true, gaps: gaps !== null });
    },
    close: async () => release(),
  };
}

/** Samples as they lie in a memory, until it is moved. */
function viewOf({ region, samples: n, features: m, precision, sparse, X, indices, values }: Placed): Matrix {
  const floats = (at: number, length: number) =>
    precision === "f64" ? region.f64(at, length) : region.f32(at, length);
  if (!sparse) return new Dense(n, m, floats(X, n * m));
  const offsets = region.u32(X, n + 1);
  return Sparse.trust(n, m, offsets, region.u32(indices, offsets[n]), floats(values, offsets[n]));
}

/** Describes samples in a memory to the kernels; null where they cannot run on it. */
async function place({ X: inside, memory }: LoadedSamples, options: ShardOptions): Promise<Placed | null> {
  const { weights = null, gaps = null, norms = null, offset = 0, total = inside.samples } = options;
  const arrays = inside.kind === "dense" ? [inside.data] : [inside.offsets, inside.indices, inside.values];
  const [first, indices = 0, values = 0] = arrays.map(({ byteOffset }) => byteOffset);
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const region = await openRegion(memory);
  if (region === null) return null;
  const { samples, features, precision } = inside;
  const sparse = inside.kind === "sparse";
  const longest = sparse ? fullestRow(inside) : features;
  const normsAt = norms?.byteOffset ?? region.reserve(8 * samples, true);
  const weightsAt = weights === null ? 0 : norms === null ? region.reserve(8 * samples, true) : weights.byteOffset;
  if (weights !== null && norms === null) region.f64(weightsAt, samples).set(weights);
  return {
    region,
    samples,
    features,
    precision,
    sparse,
    X: first,
    indices,
    values,
    bytes,
    longest,
    norms: normsAt,
    whole: (bytes * total) / samples,
    offset,
    weights: weightsAt,
    gaps: gaps && placeGaps(region, gaps),
  };
}

function placeGaps(region: Region, list: Gaps): PlacedGaps {
  const copy = (numbers: Uint32Array) => {
    const at = region.reserve(4 * numbers.length, true);
    region.u32(at, numbers.length).set(numbers);
    return at;
  };
  return { list, offsets: copy(list.offsets), features: copy(list.features) };
}
