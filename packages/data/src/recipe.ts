import type { Size } from "./data.js";
import { KINDS, type Kind } from "./kinds.js";

/** Everything needed to read further samples into the same features; kept in the model file's tag "recipe". */
export interface Recipe {
  readonly kind: Kind;
  /** One-hot columns: column → its values in the order of their features. */
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  /** Columns of numbers that are read from texts: column → decimal mark. */
  readonly decimals?: Readonly<Record<string, "." | ",">>;
  /** What stands in for missing values, by column: a number, or one of its categories. */
  readonly fills?: Readonly<Record<string, number | string>>;
  /** What stands in for a missing value of columns that missed none when this was written. */
  readonly typical?: Readonly<Record<string, number | string>>;
  /** Columns that are no features: classes, names and weights of the rows. */
  readonly label?: string;
  readonly id?: string;
  readonly weight?: string;
  /** Columns that were not read: column → why. */
  readonly leftOut?: Readonly<Record<string, string>>;
  readonly image?: Size;
  readonly text?: TextOptions;
  /** LIBSVM: indices count from 0. */
  readonly zeroBased?: boolean;
  /** What the columns of counts are called, in their order: the model may know fewer of them, in another order. */
  readonly words?: readonly string[];
}

/** How words were counted. */
export interface TextOptions {
  /** The column that holds the text, for tables. */
  readonly column?: string;
  readonly stopWords: boolean;
  readonly minDocuments: number;
  readonly maxShare: number;
  readonly maxWords: number;
  /** The language whose stop words were left out, as in "de". */
  readonly language?: string;
  /** Phrases have up to so many words. */
  readonly longest?: number;
  /** The column with vectors of the texts. */
  readonly vectors?: string;
  /** Which dictionary divided words that do not end at spaces, see `describeSegmenter`. */
  readonly segmenter?: string;
  /** Words with the same stem were counted as one. */
  readonly stem?: StemOptions;
}

/** How words were stemmed. */
export interface StemOptions {
  /** The language of the stemmer, as in "de". */
  readonly language: string;
  /** The package and its version. */
  readonly stemmer: string;
  /** Stop words that are not stemmed, though another word has their stem. */
  readonly apart: readonly string[];
}

/**
 * For each feature a number, the same for the values of one category, so that they can be scaled to weigh as one number
 * does; null where there are no categories.
 */
export function groupFeatures(features: readonly string[] | null, { categories }: Recipe): number[] | null {
  if (features === null || categories === undefined) return null;
  const origin = new Map<string, string>();
  for (const [column, values] of Object.entries(categories)) {
    for (const value of values) origin.set(`${column}=${value}`, column);
  }
  const groups = new Map<string, number>();
  let next = 0;
  return features.map((feature) => {
    const column = origin.get(feature);
    if (column === undefined) return next++;
    const group = groups.get(column) ?? next++;
    groups.set(column, group);
    return group;
  });
}

/** How a table became numbers, for programs: the same fields for every table. */
export interface PlanRecord extends Required<Pick<Recipe, "categories" | "decimals" | "fills" | "leftOut">> {
  readonly label: string | null;
  readonly id: string | null;
  readonly weight: string | null;
  /** The column whose words are the features. */
  readonly text: string | null;
}

/** What a recipe says of the columns of a table. */
export function describePlan(recipe: Recipe): PlanRecord {
  const { label = null, id = null, weight = null, text } = recipe;
  const { categories = {}, decimals = {}, fills = {}, leftOut = {} } = recipe;
  return { label, id, weight, text: text?.column ?? null, categories, decimals, fills, leftOut };
}

/** As JSON, for the model file. */
export function writeRecipe(recipe: Recipe): string {
  return JSON.stringify(recipe);
}

/** Reads what writeRecipe wrote; fields it does not know are kept. Undefined where the text is no recipe. */
export function readRecipe(text: string): Recipe | undefined {
  try {
    const recipe: unknown = JSON.parse(text);
    return isRecipe(recipe) ? recipe : undefined;
  } catch {
    return undefined;
  }
}

function isRecipe(value: unknown): value is Recipe {
  if (!isRecord(value) || !KINDS.some((kind) => kind === value.kind)) return false;
  const { categories, decimals, fills, typical, label, id, weight, leftOut, image, text, zeroBased, words } = value;
  return (
    isOptional(categories, (all) => isRecordOf(all, isTexts)) &&
    isOptional(decimals, (all) => isRecordOf(all, (mark) => mark === "." || mark === ",")) &&
    [fills, typical].every((some) => isOptional(some, (all) => isRecordOf(all, isFill))) &&
    [label, id, weight].every((column) => isOptional(column, isText)) &&
    isOptional(leftOut, (all) => isRecordOf(all, isText)) &&
    isOptional(image, (size) => isRecord(size) && isCount(size.width) && isCount(size.height)) &&
    isOptional(text, isTextOptions) &&
    isOptional(zeroBased, isFlag) &&
    isOptional(words, isTexts)
  );
}

function isTextOptions(value: unknown): boolean {
  return (
    isRecord(value) &&
    isOptional(value.column, isText) &&
    isFlag(value.stopWords) &&
    isNumber(value.minDocuments) &&
    isNumber(value.maxShare) &&
    isNumber(value.maxWords) &&
    isOptional(value.language, isText) &&
    isOptional(value.longest, isNumber) &&
    isOptional(value.vectors, isText) &&
    isOptional(value.segmenter, isText) &&
    isOptional(value.stem, isStemOptions)
  );
}

function isStemOptions(value: unknown): boolean {
  return isRecord(value) && isText(value.language) && isText(value.stemmer) && isTexts(value.apart);
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRecordOf(value: unknown, is: (value: unknown) => boolean): boolean {
  return isRecord(value) && Object.values(value).every(is);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFill(value: unknown): boolean {
  return isNumber(value) || isText(value);
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return isNumber(value) && Number.isInteger(value) && Number(value) > 0;
}
