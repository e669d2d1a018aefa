import { choosePrefetch, nameKernel } from "../choose.js";
import type { Placed } from "../region.js";
import { allocateCodes, type Codes, type Labels, type Step } from "../step.js";
import { makeSums, type Sums } from "../sums.js";
import { MemberGaps } from "./member-gaps.js";
import { PackedPrototypes } from "./packed-prototypes.js";
import { type ChunkBuffers, reserveChunk, SpanSweeper, type SweepPlan } from "./span-sweeper.js";
import { fieldOffset, readStruct, type Struct, structBytes, writeStruct } from "./structs.js";

const NONE = 0xffffffff;
const TOTALS = ["products", "changed", "unresolved", "hash0", "hash1"] as const;
/** The fields of a state up to here are written for each step. */
const STEP_BYTES = fieldOffset("AssignState", "hash0");
const NO_SCREEN = { int16Bytes: 0, int16Samples: 0, int16Prototypes: 0, int16Scales: 0, int16Tile: 0, int16Results: 0 };
/** Samples in a chunk stay in the second-level cache while all panels pass over them. */
const CHUNK_BYTES = 192 * 1024;
const MOST_CHUNK = 1023;
/** Chunks that one call may take. */
const SPAN = 16;

type State = Struct<"AssignState">;
/** Addresses of what the samples keep between sweeps; see assembly/structs.ts. */
type Kept = Pick<State, "labels" | "grid" | "moved" | "budgets" | "uppers" | "lowers">;
/** The same of what a thread gathers, and of its working memory. */
type Own = Pick<State, "sums" | "counts" | "touched"> & ChunkBuffers;

/** Units of a sweep that each thread gets, at least, so that all end at about the same time. */
const UNITS_EACH = 24;
/** Chunks of a unit, at most. */
const MOST_CHUNKS = 16;

/**
 * One-hot sweeps with exact pruning. Each sample has an upper bound on the distance to its own prototype and lower bounds
 * on the distances to the others: one for each group of several (Yinyang 2015), or one for all (Hamerly 2010) where a
 * sample is little work; by angle the distances are chords between unit vectors. Where the bounds prove that no other
 * prototype can score as high, even with every rounding error against it, the sample is skipped. Sums are exact (kernel/sums),
 * so only samples that moved touch them, and several threads that share a memory can sweep any units of the samples: each
 * gathers the changes of its own, which are then added up.
 */
export class Assigner {
  /** How many samples `look` may take, and `sweep`. */
  readonly chunk: number;
  readonly span: number;
  readonly #placed: Placed;
  /** How many other threads sweep, too. */
  readonly #helpers: number;
  /** Whether samples are so short that the processor does not prefetch them by itself. */
  readonly #prefetch: boolean;
  /** Null where samples have no gaps. */
  readonly #gaps: MemberGaps | null;
  #packed: PackedPrototypes | null = null;
  #kept: Kept | null = null;
  /** Of each thread, the first is this one. */
  #own: Own[] = [];
  #plans: SweepPlan[] = [];
  #sweeper: SpanSweeper | null = null;
  /** Addresses; 0 where all scales are 1. */
  #scales = 0;
  #units = 0;
  #rule = "";
  #unit = false;
  #weightGrid = 0;
  /** Whether no sample had a label at `begin`. */
  #fresh = true;
  /** Labels from outside that the sums do not know: the next step labels all samples anew and counts from these. */
  #expected: Labels | null = null;
  /** What this step's changes are counted from; null: from the labels that the samples had. */
  #origin: Labels | null = null;
  #stale = false;
  /** Whether every sample has a label. */
  #labelled = false;
  /** Samples so short that what their products lose below the smallest float is no share of their length: no bound by angle holds. */
  #tiny: readonly number[] = [];

  /** @param helpers how many other threads take part, by the `plans` for them; the samples then have no gaps */
  constructor(placed: Placed, helpers = 0) {
    this.#placed = placed;
    this.#helpers = helpers;
    this.#gaps = placed.gaps ? new MemberGaps(placed, placed.gaps) : null;
    const row = placed.bytes / Math.max(1, placed.samples);
    this.#prefetch = choosePrefetch(placed.bytes, placed.samples);
    this.chunk = Math.max(24, Math.min(MOST_CHUNK, 2 * Math.floor(CHUNK_BYTES / (2 * Math.max(16, row)))));
    this.span = SPAN * this.chunk;
  }

  /** Prepares a step. */
  begin(step: Step): void {
    const { features: m, region, samples } = this.#placed;
    const unit = step.unit ?? false;
    const other = this.#packed?.k !== step.k || step.rule !== this.#rule || unit !== this.#unit;
    this.#fresh = other || this.#stale || this.#expected !== null;
    if (this.#fresh) this.#reset(step);
    this.#origin = this.#expected;
    this.#expected = null;
    this.#stale = false;
    const prototypes = this.#prototypes;
    const { unresolved, products } = this.#total();
    prototypes.load(step, this.#fresh ? { seen: samples, unresolved: 0 } : { seen: products / step.k, unresolved });
    if (step.rule !== "distance") {
      for (const i of this.#tiny) this.#loosenOne(i);
      for (const i of this.#gaps?.listWeak(prototypes.view()) ?? []) this.#loosenOne(i);
    }
    this.#weightGrid = step.weightGrid!;
    region.f64(this.#shared.grid, m).set(step.grid!);
    this.#beginStates(step.weightGrid!);
    if (this.#helpers > 0) region.u32(this.#plans[0].movedCounts, this.units).fill(0);
    this.sweeper.begin();
  }

  /** This thread's part in the sweeps. */
  get sweeper(): SpanSweeper {
    return this.#sweeper!;
  }

  /** What the other threads must know, after `begin`; another list whenever it is another. */
  get plans(): readonly SweepPlan[] {
    return this.#plans;
  }

  /** Updates the addresses of the samples. */
  aim(): void {
    const { region, X, indices, values } = this.#placed;
    writeStruct(region, "AssignState", this.#plans[0].state, { X, indices, values });
    this.#prototypes.aim();
  }

  /** The name of the kernel that the last step ran on. */
  get kernel(): string {
    const { groups, screen } = this.#prototypes;
    const { sparse, precision } = this.#placed;
    const int16 = screen === null ? false : screen.screening || "tried";
    return nameKernel({ storage: sparse ? "CSR" : "dense", precision, pruned: { groups, int16 } });
  }

  /** The totals of all samples after the last sweep, when what the threads gathered is added up. */
  finish(): Sums {
    const { region, features: m, samples } = this.#placed;
    const { labels } = this.#shared;
    const { sums, counts } = this.#own[0];
    const { k } = this.#prototypes;
    const origin = this.#origin;
    this.#labelled = true;
    if (this.#helpers === 0)
      writeStruct(region, "AssignState", this.#plans[0].state, { products: this.sweeper.products });
    const XHt = region.f64(sums, k * m).slice();
    const HHt = region.f64(counts, k).slice();
    const { products, changed, hash0, hash1 } = this.#total();
    const found = Object.assign(makeSums(XHt, HHt), { products, changed, hash0, hash1, ...this.#findKnown(changed) });
    if (origin !== null) {
      found.changed = region.u32(labels, samples).reduce((sum, label, i) => sum + +(label !== origin[i]), 0);
    }
    return found;
  }

  #findKnown(changed: number): Pick<Sums, "known" | "lacking"> | null {
    const { region, samples } = this.#placed;
    if (this.#gaps === null) return null;
    const [moved, labels] = [region.u32(this.#shared.moved, 2 * changed), region.u32(this.#shared.labels, samples)];
    this.#gaps.move(moved, labels, this.#weightGrid, NONE);
    return this.#gaps.sums();
  }

  /** Undoes everything since `begin`; bounds and sums are lost and computed anew in the next step. */
  undo(): void {
    const { region, samples } = this.#placed;
    const labels = region.u32(this.#shared.labels, samples);
    if (this.#origin !== null) labels.set(this.#origin);
    else if (this.#fresh) labels.fill(NONE);
    else {
      for (const moved of this.#listMoved()) for (let p = 0; p < moved.length; p += 2) labels[moved[p]] = moved[p + 1];
    }
    this.#labelled = this.#origin !== null || !this.#fresh;
    if (this.#labelled) this.#expected = labels.slice();
    this.#stale = true;
  }

  /** The samples that moved in this sweep, each with its label before. */
  *#listMoved(): Generator<Uint32Array> {
    const { region } = this.#placed;
    const { moved, movedCounts, unit } = this.#plans[0];
    if (this.#helpers === 0) yield region.u32(moved, 2 * this.#total().changed);
    else {
      const counts = region.u32(movedCounts, this.units);
      for (let u = 0; u < counts.length; u++) if (counts[u] > 0) yield region.u32(moved + 8 * u * unit, 2 * counts[u]);
    }
  }

  /** How many units a sweep has. */
  get units(): number {
    return Math.ceil(this.#placed.samples / this.#plans[0].unit);
  }

  /** Labels from outside, which the next step starts from. */
  expect({ labels }: Codes): void {
    this.#expected = labels!.slice();
  }

  /** The labels as codes; null before every sample has one. */
  codes(): Codes | null {
    if (!this.#labelled) return null;
    const { region, samples } = this.#placed;
    const codes = allocateCodes("labels", samples, this.#prototypes.k);
    codes.labels!.set(region.u32(this.#shared.labels, samples));
    return codes;
  }

  get #shared(): Kept {
    return this.#kept!;
  }

  get #prototypes(): PackedPrototypes {
    return this.#packed!;
  }

  /** Forgets labels, sums and bounds, and reserves buffers where k is new. */
  #reset({ k, rule, unit = false }: Step): void {
    const { region, features: m, samples } = this.#placed;
    this.#rule = rule;
    this.#unit = unit;
    if (this.#packed?.k !== k) this.#reserveBuffers(k);
    this.#scale();
    this.#tiny = listTiny(this.#placed);
    this.#gaps?.reset(k);
    region.u32(this.#shared.labels, samples).fill(NONE);
    for (const { sums, counts, touched } of this.#own) {
      region.f64(sums, k * m).fill(0);
      region.f64(counts, k).fill(0);
      region.u32(touched, Math.ceil(k / 4)).fill(0);
    }
    this.#loosen();
    this.#writeStates();
  }

  #reserveBuffers(k: number): void {
    const { region, features: m, samples, precision } = this.#placed;
    const { chunk } = this;
    const prototypes = new PackedPrototypes(this.#placed, k, 1 + this.#helpers);
    const { groups, width, panelsPerGroup, input, lowerBounds } = prototypes;
    const of = (bytes: number) => region.reserve(bytes, true);
    this.#packed = prototypes;
    this.#kept = {
      labels: of(4 * samples),
      grid: of(8 * m),
      moved: of(8 * samples),
      budgets: of(4 * samples),
      uppers: lowerBounds > 0 ? of(4 * samples) : 0,
      lowers: of(4 * samples * lowerBounds),
    };
    const threads = 1 + this.#helpers;
    const apart = 64 * Math.ceil(structBytes("AssignState") / 64);
    const first = region.reserve(threads * apart);
    const gathers = () => ({
      sums: of(8 * k * m),
      counts: of(8 * k),
      touched: of(4 * Math.ceil(k / 4)),
      ...reserveChunk(region, chunk),
    });
    this.#own = Array.from({ length: threads }, gathers);
    const chunks = Math.floor(samples / (chunk * threads * UNITS_EACH));
    const unit = chunk * Math.min(MOST_CHUNKS, Math.max(1, chunks));
    const common = { precision, samples, k, groups, columns: width * panelsPerGroup, input, chunk, unit, first, apart };
    const gathering = { others: first + apart, helpers: this.#helpers, moved: this.#shared.moved };
    const movedCounts = this.#helpers > 0 ? region.reserve(4 * Math.ceil(samples / unit)) : 0;
    this.#plans = this.#own.map((buffers, t) => {
      return { ...common, ...gathering, movedCounts, buffers, state: first + t * apart };
    });
    this.#sweeper = new SpanSweeper(region, this.#plans[0]);
  }

  /** What a sample's values are multiplied by, where that is not 1. */
  #scale(): void {
    const { region, samples, norms, weights } = this.#placed;
    if (!this.#unit) {
      this.#scales = weights;
      return;
    }
    this.#units ||= region.reserve(8 * samples, true);
    this.#scales = this.#units;
    const lengths = region.f64(norms, samples);
    const scales = region.f64(this.#units, samples);
    if (weights > 0) scales.set(region.f64(weights, samples));
    else scales.fill(1);
    for (let i = 0; i < samples; i++) scales[i] = lengths[i] > 0 ? scales[i] / lengths[i] : 0;
  }

  #loosen(): void {
    const { region, samples } = this.#placed;
    this.#prototypes.forget();
    const { uppers, lowers } = this.#shared;
    if (uppers > 0) region.f32(uppers, samples).fill(Number.POSITIVE_INFINITY);
    region.f32(lowers, samples * this.#prototypes.lowerBounds).fill(0);
  }

  /** Forgets the bounds of one sample. */
  #loosenOne(i: number): void {
    const { region, samples } = this.#placed;
    const { lowerBounds } = this.#prototypes;
    const { budgets, uppers, lowers } = this.#shared;
    region.f32(budgets, samples)[i] = Number.NEGATIVE_INFINITY;
    if (uppers > 0) region.f32(uppers, samples)[i] = Number.POSITIVE_INFINITY;
    region.f32(lowers + 4 * i * lowerBounds, lowerBounds).fill(0);
  }

  /** Writes the addresses of everything; all counters are 0. */
  #writeStates(): void {
    const { region, features: m, sparse, X, indices, values, norms, weights, offset } = this.#placed;
    const { input, k, rows, biases, groupOf, screen, lowerBounds } = this.#prototypes;
    const { drifts, pairDrifts, pairDrifts32, otherDrifts, groupDrifts, groupDrifts32 } = this.#prototypes;
    const state = {
      ...{ e0: 0, e1: 0, e2: 0, slack: 0, weightGrid: 0, int16Error: 0, boundsHold: 0, screening: 0 },
      ...{ products: 0, changed: 0, unresolved: 0, hash0: 0, hash1: 0 },
      ...{ input, m, k, sparse: +sparse, angular: +(this.#rule !== "distance"), offset },
      ...{ chunk: this.chunk, prefetch: +this.#prefetch, groups: lowerBounds },
      ...{ X, indices, values, norms, scales: this.#scales, weights },
      ...{ rows, biases, groupOf, drifts, pairDrifts, pairDrifts32, otherDrifts, groupDrifts, groupDrifts32 },
      ...this.#shared,
    };
    this.#own.forEach((own, t) => {
      const written: State = { ...state, ...own, ...(screen?.fieldsOf(t) ?? NO_SCREEN) };
      writeStruct(region, "AssignState", this.#plans[t].state, written);
    });
  }

  /** Makes the states ready for a step: no sample has moved yet. */
  #beginStates(weightGrid: number): void {
    const { region } = this.#placed;
    const { error, slack, boundsHold, screen } = this.#prototypes;
    const [{ state, apart }] = this.#plans;
    const [e0, e1, e2] = error;
    const { int16Error = 0, screening = false } = screen ?? {};
    writeStruct(region, "AssignState", state, {
      ...{ e0, e1, e2, slack, weightGrid, int16Error },
      ...{ boundsHold: +boundsHold, screening: +screening, products: 0, changed: 0, unresolved: 0 },
    });
    // Fields that depend on the step come first.
    const words = region.u32(state, (this.#plans.length * apart) / 4);
    for (let t = 1; t < this.#plans.length; t++) words.copyWithin((t * apart) / 4, 0, STEP_BYTES / 4);
  }

  /** Of all threads. */
  #total(): Record<(typeof TOTALS)[number], number> {
    const total = { products: 0, changed: 0, unresolved: 0, hash0: 0, hash1: 0 };
    for (const { state } of this.#plans) {
      const one = readStruct(this.#placed.region, "AssignState", state, TOTALS);
      total.products += one.products;
      total.changed += one.changed;
      total.unresolved += one.unresolved;
      total.hash0 = (total.hash0 ^ one.hash0) >>> 0;
      total.hash1 = (total.hash1 ^ one.hash1) >>> 0;
    }
    return total;
  }
}

/** The length from which underflow is far below the rounding errors that the bounds allow for. */
const LEAST_LENGTH = { f32: 2 ** -120, f64: 2 ** -1000 };

function listTiny({ region, norms, samples, precision }: Placed): number[] {
  const lengths = region.f64(norms, samples);
  const tiny: number[] = [];
  for (let i = 0; i < samples; i++) if (lengths[i] < LEAST_LENGTH[precision] && lengths[i] > 0) tiny.push(i);
  return tiny;
}
