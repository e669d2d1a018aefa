import { choosePrefetch, nameKernel } from "../choose.js";
import { type Kernels, kernelsFor, type Placed, type PrecisionKernels, type Region } from "../region.js";
import { allocateCodes, type Codes, type Labels, type Step } from "../step.js";
import { makeSums, type Sums } from "../sums.js";
import { MemberGaps } from "./member-gaps.js";
import { PackedPrototypes } from "./packed-prototypes.js";
import { readStruct, type Struct, structBytes, writeStruct } from "./structs.js";

const NONE = 0xffffffff;
/** Samples in a chunk stay in the second-level cache while all panels pass over them. */
const CHUNK_BYTES = 192 * 1024;
const MOST_CHUNK = 1023;
/** Chunks that one call may take. */
const SPAN = 16;

type State = Struct<"AssignState">;
/** Addresses of what the samples keep between sweeps; see assembly/structs.ts. */
type Kept = Pick<State, "labels" | "sums" | "grid" | "counts" | "moved"> & { readonly state: number };
/** The same of their bounds, and of working memory for one chunk of them. */
type Buffers = Pick<State, (typeof BOUNDS)[number] | (typeof CHUNK_BUFFERS)[number]>;

const BOUNDS = ["budgets", "uppers", "lowers"] as const;
const CHUNK_BUFFERS = [
  ...(["listed", "places", "ids", "best", "second", "label"] as const),
  ...(["topScores", "secondScores", "topLabels", "masks"] as const),
] as const;

/**
 * One-hot sweeps with exact pruning. Each sample has an upper bound on the distance to its own prototype and lower bounds
 * on the distances to the others: one for each group of several (Yinyang 2015), or one for all (Hamerly 2010) where a
 * sample is little work; by angle the distances are chords between unit vectors. Where the bounds prove that no other
 * prototype can score as high, even with every rounding error against it, the sample is skipped. Sums are exact (kernel/sums), so only samples that moved touch them.
 */
export class Assigner {
  /** How many samples `look` may take, and `sweep`. */
  readonly chunk: number;
  readonly span: number;
  readonly #placed: Placed;
  readonly #kernel: PrecisionKernels;
  /** Kernels that are the same for both precisions. */
  readonly #common: Kernels;
  /** Whether samples are so short that the processor does not prefetch them by itself. */
  readonly #prefetch: boolean;
  /** Null where samples have no gaps. */
  readonly #gaps: MemberGaps | null;
  #packed: PackedPrototypes | null = null;
  #kept: Kept | null = null;
  #buffers: Buffers | null = null;
  /** Addresses; 0 where all scales are 1. */
  #scales = 0;
  #units = 0;
  #rule = "";
  #unit = false;
  #products = 0;
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

  constructor(placed: Placed) {
    this.#placed = placed;
    this.#kernel = kernelsFor(placed);
    this.#common = placed.region.kernel;
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
    const { unresolved } = this.#read("unresolved");
    const last = { seen: this.#products / step.k, unresolved };
    prototypes.load(step, this.#fresh ? { seen: samples, unresolved: 0 } : last);
    this.#products = 0;
    if (this.#gaps !== null && step.rule !== "distance") {
      for (const i of this.#gaps.listWeak(prototypes.view())) this.#loosenOne(i);
    }
    this.#weightGrid = step.weightGrid!;
    region.f64(this.#own.grid, m).set(step.grid!);
    this.#beginState(step.weightGrid!);
  }

  /** Sweeps samples from … to − 1, which are at most `span`; `from` is a multiple of it. */
  sweep(from: number, to: number): void {
    const { k } = this.#prototypes;
    const { state } = this.#own;
    if (this.#prototypes.groups === 1) this.#products += this.#kernel.sweep(state, from, to) * k;
    else {
      for (let at = from; at < to; at += this.chunk) {
        const count = this.look(at, Math.min(at + this.chunk, to));
        if (count > 0) this.decide(count);
      }
    }
  }

  /** Lists the samples from … to − 1, at most `chunk`, that must be seen; nothing is read of them yet. */
  look(from: number, to: number): number {
    const { state } = this.#own;
    if (this.#prototypes.boundsHold) return this.#common.listDoubtful(state, from, to);
    this.#common.listAll(state, from, to);
    return to - from;
  }

  /** The samples listed, by rising number; good until the next call. */
  listed(count: number): Uint32Array {
    return this.#placed.region.u32(this.#buffers!.listed, count);
  }

  /** Updates the addresses of the samples. */
  aim(): void {
    const { region, X, indices, values } = this.#placed;
    writeStruct(region, "AssignState", this.#own.state, { X, indices, values });
    this.#prototypes.aim();
  }

  /** Sets the labels of the listed samples. */
  decide(spent: number): void {
    const { k, groups, boundsHold } = this.#prototypes;
    const { state } = this.#own;
    if (groups === 1) {
      this.#kernel.decide(state, spent);
      this.#products += spent * k;
      return;
    }
    const { changed } = this.#read("changed");
    const count = boundsHold ? this.#tighten(spent) : spent;
    if (count === 0) return;
    this.#settle(count);
    this.#kernel.moveSums(state, changed);
  }

  /** Keeps those in the list whose label the bounds do not prove. */
  #tighten(spent: number): number {
    const left = this.#kernel.tighten(this.#own.state, spent);
    this.#products += this.#placed.region.u32(this.#buffers!.best, 1)[0];
    return left;
  }

  /** Scores the listed samples against the groups that may hold their prototype and settles each. */
  #settle(count: number): void {
    const kernel = this.#kernel;
    const { state } = this.#own;
    const { topScores, secondScores, topLabels } = this.#buffers!;
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
    const { state } = this.#own;
    const { ids, best, second, label } = this.#buffers!;
    const prototypes = this.#prototypes;
    for (let g = 0; g < prototypes.groups; g++) {
      const picked = this.#common.listMarked(state, count, g);
      if (picked === 0) continue;
      kernel.clear(best, second, label, picked);
      this.#products += picked * prototypes.score(g, ids, picked, best, second, label);
      kernel.merge(state, picked, g);
    }
  }

  /** The name of the kernel that the last step ran on. */
  get kernel(): string {
    const { groups, screen } = this.#prototypes;
    const { sparse, precision } = this.#placed;
    const int16 = screen === null ? false : screen.screening || "tried";
    return nameKernel({ storage: sparse ? "CSR" : "dense", precision, pruned: { groups, int16 } });
  }

  /** The totals of all samples after the last sweep. */
  finish(): Sums {
    const { region, features: m, samples } = this.#placed;
    const { labels, sums, counts } = this.#own;
    const { k } = this.#prototypes;
    const origin = this.#origin;
    this.#labelled = true;
    const XHt = region.f64(sums, k * m).slice();
    const HHt = region.f64(counts, k).slice();
    const { changed, hash0, hash1 } = this.#read("changed", "hash0", "hash1");
    const known = this.#findKnown(changed);
    const found = Object.assign(makeSums(XHt, HHt), { products: this.#products, changed, hash0, hash1, ...known });
    if (origin !== null) {
      found.changed = region.u32(labels, samples).reduce((sum, label, i) => sum + +(label !== origin[i]), 0);
    }
    return found;
  }

  #findKnown(changed: number): Pick<Sums, "known" | "lacking"> | null {
    const { region, samples } = this.#placed;
    if (this.#gaps === null) return null;
    const [moved, labels] = [region.u32(this.#own.moved, 2 * changed), region.u32(this.#own.labels, samples)];
    this.#gaps.move(moved, labels, this.#weightGrid, NONE);
    return this.#gaps.sums();
  }

  /** Undoes everything since `begin`; bounds and sums are lost and computed anew in the next step. */
  undo(): void {
    const { region, samples } = this.#placed;
    const { moved: at } = this.#own;
    const labels = region.u32(this.#own.labels, samples);
    if (this.#origin !== null) labels.set(this.#origin);
    else if (this.#fresh) labels.fill(NONE);
    else {
      const moved = region.u32(at, 2 * this.#read("changed").changed);
      for (let p = 0; p < moved.length; p += 2) labels[moved[p]] = moved[p + 1];
    }
    this.#labelled = this.#origin !== null || !this.#fresh;
    if (this.#labelled) this.#expected = labels.slice();
    this.#stale = true;
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
    codes.labels!.set(region.u32(this.#own.labels, samples));
    return codes;
  }

  get #own(): Kept {
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
    this.#gaps?.reset(k);
    region.u32(this.#own.labels, samples).fill(NONE);
    region.f64(this.#own.sums, k * m).fill(0);
    region.f64(this.#own.counts, k).fill(0);
    this.#loosen();
    this.#writeState();
  }

  #reserveBuffers(k: number): void {
    const { region, features, samples } = this.#placed;
    this.#packed = new PackedPrototypes(this.#placed, k, true);
    this.#kept = {
      state: region.reserve(structBytes("AssignState")),
      labels: region.reserve(4 * samples, true),
      sums: region.reserve(8 * k * features, true),
      grid: region.reserve(8 * features, true),
      counts: region.reserve(8 * k, true),
      moved: region.reserve(8 * samples, true),
    };
    this.#buffers = reserveBuffers(region, samples, this.#prototypes.lowerBounds, this.chunk);
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
    const { uppers, lowers } = this.#buffers!;
    if (uppers > 0) region.f32(uppers, samples).fill(Number.POSITIVE_INFINITY);
    region.f32(lowers, samples * this.#prototypes.lowerBounds).fill(0);
  }

  /** Forgets the bounds of one sample. */
  #loosenOne(i: number): void {
    const { region, samples } = this.#placed;
    const { lowerBounds } = this.#prototypes;
    const { budgets, uppers, lowers } = this.#buffers!;
    region.f32(budgets, samples)[i] = Number.NEGATIVE_INFINITY;
    if (uppers > 0) region.f32(uppers, samples)[i] = Number.POSITIVE_INFINITY;
    region.f32(lowers + 4 * i * lowerBounds, lowerBounds).fill(0);
  }

  /** Writes the addresses of everything; all counters are 0. */
  #writeState(): void {
    const { region, features: m, sparse, X, indices, values, norms, weights, offset } = this.#placed;
    const { input, k, rows, biases, groupOf, screen, lowerBounds } = this.#prototypes;
    const { drifts, pairDrifts, pairDrifts32, otherDrifts, groupDrifts, groupDrifts32 } = this.#prototypes;
    const { state: at, ...kept } = this.#own;
    const none = { int16Bytes: 0, int16Samples: 0, int16Prototypes: 0, int16Scales: 0, int16Tile: 0, int16Results: 0 };
    const { int16Bytes, int16Samples, int16Prototypes, int16Scales, int16Tile, int16Results } = screen ?? none;
    const state: State = {
      ...{ e0: 0, e1: 0, e2: 0, slack: 0, weightGrid: 0, int16Error: 0, boundsHold: 0, screening: 0 },
      ...{ changed: 0, unresolved: 0, hash0: 0, hash1: 0 },
      ...{ input, m, k, sparse: +sparse, angular: +(this.#rule !== "distance"), offset },
      ...{ chunk: this.chunk, prefetch: +this.#prefetch, groups: lowerBounds },
      ...{ X, indices, values, norms, scales: this.#scales, weights },
      ...{ int16Bytes, int16Samples, int16Prototypes, int16Scales, int16Tile, int16Results },
      ...{ rows, biases, groupOf, drifts, pairDrifts, pairDrifts32, otherDrifts, groupDrifts, groupDrifts32 },
      ...kept,
      ...this.#buffers!,
    };
    writeStruct(region, "AssignState", at, state);
  }

  /** Makes the state ready for a step: no sample has moved yet. */
  #beginState(weightGrid: number): void {
    const { error, slack, boundsHold, screen } = this.#prototypes;
    const [e0, e1, e2] = error;
    const { int16Error = 0, screening = false } = screen ?? {};
    writeStruct(this.#placed.region, "AssignState", this.#own.state, {
      ...{ e0, e1, e2, slack, weightGrid, int16Error },
      ...{ boundsHold: +boundsHold, screening: +screening, changed: 0, unresolved: 0 },
    });
  }

  #read<F extends keyof State>(...names: F[]): Record<F, number> {
    return readStruct(this.#placed.region, "AssignState", this.#own.state, names);
  }
}

function reserveBuffers(region: Region, n: number, lowerBounds: number, chunk: number): Buffers {
  const of = (bytes: number) => region.reserve(bytes, true);
  return {
    budgets: of(4 * n),
    uppers: lowerBounds > 0 ? of(4 * n) : 0,
    lowers: of(4 * n * lowerBounds),
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
