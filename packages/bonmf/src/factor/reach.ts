import { DataError } from "../errors.js";
import type { RuleName } from "../kernel/step.js";
import type { Precision } from "../matrix/dense.js";
import { REACH } from "../matrix/magnitude.js";

/** How long a sample of largest values may be. */
export interface Reach {
  readonly least: number;
  readonly most: number;
}

/** Methods square the values, and some of them the squares; distances are squared in the samples' own precision. */
export function reachOf(rule: RuleName, precision: Precision = "f64"): Reach {
  return rule === "distance" && precision === "f32"
    ? { least: 2 ** -50, most: 2 ** 60 }
    : { least: 2 ** -REACH, most: 2 ** REACH };
}

/** Whether samples with this largest |value| must be scaled first. */
export function isOutOfReach(largest: number, features: number, { least, most }: Reach): boolean {
  const length = largest * Math.sqrt(features);
  return length > most || (largest > 0 && length < least);
}

export function checkReach(largest: number, features: number, rule: RuleName, precision?: Precision): void {
  if (!isOutOfReach(largest, features, reachOf(rule, precision))) return;
  const bits = rule === "distance" && precision === "f32" ? "32" : "64";
  const what = largest > 1 ? "too large" : "too small";
  throw new DataError(
    "range",
    `the largest value is ${largest.toPrecision(3)}, ${what} to be squared and added up in ${bits} bits: ` +
      'add scale: "exponent", which multiplies all values by one power of two',
    { value: largest },
  );
}
