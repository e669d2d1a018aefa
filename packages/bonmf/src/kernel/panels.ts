import type { Floats, Precision } from "../matrix/dense.js";
import { type Pack, packPrototypes } from "./pack.js";
import type { Placed, Region } from "./region.js";
import type { Step } from "./step.js";

/** The kernels take three vectors of prototypes at a time. */
const VECTORS = 3;
/** Lower bounds a sample keeps; with more panels than this, several share one. */
const MOST_GROUPS = 10;
/** Below this many multiply-adds a sample, looking at bounds costs more than it saves: with one panel, with several. */
const WORTH_BOUNDS = 400;
const WORTH_GROUPS = 600;

/**
 * The prototypes of a step in a region's memory: as rows, and packed into panels whose lanes are prototypes. Panels make
 * groups that share a lower bound; prototypes that lie near each other share a panel, so that one far group can be left
 * out as a whole.
 */
export class Panels {
  readonly k: number;
  /** How many lower bounds a sample has. */
  readonly groups: number;
  /** Columns of a panel. */
  readonly width: number;
  readonly panels: number;
  readonly panelsPerGroup: number;
  /** One panel whose prototypes have a lower bound each. */
  readonly byLane: boolean;
  /** One panel, and so little work that bounds do not pay. */
  readonly plain: boolean;
  /** Addresses. rows, biases: as in a Pack; names: the label of each column; groupOf: the group of each label. */
  readonly rows: number;
  readonly biases: number;
  readonly packed: number;
  readonly packedBias: number;
  readonly names: number;
  readonly groupOf: number;
  /** f64 × k: how far each prototype moved; f64 × 3 a group: the largest, whose, the second largest. */
  readonly drifts: number;
  readonly groupDrifts: number;
  /** By lane: how far each prototype has come since the bounds were set up; f64 × k, and f32 rounded up and down. */
  readonly ways: number;
  readonly ups: number;
  readonly downs: number;
  /** By lane: what the rounding of a stored bound may amount to. */
  slack = 0;
  /** What rounding can do to a squared distance: e0 + e1‖x‖ + e2‖x‖². */
  error: readonly [number, number, number] = [0, 0, 0];
  /** Whether the samples' bounds hold for the prototypes before these. */
  bounded = false;
  readonly #placed: Placed;
  readonly #region: Region;
  readonly #m: number;
  readonly #precision: Precision;
  /** Whether bounds pay. */
  readonly #worth: boolean;
  #before: Floats | null = null;
  #longestNorm: number | null = null;
  #order: number[] = [];

  constructor(placed: Placed, k: number) {
    const { region, features: m, precision } = placed;
    const bytes = precision === "f64" ? 8 : 4;
    this.#placed = placed;
    this.#region = region;
    this.#m = m;
    this.#precision = precision;
    this.k = k;
    this.width = VECTORS * (16 / bytes);
    this.panels = Math.ceil(k / this.width);
    this.#worth = m * k >= (this.panels === 1 ? WORTH_BOUNDS : WORTH_GROUPS);
    this.panelsPerGroup = this.#worth ? Math.ceil(this.panels / MOST_GROUPS) : this.panels;
    this.byLane = this.panels === 1 && this.#worth;
    this.plain = this.panels === 1 && !this.#worth;
    this.groups = this.byLane ? 4 * Math.ceil(k / 4) : Math.ceil(this.panels / this.panelsPerGroup);
    this.rows = region.reserve(bytes * k * m);
    this.biases = region.reserve(bytes * k);
    this.packed = region.reserve(48 * this.panels * m);
    this.packedBias = region.reserve(48 * this.panels);
    this.names = region.reserve(4 * this.panels * this.width);
    this.groupOf = region.reserve(4 * k);
    this.drifts = region.reserve(8 * k);
    this.groupDrifts = region.reserve(24 * this.groups);
    this.ways = region.reserve(8 * k);
    this.ups = region.reserve(4 * this.groups);
    this.downs = region.reserve(4 * this.groups);
  }

  /** Puts a step's prototypes in place. */
  load({ rule, W }: Step): void {
    const pack = packPrototypes(rule, W, this.k, this.#precision);
    this.error = rule === "distance" ? this.#pointError(pack) : this.#angleError();
    this.bounded = this.#before !== null && this.#worth;
    if (this.#before === null) this.#arrange(pack.rows);
    else this.#drift(pack.rows, this.#before);
    if (this.byLane) this.#goOn(pack, rule === "distance");
    this.#before = pack.rows;
    this.#view(this.rows, this.k * this.#m).set(pack.rows);
    this.#view(this.biases, this.k).set(pack.bias);
    this.#pack(pack);
  }

  /** The samples' bounds are void. */
  forget(): void {
    this.#before = null;
  }

  /**
   * Scores `count` samples, named by ids, against the prototypes of group g, keeping the best, the second and the label
   * of the best (all addresses). Returns how many prototypes that were.
   */
  score(g: number, ids: number, count: number, best: number, second: number, label: number): number {
    const { sparse, X, indices, values } = this.#placed;
    const m = this.#m;
    const first = g * this.panelsPerGroup;
    const last = Math.min(this.panels, first + this.panelsPerGroup);
    const kernel = this.#region.kernel[`score${sparse ? "Sparse" : "Dense"}${this.#precision === "f64" ? 64 : 32}`];
    for (let p = first; p < last; p++) {
      const panel = this.packed + p * m * 48;
      const bias = this.packedBias + p * 48;
      const names = this.names + 4 * p * this.width;
      if (sparse) kernel(X, indices, values, ids, count, panel, bias, names, best, second, label);
      else kernel(X, m, ids, count, panel, bias, names, best, second, label);
    }
    return Math.min(this.k, last * this.width) - first * this.width;
  }

  /** Orders the prototypes so that neighbours share a panel: from each to the nearest one that is left. */
  #arrange(rows: Floats): void {
    const m = this.#m;
    const left = Array.from({ length: this.k }, (_, j) => j);
    this.#order = [];
    let last = 0;
    while (left.length > 0) {
      let nearest = 0;
      if (this.groups > 1 && !this.byLane && this.#order.length > 0) {
        let least = Number.POSITIVE_INFINITY;
        left.forEach((j, at) => {
          let sum = 0;
          for (let f = 0; f < m; f++) sum += (rows[j * m + f] - rows[last * m + f]) ** 2;
          if (sum < least) [least, nearest] = [sum, at];
        });
      }
      [last] = left.splice(nearest, 1);
      this.#order.push(last);
    }
    const columns = this.width * this.panelsPerGroup;
    this.#region.u32(this.names, this.k).set(this.#order);
    const groupOf = this.#region.u32(this.groupOf, this.k);
    this.#order.forEach((j, column) => {
      groupOf[j] = Math.floor(column / columns);
    });
  }

  #pack({ rows, bias }: Pack): void {
    const m = this.#m;
    const packed = this.#view(this.packed, this.panels * this.width * m);
    const packedBias = this.#view(this.packedBias, this.panels * this.width).fill(Number.NEGATIVE_INFINITY);
    this.#order.forEach((j, column) => {
      packedBias[column] = bias[j];
      const base = Math.floor(column / this.width) * this.width * m + (column % this.width);
      for (let f = 0; f < m; f++) packed[base + f * this.width] = rows[j * m + f];
    });
  }

  /** How far the prototypes moved, rounded up: the bounds give way by that much. */
  #drift(rows: Floats, before: Floats): void {
    const m = this.#m;
    const drifts = this.#region.f64(this.drifts, this.k);
    for (let j = 0; j < this.k; j++) {
      let sum = 0;
      for (let q = j * m; q < (j + 1) * m; q++) {
        const step = rows[q] - before[q];
        sum += step * step;
      }
      drifts[j] = Math.sqrt(sum) * (1 + 1e-9);
    }
    if (this.byLane) return;
    const columns = this.width * this.panelsPerGroup;
    const groupDrifts = this.#region.f64(this.groupDrifts, 3 * this.groups);
    for (let g = 0; g < this.groups; g++) {
      let [most, whose, second] = [0, -1, 0];
      for (const j of this.#order.slice(g * columns, (g + 1) * columns)) {
        if (drifts[j] > most) [most, whose, second] = [drifts[j], j, most];
        else if (drifts[j] > second) second = drifts[j];
      }
      groupDrifts.set([most, whose, second], 3 * g);
    }
  }

  /** Adds the drifts to the prototypes' ways. */
  #goOn({ bias }: Pack, distance: boolean): void {
    const ways = this.#region.f64(this.ways, this.k);
    const drifts = this.#region.f64(this.drifts, this.k);
    if (this.#before === null) ways.fill(0);
    else for (let j = 0; j < this.k; j++) ways[j] = (ways[j] + drifts[j]) * (1 + 1e-12);
    const ups = this.#region.f32(this.ups, this.groups).fill(0);
    const downs = this.#region.f32(this.downs, this.groups).fill(0);
    let most = 0;
    ways.forEach((way, j) => {
      ups[j] = way * (1 + 2 ** -22);
      downs[j] = way * (1 - 2 ** -22);
      most = Math.max(most, way);
    });
    // No bound is larger than the largest distance and the longest way together.
    let longest = 0;
    for (const b of bias) longest = Math.max(longest, Math.sqrt(-2 * b));
    this.slack = 2 ** -21 * (most + (distance ? longest + this.#longestSample : 2));
  }

  /** From the error bound of a sum of products: by angle ‖x‖ does not matter. */
  #angleError(): [number, number, number] {
    return [2.5 * this.#gamma + 16 * this.#unit, 0, 0];
  }

  #pointError({ bias }: Pack): [number, number, number] {
    const gamma = this.#gamma;
    let most = 0;
    for (const b of bias) most = Math.max(most, -2 * b);
    const length = Math.sqrt(most) * (1 + 1e-6);
    return [2.5 * gamma * length * length, 2.5 * gamma * length, 4 * 2 ** -53 * (this.#m + 4)];
  }

  get #longestSample(): number {
    const { norms, samples } = this.#placed;
    this.#longestNorm ??= this.#region.f64(norms, samples).reduce((most, norm) => Math.max(most, norm), 0);
    return this.#longestNorm;
  }

  get #unit(): number {
    return this.#precision === "f64" ? 2 ** -53 : 2 ** -24;
  }

  get #gamma(): number {
    return (this.#placed.longest + 4) * this.#unit;
  }

  #view(at: number, length: number): Floats {
    return this.#precision === "f64" ? this.#region.f64(at, length) : this.#region.f32(at, length);
  }
}
