import type { Floats, Precision } from "../../matrix/dense.js";
import { chooseGroups, chooseInt16 } from "../choose.js";
import { gapFields, kernelsFor, type Placed, type PrecisionKernels, type Region } from "../region.js";
import type { Step } from "../step.js";
import { Int16Screen, type Swept } from "./int16-screen.js";
import { type Struct, structBytes, writeStruct } from "./structs.js";

/** Features that are compared to find prototypes near each other. */
const FEATURES_SEEN = 512;

/**
 * By angle, a sample with gaps compares what it knows of unit vectors, scaled to length 1. Where it knows this much of the length of
 * each, that moves no farther than ‖u − u′‖ / LEAST_LENGTH: ‖a/|a| − b/|b|‖ ≤ ‖a − b‖ / √(|a||b|).
 */
export const LEAST_LENGTH = 0.8;

/**
 * The prototypes of a step in a region's memory: as rows, and packed into panels whose lanes are prototypes. Panels make
 * groups that share a lower bound; prototypes near each other share a panel, so that a distant group can be skipped
 * as a whole.
 */
export class PackedPrototypes {
  readonly k: number;
  /** How many times a sample is scored against some of the prototypes. */
  readonly groups: number;
  /** How many lower bounds a sample has: one a group, or none where there is only one. */
  readonly lowerBounds: number;
  /** Columns of a panel. */
  readonly width: number;
  readonly panels: number;
  readonly panelsPerGroup: number;
  /** Addresses, named as in assembly/structs.ts. */
  readonly rows: number;
  readonly biases: number;
  readonly groupOf: number;
  readonly drifts: number;
  readonly pairDrifts: number;
  readonly pairDrifts32: number;
  readonly otherDrifts: number;
  readonly groupDrifts: number;
  readonly groupDrifts32: number;
  /** Addresses: the panels, their biases, the label of each column. */
  readonly packed: number;
  readonly packedBias: number;
  readonly columnLabels: number;
  /** All of them together, for the kernels. */
  readonly input: number;
  /** What the rounding of a stored bound may amount to. */
  slack = 0;
  /** What rounding can do to a squared distance: e0 + e1‖x‖ + e2‖x‖². */
  error: readonly [number, number, number] = [0, 0, 0];
  /** Null where scores in 16 bits would save nothing. */
  readonly screen: Int16Screen | null;
  /** Whether the samples' bounds hold for the prototypes before these. */
  boundsHold = false;
  readonly #placed: Placed;
  readonly #region: Region;
  readonly #kernel: PrecisionKernels;
  readonly #m: number;
  readonly #precision: Precision;
  readonly #rows: PrototypeRows;
  /** Whether prototypes of an earlier step are loaded, from which the next ones drift. */
  #loaded = false;
  #order: number[] = [];

  /** @param screening how many threads may score in 16 bits first */
  constructor(placed: Placed, k: number, screening = 0) {
    const { region, features: m, precision } = placed;
    this.#placed = placed;
    this.#region = region;
    this.#kernel = kernelsFor(placed);
    this.#m = m;
    this.#precision = precision;
    this.k = k;
    const grouping = chooseGroups(storedEach(placed), k, precision, placed.groups).value;
    this.width = grouping.width;
    this.panels = grouping.panels;
    this.panelsPerGroup = grouping.panelsPerGroup;
    this.groups = grouping.groups;
    this.lowerBounds = this.groups > 1 ? this.groups : 0;
    this.#rows = new PrototypeRows(placed, k);
    this.rows = this.#rows.rows;
    this.biases = this.#rows.biases;
    this.groupOf = region.reserve(4 * k);
    this.drifts = region.reserve(8 * k);
    this.pairDrifts = region.reserve(8 * k);
    this.pairDrifts32 = region.reserve(4 * k);
    this.otherDrifts = region.reserve(8 * k);
    this.groupDrifts = region.reserve(8 * this.groups);
    this.groupDrifts32 = region.reserve(4 * k * this.lowerBounds);
    this.packed = region.reserve(48 * this.panels * m);
    this.packedBias = region.reserve(48 * this.panels);
    this.columnLabels = region.reserve(4 * this.panels * this.width);
    this.input = region.reserve(structBytes("ScoreInput"));
    const { sparse, whole } = placed;
    const int16 =
      screening > 0 && !placed.gaps && chooseInt16(sparse ? "CSR" : "dense", precision, m, this.groups, whole).value;
    this.screen = int16 ? new Int16Screen(placed, k, screening) : null;
    const { panelsPerGroup: panels, packed, packedBias, columnLabels } = this;
    const { X, indices, values } = placed;
    const input: Struct<"ScoreInput"> = {
      ...{ m, k, sparse: +sparse, X, indices, values },
      ...{ panels, packed, packedBias, columnLabels },
      ...gapFields(placed.gaps, false),
    };
    writeStruct(region, "ScoreInput", this.input, input);
  }

  /** Loads a step's prototypes, to the bits of `preparePrototypes`. */
  load({ rule, W }: Step, last?: Swept): void {
    const byAngle = rule !== "distance";
    const { moves, longest } = this.#rows.place(W, byAngle);
    this.error = byAngle ? this.#angleError() : this.#pointError(longest);
    this.boundsHold = this.#loaded;
    if (!this.#loaded) this.#arrange();
    const farthest = byAngle && this.#placed.gaps ? moves.map((move) => move / LEAST_LENGTH) : moves;
    this.#addDrifts(this.#loaded ? farthest : null);
    writeStruct(this.#region, "ScoreInput", this.input, { angular: +byAngle });
    this.slack = 2 ** -20 * (this.#farthest + (byAngle ? 2 : longest + this.#rows.longestSample));
    this.#loaded = true;
    this.#pack();
    if (last) this.screen?.load(this.rows, this.#rows.view(this.biases, this.k), byAngle, last);
  }

  /** k × m: the prototypes as rows. */
  view(): Floats {
    return this.#rows.view(this.rows, this.k * this.#m);
  }

  /** Forgets the prototypes: the samples' bounds no longer hold. */
  forget(): void {
    this.#loaded = false;
  }

  /**
   * Scores `count` samples, named by ids, against the prototypes of group g, keeping the best, the second and the label
   * of the best (all addresses). Returns how many prototypes that were.
   */
  score(g: number, ids: number, count: number, best: number, second: number, label: number): number {
    this.#kernel.scoreGroup(this.input, g, ids, count, best, second, label);
    const columns = this.width * this.panelsPerGroup;
    return Math.min(this.k, (g + 1) * columns) - g * columns;
  }

  /** Updates the addresses of the samples. */
  aim(): void {
    const { X, indices, values } = this.#placed;
    writeStruct(this.#region, "ScoreInput", this.input, { X, indices, values });
  }

  /** Orders the prototypes so that neighbours share a panel: from each to the nearest one that is left, by some features. */
  #arrange(): void {
    const m = this.#m;
    const apart = Math.ceil(m / FEATURES_SEEN);
    const rows = this.#rows.view(this.rows, this.k * m);
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
    this.#region.u32(this.columnLabels, this.k).set(this.#order);
    const groupOf = this.#region.u32(this.groupOf, this.k);
    this.#order.forEach((j, column) => {
      groupOf[j] = Math.floor(column / columns);
    });
  }

  #pack(): void {
    const m = this.#m;
    const bytes = this.#precision === "f64" ? 8 : 4;
    const biases = this.#rows.view(this.biases, this.k);
    const packedBias = this.#rows.view(this.packedBias, this.panels * this.width).fill(Number.NEGATIVE_INFINITY);
    this.#order.forEach((j, column) => {
      packedBias[column] = this.#placed.gaps?.list.listed === "known" ? 0 : biases[j];
      const panel = this.packed + 48 * m * Math.floor(column / this.width);
      this.#kernel.putColumn(this.rows + j * m * bytes, m, panel + bytes * (column % this.width));
    });
  }

  /** Adds the prototypes' moves to their drifts; null: all drifts are 0. */
  #addDrifts(moves: Float64Array | null): void {
    const region = this.#region;
    const drifts = region.f64(this.drifts, this.k);
    const pairDrifts = region.f64(this.pairDrifts, this.k);
    const otherDrifts = region.f64(this.otherDrifts, this.k);
    const groupDrifts = region.f64(this.groupDrifts, this.groups);
    if (moves === null) for (const table of [drifts, pairDrifts, otherDrifts, groupDrifts]) table.fill(0);
    else {
      const farther = (table: Float64Array, j: number, by: number) => {
        table[j] = (table[j] + by) * (1 + 1e-12);
      };
      const all = topTwo(moves, this.#order);
      const columns = this.width * this.panelsPerGroup;
      for (let g = 0; g < this.groups; g++) {
        const members = this.#order.slice(g * columns, (g + 1) * columns);
        const top = topTwo(moves, members);
        farther(groupDrifts, g, top.most);
        for (const j of members) {
          farther(drifts, j, moves[j]);
          farther(otherDrifts, j, j === top.whose ? top.second : top.most);
          farther(pairDrifts, j, moves[j] + (j === all.whose ? all.second : all.most));
        }
      }
    }
    const above = (way: number) => way * (1 + 2 ** -22);
    region.f32(this.pairDrifts32, this.k).set(pairDrifts.map(above));
    const groupDrifts32 = region.f32(this.groupDrifts32, this.k * this.lowerBounds);
    const groupOf = region.u32(this.groupOf, this.k);
    for (let j = 0, p = 0; p < groupDrifts32.length; j++) {
      for (let g = 0; g < this.groups; g++, p++)
        groupDrifts32[p] = above(g === groupOf[j] ? otherDrifts[j] : groupDrifts[g]);
    }
  }

  get #farthest(): number {
    return this.#region.f64(this.pairDrifts, this.k).reduce((most, reach) => Math.max(most, reach), 0);
  }

  /** From the error bound of a sum of products: by angle ‖x‖ does not matter. */
  #angleError(): [number, number, number] {
    const [gamma, unit] = [this.#gamma, this.#unit];
    return this.#placed.gaps ? [6 * gamma + 32 * unit, 0, 0] : [2.5 * gamma + 16 * unit, 0, 0];
  }

  #pointError(longest: number): [number, number, number] {
    const gamma = this.#gamma;
    const length = longest * (1 + 1e-6);
    // Squares at missing features are one sum more.
    const sums = this.#placed.gaps ? 5 : 2.5;
    return [sums * gamma * length * length, sums * gamma * length, 4 * 2 ** -53 * (this.#m + 4)];
  }

  get #unit(): number {
    return this.#precision === "f64" ? 2 ** -53 : 2 ** -24;
  }

  get #gamma(): number {
    return ((this.#placed.gaps ? this.#m : this.#placed.longest) + 4) * this.#unit;
  }
}

/** How many values a sample stores, on average. */
function storedEach({ samples, features, sparse, bytes, precision }: Placed): number {
  return sparse ? bytes / Math.max(1, samples) / (precision === "f64" ? 12 : 8) : features;
}

/** The prototypes of a step as rows in a region's memory, as `preparePrototypes` has them. */
class PrototypeRows {
  /** Addresses of k × m values and k biases. */
  readonly rows: number;
  readonly biases: number;
  readonly #placed: Placed;
  readonly #region: Region;
  readonly #kernel: PrecisionKernels;
  readonly #wide: boolean;
  readonly #k: number;
  readonly #m: number;
  readonly #W: number;
  readonly #moves: number;
  #longest: number | null = null;

  constructor(placed: Placed, k: number) {
    const { region, features: m, precision } = placed;
    this.#placed = placed;
    this.#region = region;
    this.#kernel = kernelsFor(placed);
    this.#wide = precision === "f64";
    this.#k = k;
    this.#m = m;
    const bytes = this.#wide ? 8 : 4;
    this.rows = region.reserve(bytes * k * m);
    this.biases = region.reserve(bytes * k);
    this.#W = region.reserve(8 * k * m, true);
    this.#moves = region.reserve(8 * k, true);
  }

  /** Returns how far each prototype moved, rounded up, a view, and by distance the largest length. */
  place(W: Float64Array, byAngle: boolean): { moves: Float64Array; longest: number } {
    const region = this.#region;
    region.f64(this.#W, W.length).set(W);
    const { rows, biases } = this;
    const longest = this.#kernel.putRows(this.#W, this.#k, this.#m, +byAngle, rows, biases, this.#moves);
    return { moves: region.f64(this.#moves, this.#k), longest };
  }

  /** The length of the longest sample. */
  get longestSample(): number {
    const { region, norms, samples } = this.#placed;
    this.#longest ??= region.f64(norms, samples).reduce((most, norm) => Math.max(most, norm), 0);
    return this.#longest;
  }

  /** Numbers in the samples' precision. */
  view(at: number, length: number): Floats {
    return this.#wide ? this.#region.f64(at, length) : this.#region.f32(at, length);
  }
}

/** The largest move among some prototypes, whose it is, and the second largest. */
function topTwo(moves: Float64Array, members: Iterable<number>): { most: number; whose: number; second: number } {
  let [most, whose, second] = [0, -1, 0];
  for (const j of members) {
    if (moves[j] > most) [most, whose, second] = [moves[j], j, most];
    else if (moves[j] > second) second = moves[j];
  }
  return { most, whose, second };
}
