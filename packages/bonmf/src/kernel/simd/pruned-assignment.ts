import { type Kernel, kernelsFor, type Placed, type Region } from "../region.js";
import { allocateCodes, type Codes, type Labels, type Step } from "../step.js";
import { makeSums, type Sums } from "../sums.js";
import { Panels } from "./packed-prototypes.js";
import { aimPlan, PLAN_BYTES, type Plan, readState, writePlan, writeTurn } from "./structs.js";

const NONE = 0xffffffff;
/** Samples in a chunk stay in the second-level cache while all panels pass over them. */
const CHUNK_BYTES = 192 * 1024;
const MOST_CHUNK = 1023;
/** Chunks that one call may take. */
const SPAN = 16;
const SHORT = 1024;
/** This much stays in the cache anyway. */
const CACHED = 2 ** 21;

/** Addresses of what the samples keep between sweeps; see assembly/structs.ts. */
type Kept = Pick<Plan, "labels" | "sums" | "grid" | "counts" | "moved"> & { readonly plan: number };
/** The same of their bounds, and of scratch for one chunk of them. */
type Room = Partial<Plan> & Pick<Plan, "list" | "best" | "tops" | "runners" | "winners" | "lowers" | "uppers">;

/**
 * One-hot sweeps with exact pruning. Each sample has an upper bound on the distance to its own prototype and lower bounds
 * on the distances to the others: one for each group of several (Yinyang 2015), or one for all (Hamerly 2010) where a
 * sample is little work; by angle the distances are chords between unit vectors. Where the bounds prove that no other
 * prototype can score as high, even with every rounding error against it, the sample keeps its label unseen. Sums are exact (kernel/grid), so only samples that moved touch them.
 */
export class Assigner {
  /** How many samples `look` may take, and `sweep`. */
  readonly chunk: number;
  readonly span: number;
  readonly #placed: Placed;
  readonly #kernel: Kernel;
  /** Whether samples are so short that the processor does not read ahead by itself. */
  readonly #scattered: boolean;
  #prototypes: Panels | null = null;
  #kept: Kept | null = null;
  #room: Room | null = null;
  /** Addresses; 0 where all scales are 1. */
  #scales = 0;
  #units = 0;
  #rule = "";
  #unit = false;
  #products = 0;
  /** Whether no sample had a label at `begin`. */
  #fresh = true;
  /** Labels from outside that the sums do not know: the next step labels all samples anew and counts from these. */
  #expected: Labels | null = null;
  /** What this step's changes are counted from; null: from the labels that the samples had. */
  #origin: Labels | null = null;
  #stale = false;
  /** Whether every sample has a label. */
  #labelled = false;

  constructor(placed: Placed) {
    this.#placed = placed;
    this.#kernel = kernelsFor(placed);
    const row = placed.bytes / Math.max(1, placed.samples);
    this.#scattered = row < SHORT && placed.bytes > CACHED;
    this.chunk = Math.max(24, Math.min(MOST_CHUNK, 2 * Math.floor(CHUNK_BYTES / (2 * Math.max(16, row)))));
    this.span = SPAN * this.chunk;
  }

  /** Makes a step ready. */
  begin(step: Step): void {
    const { features: m, region, samples } = this.#placed;
    const unit = step.unit ?? false;
    const other = this.#prototypes?.k !== step.k || step.rule !== this.#rule || unit !== this.#unit;
    this.#fresh = other || this.#stale || this.#expected !== null;
    if (this.#fresh) this.#reset(step);
    this.#origin = this.#expected;
    this.#expected = null;
    this.#stale = false;
    const prototypes = this.#prototypes!;
    const { changed, doubted } = readState(region, this.#own.plan);
    const last = { seen: this.#products / step.k, changed, doubted };
    prototypes.load(step, this.#fresh ? { seen: samples, changed: samples, doubted: 0 } : last);
    this.#products = 0;
    region.f64(this.#own.grid, m).set(step.grid!);
    writeTurn(region, this.#own.plan, prototypes, step.weightGrid!);
  }

  /** Sweeps samples from … to − 1, which are at most `span`; `from` is a multiple of it. */
  sweep(from: number, to: number): void {
    const { k } = this.#prototypes!;
    const { plan } = this.#own;
    if (this.#panels.groups === 1) this.#products += this.#kernel.sweep(plan, from, to) * k;
    else {
      for (let at = from; at < to; at += this.chunk) {
        const count = this.look(at, Math.min(at + this.chunk, to));
        if (count > 0) this.decide(count);
      }
    }
  }

  /** Lists the samples from … to − 1, at most `chunk`, that must be seen; nothing is read of them yet. */
  look(from: number, to: number): number {
    const { plan } = this.#own;
    if (this.#prototypes!.bounded) return this.#kernel.sift(plan, from, to);
    this.#kernel.listAll(plan, from, to);
    return to - from;
  }

  /** The samples listed, by rising number; good until the next call. */
  listed(count: number): Uint32Array {
    return this.#placed.region.u32(this.#room!.list, count);
  }

  /** Says again where the samples are, which may have changed. */
  aim(): void {
    aimPlan(this.#placed.region, this.#own.plan, this.#placed);
    this.#panels.aim();
  }

  /** Gives the samples listed their labels. */
  decide(spent: number): void {
    const { k, groups, bounded } = this.#panels;
    const { plan } = this.#own;
    if (groups === 1) {
      this.#kernel.decide(plan, spent);
      this.#products += spent * k;
      return;
    }
    const { changed } = readState(this.#placed.region, plan);
    const count = bounded ? this.#tighten(spent) : spent;
    if (count === 0) return;
    this.#settle(count);
    this.#kernel.move(plan, changed);
  }

  /** Leaves those in the list whose label the bounds do not prove. */
  #tighten(spent: number): number {
    const left = this.#kernel.tighten(this.#own.plan, spent);
    this.#products += this.#placed.region.u32(this.#room!.best, 1)[0];
    return left;
  }

  /** Scores the listed samples against the groups that may hold their prototype and settles each. */
  #settle(count: number): void {
    const kernel = this.#kernel;
    const { plan } = this.#own;
    const { tops, runners, winners } = this.#room!;
    kernel.clear(tops, runners, winners, count);
    kernel.markOthers(plan, count);
    this.#scoreMarked(count);
    kernel.markOwn(plan, count);
    this.#scoreMarked(count);
    kernel.settle(plan, count);
  }

  /** Scores the listed samples against the groups they are marked for. */
  #scoreMarked(count: number): void {
    const kernel = this.#kernel;
    const { plan } = this.#own;
    const { ids, best, second, label } = this.#room as Plan;
    const panels = this.#panels;
    for (let g = 0; g < panels.groups; g++) {
      const picked = kernel.pick(plan, count, g);
      if (picked === 0) continue;
      kernel.clear(best, second, label, picked);
      this.#products += picked * panels.score(g, ids, picked, best, second, label);
      kernel.merge(plan, picked, g);
    }
  }

  /** The totals of all samples after the last sweep. */
  finish(): Sums {
    const { region, features: m, samples } = this.#placed;
    const { labels, sums, counts, plan } = this.#own;
    const { k } = this.#prototypes!;
    const origin = this.#origin;
    this.#labelled = true;
    const XHt = region.f64(sums, k * m).slice();
    const HHt = region.f64(counts, k).slice();
    const { changed, hash0, hash1 } = readState(region, plan);
    const found = Object.assign(makeSums(XHt, HHt), { products: this.#products, changed, hash0, hash1 });
    if (origin !== null) {
      found.changed = region.u32(labels, samples).reduce((sum, label, i) => sum + +(label !== origin[i]), 0);
    }
    return found;
  }

  /** Takes everything since `begin` back; the bounds are lost, and the sums until the next step. */
  undo(): void {
    const { region, samples } = this.#placed;
    const { plan, moved: at } = this.#own;
    const labels = region.u32(this.#own.labels, samples);
    if (this.#origin !== null) labels.set(this.#origin);
    else if (this.#fresh) labels.fill(NONE);
    else {
      const moved = region.u32(at, 2 * readState(region, plan).changed);
      for (let p = 0; p < moved.length; p += 2) labels[moved[p]] = moved[p + 1];
    }
    this.#labelled = this.#origin !== null || !this.#fresh;
    if (this.#labelled) this.#expected = labels.slice();
    this.#stale = true;
  }

  /** Labels put in place from outside. */
  expect({ labels }: Codes): void {
    this.#expected = labels!.slice();
  }

  /** The labels as codes; null before every sample has one. */
  codes(): Codes | null {
    if (!this.#labelled) return null;
    const { region, samples } = this.#placed;
    const codes = allocateCodes("labels", samples, this.#prototypes!.k);
    codes.labels!.set(region.u32(this.#own.labels, samples));
    return codes;
  }

  get #own(): Kept {
    return this.#kept!;
  }

  get #panels(): Panels {
    return this.#prototypes!;
  }

  /** Forgets labels, sums and bounds, and makes room where k is new. */
  #reset({ k, rule, unit = false }: Step): void {
    const { region, features: m, samples } = this.#placed;
    this.#rule = rule;
    this.#unit = unit;
    if (this.#prototypes?.k !== k) this.#makeRoom(k);
    this.#scale();
    region.u32(this.#own.labels, samples).fill(NONE);
    region.f64(this.#own.sums, k * m).fill(0);
    region.f64(this.#own.counts, k).fill(0);
    this.#loosen();
    this.#plan();
  }

  #makeRoom(k: number): void {
    const { region, features, samples } = this.#placed;
    this.#prototypes = new Panels(this.#placed, k, true);
    this.#kept = {
      plan: region.reserve(PLAN_BYTES),
      labels: region.reserve(4 * samples, true),
      sums: region.reserve(8 * k * features, true),
      grid: region.reserve(8 * features, true),
      counts: region.reserve(8 * k, true),
      moved: region.reserve(8 * samples, true),
    };
    this.#room = makeRoom(region, samples, this.#panels.lowersEach, this.chunk);
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
    this.#prototypes!.forget();
    const { uppers, lowers } = this.#room!;
    if (uppers > 0) region.f32(uppers, samples).fill(Number.POSITIVE_INFINITY);
    region.f32(lowers, samples * this.#panels.lowersEach).fill(0);
  }

  /** Tells the kernels where everything is. */
  #plan(): void {
    const { region, features: m, sparse, X, indices, values, norms, weights, offset } = this.#placed;
    writePlan(region, this.#own.plan, {
      ...this.#prototypes,
      ...this.#prototypes!.rough,
      ...this.#room,
      ...this.#own,
      ...{ m, sparse: +sparse, X, indices, values, norms, weights, offset, scales: this.#scales },
      chunk: this.chunk,
      scattered: +this.#scattered,
      angular: this.#rule === "distance" ? 0 : 1,
    });
  }
}

function makeRoom(region: Region, n: number, lowersEach: number, chunk: number): Room {
  const of = (bytes: number) => region.reserve(bytes, true);
  return {
    budgets: of(4 * n),
    uppers: lowersEach > 0 ? of(4 * n) : 0,
    lowers: of(4 * n * lowersEach),
    list: of(4 * chunk + 32),
    slots: of(4 * chunk + 4),
    ids: of(4 * chunk + 4),
    best: of(8 * chunk),
    second: of(8 * chunk),
    label: of(4 * chunk),
    tops: of(8 * chunk),
    runners: of(8 * chunk),
    winners: of(4 * chunk),
    masks: of(4 * chunk),
  };
}
