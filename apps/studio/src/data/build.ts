import { countWords, Dense } from "bonmf";
import type { Choice } from "./choice.js";
import { type Column, NONE, type NumberColumn, type TextColumn, textAt } from "./column.js";
import { type Kind, type Label, type Samples, type Size, type Source, type TableSource, toLabels } from "./source.js";

/** Samples ready to be fitted; `recipe` is the command's, so that it can read more. */
export interface Data extends Samples {
  readonly texts: readonly string[] | null;
  readonly recipe: Recipe;
  readonly notes: readonly string[];
}

/** How samples came to be numbers, as the command keeps it in model files. */
export interface Recipe {
  readonly kind: Kind;
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  readonly fills?: Readonly<Record<string, number>>;
  readonly image?: Size;
  readonly text?: Readonly<Record<string, string | number | boolean>>;
  readonly zeroBased?: boolean;
}

const FEW_TEXTS = 20;
const MOST_CATEGORIES = 1000;

export function buildData(source: Source, choice: Choice): Data {
  if (source.form === "table") return choice.text === null ? buildTable(source, choice) : buildText(source, choice);
  const { name, kind, X, features, ids, zeroBased } = source;
  const image = choice.image && choice.image.width * choice.image.height === X.features ? choice.image : null;
  return {
    name,
    kind,
    X,
    features,
    labels: choice.label === null ? null : source.labels,
    ids,
    texts: null,
    image,
    recipe: {
      kind,
      ...(source.image && { image: source.image }),
      ...(zeroBased !== undefined && { zeroBased }),
    },
    notes: [],
  };
}

function buildText(source: TableSource, choice: Choice): Data {
  const column = findColumn(source, choice.text ?? "");
  const texts = Array.from({ length: source.rows }, (_, i) => textAt(column, i));
  const limits = {
    stopWords: true,
    minDocuments: texts.length < FEW_TEXTS ? 1 : 2,
    maxShare: 0.5,
    maxWords: 20_000,
  };
  const { X, words } = countWords(texts, limits);
  const plain = source.kind === "text" && source.columns.length === 1;
  return {
    name: source.name,
    kind: source.kind,
    X,
    features: words,
    labels: labelsOf(source, choice.label, null),
    ids: namesOf(source, choice.id, null),
    texts,
    image: null,
    recipe: { kind: "text", text: { ...limits, ...(!plain && { column: column.name }) } },
    notes: [],
  };
}

interface Part {
  readonly column: Column;
  /** One feature for each of these, where the column is spread. */
  readonly values: readonly string[] | null;
}

function buildTable(source: TableSource, choice: Choice): Data {
  const parts = chooseParts(source, choice);
  const features = parts.flatMap(
    ({ column, values }) => values?.map((value) => `${column.name}=${value}`) ?? column.name,
  );
  if (features.length === 0) throw new Error("no column is left to be a feature: choose one that holds numbers");
  const notes: string[] = [];
  const kept = choice.missing === "drop" ? keepWhole(source, parts, choice.label) : null;
  if (kept && kept.length < source.rows) {
    notes.push(`${(source.rows - kept.length).toLocaleString("en")} samples with missing values were left out`);
  }
  if (kept?.length === 0) throw new Error("every sample has a missing value: fill them instead");
  const fills = choice.missing === "drop" ? undefined : findFills(parts, choice.missing);
  const X = fill(parts, features.length, kept ?? source.rows, fills);
  const categories = Object.fromEntries(parts.flatMap(({ column, values }) => (values ? [[column.name, values]] : [])));
  const image = choice.image && choice.image.width * choice.image.height === features.length ? choice.image : null;
  return {
    name: source.name,
    kind: source.kind,
    X,
    features,
    labels: labelsOf(source, choice.label, kept),
    ids: namesOf(source, choice.id, kept),
    texts: null,
    image,
    recipe: {
      kind: source.kind,
      ...(choice.oneHot.length > 0 && { categories }),
      ...(fills && choice.missing !== null && { fills }),
    },
    notes,
  };
}

function chooseParts({ columns }: TableSource, { label, id, exclude, oneHot }: Choice): Part[] {
  const reserved = new Set([label, id, ...exclude]);
  return columns
    .filter(({ name, type }) => !reserved.has(name) && (type === "number" || oneHot.includes(name)))
    .map((column) => ({ column, values: oneHot.includes(column.name) ? listValues(column) : null }));
}

/** The values of a column, numbers by size and texts by code unit. */
function listValues(column: Column): string[] {
  const found =
    column.type === "text"
      ? [...column.texts]
      : [...new Set(column.numbers)].filter((value) => !Number.isNaN(value)).map(String);
  if (found.length > MOST_CATEGORIES) {
    throw new Error(`"${column.name}" has ${found.length} different values, too many for one feature each`);
  }
  const numbers = found.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
  return found.sort(numbers ? (a, b) => Number(a) - Number(b) : (a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function isHole(column: Column, row: number): boolean {
  return column.type === "text" ? column.codes[row] === NONE : Number.isNaN(column.numbers[row]);
}

function keepWhole(source: TableSource, parts: readonly Part[], label: string | null): Uint32Array {
  const looked = parts.map(({ column }) => column);
  if (label !== null) looked.push(findColumn(source, label));
  const kept = new Uint32Array(source.rows);
  let count = 0;
  for (let i = 0; i < source.rows; i++) if (!looked.some((column) => isHole(column, i))) kept[count++] = i;
  return kept.slice(0, count);
}

function findFills(parts: readonly Part[], missing: "zero" | "mean" | null): Record<string, number> {
  const fills: Record<string, number> = {};
  for (const { column, values } of parts) {
    if (column.type === "text" || values || missing === null) continue;
    fills[column.name] = missing === "zero" ? 0 : meanOf(column);
  }
  return fills;
}

function meanOf({ numbers }: NumberColumn): number {
  let sum = 0;
  let count = 0;
  for (const value of numbers) {
    if (!Number.isFinite(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}

function fill(
  parts: readonly Part[],
  m: number,
  rows: Uint32Array | number,
  fills: Readonly<Record<string, number>> | undefined,
): Dense {
  const n = typeof rows === "number" ? rows : rows.length;
  const data = new Float32Array(n * m);
  let at = 0;
  for (const { column, values } of parts) {
    const place = values && placesOf(column, values);
    for (let i = 0; i < n; i++) {
      const row = typeof rows === "number" ? i : rows[i];
      if (place) {
        const found = place(row);
        if (found >= 0) data[i * m + at + found] = 1;
        continue;
      }
      const value = (column as NumberColumn).numbers[row];
      data[i * m + at] = Number.isNaN(value) ? (fills?.[column.name] ?? refuse(column.name, row)) : value;
    }
    at += values?.length ?? 1;
  }
  return new Dense(n, m, data);
}

function refuse(name: string, row: number): never {
  throw new Error(`the value of "${name}" in row ${row + 1} is missing: choose what to do with missing values`);
}

function placesOf(column: Column, values: readonly string[]): (row: number) => number {
  const places = new Map(values.map((value, v) => [value, v]));
  if (column.type === "number") return (row) => places.get(String(column.numbers[row])) ?? -1;
  const byCode = (column as TextColumn).texts.map((text) => places.get(text) ?? -1);
  return (row) => byCode[column.codes[row]] ?? -1;
}

function findColumn({ columns, name }: TableSource, wanted: string): Column {
  const column = columns.find((column) => column.name === wanted);
  if (!column) throw new Error(`${name} has no column "${wanted}"`);
  return column;
}

function namesOf(source: TableSource, name: string | null, kept: Uint32Array | null): Label[] | null {
  if (name === null) return null;
  const column = findColumn(source, name);
  const rows = kept ?? Uint32Array.from({ length: source.rows }, (_, i) => i);
  if (column.type === "number") return Array.from(rows, (i) => column.numbers[i]);
  return Array.from(rows, (i) => textAt(column, i));
}

/** A label must be there for every sample. */
function labelsOf(source: TableSource, name: string | null, kept: Uint32Array | null): Label[] | null {
  const labels = namesOf(source, name, kept);
  if (!labels) return null;
  const hole = labels.findIndex((label) => label === "" || Number.isNaN(label));
  if (hole >= 0) {
    throw new Error(`the label of row ${(kept?.[hole] ?? hole) + 1} is missing: leave samples with missing values out`);
  }
  return labels.every((label) => typeof label === "number") ? labels : toLabels(labels.map(String));
}
