import { countMissing, type Size, type TextColumn } from "bonmf-data";
import type { Source, TableSource } from "./source.js";

/** What is to be used of a source; the same words as the command's flags. */
export interface Choice {
  readonly label: string | null;
  readonly id: string | null;
  /** The column whose words become the features. */
  readonly text: string | null;
  readonly exclude: readonly string[];
  readonly oneHot: readonly string[];
  readonly missing: "zero" | "mean" | "drop" | null;
  /** How samples are shown as pictures. */
  readonly image: Size | null;
}

const CLASS_NAMES = /^(class|label|target|species|category|y|outcome|type|kind|folder)$/i;
const FEW = 40;
/** A text this long is prose. */
const PROSE = 25;

/** What most people would choose. */
export function suggestChoice(source: Source): Choice {
  const none = { label: null, id: null, text: null, exclude: [], oneHot: [], missing: null };
  if (source.form === "matrix") {
    const { X, labels } = source.loaded;
    const values = X.kind === "dense" ? X.data : X.values;
    return {
      ...none,
      label: labels ? "label" : null,
      missing: values.some(Number.isNaN) ? "mean" : null,
      image: source.image ?? guessSize(X.features, null),
    };
  }
  const { columns, rows } = source;
  const texts = columns.filter((column): column is TextColumn => column.type === "text");
  const text = texts.find(isProse)?.name ?? null;
  const label = findLabel(source, text);
  const numbers = columns.filter(({ type, name }) => type === "number" && name !== label);
  const prose = text !== null && (numbers.length === 0 || source.kind === "text");
  const id =
    texts.find(({ name, texts }) => name !== label && name !== text && texts.length === rows && rows > 1)?.name ?? null;
  const exclude = texts
    .map(({ name }) => name)
    .filter((name) => name !== label && name !== id && !(prose && name === text));
  const missing = numbers.some((column) => countMissing(column) > 0) ? "mean" : null;
  const names = numbers.map(({ name }) => name);
  return {
    label,
    id,
    text: prose ? text : null,
    exclude,
    oneHot: [],
    missing,
    image: prose ? null : guessSize(names.length, names),
  };
}

function isProse({ texts }: TextColumn): boolean {
  const some = texts.slice(0, 200);
  return some.length > 0 && some.reduce((sum, text) => sum + text.length, 0) / some.length > PROSE;
}

function findLabel({ columns, rows }: TableSource, text: string | null): string | null {
  const named = columns.find(({ name }) => name !== text && CLASS_NAMES.test(name));
  if (named) return named.name;
  const last = columns.at(-1);
  const few = last?.type === "text" && last.name !== text && last.texts.length <= Math.min(FEW, rows / 2);
  return few && columns.length > 1 ? last.name : null;
}

/** Features that are only numbered and make a square are pixels, most likely. */
export function guessSize(features: number, names: readonly string[] | null): Size | null {
  const side = Math.sqrt(features);
  if (!Number.isInteger(side) || side < 7) return null;
  const stems = new Set(names?.map((name) => name.replace(/[\d_x.-]+$/i, "").toLowerCase()) ?? []);
  return names === null || stems.size === 1 ? { width: side, height: side } : null;
}
