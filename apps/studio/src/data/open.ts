import { readArff, readLibsvm, readMatrixMarket } from "bonmf";
import { type Column, toColumn } from "./column.js";
import { readCsv } from "./csv.js";
import { readJson } from "./json.js";
import { detectKind } from "./kind.js";
import { readArray } from "./npy.js";
import { readParquet } from "./parquet.js";
import { readPictures } from "./picture.js";
import { type Item, type Kind, type MatrixSource, type Source, type TableSource, toLabels } from "./source.js";

/** Reads files: one of any kind, or many pictures, or many texts. */
export async function openItems(items: readonly Item[]): Promise<Source> {
  if (items.length === 0) throw new Error("there is no file to read");
  const first = await readBytes(items[0]);
  const kind = detectKind(items[0].name, first);
  if (kind === "images") return readPictures(onlyKind(items, "images"), nameAll(items));
  if (items.length === 1) return openOne(items[0].name, kind, first);
  if (kind !== "text" && !items.every(({ name }) => /\.(txt|text)$/i.test(name))) {
    throw new Error(`open one ${kind} file at a time; only pictures and texts can come as many files`);
  }
  const texts = await Promise.all(items.map(async (item) => decode(await readBytes(item))));
  const folders = items.map(({ path }) => path?.split("/").at(-2) ?? "");
  const columns = [
    toColumn(
      "file",
      items.map(({ path, name }) => path ?? name),
    ),
    toColumn("text", texts),
  ];
  if (new Set(folders).size > 1) columns.push(toColumn("folder", folders));
  return toTable(nameAll(items), "text", columns);
}

function onlyKind(items: readonly Item[], kind: "images"): readonly Item[] {
  if (kind !== "images") return items;
  const pictures = items.filter(({ name }) => /\.(png|jpe?g|webp|gif|bmp|avif)$/i.test(name));
  return pictures.length > 0 ? pictures : items;
}

function nameAll(items: readonly Item[]): string {
  return items.length === 1 ? items[0].name : `${items[0].name} and ${items.length - 1} more`;
}

async function openOne(name: string, kind: Kind, bytes: Uint8Array<ArrayBuffer>): Promise<Source> {
  switch (kind) {
    case "csv":
      return toTable(name, kind, readCsv(bytes, name));
    case "jsonl":
      return toTable(name, kind, readJson(decode(bytes), name));
    case "parquet":
      return toTable(name, kind, await readParquet(bytes.buffer, name));
    case "libsvm":
      return openLibsvm(name, bytes);
    case "arff": {
      const { X, labels, featureNames } = readArff(bytes, { name, precision: "f32" });
      const names = { features: featureNames ?? null, labels: labels ? toLabels(labels) : null };
      return { ...matrix(name, kind, X), ...names };
    }
    case "market":
      return matrix(name, kind, readMatrixMarket(bytes, { name, precision: "f32" }).X);
    case "npy":
      return readArray(bytes, name);
    default: {
      const lines = decode(bytes)
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "");
      if (lines.length === 0) throw new Error(`${name} holds no text`);
      return toTable(name, "text", [toColumn("text", lines)]);
    }
  }
}

/** Indices count from 1; where one is 0 they count from 0. */
function openLibsvm(name: string, bytes: Uint8Array): MatrixSource {
  const read = (zeroBased: boolean) => {
    const { X, labels = [] } = readLibsvm(bytes, { name, zeroBased, precision: "f32" });
    const classes = toLabels(labels);
    // A file without labels has 0 in their place.
    const bare = classes.every((label) => label === 0);
    return { ...matrix(name, "libsvm", X), labels: bare ? null : classes, zeroBased };
  };
  try {
    return read(false);
  } catch (error) {
    if (error instanceof Error && error.message.includes("has index 0")) return read(true);
    throw error;
  }
}

function matrix(name: string, kind: Kind, X: MatrixSource["X"]): MatrixSource {
  return { form: "matrix", name, kind, rows: X.samples, X, features: null, labels: null, ids: null, image: null };
}

export function toTable(name: string, kind: Kind, columns: readonly Column[]): TableSource {
  const [first] = columns;
  return {
    form: "table",
    name,
    kind,
    rows: first.type === "text" ? first.codes.length : first.numbers.length,
    columns,
  };
}

async function readBytes({ blob, name }: Item): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(plain).arrayBuffer());
  } catch {
    throw new Error(`${name} is compressed with gzip, but damaged or cut short`);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
