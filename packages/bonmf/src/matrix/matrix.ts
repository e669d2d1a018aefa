import { DataError, describePlace, OptionError, type Place, quote } from "../errors.js";
import { Dense, type Floats, type Precision } from "./dense.js";
import { Sparse } from "./sparse.js";

/** Samples × features, dense or sparse. Both have the same methods to read values. */
export type Matrix = Dense | Sparse;

/** Samples as the functions of this library take them: a matrix, or nested arrays with one inner array per sample. */
export type Samples = Matrix | ArrayLike<ArrayLike<number>>;

/** Converts samples to a matrix. Nested arrays are copied, matrices are not. */
export function toMatrix(X: Samples, precision: Precision = "f32"): Matrix {
  if (X instanceof Dense || X instanceof Sparse) return X;
  if (X == null || typeof X !== "object" || typeof X.length !== "number") {
    throw new OptionError("X", X, `samples must be a Dense or Sparse matrix or an array of arrays, not ${quote(X)}`);
  }
  if (X.length > 0 && (X[0] == null || typeof X[0] !== "object" || typeof X[0].length !== "number")) {
    throw new OptionError(
      "X",
      X[0],
      `samples must be an array with one array of numbers per sample, but entry 0 is ${quote(X[0])}; ` +
        "wrap a flat typed array as new Dense(samples, features, array)",
    );
  }
  return Dense.from(X, precision);
}

/** Stops at the first value that is not a finite number; with `signed: false`, also at the first negative one. */
export function checkValues(
  X: Matrix,
  options: { signed: boolean; featureNames?: readonly string[] | undefined },
): void {
  if (X.samples === 0) throw new DataError("empty", "there are no samples: at least one is needed");
  if (X.features === 0) throw new DataError("empty", "the samples have no features: at least one is needed");
  const values = X.kind === "dense" ? X.data : X.values;
  if (areFine(values, options.signed)) return;
  const least = options.signed ? Number.NEGATIVE_INFINITY : 0;
  for (let p = 0; p < values.length; p++) {
    const value = values[p];
    if (value >= least && value - value === 0) continue;
    const place: Place = { ...placeOf(X, p), value };
    place.featureName = options.featureNames?.[place.feature!];
    const negative = value < 0 && value - value === 0;
    throw new DataError(
      negative ? "negative" : "not-finite",
      `${describePlace(place)} is ${value}: ` +
        (negative
          ? 'the factorisation needs values of 0 or more. Choose a scaler for signed data: scale: "split", "minmax" or "shift"'
          : "values must be finite numbers. Replace or drop it before fitting"),
      place,
    );
  }
}

/** Whether all values are finite, and 0 or more unless they may be signed: four at a time, which is twice as fast. */
function areFine(values: Floats, signed: boolean): boolean {
  const whole = values.length - (values.length % 4);
  // A value less itself is 0, or else it is not finite.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let negative = false;
  for (let p = 0; p < whole; p += 4) {
    const v = values[p];
    const w = values[p + 1];
    const x = values[p + 2];
    const y = values[p + 3];
    a += v - v;
    b += w - w;
    c += x - x;
    d += y - y;
    if (v < 0 || w < 0 || x < 0 || y < 0) negative = true;
  }
  for (let p = whole; p < values.length; p++) {
    a += values[p] - values[p];
    if (values[p] < 0) negative = true;
  }
  return a + b + c + d === 0 && (signed || !negative);
}

function placeOf(X: Matrix, p: number): { sample: number; feature: number } {
  if (X.kind === "dense") return { sample: Math.floor(p / X.features), feature: p % X.features };
  let sample = 0;
  while (X.offsets[sample + 1] <= p) sample++;
  return { sample, feature: X.indices[p] };
}
