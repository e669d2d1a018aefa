/** Finds features that have the same value in every sample. */
export class ConstantFeatures {
  readonly #m: number;
  /** The value of each feature that was seen. */
  readonly #values: Float32Array;
  readonly #seen: Uint8Array;
  /** Features that have not changed so far. */
  #left: number[];

  /** @param candidates the features to look at; default: all m */
  constructor(m: number, candidates?: readonly number[]) {
    this.#m = m;
    this.#values = new Float32Array(m);
    this.#seen = new Uint8Array(m);
    this.#left = [...(candidates ?? this.#values.keys())];
  }

  /** @param rows samples of m values each, row-major */
  update(rows: Float32Array): void {
    if (rows.length === 0) return;
    const m = this.#m;
    this.#left = this.#left.filter((f) => {
      const value = this.#see(f, rows[f]);
      for (let p = f; p < rows.length; p += m) if (rows[p] !== value) return false;
      return true;
    });
  }

  /** Adds what another found out about the features from `first` on: see `toValues`. */
  merge(values: Float32Array, first: number): void {
    this.#left = this.#left.filter((f) => {
      if (f < first || f >= first + values.length) return true;
      return this.#see(f, values[f - first]) === values[f - first];
    });
  }

  /** The value of each constant feature, NaN for the others. */
  toValues(): Float32Array {
    const values = new Float32Array(this.#m).fill(Number.NaN);
    for (const f of this.#left) values[f] = this.#values[f];
    return values;
  }

  list(): readonly number[] {
    return this.#left;
  }

  #see(f: number, value: number): number {
    if (this.#seen[f] === 0) {
      this.#values[f] = value;
      this.#seen[f] = 1;
    }
    return this.#values[f];
  }
}
