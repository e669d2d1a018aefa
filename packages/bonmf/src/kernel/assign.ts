import type { Floats, Precision } from "../matrix/dense.js";
import { packPrototypes } from "./pack.js";
import type { Region } from "./region.js";
import { allocateCodes, type Codes, type Step } from "./step.js";
import { mixLabel, type Sums, zeroSums } from "./sums.js";

/** Samples in a region's memory. */
export interface Placed {
  readonly region: Region;
  readonly samples: number;
  readonly features: number;
  readonly precision: Precision;
  readonly sparse: boolean;
  /** Dense: the values. Sparse: the offsets. */
  readonly X: number;
  readonly indices: number;
  readonly values: number;
  /** The most values a sample stores. */
  readonly longest: number;
  /** f64 × n: ‖x‖. */
  readonly norms: number;
  /** The number of the first sample in the whole data. */
  readonly offset: number;
  readonly weights: Float64Array | null;
}

const NONE = 0xffffffff;
const MOST_GROUPS = 8;
/** Below this much work a sample, looking at bounds costs more than it saves. */
const WORTH_BOUNDS = 600;
const VECTORS = 3;
/** Samples in a chunk stay in the second-level cache while all panels pass over them. */
const CHUNK_BYTES = 192 * 1024;

/**
 * One-hot sweeps with exact pruning. Each sample has an upper bound on the distance to its own prototype and, for each
 * group of prototypes, a lower bound on the distance to the others (Hamerly 2010 for one group, Yinyang 2015 for
 * several); by angle the distances are chords between unit vectors. Where the bounds prove that no other prototype can
 * score as high, even with every rounding error against it, the sample keeps its label unseen. Sums are exact
 * (kernel/grid), so only samples that moved touch them.
 */
export class Assigner {
  readonly #placed: Placed;
  readonly #bytes: number;
  readonly #chunk: number;
  readonly #suffix: string;
  #k = 0;
  #groups = 0;
  #panelsPerGroup = 1;
  #rule = "";
  #unit = false;
  #addresses: Record<string, number> = {};
  #rows: Floats | null = null;
  #counts = new Float64Array(0);
  #weightGrid = 0;
  #hash0 = 0;
  #hash1 = 0;
  #changed = 0;
  #error: [number, number, number] = [0, 0, 0];
  #bounded = false;
  #undo: Uint32Array[] = [];
  #expected: Codes | null = null;
  /** Products computed and products a sweep without bounds would have computed, since the beginning. */
  products = 0;
  possible = 0;

  constructor(placed: Placed) {
    this.#placed = placed;
    this.#bytes = placed.precision === "f64" ? 8 : 4;
    this.#suffix = placed.precision === "f64" ? "64" : "32";
    const row = placed.sparse ? 12 * placed.longest : this.#bytes * placed.features;
    this.#chunk = Math.max(24, Math.min(512, 3 * Math.floor(CHUNK_BYTES / (3 * Math.max(1, row)))));
  }

  get chunk(): number {
    return this.#chunk;
  }

  /** Makes a step ready: packs its prototypes and moves the bounds' reference to them. */
  begin(step: Step): void {
    const { k, W, rule } = step;
    const { region, features: m, precision } = this.#placed;
    if (k !== this.#k) this.#allot(k);
    const unit = step.unit ?? false;
    if (rule !== this.#rule || unit !== this.#unit) {
      this.#rule = rule;
      this.#unit = unit;
      this.#reset(step);
    }
    region.f64(this.#addresses.grid, m).set(step.grid!);
    this.#weightGrid = step.weightGrid!;
    if (this.#expected !== null) this.#adopt(this.#expected);
    this.#expected = null;
    const pack = packPrototypes(rule, W, k, precision);
    this.#setError(pack.rows, pack.bias);
    this.#setDrifts(pack.rows);
    this.#rows = pack.rows;
    this.#view(this.#addresses.rows, k * m).set(pack.rows);
    this.#view(this.#addresses.biases, k).set(pack.bias);
    this.#packPanels(pack.rows, pack.bias);
    this.#undo = [];
    this.#changed = 0;
  }

  /** Takes labels over as if a sweep had found them. */
  #adopt({ labels }: Codes): void {
    const { region, samples } = this.#placed;
    const a = this.#addresses;
    for (let from = 0; from < samples; from += this.#chunk) {
      const count = Math.min(this.#chunk, samples - from);
      const moved = region.u32(a.moved, 2 * count);
      const own = region.u32(a.labels, samples);
      for (let s = 0; s < count; s++) {
        moved[2 * s] = from + s;
        moved[2 * s + 1] = own[from + s];
        own[from + s] = labels![from + s];
      }
      this.#account(count);
    }
    this.#loosen();
  }

  /** Sweeps samples from … to − 1, which are at most `chunk`. */
  sweep(from: number, to: number): void {
    const { region, sparse, X, indices, values, features: m, norms } = this.#placed;
    const { kernel } = region;
    const a = this.#addresses;
    const G = this.#groups;
    const angular = this.#rule === "distance" ? 0 : 1;
    const [e0, e1, e2] = this.#error;
    this.possible += (to - from) * this.#k;
    let count = to - from;
    if (this.#bounded) {
      count = kernel.filter(from, to, a.labels, a.uppers, a.lowers, G, a.drifts, a.groups, norms, e0, e1, e2, a.list);
      if (count === 0) return;
      this.products += count;
      const tighten = kernel[`tighten${this.#suffix}`];
      count = tighten(
        +sparse,
        X,
        indices,
        values,
        m,
        a.rows,
        a.biases,
        a.list,
        count,
        a.labels,
        a.uppers,
        a.lowers,
        G,
        norms,
        angular,
        e0,
        e1,
        e2,
      );
      if (count === 0) return;
    } else {
      const list = region.u32(a.list, count);
      for (let s = 0; s < count; s++) list[s] = from + s;
    }
    const clear = kernel[`clear${this.#suffix}`];
    clear(a.tops, a.runners, a.winners, count);
    if (G === 1) this.#score(0, a.list, count, a.tops, a.runners, a.winners);
    else {
      const merge = kernel[`merge${this.#suffix}`];
      for (let g = 0; g < G; g++) {
        const [first, last] = this.#range(g);
        const picked = kernel.pick(
          a.list,
          count,
          g,
          first,
          last,
          a.labels,
          a.uppers,
          a.lowers,
          G,
          norms,
          e0,
          e1,
          e2,
          a.slots,
          a.ids,
        );
        if (picked === 0) continue;
        clear(a.best, a.second, a.label, picked);
        this.#score(g, a.ids, picked, a.best, a.second, a.label);
        merge(
          picked,
          g,
          a.slots,
          a.ids,
          a.best,
          a.second,
          a.label,
          a.tops,
          a.runners,
          a.winners,
          a.owners,
          a.lowers,
          G,
          norms,
          angular,
          e0,
          e1,
          e2,
        );
      }
    }
    const settle = kernel[`settle${this.#suffix}`];
    const changed = settle(
      a.list,
      count,
      a.tops,
      a.runners,
      a.winners,
      a.owners,
      a.labels,
      a.uppers,
      a.lowers,
      G,
      norms,
      angular,
      e0,
      e1,
      e2,
      a.moved,
    );
    if (changed > 0) this.#move(changed);
  }

  /** The totals of all samples after the last sweep. */
  finish(): Sums {
    const { region, features: m } = this.#placed;
    const sums = zeroSums({ XHt: 0, HHt: 0 });
    return {
      ...sums,
      XHt: region.f64(this.#addresses.sums, this.#k * m).slice(),
      HHt: this.#counts.slice(),
      changed: this.#changed,
      hash0: this.#hash0,
      hash1: this.#hash1,
    };
  }

  /** Takes everything since `begin` back; the bounds are lost. */
  undo(): void {
    const { region, samples } = this.#placed;
    for (const moved of this.#undo.reverse()) {
      const labels = region.u32(this.#addresses.labels, samples);
      const back = region.u32(this.#addresses.moved, moved.length);
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
    const labels = this.#k > 0 ? this.#placed.region.u32(this.#addresses.labels, this.#placed.samples) : null;
    if (labels === null || labels.includes(NONE)) return null;
    const codes = allocateCodes("labels", this.#placed.samples, this.#k);
    codes.labels!.set(labels);
    return codes;
  }

  #score(g: number, ids: number, count: number, best: number, second: number, label: number): void {
    const { region, sparse, X, indices, values, features: m } = this.#placed;
    const { kernel } = region;
    const a = this.#addresses;
    const width = VECTORS * (16 / this.#bytes);
    const panels = Math.ceil(this.#k / width);
    const first = g * this.#panelsPerGroup;
    const last = this.#groups === 1 ? panels : Math.min(panels, first + this.#panelsPerGroup);
    const score = kernel[`score${sparse ? "Sparse" : "Dense"}${this.#suffix}`];
    this.products += count * (Math.min(this.#k, last * width) - first * width);
    for (let p = first; p < last; p++) {
      const panel = a.panels + p * m * 48;
      const bias = a.panelBias + p * 48;
      if (sparse) score(X, indices, values, ids, count, panel, bias, p * width, best, second, label, a.scratch);
      else score(X, m, ids, count, panel, bias, p * width, best, second, label, a.scratch);
    }
  }

  /** The labels of group g are first … last − 1. */
  #range(g: number): [number, number] {
    const width = VECTORS * (16 / this.#bytes) * this.#panelsPerGroup;
    return [g * width, (g + 1) * width];
  }

  #move(changed: number): void {
    this.#changed += changed;
    this.#undo.push(this.#placed.region.u32(this.#addresses.moved, 2 * changed).slice());
    this.#account(changed);
  }

  /** Brings sums, counts and fingerprints up to date for the samples in `moved`: (sample, label before). */
  #account(changed: number): void {
    const { region, sparse, X, indices, values, features: m, samples, offset, weights } = this.#placed;
    const a = this.#addresses;
    const move = region.kernel[`move${this.#suffix}`];
    move(+sparse, X, indices, values, m, a.moved, changed, a.labels, a.scales, a.grid, a.sums);
    const moved = region.u32(a.moved, 2 * changed);
    const labels = region.u32(a.labels, samples);
    for (let p = 0; p < moved.length; p += 2) {
      const i = moved[p];
      const weight = weights === null ? 1 : weights[i] + this.#weightGrid - this.#weightGrid;
      for (const [label, sign] of [
        [moved[p + 1], -1],
        [labels[i], 1],
      ]) {
        if (label === NONE) continue;
        this.#counts[label] += sign * weight;
        this.#hash0 = (this.#hash0 ^ mixLabel(offset + i, label, 0)) >>> 0;
        this.#hash1 = (this.#hash1 ^ mixLabel(offset + i, label, 0x5bd1e995)) >>> 0;
      }
    }
  }

  /** Forgets labels, sums and bounds. */
  #reset(step: Step): void {
    const { region, features: m, samples, norms, weights } = this.#placed;
    const a = this.#addresses;
    region.u32(a.labels, samples).fill(NONE);
    region.f64(a.sums, this.#k * m).fill(0);
    this.#counts = new Float64Array(this.#k);
    this.#hash0 = this.#hash1 = 0;
    const lengths = region.f64(norms, samples);
    const scales = region.f64(a.scales, samples);
    for (let i = 0; i < samples; i++) {
      const weight = weights === null ? 1 : weights[i];
      scales[i] = step.unit ? (lengths[i] > 0 ? weight / lengths[i] : 0) : weight;
    }
    this.#loosen();
  }

  #loosen(): void {
    const { region, samples } = this.#placed;
    region.f32(this.#addresses.uppers, samples).fill(Number.POSITIVE_INFINITY);
    region.f32(this.#addresses.lowers, samples * this.#groups).fill(0);
    this.#rows = null;
  }

  /** Room for k prototypes, their sums and the samples' bounds. */
  #allot(k: number): void {
    const { region, features: m, samples: n } = this.#placed;
    const width = VECTORS * (16 / this.#bytes);
    const panels = Math.ceil(k / width);
    this.#k = k;
    this.#bounded = false;
    this.#panelsPerGroup = Math.ceil(panels / MOST_GROUPS);
    this.#groups = m * k < WORTH_BOUNDS ? 1 : Math.ceil(panels / this.#panelsPerGroup);
    const c = this.#chunk;
    const sizes: Record<string, number> = {
      rows: this.#bytes * k * m,
      biases: this.#bytes * k,
      panels: 48 * panels * m,
      panelBias: 48 * panels,
      sums: 8 * k * m,
      grid: 8 * m,
      scales: 8 * n,
      labels: 4 * n,
      uppers: 4 * n,
      lowers: 4 * n * this.#groups,
      drifts: 8 * k,
      groups: 24 * this.#groups,
      list: 4 * c,
      slots: 4 * c,
      ids: 4 * c,
      best: 8 * c,
      second: 8 * c,
      label: 4 * c,
      tops: 8 * c,
      runners: 8 * c,
      winners: 4 * c,
      owners: 4 * c,
      moved: 8 * c,
      scratch: 64,
    };
    this.#addresses = Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, region.reserve(bytes)]));
    this.#rows = null;
    this.#rule = "";
  }

  #packPanels(rows: Floats, bias: Floats): void {
    const { features: m } = this.#placed;
    const width = VECTORS * (16 / this.#bytes);
    const panels = Math.ceil(this.#k / width);
    const packed = this.#view(this.#addresses.panels, panels * width * m);
    const packedBias = this.#view(this.#addresses.panelBias, panels * width);
    packedBias.fill(Number.NEGATIVE_INFINITY);
    packedBias.set(bias);
    for (let j = 0; j < this.#k; j++) {
      const base = Math.floor(j / width) * width * m + (j % width);
      for (let f = 0; f < m; f++) packed[base + f * width] = rows[j * m + f];
    }
  }

  /** How far each prototype moved since the last step, rounded up; the bounds give way by that much. */
  #setDrifts(rows: Floats): void {
    const { region, features: m } = this.#placed;
    const before = this.#rows;
    this.#bounded = before !== null && m * this.#k >= WORTH_BOUNDS;
    if (before === null) return;
    const drifts = region.f64(this.#addresses.drifts, this.#k);
    for (let j = 0; j < this.#k; j++) {
      let sum = 0;
      for (let q = j * m; q < (j + 1) * m; q++) sum += (rows[q] - before[q]) ** 2;
      drifts[j] = Math.sqrt(sum) * (1 + 1e-9);
    }
    const groups = region.f64(this.#addresses.groups, 3 * this.#groups);
    for (let g = 0; g < this.#groups; g++) {
      const [first, last] = this.#groups === 1 ? [0, this.#k] : this.#range(g);
      let most = 0;
      let whose = -1;
      let second = 0;
      for (let j = first; j < Math.min(last, this.#k); j++) {
        if (drifts[j] > most) [most, whose, second] = [drifts[j], j, most];
        else if (drifts[j] > second) second = drifts[j];
      }
      groups.set([most, whose, second], 3 * g);
    }
  }

  /** What rounding can do to a squared distance: e0 + e1‖x‖ + e2‖x‖², from the error bound of a sum of products. */
  #setError(rows: Floats, bias: Floats): void {
    const unit = this.#bytes === 4 ? 2 ** -24 : 2 ** -53;
    const gamma = (this.#placed.longest + 4) * unit;
    if (this.#rule !== "distance") {
      this.#error = [2.5 * gamma + 16 * unit, 0, 0];
      return;
    }
    let most = 0;
    for (const b of bias) most = Math.max(most, -2 * b);
    const length = Math.sqrt(most) * (1 + 1e-6);
    this.#error = [2.5 * gamma * length * length, 2.5 * gamma * length, 4 * 2 ** -53 * (rows.length / this.#k + 4)];
  }

  #view(at: number, length: number): Floats {
    const { region } = this.#placed;
    return this.#bytes === 8 ? region.f64(at, length) : region.f32(at, length);
  }
}
