import { allocateDense, Dense, type Matrix, Sparse } from "bonmf";
import { type Engine, isMostlyZero, openShard } from "bonmf/engine";
import type { Chunk, NumberedStep, Request, Rows, Shape, Totals } from "../request.js";

/** Steps that change the engine's state. */
const STATEFUL = new Set(["cosine", "distance", "race"]);

/** The samples of one partition on an executor, and the number of the last step they took. */
export class Partition {
  readonly #engine: Engine;
  readonly #first: number;
  #number = 0;

  private constructor(engine: Engine, first: number) {
    this.#engine = engine;
    this.#first = first;
  }

  /** @param first the number of the chunks' first sample in the whole data */
  static async open(shape: Shape, first: number, chunks: readonly Chunk[]): Promise<Partition> {
    const X = join(shape, chunks);
    return new Partition(await openShard(X, { offset: first, total: shape.samples }), first);
  }

  /** Whether the request assumes steps that this partition has not taken. */
  isBehind({ after }: Request): boolean {
    return after !== undefined && after !== this.#number;
  }

  /** Takes a step, after any missed steps before it, and returns its totals. */
  async pass(request: Request): Promise<Pick<Totals, "stats" | "rows">> {
    const { number, step } = request.step as NumberedStep;
    const last = request.prior.at(-1);
    if (last && last.number !== this.#number) {
      this.#number = -1;
      for (const earlier of request.prior) await this.#engine.pass(earlier.step);
      this.#number = last.number;
    }
    const stateful = STATEFUL.has(step.rule);
    const reached = this.#number;
    if (stateful) this.#number = -1;
    const stats = await this.#engine.pass(step);
    this.#number = stateful ? number : reached;
    return { stats, rows: await this.rows(stats.parts.flatMap(({ sums }) => sums.ranked.map(({ id }) => id))) };
  }

  /** Copies of those samples that are in this partition. */
  async rows(ids: readonly number[]): Promise<Rows> {
    const own = ids.filter((id) => id >= this.#first && id < this.#first + this.#engine.samples);
    return { ids: own, data: (await this.#engine.rows(own)).data };
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

/** Sums by label are exact (kernel/sums), so they may be added in any order. */
export function isExact({ step: { rule, grid } }: NumberedStep): boolean {
  return (rule === "cosine" || rule === "distance") && grid !== undefined;
}

/** The chunks of a partition as one matrix, where possible in memory that the kernels use without a copy. */
function join({ features, precision, sparse }: Shape, chunks: readonly Chunk[]): Matrix {
  const samples = chunks.reduce((sum, chunk) => sum + chunk.samples, 0);
  const stored = chunks.reduce((sum, { values }) => sum + values.length, 0);
  if (sparse) return joinSparse(samples, features, stored, chunks);
  if (isMostlyZero(chunks[0].values, features)) {
    const compressed = chunks.map((chunk) => toSparse(chunk, features));
    const filled = compressed.reduce((sum, { values }) => sum + values.length, 0);
    return joinSparse(samples, features, filled, compressed);
  }
  const X = allocateDense(samples, features, precision);
  let at = 0;
  for (const { values } of chunks) {
    X.data.set(values, at);
    at += values.length;
  }
  return X;
}

function joinSparse(samples: number, features: number, stored: number, chunks: readonly Chunk[]): Sparse {
  const offsets = new Uint32Array(samples + 1);
  const indices = new Uint32Array(stored);
  const values = chunks[0].values instanceof Float64Array ? new Float64Array(stored) : new Float32Array(stored);
  let row = 0;
  let at = 0;
  for (const chunk of chunks) {
    for (const length of chunk.lengths!) {
      offsets[row + 1] = offsets[row] + length;
      row++;
    }
    indices.set(chunk.indices!, at);
    values.set(chunk.values, at);
    at += chunk.values.length;
  }
  return new Sparse(samples, features, offsets, indices, values);
}

function toSparse({ samples, values }: Chunk, features: number): Chunk {
  const { offsets, ...rest } = Sparse.fromDense(new Dense(samples, features, values));
  return {
    samples,
    values: rest.values,
    indices: rest.indices,
    lengths: offsets.slice(1).map((end, i) => end - offsets[i]),
  };
}
