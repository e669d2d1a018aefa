import { allocate, type Floats, type Precision } from "../matrix/dense.js";
import { Sparse } from "../matrix/sparse.js";

/** Builds a sparse matrix, sample by sample. */
export class SparseBuilder {
  samples = 0;
  #stored = 0;
  readonly #offsets: Uint32Array;
  readonly #indices: Uint32Array;
  readonly #values: Floats;

  /** Both numbers are upper bounds. */
  constructor(samples: number, stored: number, precision: Precision) {
    this.#offsets = new Uint32Array(samples + 1);
    this.#indices = new Uint32Array(stored);
    this.#values = allocate(precision, stored);
  }

  /** Adds a value to the current sample; features must rise. Zeros are left out. */
  push(feature: number, value: number): void {
    if (value === 0) return;
    this.#indices[this.#stored] = feature;
    this.#values[this.#stored++] = value;
  }

  endSample(): void {
    this.#offsets[++this.samples] = this.#stored;
  }

  toSparse(features: number): Sparse {
    const { samples } = this;
    const stored = this.#stored;
    return new Sparse(
      samples,
      features,
      this.#offsets.slice(0, samples + 1),
      this.#indices.slice(0, stored),
      this.#values.slice(0, stored),
    );
  }
}
