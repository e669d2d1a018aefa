import { isQuantity, numericLabels } from "bonmf";
import type { Label, TableOptions } from "./data.js";
import type { Kind } from "./kinds.js";
import { isCounterName, isIdName, isLabelName } from "./names.js";

/** What a column holds: dates are texts or times, lists whatever has parts of its own. */
export type ColumnType = "number" | "boolean" | "text" | "date" | "list";

/** A value as it is written, and how many rows have it. */
export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** How the numbers of a text column are written. */
export interface NumberSpelling {
  /** The decimal mark; thousands may be separated by the other mark, a space or an apostrophe. */
  readonly decimal: "." | ",";
  /** The share of values, of those that are there, that are numbers if read so. */
  readonly share: number;
  /** The share of plain numbers, without separators and with a decimal point. */
  readonly plain: number;
  /** Whether some have leading zeros, as codes have: 007. */
  readonly codes: boolean;
  /** A value that is no number. */
  readonly strange: string | null;
}

/**
 * What a plan knows of a column. Null says that nobody has looked: the plan takes the column for one of plain numbers
 * that differ, and who carries it out must stop at what is otherwise.
 */
export interface ColumnSummary {
  readonly name: string;
  readonly type: ColumnType;
  readonly rows: number | null;
  readonly missing: number | null;
  /** Different values, without missing ones. */
  readonly distinct: number | null;
  /** All values, the commonest first; null where there are more than MOST_VALUES. */
  readonly common: readonly ValueCount[] | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** The lower of the two in the middle, so that it is one of the values. */
  readonly median: number | null;
  /** Whether all numbers are whole. */
  readonly whole: boolean | null;
  /** Characters and words of a text, on average. */
  readonly length: number | null;
  readonly words: number | null;
  /** Of a text column. */
  readonly numbers: NumberSpelling | null;
  readonly examples: readonly string[];
}

/** What a file says itself of its columns, as the header of ARFF does. */
export interface Declared {
  readonly types: ReadonlyMap<string, "category" | "date">;
  /** The column that holds the classes by convention, where none is called so. */
  readonly label?: string;
}

/** A table as a plan sees it. */
export interface TableSummary {
  readonly kind: Kind;
  /** For messages. */
  readonly name: string;
  readonly columns: readonly ColumnSummary[];
  readonly declared?: Declared | undefined;
}

/** Columns with more different values than this are not listed. */
export const MOST_VALUES = 1000;
/** Values that are kept to be shown. */
export const EXAMPLES = 3;
/** What most of a column is, so that the rest may be mistakes. */
export const MOSTLY = 0.95;

/** A column that nobody has looked at. */
export function blankSummary(name: string, type: ColumnType): ColumnSummary {
  return {
    name,
    type,
    rows: null,
    missing: null,
    distinct: null,
    common: null,
    min: null,
    max: null,
    mean: null,
    median: null,
    whole: null,
    length: null,
    words: null,
    numbers: null,
    examples: [],
  };
}

/** Whether a name is that of a label, an id or a row number, so that the values decide what a column of numbers is. */
export function isTelling(name: string): boolean {
  return isLabelName(name) || isIdName(name) || isCounterName(name);
}

/** Columns whose values are counted: those with telling names and those the user speaks of. */
export function isCounted(name: string, { label, oneHot }: TableOptions): boolean {
  return name === label || (Array.isArray(oneHot) && oneHot.includes(name)) || isTelling(name);
}

/** Whether texts are numbers, but for a few. */
export function isSpelled({ numbers }: ColumnSummary): boolean {
  return numbers !== null && !numbers.codes && numbers.share >= MOSTLY;
}

/** The columns whose values decide a plan. The others are plain numbers by their type. */
export function findDoubtful(
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
  options: TableOptions,
): string[] {
  const { label, id, weight, features, exclude, oneHot, numbers, missing, strict, like } = options;
  const beside = new Set([id, weight, ...(exclude ?? [])]);
  const wanted = features && new Set(features);
  const averages = missing === "mean" || missing === "median";
  const known = new Set(Object.keys(like?.recipe.categories ?? {}));
  const fitted = like?.features && new Set(like.features);
  return columns
    .filter(({ name, type }) => {
      const plain = type === "number" || type === "boolean";
      if (name === label || beside.has(name)) return false;
      if (like) return !known.has(name) && (fitted?.has(name) ?? true) && (!plain || averages);
      if (Array.isArray(oneHot) && oneHot.includes(name)) return true;
      if (wanted && !wanted.has(name)) return !strict && isTelling(name);
      if (wanted || numbers?.includes(name) || strict) return !plain || averages;
      return !plain || averages || isTelling(name);
    })
    .map(({ name }) => name);
}

/** Classes that were read as a column; for labels that no summary was made of. */
export function summarizeLabels(name: string, labels: readonly Label[]): ColumnSummary {
  const different = [...new Set(labels)];
  const numbers = numericLabels(different, labels.length);
  return {
    ...blankSummary(name, numbers ? "number" : "text"),
    ...{ rows: labels.length, missing: 0, distinct: different.length },
    ...(numbers && { whole: numbers.whole, min: numbers.min, max: numbers.max }),
  };
}

/** A label column of numbers that are measured, not classes. */
export function isMeasured({ type, distinct, whole, rows, missing, min, max }: ColumnSummary): boolean {
  if (type !== "number" || distinct === null || rows === null) return false;
  return isQuantity({
    ...{ distinct, samples: rows - (missing ?? 0), whole: whole !== false },
    ...{ min: min ?? Number.NaN, max: max ?? Number.NaN },
  });
}
