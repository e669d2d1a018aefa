import { UserError } from "../errors.js";
import type { Data, Read, ReadOptions, ReadParts } from "./data.js";
import { needsTable } from "./duckdb/needs-table.js";
import { findFiles } from "./files/find.js";
import { Scratch } from "./files/scratch.js";
import { isTable, nameTable, type Source, sortFiles } from "./files/sources.js";
import type { ArrayKind } from "./formats/arrays.js";

/** Reads sources (paths, globs, folders, "-" for standard input) into one matrix. */
export const readData: Read = async (sources, options) => {
  const parts = read(sources, options, null);
  const { value } = await parts.next();
  await parts.return(undefined);
  return value as Data;
};

/** The same in parts of at most `rows` samples; tables, LIBSVM, pictures and text are never in memory as a whole. */
export const readParts: ReadParts = (sources, options, rows) => read(sources, options, rows);

/** Readers are loaded when they are needed, as DuckDB and the decoders of pictures take a while. */
async function* read(
  sources: readonly string[],
  options: ReadOptions,
  rows: number | null,
): AsyncGenerator<Data, undefined> {
  const scratch = new Scratch();
  let source: Source = { kind: "sql", files: [], notes: [] };
  try {
    // A query may do without files.
    if (options.sql === undefined || sources.length > 0) {
      source = await sortFiles(await findFiles(sources, options, scratch), options);
    }
    let { notes } = source;
    if (source.kind === "arrow" && rows === null) {
      const data = await (await import("./formats/arrow-batches.js")).readBatches(source.files, options, scratch);
      if (data) {
        yield { ...data, notes: [...notes, ...data.notes] };
        return;
      }
    }
    const ready = await prepare(source, options, scratch);
    source = ready;
    for await (const data of readKind(ready, options, rows)) {
      yield { ...data, notes: [...notes, ...data.notes] };
      notes = [];
    }
  } catch (error) {
    throw rename(error, source);
  } finally {
    await scratch.remove();
  }
}

/** Makes Parquet of what DuckDB does not read, and sees that it knows tables by their endings. */
async function prepare(source: Source, options: ReadOptions, scratch: Scratch): Promise<Source> {
  const { kind, files } = source;
  if (kind === "sql") return { ...source, table: kind };
  if (isTable(kind)) {
    return { ...source, table: kind, files: await Promise.all(files.map((file) => nameTable(file, kind, scratch))) };
  }
  if (kind !== "arrow" && !(kind === "arff" && needsTable(options))) return source;
  const tables = [];
  let label: string | undefined;
  for (const file of files) {
    const path = await scratch.place(".parquet");
    if (kind === "arrow") await (await import("./formats/arrow-table.js")).arrowToParquet(file, path, options);
    else label = await (await import("./formats/arff.js")).arffToParquet(file, path, options);
    tables.push({ path, name: file.name });
  }
  return { ...source, table: "parquet", files: tables, ...(label !== undefined && { label }) };
}

async function* readKind(source: Source, options: ReadOptions, rows: number | null): AsyncGenerator<Data> {
  const { kind, files, table, label } = source;
  const { like, sql } = options;
  if (table !== undefined) {
    for await (const data of readColumns(files, { ...options, kind: table, label: options.label ?? label }, rows)) {
      yield data.kind === "parquet" ? { ...data, kind, recipe: like?.recipe ?? { ...data.recipe, kind } } : data;
    }
  } else if (sql !== undefined) {
    throw new UserError(`--sql asks tables, but ${files[0].name} is ${kind}`);
  } else if (kind === "images") {
    const { readImages, readImageParts } = await import("./formats/images.js");
    if (rows === null) yield await readImages(files, options);
    else yield* readImageParts(files, options, rows);
  } else if (kind === "text") {
    const { readText, readTextParts } = await import("./formats/text.js");
    if (rows !== null && like) yield* readTextParts(files, options, rows);
    else yield* whole(await readText(files, options), rows);
  } else if (kind === "libsvm" && rows !== null && like) {
    const { readLibsvmParts } = await import("./formats/libsvm-parts.js");
    yield* readLibsvmParts(files, { ...options, like }, rows);
  } else {
    const { readArrays } = await import("./formats/arrays.js");
    yield* whole(await readArrays(kind as ArrayKind, files, options), rows);
  }
}

async function* readColumns(files: Source["files"], options: ReadOptions, rows: number | null): AsyncGenerator<Data> {
  const text = options.text ?? options.like?.recipe.text?.column;
  if (text !== undefined) {
    const { readTextColumn, readTextColumnParts } = await import("./duckdb/text-column.js");
    if (rows !== null && options.like) yield* readTextColumnParts(files, text, options, rows);
    else yield* whole(await readTextColumn(files, text, options), rows);
    return;
  }
  const paths = files.map(({ path }) => path);
  const { readTable, readTableParts } = await import("./table.js");
  if (rows === null) yield await readTable(paths, options);
  else yield* readTableParts(paths, options, rows);
}

async function* whole(data: Data, rows: number | null): AsyncGenerator<Data> {
  if (rows === null) yield data;
  else {
    const { cut } = await import("./formats/libsvm-parts.js");
    yield* cut(data, rows);
  }
}

/** Calls files by the name their user knows. */
function rename(error: unknown, { files }: Source): unknown {
  if (!(error instanceof UserError)) return error;
  const strange = files.filter(({ path, name }) => path !== name && error.message.includes(path));
  if (strange.length === 0) return error;
  const message = strange.reduce((text, { path, name }) => text.replaceAll(path, name), error.message);
  return new UserError(message, error.hint, { cause: error });
}
