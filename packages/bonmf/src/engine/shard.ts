import { rowsOf } from "../kernel/plain/rows.js";
import type { Placed } from "../kernel/region.js";
import { checkValues, type Matrix } from "../matrix/matrix.js";
import { fullestRow } from "../matrix/sparse.js";
import type { Engine, SampleWindows, ShardOptions } from "./engine.js";
import { releaseMemory } from "./memory/memory-pool.js";
import { openRegion } from "./memory/regions.js";
import { type LoadedSamples, loadSamples } from "./memory/samples.js";
import { openSingleThread } from "./single-thread.js";
import { blockSize } from "./stats.js";

/**
 * The engine for samples that one thread holds in memory, the caller's or a worker's. Where WebAssembly is missing it is
 * the plain engine. The results are the same bits.
 */
export async function openShard(X: Matrix, options: ShardOptions = {}): Promise<Engine> {
  const memory = options.memory as WebAssembly.Memory | null | undefined;
  const loaded = memory ? { X, memory, own: false } : await loadSamples(X);
  const placed = loaded && (await place(loaded, options));
  // A kernel checks 32-bit values while it surveys them.
  if (options.unchecked && (placed === null || X.precision === "f64")) checkValues(X, { signed: false });
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
    holdInMemory(X, options, null, () => {}),
    options.total ?? X.samples,
  );
}

/** The samples a shard holds as a view of the whole: blocks first … last − 1 of the data. */
export function shardOf(X: Matrix, first: number, last: number): Matrix {
  const block = blockSize(X.samples);
  return X.slice(Math.min(first * block, X.samples), Math.min(last * block, X.samples)) as Matrix;
}

/** All samples as one window. */
function holdInMemory(X: Matrix, options: ShardOptions, placed: Placed | null, release: () => void): SampleWindows {
  const { samples, features, precision } = X;
  const { weights = null, offset = 0 } = options;
  const whole = { rows: rowsOf(X), first: 0 };
  return {
    samples,
    features,
    precision,
    offset,
    weights,
    placed,
    viewed: placed,
    resident: true,
    reach: (_from, to) => to,
    bring: () => undefined,
    view: () => whole,
    take: async (ids) => X.take(ids).toDense(),
    surveyed(_from, _to, bad) {
      if (bad >= 0) checkValues(X.slice(bad, bad + 1) as Matrix, { signed: false });
    },
    close: async () => release(),
  };
}

/** Describes samples in a memory to the kernels; null where they cannot run on it. */
async function place({ X: inside, memory }: LoadedSamples, options: ShardOptions): Promise<Placed | null> {
  const { weights = null, offset = 0, total = inside.samples } = options;
  const arrays = inside.kind === "dense" ? [inside.data] : [inside.offsets, inside.indices, inside.values];
  const [first, indices = 0, values = 0] = arrays.map(({ byteOffset }) => byteOffset);
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const region = await openRegion(memory);
  if (region === null) return null;
  const { samples, features, precision } = inside;
  const sparse = inside.kind === "sparse";
  const longest = sparse ? fullestRow(inside) : features;
  const norms = region.reserve(8 * samples, true);
  const weightsAt = weights === null ? 0 : region.reserve(8 * samples, true);
  if (weights !== null) region.f64(weightsAt, samples).set(weights);
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
    norms,
    whole: (bytes * total) / samples,
    offset,
    weights: weightsAt,
  };
}
