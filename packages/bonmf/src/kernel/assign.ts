import { Panels } from "./panels.js";
import { aimPlan, PLAN_BYTES, writePlan } from "./plan.js";
import { type Kernel, kernelsFor, type Placed, type Region } from "./region.js";
import { allocateCodes, type Codes, type Labels, type Step } from "./step.js";
import { markLabel, type Sums, zeroSums } from "./sums.js";

const NONE = 0xffffffff;
/** Samples in a chunk stay in the second-level cache while all panels pass over them. */
const CHUNK_BYTES = 192 * 1024;
const MOST_CHUNK = 1023;
const SHORT = 1024;
/** This much stays in the cache anyway. */
const CACHED = 2 ** 21;

/** Addresses of what the samples keep between sweeps, and of scratch for one chunk of them; see assembly/plan.ts. */
interface Room {
  readonly plan: number;
  readonly labels: number;
  readonly budgets: number;
  readonly uppers: number;
  readonly lowers: number;
  /** f64 × n, or 0 where every sample counts once. */
  readonly scales: number;
  readonly sums: number;
  readonly grid: number;
  readonly list: number;
  readonly slots: number;
  readonly ids: number;
  readonly best: number;
  readonly second: number;
  readonly label: number;
  readonly tops: number;
  readonly runners: number;
  readonly winners: number;
  readonly masks: number;
  readonly moved: number;
}

/**
 * One-hot sweeps with exact pruning. Each sample has an upper bound on the distance to its own prototype and lower bounds
 * on the distances to the others: one for each group of several (Yinyang 2015), or one for all (Hamerly 2010) where a
 * sample is little work; by angle the distances are chords between unit vectors. Where the bounds prove that no other
 * prototype can score as high, even with every rounding error against it, the sample keeps its label unseen. Sums are
 * exact (kernel/grid), so only samples that moved touch them.
 */
export class Assigner {
  /** How many samples one call of `sweep` may take. */
  readonly chunk: number;
  readonly #placed: Placed;
  readonly #kernel: Kernel;
  /** Whether samples are so short that the processor does not read ahead by itself. */
  readonly #scattered: boolean;
  #panels: Panels | null = null;
  #room: Room | null = null;
  #rule = "";
  #unit = false;
  #counts = new Float64Array(0);
  #weightGrid = 0;
  #fingerprint = { hash0: 0, hash1: 0 };
  #changed = 0;
  #products = 0;
  /** (sample, label before) of what moved since `begin`; null where no sample had a label then. */
  #undo: Uint32Array[] | null = null;
  /** Labels from outside that the sums do not know: the next step labels all samples anew and counts from these. */
  #expected: Labels | null = null;
  /** What this step's changes are counted from; null: from the labels that the samples had. */
  #origin: Labels | null = null;
  #stale = false;

  constructor(placed: Placed) {
    this.#placed = placed;
    this.#kernel = kernelsFor(placed);
    const row = placed.bytes / Math.max(1, placed.samples);
    this.#scattered = row < SHORT && placed.bytes > CACHED;
    this.chunk = Math.max(24, Math.min(MOST_CHUNK, 2 * Math.floor(CHUNK_BYTES / (2 * Math.max(16, row)))));
  }

  /** Makes a step ready. */
  begin(step: Step): void {
    const { features: m, region } = this.#placed;
    const unit = step.unit ?? false;
    const fresh = this.#panels?.k !== step.k || step.rule !== this.#rule || unit !== this.#unit || this.#stale;
    if (fresh || this.#expected !== null) this.#reset(step);
    this.#undo = fresh || this.#expected !== null ? null : [];
    this.#origin = this.#expected;
    this.#expected = null;
    this.#stale = false;
    region.f64(this.#own.grid, m).set(step.grid!);
    this.#weightGrid = step.weightGrid!;
    this.#panels!.load(step);
    this.#plan();
    this.#changed = 0;
    this.#products = 0;
  }

  /** Sweeps samples from … to − 1, which are at most `chunk`. */
  sweep(from: number, to: number): void {
    const count = this.look(from, to);
    if (count > 0) this.decide(count);
  }

  /** Lists the samples from … to − 1, at most `chunk`, that must be seen; nothing is read of them yet. */
  look(from: number, to: number): number {
    const { plan } = this.#own;
    if (this.#panels!.bounded) return this.#kernel.sift(plan, from, to);
    this.#kernel.listAll(plan, from, to);
    return to - from;
  }

  /** The samples listed, by rising number; good until the next call. */
  listed(count: number): Uint32Array {
    return this.#placed.region.u32(this.#own.list, count);
  }

  /** Says again where the samples are, which may have changed. */
  aim(): void {
    aimPlan(this.#placed.region, this.#own.plan, this.#placed);
  }

  /** Gives the samples listed their labels. */
  decide(spent: number): void {
    const count = this.#panels!.bounded ? this.#tighten(spent) : spent;
    if (count === 0) return;
    const changed = this.#settle(count);
    if (changed === 0) return;
    this.#changed += changed;
    this.#undo?.push(this.#placed.region.u32(this.#own.moved, 2 * changed).slice());
    this.#account(changed);
  }

  /** Leaves those in the list whose label the bounds do not prove. */
  #tighten(spent: number): number {
    const { region } = this.#placed;
    const kernel = this.#kernel;
    const { plan, best } = this.#own;
    if (this.#panels!.lowersEach === 0) {
      if (this.#scattered) kernel.fetch(plan, spent);
      return spent;
    }
    const left = kernel.tighten(plan, spent);
    this.#products += region.u32(best, 1)[0];
    return left;
  }

  /** Scores the listed samples against the groups that may hold their prototype and settles each. */
  #settle(count: number): number {
    const kernel = this.#kernel;
    const r = this.#own;
    const panels = this.#panels!;
    kernel.clear(r.tops, r.runners, r.winners, count);
    if (panels.groups === 1) this.#products += count * panels.score(0, r.list, count, r.tops, r.runners, r.winners);
    else {
      kernel.markOthers(r.plan, count);
      this.#scoreMarked(count);
      kernel.markOwn(r.plan, count);
      this.#scoreMarked(count);
    }
    return kernel.settle(r.plan, count);
  }

  /** Scores the listed samples against the groups they are marked for. */
  #scoreMarked(count: number): void {
    const kernel = this.#kernel;
    const r = this.#own;
    const panels = this.#panels!;
    for (let g = 0; g < panels.groups; g++) {
      const picked = kernel.pick(r.plan, count, g);
      if (picked === 0) continue;
      kernel.clear(r.best, r.second, r.label, picked);
      this.#products += picked * panels.score(g, r.ids, picked, r.best, r.second, r.label);
      kernel.merge(r.plan, picked, g);
    }
  }

  /** The totals of all samples after the last sweep. */
  finish(): Sums {
    const { region, features: m, samples } = this.#placed;
    const origin = this.#origin;
    const changed = origin
      ? region.u32(this.#own.labels, samples).reduce((sum, label, i) => sum + +(label !== origin[i]), 0)
      : this.#changed;
    return {
      ...zeroSums({ XHt: 0, HHt: 0 }),
      XHt: region.f64(this.#own.sums, this.#panels!.k * m).slice(),
      HHt: this.#counts.slice(),
      changed,
      products: this.#products,
      ...this.#fingerprint,
    };
  }

  /** Takes everything since `begin` back; the bounds are lost, and the sums until the next step. */
  undo(): void {
    const { region, samples } = this.#placed;
    const labels = region.u32(this.#own.labels, samples);
    if (this.#origin !== null) labels.set(this.#origin);
    else if (this.#undo === null) labels.fill(NONE);
    for (const moved of this.#undo ?? []) {
      for (let p = 0; p < moved.length; p += 2) labels[moved[p]] = moved[p + 1];
    }
    if (this.#origin !== null || this.#undo !== null) this.#expected = labels.slice();
    this.#stale = true;
  }

  /** Labels put in place from outside. */
  expect({ labels }: Codes): void {
    this.#expected = labels!.slice();
  }

  /** The labels as codes; null before every sample has one. */
  codes(): Codes | null {
    if (this.#room === null) return null;
    const labels = this.#placed.region.u32(this.#room.labels, this.#placed.samples);
    if (labels.includes(NONE)) return null;
    const codes = allocateCodes("labels", this.#placed.samples, this.#panels!.k);
    codes.labels!.set(labels);
    return codes;
  }

  /** Brings sums, counts and fingerprints up to date for the samples in `moved`: (sample, label before). */
  #account(changed: number): void {
    const { region, samples, offset, weights } = this.#placed;
    const r = this.#own;
    this.#kernel.move(r.plan, changed);
    const moved = region.u32(r.moved, 2 * changed);
    const labels = region.u32(r.labels, samples);
    for (let p = 0; p < moved.length; p += 2) {
      const i = moved[p];
      const weight = weights === null ? 1 : weights[i] + this.#weightGrid - this.#weightGrid;
      this.#count(offset + i, moved[p + 1], -weight);
      this.#count(offset + i, labels[i], weight);
    }
  }

  #count(id: number, label: number, weight: number): void {
    if (label === NONE) return;
    this.#counts[label] += weight;
    markLabel(this.#fingerprint, id, label);
  }

  get #own(): Room {
    return this.#room!;
  }

  /** Forgets labels, sums and bounds, and makes room where k is new. */
  #reset({ k, rule, unit = false }: Step): void {
    const { region, features: m, samples, norms, weights } = this.#placed;
    this.#rule = rule;
    this.#unit = unit;
    if (this.#panels?.k !== k) {
      this.#panels = new Panels(this.#placed, k);
      this.#room = makeRoom(region, samples, m, k, this.#panels.lowersEach, this.chunk);
    }
    const plain = weights === null && !unit;
    this.#room = { ...this.#own, scales: plain ? 0 : this.#own.scales || region.reserve(8 * samples) };
    if (!plain) {
      const lengths = region.f64(norms, samples);
      const scales = region.f64(this.#own.scales, samples);
      for (let i = 0; i < samples; i++) {
        const weight = weights === null ? 1 : weights[i];
        scales[i] = unit ? (lengths[i] > 0 ? weight / lengths[i] : 0) : weight;
      }
    }
    region.u32(this.#own.labels, samples).fill(NONE);
    region.f64(this.#own.sums, k * m).fill(0);
    this.#counts = new Float64Array(k);
    this.#fingerprint = { hash0: 0, hash1: 0 };
    this.#loosen();
  }

  #loosen(): void {
    const { region, samples } = this.#placed;
    if (this.#own.uppers > 0) region.f32(this.#own.uppers, samples).fill(Number.POSITIVE_INFINITY);
    region.f32(this.#own.lowers, samples * this.#panels!.lowersEach).fill(0);
    this.#panels!.forget();
  }

  /** Tells the kernels where everything is. */
  #plan(): void {
    const { region, features: m, sparse, X, indices, values, norms } = this.#placed;
    const panels = this.#panels!;
    const [e0, e1, e2] = panels.error;
    const angular = this.#rule === "distance" ? 0 : 1;
    const samples = { m, sparse: +sparse, scattered: +this.#scattered, X, indices, values, norms };
    writePlan(region, this.#own.plan, { ...panels, ...this.#own, ...samples, e0, e1, e2, angular });
  }
}

function makeRoom(region: Region, n: number, m: number, k: number, lowersEach: number, chunk: number): Room {
  const of = (bytes: number) => region.reserve(bytes);
  return {
    plan: of(PLAN_BYTES),
    labels: of(4 * n),
    budgets: of(4 * n),
    uppers: lowersEach > 0 ? of(4 * n) : 0,
    lowers: of(4 * n * lowersEach),
    scales: 0,
    sums: of(8 * k * m),
    grid: of(8 * m),
    list: of(4 * chunk + 4),
    slots: of(4 * chunk + 4),
    ids: of(4 * chunk + 4),
    best: of(8 * chunk),
    second: of(8 * chunk),
    label: of(4 * chunk),
    tops: of(8 * chunk),
    runners: of(8 * chunk),
    winners: of(4 * chunk),
    masks: of(4 * chunk),
    moved: of(8 * chunk),
  };
}
