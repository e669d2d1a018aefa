import type { Floats } from "../../matrix/dense.js";
import { kernelsFor, type Placed, type PrecisionKernels, type Region } from "../region.js";

/** The prototypes of a step as rows in a region's memory, as `preparePrototypes` has them. */
export class PrototypeRows {
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
export function topTwo(
  moves: Float64Array,
  members: Iterable<number>,
): { most: number; whose: number; second: number } {
  let [most, whose, second] = [0, -1, 0];
  for (const j of members) {
    if (moves[j] > most) [most, whose, second] = [moves[j], j, most];
    else if (moves[j] > second) second = moves[j];
  }
  return { most, whose, second };
}
