import { DataError, OptionError, quote } from "../errors.js";
import { allocate, checkSize, Dense, type Floats, type Precision, precisionOf } from "./dense.js";

/** Samples that are copied together. */
const TOGETHER = 64;

/** Whether the next arrays need no check. */
let trusted = false;

/**
 * A sparse matrix in CSR format: n samples as rows of m features. Sample i has `indices` and `values` from `offsets[i]` to
 * `offsets[i+1] − 1`, features rising; absent values are 0. The arrays are not copied.
 *
 * @example
 * ```ts
 * import { Sparse } from "bonmf";
 * const X = Sparse.from([[[0, 5], [3, 1]], [[2, 4]]], 4);
 * X.row(0); // → [5, 0, 0, 1]
 * X.offsets; // → [0, 2, 3]
 * X.indices; // → [0, 3, 2]
 * X.values; // → [5, 1, 4]
 * ```
 */
export class Sparse {
  /** Bundlers may rename the class; error messages use this name. @internal */
  static readonly name = "Sparse";
  /** Tells `Sparse` from `Dense`. */
  readonly kind = "sparse";
  /** n, the number of samples. */
  readonly samples: number;
  /** m, the number of features. */
  readonly features: number;
  /** n + 1 positions; offsets[0] = 0 and offsets[n] = the number of stored values. */
  readonly offsets: Uint32Array;
  /** The feature of each stored value. */
  readonly indices: Uint32Array;
  /** The stored values. */
  readonly values: Floats;

  /**
   * @param samples n
   * @param features m
   * @param offsets n + 1 positions in `indices` and `values`, from 0 to their length
   * @param indices the feature of each value, rising within a sample
   * @param values the stored values
   * @throws DataError when the arrays do not fit together or an index does not rise, OptionError for a bad size
   */
  constructor(samples: number, features: number, offsets: Uint32Array, indices: Uint32Array, values: Floats) {
    this.samples = samples;
    this.features = features;
    this.offsets = offsets;
    this.indices = indices;
    this.values = values;
    if (!trusted) this.#check();
    trusted = false;
  }

  /** Skips the checks, for arrays of a matrix that was checked. @internal */
  static trust(samples: number, features: number, offsets: Uint32Array, indices: Uint32Array, values: Floats): Sparse {
    trusted = true;
    return new Sparse(samples, features, offsets, indices, values);
  }

  #check(): void {
    const { samples, features, offsets, indices, values } = this;
    checkSize("samples", samples);
    checkSize("features", features);
    const stored = values.length;
    if (
      offsets.length !== samples + 1 ||
      offsets[0] !== 0 ||
      offsets[samples] !== stored ||
      indices.length !== stored
    ) {
      throw new DataError(
        "shape",
        `sparse arrays do not fit: ${samples} samples need ${samples + 1} offsets from 0 to the number of values; ` +
          `got ${offsets.length} offsets (${offsets[0]} … ${offsets.at(-1)}), ${indices.length} indices, ${stored} values`,
      );
    }
    for (let i = 0; i < samples; i++) {
      if (offsets[i] > offsets[i + 1] || offsets[i + 1] > stored) {
        throw new DataError("shape", `sample ${i} ends before it begins: offsets must not fall`, { sample: i });
      }
      let last = -1;
      for (let p = offsets[i]; p < offsets[i + 1]; p++) {
        const f = indices[p];
        if (f <= last || f >= features) {
          const why = f >= features ? `there are only ${features} features` : `it follows feature ${last}`;
          throw new DataError("index", `sample ${i} names feature ${f}, but ${why}: indices must rise`, {
            sample: i,
            feature: f,
          });
        }
        last = f;
      }
    }
  }

  /**
   * From one list of [feature, value] pairs a sample; pairs may come in any order, zeros are dropped.
   *
   * @param rows n lists of pairs, features from 0
   * @param features m
   * @throws OptionError when a feature is not an index, DataError when it is m or more or named twice
   */
  static from(
    rows: Iterable<Iterable<readonly [number, number]>>,
    features: number,
    precision: Precision = "f32",
  ): Sparse {
    const offsets = [0];
    const indices: number[] = [];
    const values: number[] = [];
    for (const row of rows) {
      const pairs = [...row].filter(([, v]) => v !== 0).sort((a, b) => a[0] - b[0]);
      for (const [f, v] of pairs) {
        if (!Number.isInteger(f) || f < 0 || f > 0xffffffff)
          throw new OptionError("feature", f, `feature ${quote(f)} is not an index`);
        indices.push(f);
        values.push(v);
      }
      offsets.push(indices.length);
    }
    const data = allocate(precision, values.length);
    data.set(values);
    return new Sparse(offsets.length - 1, features, Uint32Array.from(offsets), Uint32Array.from(indices), data);
  }

  /** Keeps the non-zero values of dense data. */
  static fromDense(X: Dense): Sparse {
    let stored = 0;
    for (const v of X.data) if (v !== 0) stored++;
    const offsets = new Uint32Array(X.samples + 1);
    const indices = new Uint32Array(stored);
    const values = allocate(X.precision, stored);
    let p = 0;
    for (let i = 0; i < X.samples; i++) {
      for (let f = 0; f < X.features; f++) {
        const v = X.data[i * X.features + f];
        if (v === 0) continue;
        indices[p] = f;
        values[p++] = v;
      }
      offsets[i + 1] = p;
    }
    return Sparse.trust(X.samples, X.features, offsets, indices, values);
  }

  /** Whether the values have 32 or 64 bits. */
  get precision(): Precision {
    return precisionOf(this.values);
  }

  /** The value of one feature of one sample. */
  at(sample: number, feature: number): number {
    let low = this.offsets[sample];
    let high = this.offsets[sample + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.indices[middle] < feature) low = middle + 1;
      else high = middle;
    }
    return low < this.offsets[sample + 1] && this.indices[low] === feature ? this.values[low] : 0;
  }

  /** Sample i as a dense row, a copy. */
  row(sample: number): Floats {
    const out = allocate(this.precision, this.features);
    this.each(sample, (f, v) => {
      out[f] = v;
    });
    return out;
  }

  /** Calls `visit` for every stored value of sample i, features rising. */
  each(sample: number, visit: (feature: number, value: number) => void): void {
    for (let p = this.offsets[sample], end = this.offsets[sample + 1]; p < end; p++) {
      visit(this.indices[p], this.values[p]);
    }
  }

  /** A copy of the named samples, in that order. */
  take(ids: ArrayLike<number>): Sparse {
    const { offsets: from, indices: features, values: numbers } = this;
    const offsets = new Uint32Array(ids.length + 1);
    for (let i = 0; i < ids.length; i++) offsets[i + 1] = offsets[i] + from[ids[i] + 1] - from[ids[i]];
    const indices = new Uint32Array(offsets[ids.length]);
    const values = allocate(this.precision, offsets[ids.length]);
    const copy = (p: number, to: number, end: number) => {
      // Value by value: most samples have few, for which a view takes longer.
      for (; to < end; p++, to++) {
        indices[to] = features[p];
        values[to] = numbers[p];
      }
    };
    // The first value of each comes first, so that memory fetches several samples at a time: half the time where they lie far apart.
    for (let first = 0; first < ids.length; first += TOGETHER) {
      const last = Math.min(ids.length, first + TOGETHER);
      for (let i = first; i < last; i++) copy(from[ids[i]], offsets[i], Math.min(offsets[i] + 1, offsets[i + 1]));
      for (let i = first; i < last; i++) copy(from[ids[i]] + 1, offsets[i] + 1, offsets[i + 1]);
    }
    return Sparse.trust(ids.length, this.features, offsets, indices, values);
  }

  /** Samples from … to − 1; the values are views, the offsets a copy. */
  slice(from: number, to: number): Sparse {
    const start = this.offsets[from];
    const end = this.offsets[to];
    const offsets = this.offsets.slice(from, to + 1).map((p) => p - start);
    return Sparse.trust(
      to - from,
      this.features,
      offsets,
      this.indices.subarray(start, end),
      this.values.subarray(start, end),
    );
  }

  /** A dense copy. */
  toDense(): Dense {
    const out = Dense.zeros(this.samples, this.features, this.precision);
    for (let i = 0; i < this.samples; i++) {
      const base = i * this.features;
      for (let p = this.offsets[i]; p < this.offsets[i + 1]; p++) out.data[base + this.indices[p]] = this.values[p];
    }
    return out;
  }
}

/** The most values a sample stores. */
export function fullestRow({ offsets, samples }: Sparse): number {
  let most = 0;
  for (let i = 1, start = offsets[0]; i <= samples; i++) {
    const end = offsets[i];
    if (end - start > most) most = end - start;
    start = end;
  }
  return most;
}
