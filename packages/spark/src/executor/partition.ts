import { allocateDense, Dense, type Matrix, Sparse } from "bonmf";
import { type Engine, isHollow, openShard } from "bonmf/engine";
import type { Request, Chunk, Rows, Shape, NumberedStep, Totals } from "../request.js";

/** Steps after which an engine is not as it was. */
const STATEFUL = new Set(["cosine", "distance", "race"]);

/** Samples that lie together on an executor, and what is remembered of the steps so far. */
export class Partition {
  readonly #engine: Engine;
  readonly #first: number;
  #number = 0;

  private constructor(engine: Engine, first: number) {
    this.#engine = engine;
    this.#first = first;
  }

  /** @param first the number of the parts' first sample in the whole data */
  static async open(shape: Shape, first: number, parts: readonly Chunk[]): Promise<Partition> {
    const X = join(shape, parts);
    return new Partition(await openShard(X, { offset: first, total: shape.samples }), first);
  }

  /** Whether steps were missed that an order takes for granted. */
  isBehind({ after }: Request): boolean {
    return after !== undefined && after !== this.#number;
  }

  /** Takes a step and returns its totals; steps that were missed are caught up with. */
  async pass(request: Request): Promise<Pick<Totals, "stats" | "rows">> {
    const { number, step } = order.step as NumberedStep;
    const last = order.prior.at(-1);
    if (last && last.number !== this.#number) {
      this.#number = -1;
      for (const earlier of order.prior) await this.#engine.pass(earlier.step);
      this.#number = last.number;
    }
    const stateful = STATEFUL.has(step.rule);
    const reached = this.#number;
    if (stateful) this.#number = -1;
    const stats = await this.#engine.pass(step);
    this.#number = stateful ? number : reached;
    return { stats, rows: await this.rows(stats.parts.flatMap(({ sums }) => sums.ranked.map(({ id }) => id))) };
  }

  /** Copies of those of the samples that lie here. */
  async rows(ids: readonly number[]): Promise<Rows> {
    const own = ids.filter((id) => id >= this.#first && id < this.#first + this.#engine.samples);
    return { ids: own, data: (await this.#engine.rows(own)).data };
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

/** Sums by label are exact (kernel/grid), so they may be added in any order. */
export function isExact({ step: { rule, grid } }: NumberedStep): boolean {
  return (rule === "cosine" || rule === "distance") && grid !== undefined;
}

/** The parts of a partition as one matrix, where possible in a memory that the kernels can use as it is. */
function join({ features, precision, sparse }: Shape, parts: readonly Chunk[]): Matrix {
  const samples = parts.reduce((sum, part) => sum + part.samples, 0);
  const stored = parts.reduce((sum, { values }) => sum + values.length, 0);
  if (sparse) return joinSparse(samples, features, stored, parts);
  if (isHollow(parts[0].values, features)) {
    const squeezed = parts.map((part) => squeeze(part, features));
    const filled = squeezed.reduce((sum, { values }) => sum + values.length, 0);
    return joinSparse(samples, features, filled, squeezed);
  }
  const X = allocateDense(samples, features, precision);
  let at = 0;
  for (const { values } of parts) {
    X.data.set(values, at);
    at += values.length;
  }
  return X;
}

function joinSparse(samples: number, features: number, stored: number, parts: readonly Chunk[]): Sparse {
  const offsets = new Uint32Array(samples + 1);
  const indices = new Uint32Array(stored);
  const values = parts[0].values instanceof Float64Array ? new Float64Array(stored) : new Float32Array(stored);
  let row = 0;
  let at = 0;
  for (const part of parts) {
    for (const length of part.lengths!) {
      offsets[row + 1] = offsets[row] + length;
      row++;
    }
    indices.set(part.indices!, at);
    values.set(part.values, at);
    at += part.values.length;
  }
  return new Sparse(samples, features, offsets, indices, values);
}

function squeeze({ samples, values }: Chunk, features: number): Chunk {
  const { offsets, ...rest } = Sparse.fromDense(new Dense(samples, features, values));
  return {
    samples,
    values: rest.values,
    indices: rest.indices,
    lengths: offsets.slice(1).map((end, i) => end - offsets[i]),
  };
}
