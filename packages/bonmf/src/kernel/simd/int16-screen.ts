import type { Floats } from "../../matrix/dense.js";
import type { Placed } from "../region.js";

/** Features of which 16 bits are less work than 32. */
const WORTH_CODES = 12;
/** Only so much is kept in 16 bits as well, by all threads together: memory stays that of the samples. */
const MOST_BYTES = 2 ** 24;
/** No longer once more than one in so many samples seen is left in doubt, and more than one in so many of all. */
const DOUBTED = 3;
const MANY = 64;
/** A whole number is so far from what it stands for, at most. */
const ROUNDING = 0.51;
const LENGTH = 32767;

/** What a sweep came to: how many samples were seen, how many of them moved, how many 16 bits left in doubt. */
export interface Swept {
  readonly seen: number;
  readonly changed: number;
  readonly doubted: number;
}

/** Samples and prototypes in 16 bits (assembly/int16-screen.ts). */
export class Coarse {
  /** Whether a sweep begins with these. */
  screens = true;
  /** What rounding to 16 bits can do to a squared distance; by distance, for each ‖x‖. */
  blur = 0;
  /** Addresses and sizes, named as in assembly/structs.ts. */
  readonly codeBytes: number;
  readonly codes: number;
  readonly coarse: number;
  readonly codeScales: number;
  readonly tile: number;
  readonly told: number;
  readonly #placed: Placed;
  readonly #k: number;

  static suits({ sparse, precision, features, whole = Number.POSITIVE_INFINITY }: Placed): boolean {
    return !sparse && precision === "f32" && features >= WORTH_CODES && whole <= MOST_BYTES;
  }

  constructor(placed: Placed, k: number) {
    const { region, samples, features } = placed;
    this.#placed = placed;
    this.#k = k;
    this.codeBytes = 16 * Math.ceil(features / 8);
    this.codes = region.reserve(this.codeBytes * samples, true);
    this.coarse = region.reserve(this.codeBytes * k, true);
    this.codeScales = region.reserve(4 * k, true);
    this.tile = region.reserve(8 * this.codeBytes, true);
    this.told = region.reserve(160, true);
  }

  /** Puts prototypes in place, after a sweep. */
  load(rows: number, biases: Floats, byAngle: boolean, { seen, doubted }: Swept): void {
    const { region, features: m, samples } = this.#placed;
    this.screens &&= doubted * DOUBTED <= seen || doubted * MANY <= samples;
    if (!this.screens) return;
    const scales = region.f32(this.codeScales, this.#k);
    let longest = 0;
    for (let j = 0; j < this.#k; j++) {
      const length = byAngle ? 1 : Math.sqrt(-2 * biases[j]);
      region.kernel.encode(rows + 4 * j * m, m, length, this.coarse + j * this.codeBytes);
      scales[j] = length / LENGTH ** 2;
      longest = Math.max(longest, length);
    }
    const loss = (2 * ROUNDING * Math.sqrt(m)) / LENGTH + (ROUNDING ** 2 * m) / LENGTH ** 2;
    this.blur = 2 * longest * (loss + 2 ** -20);
  }
}
