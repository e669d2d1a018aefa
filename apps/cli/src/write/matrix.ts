import { type Matrix, writeLibsvm, writeNpy } from "bonmf";
import { UserError } from "../errors.js";
import { orAbort, pause } from "../pause.js";
import type { Data } from "../read/data.js";
import { writeWhole } from "./file.js";
import type { Format, TableFormat } from "./format.js";
import { formatDouble, formatFloat } from "./number.js";
import { requireSpace } from "./space.js";
import { type Column, openTable, type TextOptions, typeOf, type Value } from "./table.js";
import { openText } from "./text.js";

/** Names of the columns that are not features. */
export interface Names {
  readonly id: string;
  readonly label: string;
  readonly weight: string;
}

/** How samples are written; `signal` and `onProgress` are for those who wait. */
export interface WriteOptions extends TextOptions {
  readonly names: Names;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((rows: number, total: number) => void) | undefined;
}

const PART = 1024;
// A table has a cell for every zero: 100 million cells are about 200 MB of CSV, and most readers fail at thousands of columns.
const MOST_CELLS = 1e8;

/** Writes samples; returns what the format cannot hold. */
export async function writeData(path: string, data: Data, format: Format, options: WriteOptions): Promise<string[]> {
  const { X, labels, ids, weights, features } = data;
  await requireSpace(path, leastBytes(X, path, format));
  const extra = [...(ids ? ["ids"] : []), ...(weights ? ["weights"] : [])];
  const named = features ? ["names of the features"] : [];
  switch (format) {
    case "libsvm":
      await writeLines(path, libsvmLines(data), options, X.samples);
      return [...named, ...extra];
    case "mtx":
      await writeLines(path, marketLines(X), options, X.kind === "sparse" ? X.samples : X.features);
      return [...named, ...(labels ? ["labels"] : []), ...extra];
    case "npy":
      checkDense(path, X);
      await writeWhole(path, writeNpy(X.toDense()));
      return [...named, ...(labels ? ["labels"] : []), ...extra];
    default:
      checkDense(path, X);
      await writeTable(path, data, format, options);
      return [];
  }
}

/** What a file takes at least: of text a digit and a mark for each value; nothing is known of compressed ones. */
function leastBytes(X: Matrix, path: string, format: Format): number {
  if (format === "parquet" || /\.gz$/i.test(path)) return 0;
  const cells = X.samples * X.features;
  if (format === "npy" || format === "arrow") return (X.precision === "f64" ? 8 : 4) * cells;
  if (format === "mtx" || format === "libsvm") return X.kind === "sparse" ? 4 * X.values.length : 0;
  return 2 * cells;
}

async function writeTable(path: string, data: Data, format: TableFormat, options: WriteOptions): Promise<void> {
  const { samples } = data.X;
  const fields = toFields(data, options.names);
  const columns = fields.map((field) => field.column);
  const table = await openTable(path, columns, format, null, options);
  try {
    for (let from = 0; from < samples; from += PART) {
      await pause(options.signal);
      const to = Math.min(from + PART, samples);
      await table.write(rowsOf(data.X, fields, from, to));
      options.onProgress?.(to, samples);
    }
    await orAbort(table.commit(), options.signal, 0);
  } catch (error) {
    await table.discard();
    throw error;
  }
}

/** A column, and its values: a feature of X, or a list. */
interface Field {
  readonly column: Column;
  readonly values: number | ArrayLike<Value>;
}

function toFields({ X, features, ids, labels, weights }: Data, names: Names): Field[] {
  const type = X.precision === "f64" ? "double" : "float";
  const fields: Field[] = Array.from({ length: X.features }, (_, f) => ({
    column: { name: features?.[f] ?? `f${f + 1}`, type },
    values: f,
  }));
  const taken = new Set(fields.map((field) => field.column.name));
  const field = (name: string, values: readonly Value[] | Float64Array): Field => {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
    taken.add(free);
    return { column: { name: free, type: typeOf(values) }, values };
  };
  if (ids) fields.unshift(field(names.id, ids));
  if (weights) fields.push(field(names.weight, weights));
  if (labels) fields.push(field(names.label, labels));
  return fields;
}

function rowsOf(X: Matrix, fields: readonly Field[], from: number, to: number): Value[][] {
  const part = X.slice(from, to).toDense();
  return Array.from({ length: to - from }, (_, i) => {
    const row = part.row(i);
    return fields.map(({ values }) => (typeof values === "number" ? row[values] : values[from + i]));
  });
}

function checkDense(path: string, X: Matrix): void {
  if (X.kind === "dense" || X.samples * X.features <= MOST_CELLS) return;
  throw new UserError(
    `${path}: ${X.samples} × ${X.features} sparse samples would be ${X.samples * X.features} cells, nearly all 0`,
    "keep them sparse: --to libsvm (with labels) or --to mtx",
  );
}

async function writeLines(path: string, parts: Iterable<[string, done: number]>, options: WriteOptions, total: number) {
  const text = await openText(path);
  try {
    for (const [part, done] of parts) {
      await pause(options.signal);
      await text.write(part);
      options.onProgress?.(done, total);
    }
    await orAbort(text.commit(), options.signal, 0);
  } catch (error) {
    await text.discard();
    throw error;
  }
}

function* libsvmLines({ X, labels }: Data): Generator<[string, number]> {
  for (let from = 0; from < X.samples; from += PART) {
    const to = Math.min(from + PART, X.samples);
    const part = { X: X.slice(from, to) };
    yield [writeLibsvm(labels ? { ...part, labels: labels.slice(from, to).map(String) } : part), to];
  }
}

/** Sparse as coordinates by rows; dense as an array by columns, as Matrix Market requires. */
function* marketLines(X: Matrix): Generator<[string, number]> {
  const format = X.precision === "f64" ? formatDouble : formatFloat;
  if (X.kind === "sparse") {
    yield [`%%MatrixMarket matrix coordinate real general\n${X.samples} ${X.features} ${X.values.length}\n`, 0];
    for (let i = 0; i < X.samples; i++) {
      const lines: string[] = [];
      X.each(i, (f, value) => lines.push(`${i + 1} ${f + 1} ${format(value)}\n`));
      yield [lines.join(""), i + 1];
    }
  } else {
    yield [`%%MatrixMarket matrix array real general\n${X.samples} ${X.features}\n`, 0];
    for (let f = 0; f < X.features; f++) {
      yield [Array.from({ length: X.samples }, (_, i) => `${format(X.at(i, f))}\n`).join(""), f + 1];
    }
  }
}
