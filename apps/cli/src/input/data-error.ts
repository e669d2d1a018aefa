import { DataError } from "bonmf";
import { UserError } from "../errors.js";
import { explainLimits, isLimit } from "../read/word-limits.js";

/** Turns a DataError of the library into one of the command: rows count from 1, and remedies are options. */
export function explainData(error: unknown, source: string): unknown {
  if (!(error instanceof DataError)) return error;
  const { sample, feature, featureName, value } = error.place;
  const column = featureName === undefined ? `feature ${Number(feature) + 1}` : `column ${JSON.stringify(featureName)}`;
  const place = `${source}: sample ${Number(sample) + 1}, ${column} is ${show(value)}`;
  const options = { cause: error };
  if (error.code === "negative" && feature !== undefined) {
    return new UserError(
      `${place}: the factorisation needs values of 0 or more`,
      "add --scale minmax (each feature to 0 … 1), --scale shift (negative features start at 0) or " +
        "--scale split (positive and negative parts apart)",
      options,
    );
  }
  if (error.code === "not-finite" && feature !== undefined) {
    return new UserError(`${place}: values must be finite numbers`, "add --missing zero, mean, mask or drop", options);
  }
  if (isLimit(error)) return explainLimits(error, source);
  if (error.code === "no-value") {
    const what = sample === undefined ? column : `sample ${sample + 1}`;
    const remedy = sample === undefined ? "omit it: --exclude" : "drop the row, or fill it: --missing median";
    return new UserError(`${source}: ${what} has no known value`, remedy, options);
  }
  if (error.code === "range" && value !== undefined) {
    const where = feature === undefined ? `${source}: the largest value is ${show(value)}` : place;
    const size = Math.abs(Number(value)) > 1 ? "large" : "small";
    return new UserError(
      `${where}: too ${size} to be squared and added up`,
      "add --scale exponent (all values times one power of two), or correct the value",
      options,
    );
  }
  return error;
}

/** Seven digits: the precision of 32-bit numbers. */
function show(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toPrecision(7))) : String(value);
}
