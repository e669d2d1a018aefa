import type { Precision } from "../../matrix/dense.js";
import { type Kernel, kernelsFor, type Placed, type Region } from "../region.js";
import type { Step } from "../step.js";
import { Coarse, type Swept } from "./int16-screen.js";
import { Points, topTwo } from "./prototype-rows.js";
import { aimDeck, DECK_BYTES, writeDeck } from "./structs.js";

/** The kernels take three vectors of prototypes at a time. */
const VECTORS = 3;
/** Lower bounds a sample keeps; with more panels than this, several share one. */
export const MOST_GROUPS = 10;
/** Below this many multiply-adds a sample, more bounds than a budget cost more than they save. */
const WORTH_GROUPS = 6000;
/** Features that say which prototypes lie near each other. */
const FEATURES_SEEN = 512;

/**
 * The prototypes of a step in a region's memory: as rows, and packed into panels whose lanes are prototypes. Panels make
 * groups that share a lower bound; prototypes that lie near each other share a panel, so that one far group can be left
 * out as a whole.
 */
export class Panels {
  readonly k: number;
  /** How many times a sample is scored against some of the prototypes. */
  readonly groups: number;
  /** How many lower bounds a sample has: one a group, or none where there is only one. */
  readonly lowersEach: number;
  /** Columns of a panel. */
  readonly width: number;
  readonly panels: number;
  readonly panelsPerGroup: number;
  /** Addresses, named as in assembly/structs.ts. */
  readonly rows: number;
  readonly biases: number;
  readonly groupOf: number;
  readonly ways: number;
  readonly reaches: number;
  readonly caps: number;
  readonly owns: number;
  readonly spans: number;
  readonly tolls: number;
  /** Addresses: the panels, their biases, the label of each column. */
  readonly packed: number;
  readonly packedBias: number;
  readonly names: number;
  /** All of them together, for the kernels. */
  readonly deck: number;
  /** What the rounding of a stored bound may amount to. */
  slack = 0;
  /** What rounding can do to a squared distance: e0 + e1‖x‖ + e2‖x‖². */
  error: readonly [number, number, number] = [0, 0, 0];
  /** Null where scores in 16 bits would save nothing. */
  readonly rough: Coarse | null;
  /** Whether the samples' bounds hold for the prototypes before these. */
  bounded = false;
  readonly #placed: Placed;
  readonly #region: Region;
  readonly #kernel: Kernel;
  readonly #m: number;
  readonly #precision: Precision;
  readonly #points: Points;
  /** Whether there are prototypes in place that the next ones move from. */
  #loaded = false;
  #order: number[] = [];

  /** @param rough whether scores in 16 bits may go first */
  constructor(placed: Placed, k: number, rough = false) {
    const { region, features: m, precision } = placed;
    const bytes = precision === "f64" ? 8 : 4;
    this.#placed = placed;
    this.#region = region;
    this.#kernel = kernelsFor(placed);
    this.#m = m;
    this.#precision = precision;
    this.k = k;
    this.width = VECTORS * (16 / bytes);
    this.panels = Math.ceil(k / this.width);
    const groups = placed.groups ?? MOST_GROUPS;
    this.panelsPerGroup = storedEach(placed) * k >= WORTH_GROUPS ? Math.ceil(this.panels / groups) : this.panels;
    this.groups = Math.ceil(this.panels / this.panelsPerGroup);
    this.lowersEach = this.groups > 1 ? this.groups : 0;
    this.#points = new Points(placed, k);
    this.rows = this.#points.rows;
    this.biases = this.#points.biases;
    this.groupOf = region.reserve(4 * k);
    this.ways = region.reserve(8 * k);
    this.reaches = region.reserve(8 * k);
    this.caps = region.reserve(4 * k);
    this.owns = region.reserve(8 * k);
    this.spans = region.reserve(8 * this.groups);
    this.tolls = region.reserve(4 * k * this.lowersEach);
    this.packed = region.reserve(48 * this.panels * m);
    this.packedBias = region.reserve(48 * this.panels);
    this.names = region.reserve(4 * this.panels * this.width);
    this.deck = region.reserve(DECK_BYTES);
    this.rough = rough && this.groups === 1 && Coarse.suits(placed) ? new Coarse(placed, k) : null;
    const { panelsPerGroup: panels, packed, packedBias, names } = this;
    writeDeck(region, this.deck, { ...placed, sparse: +placed.sparse, m, k, panels, packed, packedBias, names });
  }

  /** Puts a step's prototypes in place, as `packPrototypes` has them. */
  load({ rule, W }: Step, last?: Swept): void {
    const byAngle = rule !== "distance";
    const { moves, longest } = this.#points.place(W, byAngle);
    this.error = byAngle ? this.#angleError() : this.#pointError(longest);
    this.bounded = this.#loaded;
    if (!this.#loaded) this.#arrange();
    this.#goOn(this.#loaded ? moves : null);
    this.slack = 2 ** -20 * (this.#farthest + (byAngle ? 2 : longest + this.#points.longestSample));
    this.#loaded = true;
    this.#pack();
    if (last) this.rough?.load(this.rows, this.#points.view(this.biases, this.k), byAngle, last);
  }

  /** The samples' bounds are void. */
  forget(): void {
    this.#loaded = false;
  }

  /**
   * Scores `count` samples, named by ids, against the prototypes of group g, keeping the best, the second and the label
   * of the best (all addresses). Returns how many prototypes that were.
   */
  score(g: number, ids: number, count: number, best: number, second: number, label: number): number {
    this.#kernel.scoreGroup(this.deck, g, ids, count, best, second, label);
    const columns = this.width * this.panelsPerGroup;
    return Math.min(this.k, (g + 1) * columns) - g * columns;
  }

  /** Says again where the samples are, which may have changed. */
  aim(): void {
    aimDeck(this.#region, this.deck, this.#placed);
  }

  /** Orders the prototypes so that neighbours share a panel: from each to the nearest one that is left, by some features. */
  #arrange(): void {
    const m = this.#m;
    const apart = Math.ceil(m / FEATURES_SEEN);
    const rows = this.#points.view(this.rows, this.k * m);
    const left = Array.from({ length: this.k }, (_, j) => j);
    this.#order = [];
    let last = 0;
    while (left.length > 0) {
      let nearest = 0;
      if (this.groups > 1 && this.#order.length > 0) {
        let least = Number.POSITIVE_INFINITY;
        left.forEach((j, at) => {
          let sum = 0;
          for (let f = 0; f < m; f += apart) sum += (rows[j * m + f] - rows[last * m + f]) ** 2;
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

  #pack(): void {
    const m = this.#m;
    const bytes = this.#precision === "f64" ? 8 : 4;
    const biases = this.#points.view(this.biases, this.k);
    const packedBias = this.#points.view(this.packedBias, this.panels * this.width).fill(Number.NEGATIVE_INFINITY);
    this.#order.forEach((j, column) => {
      packedBias[column] = biases[j];
      const panel = this.packed + 48 * m * Math.floor(column / this.width);
      this.#kernel.putColumn(this.rows + j * m * bytes, m, panel + bytes * (column % this.width));
    });
  }

  /** Adds the prototypes' moves to how far they have come; null: they are at the beginning. */
  #goOn(moves: Float64Array | null): void {
    const region = this.#region;
    const ways = region.f64(this.ways, this.k);
    const reaches = region.f64(this.reaches, this.k);
    const owns = region.f64(this.owns, this.k);
    const spans = region.f64(this.spans, this.groups);
    if (moves === null) for (const table of [ways, reaches, owns, spans]) table.fill(0);
    else {
      const farther = (table: Float64Array, j: number, by: number) => {
        table[j] = (table[j] + by) * (1 + 1e-12);
      };
      const all = topTwo(moves, this.#order);
      const columns = this.width * this.panelsPerGroup;
      for (let g = 0; g < this.groups; g++) {
        const members = this.#order.slice(g * columns, (g + 1) * columns);
        const top = topTwo(moves, members);
        farther(spans, g, top.most);
        for (const j of members) {
          farther(ways, j, moves[j]);
          farther(owns, j, j === top.whose ? top.second : top.most);
          farther(reaches, j, moves[j] + (j === all.whose ? all.second : all.most));
        }
      }
    }
    const above = (way: number) => way * (1 + 2 ** -22);
    region.f32(this.caps, this.k).set(reaches.map(above));
    const tolls = region.f32(this.tolls, this.k * this.lowersEach);
    const groupOf = region.u32(this.groupOf, this.k);
    for (let j = 0, p = 0; p < tolls.length; j++) {
      for (let g = 0; g < this.groups; g++, p++) tolls[p] = above(g === groupOf[j] ? owns[j] : spans[g]);
    }
  }

  get #farthest(): number {
    return this.#region.f64(this.reaches, this.k).reduce((most, reach) => Math.max(most, reach), 0);
  }

  /** From the error bound of a sum of products: by angle ‖x‖ does not matter. */
  #angleError(): [number, number, number] {
    return [2.5 * this.#gamma + 16 * this.#unit, 0, 0];
  }

  #pointError(longest: number): [number, number, number] {
    const gamma = this.#gamma;
    const length = longest * (1 + 1e-6);
    return [2.5 * gamma * length * length, 2.5 * gamma * length, 4 * 2 ** -53 * (this.#m + 4)];
  }

  get #unit(): number {
    return this.#precision === "f64" ? 2 ** -53 : 2 ** -24;
  }

  get #gamma(): number {
    return (this.#placed.longest + 4) * this.#unit;
  }
}

/** How many values a sample stores, on average. */
function storedEach({ samples, features, sparse, bytes, precision }: Placed): number {
  return sparse ? bytes / Math.max(1, samples) / (precision === "f64" ? 12 : 8) : features;
}
