import { Panels } from "./panels.js";
import type { Placed, Region } from "./region.js";
import { allocateCodes, type Codes, type Step } from "./step.js";
import { markLabel, type Sums, zeroSums } from "./sums.js";

const NONE = 0xffffffff;
/** Samples in a chunk stay in the second-level cache while all panels pass over them. */
const CHUNK_BYTES = 192 * 1024;

/** Addresses of what the samples keep between sweeps, and of scratch for one chunk of them. */
interface Room {
  readonly labels: number;
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
  readonly owners: number;
  readonly moved: number;
  readonly scores: number;
}

/**
 * One-hot sweeps with exact pruning. Each sample has an upper bound on the distance to its own prototype and, for each
 * group of prototypes, a lower bound on the distance to the others (Hamerly 2010 for one group, Yinyang 2015 for
 * several); by angle the distances are chords between unit vectors. Where the bounds prove that no other prototype can
 * score as high, even with every rounding error against it, the sample keeps its label unseen. Sums are exact
 * (kernel/grid), so only samples that moved touch them.
 */
export class Assigner {
  /** How many samples one call of `sweep` may take. */
  readonly chunk: number;
  /** Products computed, and products sweeps without bounds would have computed, since the beginning. */
  products = 0;
  possible = 0;
  readonly #placed: Placed;
  readonly #suffix: "32" | "64";
  #panels: Panels | null = null;
  #room: Room | null = null;
  #rule = "";
  #unit = false;
  #counts = new Float64Array(0);
  #weightGrid = 0;
  #fingerprint = { hash0: 0, hash1: 0 };
  #changed = 0;
  #undo: Uint32Array[] = [];
  #expected: Codes | null = null;

  constructor(placed: Placed) {
    this.#placed = placed;
    this.#suffix = placed.precision === "f64" ? "64" : "32";
    const row = placed.sparse ? 12 * placed.longest : (placed.precision === "f64" ? 8 : 4) * placed.features;
    this.chunk = Math.max(24, Math.min(1023, 3 * Math.floor(CHUNK_BYTES / (3 * Math.max(1, row)))));
  }

  /** Makes a step ready. */
  begin(step: Step): void {
    const { features: m, region } = this.#placed;
    const unit = step.unit ?? false;
    if (this.#panels?.k !== step.k || step.rule !== this.#rule || unit !== this.#unit) this.#reset(step);
    region.f64(this.#own.grid, m).set(step.grid!);
    this.#weightGrid = step.weightGrid!;
    if (this.#expected !== null) this.#adopt(this.#expected);
    this.#expected = null;
    this.#panels!.load(step);
    this.#undo = [];
    this.#changed = 0;
  }

  /** Sweeps samples from … to − 1, which are at most `chunk`. */
  sweep(from: number, to: number): void {
    const { region, norms } = this.#placed;
    const { kernel } = region;
    const r = this.#own;
    const panels = this.#panels!;
    const G = panels.groups;
    const [e0, e1, e2] = panels.error;
    const angular = this.#rule === "distance" ? 0 : 1;
    this.possible += (to - from) * panels.k;
    if (panels.plain) {
      this.#note(this.#label(from, to));
      return;
    }
    const count = this.#listDoubtful(from, to, angular);
    if (count === 0) return;
    if (panels.byLane) {
      this.#note(this.#settleLanes(count, angular));
      return;
    }
    const clear = kernel[`clear${this.#suffix}`];
    clear(r.tops, r.runners, r.winners, count);
    if (G === 1) this.#score(0, r.list, count, r.tops, r.runners, r.winners);
    else {
      const merge = kernel[`merge${this.#suffix}`];
      for (let g = 0; g < G; g++) {
        // biome-ignore format: a call of many addresses
        const picked = kernel.pick(r.list, count, g, panels.groupOf, r.labels, r.uppers, r.lowers, G, norms, e0, e1, e2, r.slots, r.ids);
        if (picked === 0) continue;
        clear(r.best, r.second, r.label, picked);
        this.#score(g, r.ids, picked, r.best, r.second, r.label);
        // biome-ignore format: a call of many addresses
        merge(picked, g, r.slots, r.ids, r.best, r.second, r.label, r.tops, r.runners, r.winners, r.owners, r.lowers, G, norms, angular, e0, e1, e2);
      }
    }
    const settle = kernel[`settle${this.#suffix}`];
    // biome-ignore format: a call of many addresses
    const changed = settle(r.list, count, r.tops, r.runners, r.winners, r.owners, r.labels, r.uppers, r.lowers, G, norms, angular, e0, e1, e2, r.moved);
    this.#note(changed);
  }

  /** Labels all samples of a chunk by the only panel. */
  #label(from: number, to: number): number {
    const { region, sparse, X, indices, values, features: m } = this.#placed;
    const { labels, moved } = this.#own;
    const { k, packed, packedBias } = this.#panels!;
    this.products += (to - from) * k;
    const label = region.kernel[`label${sparse ? "Sparse" : "Dense"}${this.#suffix}`];
    if (sparse) return label(X, indices, values, from, to, packed, packedBias, labels, moved);
    return label(X, m, from, to, packed, packedBias, labels, moved);
  }

  /** Scores the listed samples against the only panel and settles each with a bound for every prototype. */
  #settleLanes(count: number, angular: number): number {
    const { region, sparse, X, indices, values, features: m, norms } = this.#placed;
    const { kernel } = region;
    const r = this.#own;
    const { k, groups, ways, downs, slack, packed, packedBias, error } = this.#panels!;
    const [e0, e1, e2] = error;
    this.products += count * k;
    if (sparse) kernel[`lanesSparse${this.#suffix}`](X, indices, values, r.list, count, packed, packedBias, r.scores);
    else kernel[`lanesDense${this.#suffix}`](X, m, r.list, count, packed, packedBias, r.scores);
    const settle = kernel[`settleLanes${this.#suffix}`];
    // biome-ignore format: a call of many addresses
    return settle(r.list, count, r.scores, k, r.labels, r.uppers, r.lowers, groups, ways, downs, slack, norms, angular, e0, e1, e2, r.moved);
  }

  /** Takes note of the samples in `moved`. */
  #note(changed: number): void {
    if (changed === 0) return;
    this.#changed += changed;
    this.#undo.push(this.#placed.region.u32(this.#own.moved, 2 * changed).slice());
    this.#account(changed);
  }

  /** The totals of all samples after the last sweep. */
  finish(): Sums {
    const { region, features: m } = this.#placed;
    return {
      ...zeroSums({ XHt: 0, HHt: 0 }),
      XHt: region.f64(this.#own.sums, this.#panels!.k * m).slice(),
      HHt: this.#counts.slice(),
      changed: this.#changed,
      ...this.#fingerprint,
    };
  }

  /** Takes everything since `begin` back; the bounds are lost. */
  undo(): void {
    const { region, samples } = this.#placed;
    for (const moved of this.#undo.reverse()) {
      const labels = region.u32(this.#own.labels, samples);
      const back = region.u32(this.#own.moved, moved.length);
      for (let p = 0; p < moved.length; p += 2) {
        back[p] = moved[p];
        back[p + 1] = labels[moved[p]];
        labels[moved[p]] = moved[p + 1];
      }
      this.#account(moved.length / 2);
    }
    this.#undo = [];
    this.#loosen();
  }

  /** Codes put in place from outside: the next step begins by summing them. */
  expect(codes: Codes): void {
    this.#expected = codes;
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

  /** Lists the samples of a chunk whose label the bounds do not prove. */
  #listDoubtful(from: number, to: number, angular: number): number {
    const { region, sparse, X, indices, values, features: m, norms } = this.#placed;
    const { kernel } = region;
    const r = this.#own;
    const panels = this.#panels!;
    if (!panels.bounded) {
      const list = region.u32(r.list, to - from);
      for (let s = 0; s < list.length; s++) list[s] = from + s;
      return list.length;
    }
    const [e0, e1, e2] = panels.error;
    const G = panels.groups;
    if (panels.byLane) {
      const { ways, ups, slack } = panels;
      // biome-ignore format: a call of many addresses
      const doubtful = kernel.filterLanes(from, to, r.labels, r.uppers, r.lowers, G, ways, ups, slack, norms, e0, e1, e2, r.list);
      if (doubtful === 0) return 0;
      this.products += doubtful;
      const tighten = kernel[`tightenLanes${this.#suffix}`];
      // biome-ignore format: a call of many addresses
      return tighten(+sparse, X, indices, values, m, panels.rows, panels.biases, r.list, doubtful, r.labels, r.uppers, r.lowers, G, ways, ups, slack, norms, angular, e0, e1, e2);
    }
    // biome-ignore format: a call of many addresses
    const count = kernel.filter(from, to, r.labels, r.uppers, r.lowers, G, panels.drifts, panels.groupDrifts, norms, e0, e1, e2, r.list);
    if (count === 0) return 0;
    this.products += count;
    const tighten = kernel[`tighten${this.#suffix}`];
    // biome-ignore format: a call of many addresses
    return tighten(+sparse, X, indices, values, m, panels.rows, panels.biases, r.list, count, r.labels, r.uppers, r.lowers, G, norms, angular, e0, e1, e2);
  }

  #score(g: number, ids: number, count: number, best: number, second: number, label: number): void {
    this.products += count * this.#panels!.score(g, ids, count, best, second, label);
  }

  /** Brings sums, counts and fingerprints up to date for the samples in `moved`: (sample, label before). */
  #account(changed: number): void {
    const { region, sparse, X, indices, values, features: m, samples, offset, weights } = this.#placed;
    const r = this.#own;
    const move = region.kernel[`move${this.#suffix}`];
    move(+sparse, X, indices, values, m, r.moved, changed, r.labels, r.scales, r.grid, r.sums);
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

  /** Takes labels over as if a sweep had found them. */
  #adopt({ labels }: Codes): void {
    const { region, samples } = this.#placed;
    const r = this.#own;
    for (let from = 0; from < samples; from += this.chunk) {
      const count = Math.min(this.chunk, samples - from);
      const moved = region.u32(r.moved, 2 * count);
      const own = region.u32(r.labels, samples);
      for (let s = 0; s < count; s++) {
        moved[2 * s] = from + s;
        moved[2 * s + 1] = own[from + s];
        own[from + s] = labels![from + s];
      }
      this.#account(count);
    }
    this.#loosen();
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
      this.#room = makeRoom(region, samples, m, k, this.#panels.groups, this.chunk);
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
    region.f32(this.#own.uppers, samples).fill(Number.POSITIVE_INFINITY);
    region.f32(this.#own.lowers, samples * this.#panels!.groups).fill(0);
    this.#panels!.forget();
  }
}

function makeRoom(region: Region, n: number, m: number, k: number, groups: number, chunk: number): Room {
  const of = (bytes: number) => region.reserve(bytes);
  return {
    labels: of(4 * n),
    uppers: of(4 * n),
    lowers: of(4 * n * groups),
    scales: 0,
    sums: of(8 * k * m),
    grid: of(8 * m),
    list: of(4 * chunk),
    slots: of(4 * chunk),
    ids: of(4 * chunk),
    best: of(8 * chunk),
    second: of(8 * chunk),
    label: of(4 * chunk),
    tops: of(8 * chunk),
    runners: of(8 * chunk),
    winners: of(4 * chunk),
    owners: of(4 * chunk),
    moved: of(8 * chunk),
    scores: of(48 * chunk),
  };
}
