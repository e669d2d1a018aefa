import { DataError } from "../errors.js";
import type { Label } from "../measure/labels.js";

/** So many different numbers may be classes: with fractions, and whole ones. */
const MOST = { fractions: 20, whole: 50 };
/** More whole numbers are classes where each has so many samples, on average, */
const ENOUGH = 10;
/** and hundreds where they also number classes: from 0 or 1 on, none left out. */
const HUNDRED = 100;

/** What is known of labels that are numbers. */
export interface NumericLabels {
  readonly distinct: number;
  readonly samples: number;
  /** Whether all are whole. */
  readonly whole: boolean;
  readonly min: number;
  readonly max: number;
}

/**
 * Whether labels that are numbers measure a quantity rather than name classes: more than 20 different numbers with fractions, more
 * than 50 whole ones with fewer than 10 samples each, or more than 100 whole ones that are not 0, 1, 2 … or 1, 2, 3 ….
 *
 * @example
 * ```ts
 * import { isQuantity } from "bonmf";
 * isQuantity({ distinct: 10, samples: 5000, whole: true, min: 0, max: 9 }); // → false
 * isQuantity({ distinct: 346, samples: 442, whole: true, min: 25, max: 346 }); // → true
 * isQuantity({ distinct: 300, samples: 100_000, whole: true, min: 1, max: 300 }); // → false
 * isQuantity({ distinct: 300, samples: 100_000, whole: true, min: 1, max: 2475 }); // → true
 * ```
 */
export function isQuantity({ distinct, samples, whole, min, max }: NumericLabels): boolean {
  if (!whole) return distinct > MOST.fractions;
  const numbered = (min === 0 || min === 1) && max - min === distinct - 1;
  return distinct > MOST.whole && (samples < ENOUGH * distinct || (distinct > HUNDRED && !numbered));
}

/**
 * What {@link isQuantity} asks of labels; null where some are no numbers.
 *
 * @param classes the different labels
 * @param samples how many samples have them
 *
 * @example
 * ```ts
 * import { numericLabels } from "bonmf";
 * numericLabels([3, 1, 2.5], 60); // → { distinct: 3, samples: 60, whole: false, min: 1, max: 3 }
 * numericLabels(["yes", "no"], 60); // → null
 * ```
 */
export function numericLabels(classes: readonly Label[], samples: number): NumericLabels | null {
  const numbers = classes.filter((label) => typeof label === "number");
  if (numbers.length < classes.length) return null;
  const [min, max] = numbers.reduce(
    ([low, high], x) => [Math.min(low, x), Math.max(high, x)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { distinct: classes.length, samples, whole: numbers.every(Number.isInteger), min, max };
}

/** Refuses labels that are measurements. @param classes the different labels */
export function checkClasses(classes: readonly Label[], samples: number): void {
  const numbers = numericLabels(classes, samples);
  if (numbers === null || !isQuantity(numbers)) return;
  const fractional = classes.find((label) => !Number.isInteger(label));
  throw new DataError(
    "continuous",
    `the labels are ${classes.length} different numbers, such as ${classes[0]} and ${fractional ?? classes[1]}: a quantity, not ` +
      "classes. Put them into a few ranges first, or give texts if they do name classes",
  );
}
