import {
  type ColumnTable,
  decodeText,
  detectEncoding,
  detectKind,
  isHtml,
  isPicture,
  isProse,
  isUnlabelled,
  isWritten,
  type Kind,
  type Loaded,
  loadArff,
  loadLibsvm,
  loadMarket,
  loadNpy,
  loadNpz,
  noteEncoding,
  OLD_TEXT,
  readArffTable,
  readCsv,
  readHtml,
  readJson,
  recodeText,
  toColumn,
  toTable,
  UserError,
} from "bonmf-data";
import { codec, openArchives } from "./archive.js";
import { readParquet } from "./parquet.js";
import { type OnFile, readPictures } from "./picture.js";
import type { Item, MatrixSource, Source, TableSource } from "./source.js";
import { readWorkbook } from "./workbook.js";

/** Kinds that only the command reads, with what to do. */
const REFUSED: Partial<Record<Kind, [what: string, remedy: string]>> = {
  arrow: ["an Arrow file", "save it as Parquet: bonmf convert data.arrow data.parquet"],
  sqlite: ["a SQLite database", "save the table as Parquet: bonmf convert data.sqlite data.parquet --table NAME"],
};

/**
 * Reads files: one of any kind, or many pictures, or many texts.
 *
 * @param part the sheet of an Excel file, or the path of a table in a zip archive; by default the first
 */
export async function openItems(given: readonly Item[], part?: string, onFile: OnFile = () => {}): Promise<Source> {
  if (given.length === 0) throw new Error("there is no file to read");
  const { items, notes, parts } = await openArchives(given, part);
  const source = { ...(await openFiles(items, parts ? undefined : part, onFile)), files: nameOutside(given) };
  const told = notes.length === 0 ? source : addNotes(source, notes);
  return parts ? { ...told, parts } : told;
}

/** Files as the command takes them: for those of a folder, the folder. */
function nameOutside(items: readonly Item[]): string[] {
  return [...new Set(items.map(({ name, path }) => path?.split("/")[0] ?? name))];
}

async function openFiles(items: readonly Item[], sheet: string | undefined, onFile: OnFile): Promise<Source> {
  const first = await readBytes(items[0]);
  const kind = detectKind({ name: items[0].name, ...first });
  const refused = REFUSED[kind];
  if (refused) throw new UserError(`${items[0].name} is ${refused[0]}, which the studio does not read`, refused[1]);
  if (kind === "images") return readPictures(choosePictures(items), nameAll(items), onFile);
  if (items.length === 1) return openText(items[0].name, kind, first.bytes, sheet);
  if (kind === "csv" && !items.every(({ name }) => isProse(name))) {
    const parts = await Promise.all(items.map(async (item) => ({ name: item.name, ...(await readBytes(item)) })));
    return openText(nameAll(items), kind, joinCsv(parts), undefined);
  }
  if (kind !== "text" && !items.every(({ name }) => isProse(name))) {
    throw new UserError(`open one ${kind} file at a time`, "only CSV files, pictures and texts can come as many files");
  }
  let read = 0;
  const texts = await Promise.all(
    items.map(async (item) => {
      const { text, old } = decodeText((await readBytes(item)).bytes);
      onFile(++read, items.length);
      return { text: isHtml(item.name) ? readHtml(text) : text, old };
    }),
  );
  const folders = items.map(({ path }) => path?.split("/").at(-2) ?? "");
  const columns = [
    toColumn(
      "file",
      items.map(({ path, name }) => path ?? name),
    ),
    toColumn(
      "text",
      texts.map(({ text }) => text),
    ),
  ];
  if (new Set(folders).size > 1) columns.push(toColumn("folder", folders));
  const notes = texts.some(({ old }) => old) ? [OLD_TEXT] : [];
  return nameTable(nameAll(items), "text", { ...toTable(columns), notes });
}

/** Files with the same first line as one: their rows one after the other. */
function joinCsv(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const texts = files.map(({ bytes }) => new TextDecoder().decode(bytes));
  const heads = texts.map((text) => /^[^\r\n]*/.exec(text)?.[0] ?? "");
  const other = heads.findIndex((head) => head !== heads[0]);
  if (other > 0) {
    const names = `${files[other].name} and ${files[0].name}`;
    throw new UserError(`${names} have different columns`, "only files with the same first line can be read as one");
  }
  const rows = texts.map((text, f) =>
    text
      .slice(heads[f].length)
      .replace(/^\r?\n/, "")
      .replace(/\r?\n?$/, "\n"),
  );
  return new TextEncoder().encode(`${heads[0]}\n${rows.join("")}`);
}

function choosePictures(items: readonly Item[]): readonly Item[] {
  const pictures = items.filter(({ name }) => isPicture(name));
  return pictures.length > 0 ? pictures : items;
}

/** One file by its name, those of one folder by the folder's. */
function nameAll(items: readonly Item[]): string {
  if (items.length === 1) return items[0].name;
  const outside = nameOutside(items);
  return outside.length === 1 ? outside[0] : `${items[0].name} and ${items.length - 1} more`;
}

/** Texts that are not UTF-8 are made so first; prose decodes itself. */
async function openText(
  name: string,
  kind: Kind,
  bytes: Uint8Array<ArrayBuffer>,
  sheet: string | undefined,
): Promise<Source> {
  const encoding = isWritten(kind) && kind !== "text" ? detectEncoding(bytes) : "utf-8";
  const plain = recodeText(bytes, encoding);
  const source = kind === "xlsx" ? await openSheet(name, plain, sheet) : await openOne(name, kind, plain);
  return addNotes(source, noteEncoding(name, encoding));
}

function addNotes(source: Source, notes: readonly string[]): Source {
  if (source.form === "table") return { ...source, notes: [...notes, ...source.notes] };
  const { loaded } = source;
  return { ...source, loaded: { ...loaded, notes: [...notes, ...(loaded.notes ?? [])] } };
}

async function openSheet(name: string, bytes: Uint8Array<ArrayBuffer>, wanted: string | undefined): Promise<Source> {
  const { csv, notes, rows, sheet, sheets } = await readWorkbook(bytes.buffer, name, wanted);
  const table = readCsv(csv, name);
  const findRow = (row: number) => `row ${rows[Number(/\d+$/.exec(table.place(row))) - 1] ?? rows.at(-1)}`;
  const source = nameTable(name, "xlsx", { ...table, notes: [...notes, ...table.notes], place: findRow });
  return sheets.length > 1 ? { ...source, parts: { what: "sheet", file: name, names: sheets, open: sheet } } : source;
}

async function openOne(name: string, kind: Kind, bytes: Uint8Array<ArrayBuffer>): Promise<Source> {
  switch (kind) {
    case "csv":
      return nameTable(name, kind, readCsv(bytes, name));
    case "jsonl":
      return nameTable(name, kind, readJson(new TextDecoder().decode(bytes), name));
    case "parquet":
      return nameTable(name, kind, await readParquet(bytes.buffer, name));
    case "libsvm": {
      const [loaded] = loadLibsvm([{ name, bytes }]);
      return toMatrix(name, kind, isUnlabelled(loaded) ? { ...loaded, labels: null } : loaded);
    }
    case "arff": {
      const table = readArffTable(bytes, name);
      return table ? nameTable(name, kind, table) : toMatrix(name, kind, loadArff(bytes, name));
    }
    case "market":
      return toMatrix(name, kind, loadMarket(bytes, name));
    case "npy":
      return toMatrix(name, kind, loadNpy(bytes, name));
    case "npz":
      return toMatrix(name, kind, await loadNpz(bytes, name, codec));
    default: {
      const { text, old } = decodeText(bytes);
      const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
      if (lines.length === 0) throw new UserError(`${name} holds no text`);
      return nameTable(name, "text", { ...toTable([toColumn("text", lines)]), notes: old ? [OLD_TEXT] : [] });
    }
  }
}

function toMatrix(name: string, kind: Kind, loaded: Loaded): MatrixSource {
  return { form: "matrix", name, kind, rows: loaded.X.samples, loaded, image: loaded.recipe?.image ?? null };
}

export function nameTable(name: string, kind: Kind, table: ColumnTable): TableSource {
  return { form: "table", name, kind, ...table };
}

async function readBytes({ blob, name }: Item): Promise<{ bytes: Uint8Array<ArrayBuffer>; gzip: boolean }> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { bytes, gzip: false };
  try {
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return { bytes: new Uint8Array(await new Response(plain).arrayBuffer()), gzip: true };
  } catch {
    throw new UserError(`${name} is compressed with gzip, but damaged or cut short`);
  }
}
