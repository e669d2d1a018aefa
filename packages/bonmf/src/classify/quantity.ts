import { DataError } from "../errors.js";
import type { Label } from "../measure/labels.js";

/** So many different numbers may be classes: with fractions, and whole ones. */
const MOST = { fractions: 20, whole: 50 };
/** More whole numbers are classes where each has so many samples, on average. */
const ENOUGH = 10;

/**
 * Whether labels that are numbers measure a quantity rather than name classes: more than 20 different numbers with fractions, or more
 * than 50 whole ones with fewer than 10 samples each.
 *
 * @param labels how many different numbers there are, of how many samples, and whether all are whole
 *
 * @example
 * ```ts
 * import { isQuantity } from "bonmf";
 * isQuantity({ distinct: 10, samples: 5000, whole: true }); // → false
 * isQuantity({ distinct: 346, samples: 442, whole: true }); // → true
 * ```
 */
export function isQuantity(labels: { distinct: number; samples: number; whole: boolean }): boolean {
  const { distinct, samples, whole } = labels;
  return whole ? distinct > MOST.whole && samples < ENOUGH * distinct : distinct > MOST.fractions;
}

/** Refuses labels that are measurements. @param classes the different labels */
export function checkClasses(classes: readonly Label[], samples: number): void {
  if (!classes.every((label) => typeof label === "number")) return;
  const fractional = classes.find((label) => !Number.isInteger(label));
  if (!isQuantity({ distinct: classes.length, samples, whole: fractional === undefined })) return;
  throw new DataError(
    "continuous",
    `the labels are ${classes.length} different numbers, such as ${classes[0]} and ${fractional ?? classes[1]}: a quantity, not ` +
      "classes. Put them into a few ranges first, or give texts if they do name classes",
  );
}
