import { Assigner } from "../kernel/assign.js";
import type { Placed } from "../kernel/region.js";
import type { Codes } from "../kernel/step.js";
import { swiftProducts } from "../kernel/swift.js";
import { checkValues, type Matrix } from "../matrix/matrix.js";
import { fullestRow } from "../matrix/sparse.js";
import type { Engine } from "./engine.js";
import { Facts } from "./facts.js";
import { type LocalOptions, local } from "./local.js";
import { releaseMemory } from "./memory/memory-pool.js";
import { type Moved, moveIn, openRegion } from "./memory/regions.js";
import { blockSize, emptyStats, pushStats } from "./stats.js";
import { breathe } from "./yield.js";

/** A WebAssembly.Memory, for callers whose TypeScript does not know any. */
export interface Memory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

export interface ShardOptions extends LocalOptions {
  /** The memory that X lies in, if it is one that kernels can use. */
  memory?: Memory | null;
  /** Nobody has looked at the values yet: a negative or not finite one is an error. */
  unchecked?: boolean;
}

/**
 * The engine for samples held by one thread, the caller's or a worker's: the local engine with its products in
 * WebAssembly, and one-hot sweeps with exact pruning and sums that only moved samples touch. Where WebAssembly is missing
 * it is the plain engine. The results are the same bits.
 */
export async function openShard(X: Matrix, options: ShardOptions = {}): Promise<Engine> {
  const memory = options.memory as WebAssembly.Memory | null | undefined;
  const moved = memory ? { X, memory, own: false } : await moveIn(X);
  const placed = moved && (await place(moved, options));
  // 32-bit values are looked at by a kernel, which finds bad ones.
  if (options.unchecked && (placed === null || X.precision === "f64")) checkValues(X, { signed: false });
  if (placed === null) return local(X, options);
  const { offset = 0, total = X.samples } = options;
  const block = blockSize(total);
  const facts = surveyBlocks(X, placed, block);
  const assigner = new Assigner(placed);
  let plain: Engine | null = null;
  /** Who holds the codes; the other one's are out of date. */
  let holder: "assigner" | "plain" = "plain";
  let open = true;

  const plainEngine = async (): Promise<Engine> => {
    if (plain === null) {
      const norms = placed.region.f64(placed.norms, X.samples).slice();
      plain = local(X, { ...options, norms }, swiftProducts(placed));
    }
    if (holder === "assigner") {
      const codes = assigner.codes();
      if (codes !== null) await plain.scatter(codes);
    }
    return plain;
  };

  return {
    samples: X.samples,
    features: X.features,

    async pass(step, signal) {
      signal?.throwIfAborted();
      if (step.rule === "survey") return facts.tell(step.rank ?? 0);
      if ((step.rule !== "cosine" && step.rule !== "distance") || step.grid === undefined) {
        const engine = await plainEngine();
        const result = await engine.pass(step, signal);
        if (step.rule !== "hold" && step.rule !== "race" && step.rule !== "probe") holder = "plain";
        return result;
      }
      assigner.begin(step);
      try {
        for (let from = 0; from < X.samples; from += assigner.span) {
          assigner.sweep(from, Math.min(from + assigner.span, X.samples));
          const pause = breathe();
          if (pause !== null) {
            await pause;
            signal?.throwIfAborted();
          }
        }
      } catch (error) {
        assigner.undo();
        throw error;
      }
      holder = "assigner";
      const stats = emptyStats(step.rank ?? 0);
      pushStats(stats, offset / block, 0, assigner.finish());
      return stats;
    },

    async revert() {
      if (holder === "assigner") assigner.undo();
      else await plain?.revert();
    },

    rows: async (ids) => X.take(Uint32Array.from(ids, (id) => id - offset)).toDense(),

    async gather() {
      return (holder === "assigner" ? assigner.codes() : null) ?? (await plainEngine()).gather();
    },

    async scatter(codes: Codes) {
      holder = "plain";
      await (await plainEngine()).scatter(codes);
      if (codes.form === "labels") assigner.expect(codes);
    },

    async close() {
      await plain?.close();
      if (open && moved!.own) releaseMemory(moved!.memory);
      open = false;
    },
  };
}

/** Finds samples in their memory; null where kernels cannot run on it. */
async function place({ X: inside, memory }: Moved, options: ShardOptions): Promise<Placed | null> {
  const { weights = null, offset = 0, total = inside.samples } = options;
  const arrays = inside.kind === "dense" ? [inside.data] : [inside.offsets, inside.indices, inside.values];
  const addresses = arrays.map(({ byteOffset }) => byteOffset);
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const region = await openRegion(memory);
  if (region === null) return null;
  const { samples, features, precision } = inside;
  const sparse = inside.kind === "sparse";
  const longest = sparse ? fullestRow(inside) : features;
  const norms = region.reserve(8 * samples, true);
  const weightsAt = weights === null ? 0 : region.reserve(8 * samples, true);
  if (weights !== null) region.f64(weightsAt, samples).set(weights);
  const [first, indices = 0, values = 0] = addresses;
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

/** Looks at every sample once, block by block. */
function surveyBlocks(X: Matrix, placed: Placed, block: number): Facts {
  const facts = new Facts(placed, block);
  for (let from = 0; from < X.samples; from += block) {
    const to = Math.min(from + block, X.samples);
    const bad = facts.look(from, to, () => X.slice(from, to) as Matrix);
    if (bad >= 0) checkValues(X.slice(bad, bad + 1) as Matrix, { signed: false });
    facts.close();
  }
  return facts;
}
