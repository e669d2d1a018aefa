import type { Floats } from "../matrix/dense.js";
import { type Kernel, kernelsFor, type Placed, type Region } from "./region.js";

/** The prototypes of a step as rows in a region's memory, as `packPrototypes` has them. */
export class Points {
  /** Addresses of k × m values and k biases. */
  readonly rows: number;
  readonly biases: number;
  readonly #placed: Placed;
  readonly #region: Region;
  readonly #kernel: Kernel;
  readonly #wide: boolean;
  readonly #k: number;
  readonly #m: number;
  readonly #row: number;
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
    this.#row = region.reserve(8 * m);
  }

  /** Returns how far each prototype moved, rounded up, and by distance the largest length. */
  place(W: Float64Array, byAngle: boolean): { moves: Float64Array; longest: number } {
    const m = this.#m;
    const bytes = m * (this.#wide ? 8 : 4);
    const row = this.#region.f64(this.#row, m);
    const told = this.#region.f64(this.#region.scratch, 4);
    const biases = this.view(this.biases, this.#k);
    const moves = new Float64Array(this.#k);
    let longest = 0;
    for (let j = 0; j < this.#k; j++) {
      for (let f = 0, q = j * m; f < m; f++, q++) row[f] = W[q];
      const length = byAngle ? this.#kernel.lengthOf(this.#row, m) : 1;
      if (length === 0) row.fill(0);
      this.#kernel.putRow(this.#row, m, length || 1, this.rows + j * bytes);
      const [step, square, was, is] = told;
      biases[j] = byAngle ? 0 : -0.5 * square;
      longest = Math.max(longest, Math.sqrt(-2 * biases[j]));
      // By angle a prototype without a direction is no point of the sphere: between it and any other lies the diameter.
      moves[j] = byAngle && (was === 0) !== (is === 0) ? 2 : Math.sqrt(step) * (1 + 1e-9);
    }
    return { moves, longest };
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
