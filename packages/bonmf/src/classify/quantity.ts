import { DataError } from "../errors.js";
import type { Label } from "../measure/labels.js";

/** The fewest different numbers that may be a continuous quantity. */
const CONTINUOUS = 200;

/** Refuses labels that are measurements rather than classes. */
export function checkClasses(classes: readonly Label[], samples: number): void {
  if (classes.length < CONTINUOUS || !classes.every((label) => typeof label === "number")) return;
  const fractional = classes.find((label) => !Number.isInteger(label));
  if (fractional === undefined && classes.length * 3 < samples) return;
  throw new DataError(
    "continuous",
    `the labels are ${classes.length} different numbers, such as ${classes[0]} and ${fractional ?? classes[1]}: a quantity, not ` +
      "classes. Put them into a few ranges first, or give texts if they do name classes",
  );
}
