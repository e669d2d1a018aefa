import type { TableOptions } from "./data.js";
import { listNames } from "./labels.js";

/** What became of values while rows were read. */
export interface RowCounts {
  readonly filled: number;
  readonly dropped: number;
  /** Values of one-hot columns that have no feature. */
  readonly unknown: ReadonlyMap<string, ReadonlySet<string>>;
}

/** @param constant columns that have one value throughout */
export function noteConstant(constant: readonly string[], samples: number, { like }: TableOptions): string[] {
  if (like || samples === 1 || constant.length === 0) return [];
  const what = constant.length === 1 ? "1 feature is" : `${constant.length} features are`;
  return [`${what} the same in every sample: ${listNames(constant)}`];
}

/** A plan that fills by itself has said so. */
export function noteRows({ filled, dropped, unknown }: RowCounts, { missing, like }: TableOptions): string[] {
  const notes: string[] = [];
  if (filled > 0 && missing === "mask") {
    notes.push(filled === 1 ? "1 value is missing" : `${filled} values are missing`);
  } else if (filled > 0 && (missing !== undefined || like)) {
    const [values, their] = filled === 1 ? ["1 missing value was", "its"] : [`${filled} missing values were`, "their"];
    const what = describeFill(missing, their);
    notes.push(`${values} set to ${what}`);
  }
  if (dropped === 1) notes.push("1 sample with missing values was dropped");
  if (dropped > 1) notes.push(`${dropped} samples with missing values were dropped`);
  for (const [column, values] of unknown) {
    notes.push(
      `column ${JSON.stringify(column)} has values without a feature, which count as none: ${listNames([...values])}`,
    );
  }
  return notes;
}

function describeFill(missing: TableOptions["missing"], their: string): string {
  if (missing === "zero") return "0";
  return missing === "mean" || missing === "median" ? `the ${missing} of ${their} feature` : "what the model says";
}
