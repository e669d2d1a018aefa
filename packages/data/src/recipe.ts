import type { Size } from "./data.js";
import { KINDS, type Kind } from "./kinds.js";

/** Everything needed to read further samples into the same features; kept in the model file's tag "recipe". */
export interface Recipe {
  readonly kind: Kind;
  /** One-hot columns: column → its values in the order of their features. */
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  /** What stands in for missing values, by column. */
  readonly fills?: Readonly<Record<string, number>>;
  readonly image?: Size;
  readonly text?: TextOptions;
  /** LIBSVM: indices count from 0. */
  readonly zeroBased?: boolean;
}

/** How words were counted. */
export interface TextOptions {
  /** The column that holds the text, for tables. */
  readonly column?: string;
  readonly stopWords: boolean;
  readonly minDocuments: number;
  readonly maxShare: number;
  readonly maxWords: number;
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
  const { categories, fills, image, text, zeroBased } = value;
  return (
    isOptional(categories, (all) => isRecordOf(all, isTexts)) &&
    isOptional(fills, (all) => isRecordOf(all, isNumber)) &&
    isOptional(image, (size) => isRecord(size) && isCount(size.width) && isCount(size.height)) &&
    isOptional(text, isTextOptions) &&
    isOptional(zeroBased, isFlag)
  );
}

function isTextOptions(value: unknown): boolean {
  return (
    isRecord(value) &&
    isOptional(value.column, (column) => typeof column === "string") &&
    isFlag(value.stopWords) &&
    isNumber(value.minDocuments) &&
    isNumber(value.maxShare) &&
    isNumber(value.maxWords)
  );
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
  return Array.isArray(value) && value.every((text) => typeof text === "string");
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
