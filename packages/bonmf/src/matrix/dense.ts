import { DataError, describePlace, OptionError, quote } from "../errors.js";

/** 32-bit (default) or 64-bit floating-point numbers. */
export type Precision = "f32" | "f64";
/** An array of 32-bit or 64-bit floating-point numbers. */
export type Floats = Float32Array | Float64Array;

export function allocate(precision: Precision, length: number): Floats {
  return precision === "f64" ? new Float64Array(length) : new Float32Array(length);
}

export function precisionOf(data: Floats): Precision {
  return data instanceof Float64Array ? "f64" : "f32";
}

/**
 * A dense matrix: n samples as rows of m features, row-major in one typed array. (The paper's X is m × n: its columns are
 * these rows.) The array is not copied.
 *
 * @example
 * ```ts
 * import { Dense } from "bonmf";
 * const X = new Dense(2, 3, Float32Array.of(5, 0, 1, 0, 3, 3));
 * X.row(1); // → [0, 3, 3]
 * X.at(0, 2); // → 1
 * Dense.from([[5, 0, 1], [0, 3, 3]]).data; // → [5, 0, 1, 0, 3, 3]
 * ```
 */
export class Dense {
  /** Bundlers may rename the class; error messages use this name. @internal */
  static readonly name = "Dense";
  /** Tells `Dense` from `Sparse`. */
  readonly kind = "dense";
  /** n, the number of samples (rows here, columns of X in the paper). */
  readonly samples: number;
  /** m, the number of features. */
  readonly features: number;
  /** n × m values; sample i is `data.subarray(i * m, (i + 1) * m)`. */
  readonly data: Floats;

  /**
   * @param samples n
   * @param features m
   * @param data n × m values, which are not copied
   * @throws DataError when the array has another length, OptionError for a bad size or another type of array
   */
  constructor(samples: number, features: number, data: Floats) {
    checkSize("samples", samples);
    checkSize("features", features);
    if (!(data instanceof Float32Array) && !(data instanceof Float64Array)) {
      throw new OptionError("data", data, `dense data must be a Float32Array or Float64Array, not ${quote(data)}`);
    }
    if (data.length !== samples * features) {
      throw new DataError(
        "shape",
        `${samples} samples × ${features} features need ${samples * features} values, but the array holds ${data.length}`,
      );
    }
    this.samples = samples;
    this.features = features;
    this.data = data;
  }

  /** A matrix of zeros, n × m. */
  static zeros(samples: number, features: number, precision: Precision = "f32"): Dense {
    checkSize("samples", samples);
    checkSize("features", features);
    return new Dense(samples, features, allocate(precision, samples * features));
  }

  /**
   * Copies nested arrays, or an array of typed arrays: one inner array per sample.
   *
   * @param rows n arrays of m numbers
   * @throws DataError when rows differ in length or an entry is not a number
   */
  static from(rows: ArrayLike<ArrayLike<number>>, precision: Precision = "f32"): Dense {
    const samples = rows.length;
    const features = rows[0]?.length ?? 0;
    const data = allocate(precision, samples * features);
    for (let i = 0; i < samples; i++) {
      const row = rows[i];
      if (row == null || row.length !== features) {
        throw new DataError(
          "ragged",
          `sample ${i} has ${row?.length ?? 0} values but sample 0 has ${features}: every sample needs the same features`,
          { sample: i, value: row?.length },
        );
      }
      for (let f = 0; f < features; f++) {
        const value = row[f];
        if (typeof value !== "number") {
          const place = { sample: i, feature: f, value };
          throw new DataError("type", `${describePlace(place)} is ${quote(value)}, not a number`, place);
        }
        data[i * features + f] = value;
      }
    }
    return new Dense(samples, features, data);
  }

  /** Whether the values have 32 or 64 bits. */
  get precision(): Precision {
    return precisionOf(this.data);
  }

  /** The value of one feature of one sample. */
  at(sample: number, feature: number): number {
    return this.data[sample * this.features + feature];
  }

  /** The values of a sample: a view, not a copy. */
  row(sample: number): Floats {
    return this.data.subarray(sample * this.features, (sample + 1) * this.features);
  }

  /** Calls `visit` for every value of a sample, features rising. */
  each(sample: number, visit: (feature: number, value: number) => void): void {
    const { data, features } = this;
    for (let f = 0, p = sample * features; f < features; f++, p++) visit(f, data[p]);
  }

  /** A copy of the named samples, in that order. */
  take(ids: ArrayLike<number>): Dense {
    const out = Dense.zeros(ids.length, this.features, this.precision);
    for (let i = 0; i < ids.length; i++) out.data.set(this.row(ids[i]), i * this.features);
    return out;
  }

  /** Samples from … to − 1: a view, not a copy. */
  slice(from: number, to: number): Dense {
    return new Dense(to - from, this.features, this.data.subarray(from * this.features, to * this.features));
  }

  /** The matrix itself. */
  toDense(): Dense {
    return this;
  }
}

export function checkSize(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 0) {
    throw new OptionError(name, value, `${name} must be a whole number, 0 or more, not ${quote(value)}`);
  }
}
