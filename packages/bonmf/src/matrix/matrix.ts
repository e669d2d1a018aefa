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

const MASK = ', or fit with missing: "mask", which counts known values alone';

/**
 * Stops at the first value that is not a finite number; with `signed: false`, also at the first negative one; with `most`,
 * also at the first whose size is above that. With `gaps`, NaN is a missing value and passes.
 */
export function checkValues(
  X: Matrix,
  options: { signed: boolean; featureNames?: readonly string[] | undefined; most?: number; gaps?: boolean },
): void {
  if (X.samples === 0) throw new DataError("empty", "there are no samples: at least one is needed");
  if (X.features === 0) throw new DataError("empty", "the samples have no features: at least one is needed");
  const values = valuesOf(X);
  const { signed, most = Number.MAX_VALUE } = options;
  const least = signed ? -most : 0;
  let p = findOutside(values, least, most, 0);
  while (options.gaps && p >= 0 && Number.isNaN(values[p])) p = findOutside(values, least, most, p + 1);
  if (p < 0) return;
  const value = values[p];
  const place: Place = { ...placeOf(X, p), value };
  place.featureName = options.featureNames?.[place.feature!];
  const [code, why] = !Number.isFinite(value)
    ? [
        "not-finite",
        `values must be finite numbers. Replace or drop it before fitting${Number.isNaN(value) ? MASK : ""}`,
      ]
    : value < 0 && !signed
      ? [
          "negative",
          'the factorisation needs values of 0 or more. Choose a scaler for signed data: scale: "split", "minmax" or "shift"',
        ]
      : ["range", `values beyond ${most.toPrecision(3)} cannot be squared and added up. Correct or drop it`];
  throw new DataError(code, `${describePlace(place)} is ${value}: ${why}`, place);
}

/** The first value from `start` on that is not in least … most, or −1: four at a time, which is twice as fast. */
function findOutside(values: Floats, least: number, most: number, start: number): number {
  let p = start;
  for (; p + 4 <= values.length; p += 4) {
    const v = values[p];
    const w = values[p + 1];
    const x = values[p + 2];
    const y = values[p + 3];
    const within = v >= least && v <= most && w >= least && w <= most;
    if (!(within && x >= least && x <= most && y >= least && y <= most)) break;
  }
  for (; p < values.length; p++) if (!(values[p] >= least && values[p] <= most)) return p;
  return -1;
}

export function placeOf(X: Matrix, p: number): { sample: number; feature: number } {
  if (X.kind === "dense") return { sample: Math.floor(p / X.features), feature: p % X.features };
  let sample = 0;
  while (X.offsets[sample + 1] <= p) sample++;
  return { sample, feature: X.indices[p] };
}

/** All that are stored. */
export function valuesOf(X: Matrix): Floats {
  return X.kind === "dense" ? X.data : X.values;
}

/** How many values are not 0, however they are stored. */
export function countNonZeros(X: Matrix): number {
  const values = valuesOf(X);
  let count = 0;
  for (let p = 0; p < values.length; p++) if (values[p] !== 0) count++;
  return count;
}

/** How many values a row has, on average. */
export function countValues(X: Matrix): number {
  return X.kind === "dense" ? X.features : X.values.length / Math.max(1, X.samples);
}
