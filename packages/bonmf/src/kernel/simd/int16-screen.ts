import type { Floats } from "../../matrix/dense.js";
import type { Placed } from "../region.js";
import type { Struct } from "./structs.js";

/** Screening ends when more than one in 3 scored samples, and more than one in 64 of all, stay undecided. */
const DOUBTED = 3;
const MANY = 64;
/** The largest rounding error of a quantised value. */
const ROUNDING = 0.51;
const LENGTH = 32767;

/** What a sweep came to: how many samples were seen, how many of them the 16-bit scores left undecided. */
export interface Swept {
  readonly seen: number;
  readonly unresolved: number;
}

type Int16Field = "int16Bytes" | "int16Samples" | "int16Prototypes" | "int16Scales" | "int16Tile" | "int16Results";

/** Samples and prototypes in 16 bits (assembly/int16-screen.ts). */
export class Int16Screen {
  /** Whether a sweep begins with these. */
  screening = true;
  /** What rounding to 16 bits can do to a squared distance; by distance, for each ‖x‖. */
  int16Error = 0;
  /** Addresses and sizes, named as in assembly/structs.ts. */
  readonly #int16Bytes: number;
  readonly #int16Samples: number;
  readonly #int16Prototypes: number;
  readonly #int16Scales: number;
  /** Of each thread. */
  readonly #working: readonly Pick<Struct<"AssignState">, "int16Tile" | "int16Results">[];
  readonly #placed: Placed;
  readonly #k: number;

  constructor(placed: Placed, k: number, threads: number) {
    const { region, samples, features } = placed;
    this.#placed = placed;
    this.#k = k;
    this.#int16Bytes = 16 * Math.ceil(features / 8);
    this.#int16Samples = region.reserve(this.#int16Bytes * samples, true);
    this.#int16Prototypes = region.reserve(this.#int16Bytes * k, true);
    this.#int16Scales = region.reserve(4 * k, true);
    this.#working = Array.from({ length: threads }, () => ({
      int16Tile: region.reserve(8 * this.#int16Bytes, true),
      int16Results: region.reserve(160, true),
    }));
  }

  /** What thread t's state says of it. */
  fieldsOf(t: number): Pick<Struct<"AssignState">, Int16Field> {
    return {
      int16Bytes: this.#int16Bytes,
      int16Samples: this.#int16Samples,
      int16Prototypes: this.#int16Prototypes,
      int16Scales: this.#int16Scales,
      ...this.#working[t],
    };
  }

  /** Quantises the prototypes of the next sweep. */
  load(rows: number, biases: Floats, byAngle: boolean, { seen, unresolved }: Swept): void {
    const { region, features: m, samples } = this.#placed;
    this.screening &&= unresolved * DOUBTED <= seen || unresolved * MANY <= samples;
    if (!this.screening) return;
    const scales = region.f32(this.#int16Scales, this.#k);
    let longest = 0;
    for (let j = 0; j < this.#k; j++) {
      const length = byAngle ? 1 : Math.sqrt(-2 * biases[j]);
      region.kernel.quantize(rows + 4 * j * m, m, length, this.#int16Prototypes + j * this.#int16Bytes);
      scales[j] = length / LENGTH ** 2;
      longest = Math.max(longest, length);
    }
    const loss = (2 * ROUNDING * Math.sqrt(m)) / LENGTH + (ROUNDING ** 2 * m) / LENGTH ** 2;
    this.int16Error = 2 * longest * (loss + 2 ** -20);
  }
}
