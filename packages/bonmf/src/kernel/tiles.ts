import { Points } from "./points.js";
import type { Placed } from "./region.js";
import type { Step } from "./step.js";

/** Up to this many multiply-adds a sample, to score all prototypes is less work than to keep bounds. */
const MOST_PRODUCTS = 64;
/** Samples are copied into tiles only where the copy stays in the cache. */
const MOST_BYTES = 2 ** 21;

/** Whether small samples have so few prototypes that no bounds are kept. */
export function suitTiles({ resident, sparse, precision, features, bytes }: Placed, k: number): boolean {
  const small = k * features <= MOST_PRODUCTS && bytes <= MOST_BYTES;
  return small && resident === true && !sparse && precision === "f32";
}

/** Samples eight to a tile (assembly/tiles.ts), and the prototypes of a step, against all of which they are scored. */
export class Tiles {
  readonly k: number;
  readonly groups = 1;
  readonly lowersEach = 0;
  readonly bounded = false;
  readonly error = [0, 0, 0] as const;
  readonly slack = 0;
  /** Addresses. */
  readonly tiles: number;
  readonly rows: number;
  readonly biases: number;
  readonly #points: Points;

  constructor(placed: Placed, k: number) {
    const { region, samples, features, X } = placed;
    this.k = k;
    this.#points = new Points(placed, k);
    this.rows = this.#points.rows;
    this.biases = this.#points.biases;
    this.tiles = region.reserve(32 * features * Math.ceil(samples / 8), true);
    region.kernel.fillTiles(X, features, samples, this.tiles);
  }

  /** Puts a step's prototypes in place. */
  load({ rule, W }: Step): void {
    this.#points.place(W, rule !== "distance");
  }

  forget(): void {}
}
