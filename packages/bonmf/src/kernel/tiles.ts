import type { Swept } from "./coarse.js";
import { Points, topTwo } from "./points.js";
import type { Placed } from "./region.js";
import type { Step } from "./step.js";

/** Up to this many multiply-adds a sample, to score it is less work than to keep bounds of its own. */
const MOST_PRODUCTS = 140;
/** Samples are copied into tiles only where the copy stays in the cache. */
const MOST_BYTES = 2 ** 22;
/** Budgets are kept once no more than one sample in so many moves. */
const SETTLED = 16;

/** Whether samples are so small, and prototypes so few, that they had better lie in tiles. */
export function suitTiles({ whole, sparse, precision, features, bytes }: Placed, k: number): boolean {
  const small = k * features <= MOST_PRODUCTS && bytes <= MOST_BYTES;
  return small && whole !== undefined && !sparse && precision === "f32";
}

/**
 * Samples eight to a tile (assembly/tiles.ts), and the prototypes of a step. A tile has one budget: how far any two
 * prototypes may come together before one of its samples must be seen again.
 */
export class Tiles {
  readonly k: number;
  /** Addresses, named as in assembly/plan.ts. */
  readonly tiles: number;
  readonly sizes: number;
  readonly budgets: number;
  readonly rows: number;
  readonly biases: number;
  /** As in `Panels`. */
  error: readonly [number, number, number] = [0, 0, 0];
  slack = 0;
  bounded = false;
  /** Whether the tiles get budgets: not while so many samples move that they would be spent at once. */
  keeps = false;
  /** How far the two prototypes that moved most have come together, step by step. */
  drift = 0;
  readonly rough = null;
  readonly #placed: Placed;
  readonly #points: Points;
  #loaded = false;

  constructor(placed: Placed, k: number) {
    const { region, samples, features, X } = placed;
    this.k = k;
    this.#placed = placed;
    this.#points = new Points(placed, k);
    this.rows = this.#points.rows;
    this.biases = this.#points.biases;
    const tiles = Math.ceil(samples / 8);
    this.sizes = region.reserve(32 * tiles, true);
    this.budgets = region.reserve(4 * tiles, true);
    this.tiles = region.reserve(32 * features * tiles, true);
    region.kernel.fillTiles(X, features, samples, this.tiles);
  }

  /** Puts a step's prototypes in place, after a sweep. */
  load({ rule, W }: Step, { changed }: Swept): void {
    const { region, norms, samples, longest: values } = this.#placed;
    const byAngle = rule !== "distance";
    const { moves, longest } = this.#points.place(W, byAngle);
    if (!this.#loaded) region.kernel.fillSizes(norms, samples, +byAngle, this.sizes);
    this.bounded = this.#loaded && this.keeps;
    this.keeps = changed * SETTLED <= samples;
    const { most, second } = topTwo(moves, moves.keys());
    this.drift = this.#loaded ? (this.drift + most + second) * (1 + 1e-12) : 0;
    const rounding = (2.5 * (values + 4) + 32) * 2 ** -24;
    const length = longest * (1 + 1e-6);
    this.error = byAngle ? [rounding, 0, 0] : [rounding * length * length, rounding * length, rounding];
    this.slack = 2 ** -20 * (this.drift + (byAngle ? 2 : longest + this.#points.longestSample));
    this.#loaded = true;
  }

  /** The budgets are void. */
  forget(): void {
    this.#loaded = false;
  }
}
