import type { Precision } from "../../matrix/dense.js";
import { type Kernels, kernelsFor, type PrecisionKernels, type Region } from "../region.js";
import { fieldOffset, readStruct, type Struct, writeStruct } from "./structs.js";

/** Working memory for one chunk of samples, a thread's own; see assembly/structs.ts. */
export type ChunkBuffers = Pick<Struct<"AssignState">, (typeof CHUNK_BUFFERS)[number]>;

const CHUNK_BUFFERS = [
  ...(["listed", "places", "ids", "best", "second", "label"] as const),
  ...(["topScores", "secondScores", "topLabels", "masks"] as const),
] as const;

export function reserveChunk(region: Region, chunk: number): ChunkBuffers {
  const of = (bytes: number) => region.reserve(bytes, true);
  return {
    listed: of(4 * chunk + 32),
    places: of(4 * chunk + 4),
    ids: of(4 * chunk + 4),
    best: of(8 * chunk),
    second: of(8 * chunk),
    label: of(4 * chunk),
    topScores: of(8 * chunk),
    secondScores: of(8 * chunk),
    topLabels: of(4 * chunk),
    masks: of(4 * chunk),
  };
}

/** What a thread must know to take part in the sweeps of a memory: plain data, which can be posted to a worker. */
export interface SweepPlan {
  readonly precision: Precision;
  readonly samples: number;
  readonly k: number;
  /** Groups of prototypes, columns of each, and the address of their `ScoreInput`. */
  readonly groups: number;
  readonly columns: number;
  readonly input: number;
  /** Samples that are taken at a time. */
  readonly chunk: number;
  /** The address of the thread's own `AssignState`, and its working memory. */
  readonly state: number;
  readonly buffers: ChunkBuffers;
  /** Of sweeps by units: samples of a unit, and the addresses of its samples that moved and of how many these are. */
  readonly unit: number;
  readonly moved: number;
  readonly movedCounts: number;
  /** Where all is gathered: the state of the first thread, and those of the others, `apart` bytes from each other. */
  readonly first: number;
  readonly others: number;
  readonly apart: number;
  readonly helpers: number;
}

const MOVED = fieldOffset("AssignState", "moved") >> 2;
const CHANGED = fieldOffset("AssignState", "changed") >> 2;

/** A thread's part in the sweeps of an `Assigner`: takes samples and decides their labels. */
export class SpanSweeper {
  /** How many products of a sample and a prototype the sweep has taken. */
  products = 0;
  readonly plan: SweepPlan;
  readonly #region: Region;
  readonly #kernel: PrecisionKernels;
  /** Kernels that are the same for both precisions. */
  readonly #common: Kernels;
  #boundsHold = false;
  #changed = 0;

  constructor(region: Region, plan: SweepPlan) {
    this.plan = plan;
    this.#region = region;
    this.#kernel = kernelsFor({ region, precision: plan.precision });
    this.#common = region.kernel;
  }

  /** Begins a sweep whose state is written, or goes on with it: a thread may join in the same sweep again. */
  begin(): void {
    const read = readStruct(this.#region, "AssignState", this.plan.state, ["boundsHold", "products", "changed"]);
    this.products = read.products;
    this.#changed = read.changed;
    this.#boundsHold = read.boundsHold !== 0;
  }

  /** Sweeps the samples of a unit. */
  sweepUnit(unit: number): void {
    const { plan } = this;
    const from = unit * plan.unit;
    const words = this.#region.u32(plan.state, CHANGED + MOVED + 1);
    words[MOVED] = plan.moved + 8 * from;
    words[CHANGED] = 0;
    this.sweep(from, Math.min(from + plan.unit, plan.samples));
    this.#changed += words[CHANGED];
    this.#region.u32(plan.movedCounts + 4 * unit, 1)[0] = words[CHANGED];
  }

  /** Leaves what the units came to in the state. */
  end(): void {
    const { products } = this;
    writeStruct(this.#region, "AssignState", this.plan.state, { products, changed: this.#changed });
  }

  /** Adds up what all threads have gathered of cluster j. */
  gather(j: number): void {
    const { first, others, helpers, apart } = this.plan;
    this.#common.gatherSums(first, others, helpers, apart, j);
  }

  /** Sweeps samples from … to − 1; `from` is a multiple of `chunk`. */
  sweep(from: number, to: number): void {
    const { state, groups, k, chunk } = this.plan;
    if (groups === 1) this.products += this.#kernel.sweep(state, from, to) * k;
    else {
      for (let at = from; at < to; at += chunk) {
        const count = this.look(at, Math.min(at + chunk, to));
        if (count > 0) this.decide(count);
      }
    }
  }

  /** Lists the samples from … to − 1, at most `chunk`, that must be seen; nothing is read of them yet. */
  look(from: number, to: number): number {
    const { state } = this.plan;
    if (this.#boundsHold) return this.#common.listDoubtful(state, from, to);
    this.#common.listAll(state, from, to);
    return to - from;
  }

  /** The samples listed, by rising number; good until the next call. */
  listed(count: number): Uint32Array {
    return this.#region.u32(this.plan.buffers.listed, count);
  }

  /** Sets the labels of the listed samples. */
  decide(spent: number): void {
    const { state, groups, k } = this.plan;
    if (groups === 1) {
      this.#kernel.decide(state, spent);
      this.products += spent * k;
      return;
    }
    const { changed } = readStruct(this.#region, "AssignState", state, ["changed"]);
    const count = this.#boundsHold ? this.#tighten(spent) : spent;
    if (count === 0) return;
    this.#settle(count);
    this.#kernel.moveSums(state, changed);
  }

  /** Keeps those in the list whose label the bounds do not prove. */
  #tighten(spent: number): number {
    const left = this.#kernel.tighten(this.plan.state, spent);
    this.products += this.#region.u32(this.plan.buffers.best, 1)[0];
    return left;
  }

  /** Scores the listed samples against the groups that may hold their prototype and settles each. */
  #settle(count: number): void {
    const kernel = this.#kernel;
    const { state, buffers } = this.plan;
    const { topScores, secondScores, topLabels } = buffers;
    kernel.clear(topScores, secondScores, topLabels, count);
    this.#common.markOthers(state, count);
    this.#scoreMarked(count);
    kernel.markOwn(state, count);
    this.#scoreMarked(count);
    kernel.settle(state, count);
  }

  /** Scores the listed samples against the groups they are marked for. */
  #scoreMarked(count: number): void {
    const kernel = this.#kernel;
    const { state, input, groups, columns, k, buffers } = this.plan;
    const { ids, best, second, label } = buffers;
    for (let g = 0; g < groups; g++) {
      const picked = this.#common.listMarked(state, count, g);
      if (picked === 0) continue;
      kernel.clear(best, second, label, picked);
      kernel.scoreGroup(input, g, ids, picked, best, second, label);
      this.products += picked * (Math.min(k, (g + 1) * columns) - g * columns);
      kernel.merge(state, picked, g);
    }
  }
}
