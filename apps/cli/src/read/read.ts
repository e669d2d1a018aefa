import type { Declared } from "bonmf-data";
import { UserError } from "../errors.js";
import { pause } from "../pause.js";
import type { TableFormat } from "../write/format.js";
import type { Data, Read, ReadOptions, ReadParts, Spool } from "./data.js";
import { needsTable } from "./duckdb/needs-table.js";
import type { Originals } from "./duckdb/originals.js";
import { openArchives } from "./files/archive.js";
import { EncodingError, recodeFiles, recodeOld } from "./files/recode.js";
import { Scratch } from "./files/scratch.js";
import {
  type FoundFile,
  findFiles,
  identifyFiles,
  isTable,
  keepStreams,
  type Named,
  nameTable,
  type Source,
} from "./files/sources.js";
import { explainMemory, findBudget } from "./memory-budget.js";
import { slice } from "./slices.js";
import type { PlainKind } from "./tasks.js";
import { explainLimits, isLimit } from "./word-limits.js";

// Readers are loaded when they are needed: DuckDB and the decoders of pictures take a while.

const QUERY: Source = { kind: "sql", files: [], notes: [] };

/** Reads sources (paths, globs, folders, "-" for standard input) into one matrix. */
export const readData: Read = async (sources, options) => {
  const reading = new Reading(sources, options);
  try {
    return await reading.readAll();
  } finally {
    await reading.close();
  }
};

/** The same in parts of at most `rows` samples; tables, LIBSVM, NPY, pictures and text are never in memory as a whole. */
export const readParts: ReadParts = async function* (sources, options, rows) {
  const reading = new Reading(sources, options);
  try {
    yield* reading.readParts(rows);
  } finally {
    await reading.close();
  }
};

/** Sources while they are read. What was unpacked or kept of standard input stays until `close`, so that rows can be read again. */
export class Reading {
  readonly #sources: readonly Named[];
  #options: ReadOptions;
  readonly #scratch = new Scratch();
  readonly #spool: Spool = { place: () => this.#scratch.place(".parquet") };
  #source = QUERY;
  #found: Promise<Source> | undefined;
  #tables: Promise<Source> | undefined;

  constructor(sources: readonly Named[], options: ReadOptions) {
    this.#sources = sources;
    const masked = options.like?.masked && options.missing === undefined && !options.strict;
    const all: ReadOptions = masked ? { ...options, missing: "mask" } : options;
    this.#options = all.sql === undefined ? all : { ...all, spool: this.#spool };
  }

  readAll(): Promise<Data> {
    return this.#name(async () => {
      const source = await this.#find();
      let data: Data | null = null;
      if (source.kind === "arrow") {
        const { readBatches } = await import("./formats/arrow-batches.js");
        data = await readBatches(source.files, this.#options, this.#scratch);
      }
      data ??= await this.#readTables();
      await pause(this.#options.signal);
      const { noteRounded } = await import("bonmf-data");
      data = await nameFeatures(data, this.#options);
      return { ...data, notes: [...this.#source.notes, ...data.notes, ...noteRounded(data, this.#options)] };
    });
  }

  async #readTables(): Promise<Data> {
    try {
      return await readWhole(await this.#open(), this.#options);
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      return readWhole(await this.#recode(), this.#options);
    }
  }

  async *readParts(rows: number): AsyncGenerator<Data> {
    try {
      let first = true;
      const open = async function* (source: Source, options: ReadOptions): AsyncGenerator<Data> {
        for await (const part of await openParts(source, options, rows)) {
          const data = await nameFeatures(part, options);
          yield first ? { ...data, notes: [...source.notes, ...data.notes] } : data;
          first = false;
        }
      };
      try {
        yield* open(await this.#open(), this.#options);
      } catch (error) {
        if (!first || !(error instanceof EncodingError)) throw error;
        yield* open(await this.#recode(), this.#options);
      }
    } catch (error) {
      throw nameFiles(error, this.#source);
    }
  }

  /**
   * The table's own columns, for results to be written beside them; null where the source is no table.
   *
   * @param wanted the columns to keep; null: all
   */
  readOriginals(wanted: readonly string[] | null, format: TableFormat): Promise<Originals | null> {
    return this.#name(async () => {
      const { files, table } = await this.#open();
      if (table === undefined) return null;
      const { openOriginals } = await import("./duckdb/originals.js");
      const { signal } = this.#options;
      // Also after Ctrl-C: what a fit has reached is written then.
      const options = { ...this.#options, signal: signal?.aborted ? undefined : signal };
      return openOriginals({ files, kind: table, options, wanted, format });
    });
  }

  /** Columns of the table as they are, which must be numbers or lists of numbers; null where the source is no table. */
  readNumbers(columns: readonly string[]): Promise<Data | null> {
    return this.#name(async () => {
      const source = await this.#open();
      if (source.table === undefined) return null;
      const { signal, sql, spool, budget, memory } = this.#options;
      return readWhole(source, { signal, sql, spool, budget, memory, features: columns, noLabel: true, strict: true });
    });
  }

  close(): Promise<void> {
    return this.#scratch.remove();
  }

  /** Bytes that the samples may take, once files are found. */
  get budget(): number {
    return this.#options.budget ?? Number.POSITIVE_INFINITY;
  }

  #find(): Promise<Source> {
    const find = async () => {
      const files = await keepStreams(await this.#list(), this.#options, this.#scratch);
      this.#options = { ...this.#options, budget: await findBudget(files, this.#options) };
      return findSource(files, this.#options, this.#scratch);
    };
    this.#found ??= this.#keep(find());
    return this.#found;
  }

  async #list(): Promise<readonly FoundFile[]> {
    return this.#options.sql !== undefined && this.#sources.length === 0 ? [] : findFiles(this.#sources);
  }

  #open(): Promise<Source> {
    this.#tables ??= this.#keep(this.#find().then((source) => makeTables(source, this.#options, this.#scratch)));
    return this.#tables;
  }

  /** Files that turned out not to be UTF-8. */
  #recode(): Promise<Source> {
    this.#tables = this.#keep(this.#open().then((source) => recodeOld(source, this.#options, this.#scratch)));
    return this.#tables;
  }

  /** Errors name the files as they were last. */
  async #keep(source: Promise<Source>): Promise<Source> {
    this.#source = await source;
    return this.#source;
  }

  async #name<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw nameFiles(error, this.#source);
    }
  }
}

/** What is in the files, and their kind. A query may do without files. */
async function findSource(found: readonly FoundFile[], options: ReadOptions, scratch: Scratch): Promise<Source> {
  if (found.length === 0) return QUERY;
  const { files, notes } = await openArchives(found, options, scratch);
  const { notes: more, ...identified } = await identifyFiles(files, options);
  const source: Source = { ...identified, notes: [...notes, ...more] };
  refuseStrange(source, options);
  return recodeFiles(source, options, scratch);
}

/** Samples of counts get the names of --vocabulary. */
async function nameFeatures(data: Data, { words, like }: ReadOptions): Promise<Data> {
  const { vocabulary } = words ?? {};
  if (vocabulary === undefined || like || data.features !== null) return data;
  const { X, kind } = data;
  const { widenFeatures } = await import("bonmf-data");
  // Words that no sample has are features too: a LIBSVM file does not say how many it has.
  const wide = kind === "libsvm" && X.features < vocabulary.length ? widenFeatures(X, vocabulary.length) : X;
  if (vocabulary.length === wide.features) return { ...data, X: wide, features: vocabulary };
  throw new UserError(
    `--vocabulary has ${vocabulary.length} words, but the samples have ${wide.features} features`,
    "give a file with one word for each feature, in their order",
  );
}

/** Stops at flags that are for another kind of file. */
function refuseStrange({ kind, files }: Source, { sheet, table, width, like }: ReadOptions): void {
  const refuse = (flag: string, what: string) => {
    throw new UserError(`--${flag} is for ${what}, but ${files[0].name} is ${kind}`, `omit --${flag}`);
  };
  if (sheet !== undefined && kind !== "xlsx") refuse("sheet", "Excel files");
  if (table !== undefined && kind !== "sqlite") refuse("table", "SQLite files");
  if (width !== undefined && kind !== "libsvm") refuse("width", "LIBSVM files");
  if (width !== undefined && like && width !== like.count) {
    throw new UserError(`--width is ${width}, but the model has ${like.count} features`, "omit --width");
  }
}

/** Writes what DuckDB does not read as Parquet, and gives tables the endings that DuckDB knows. */
async function makeTables(source: Source, options: ReadOptions, scratch: Scratch): Promise<Source> {
  const { kind, files } = source;
  if (kind === "sql") return { ...source, table: kind };
  if (isTable(kind)) {
    return { ...source, table: kind, files: await Promise.all(files.map((file) => nameTable(file, kind, scratch))) };
  }
  if (kind === "xlsx") return openSheets(source, options, scratch);
  if (kind === "sqlite") return openDatabases(source, options, scratch);
  if (kind === "arff") return openArff(source, options, scratch);
  if (kind === "arrow") return openArrow(source, options, scratch);
  if (options.sql === undefined) return source;
  throw new UserError(`--sql asks tables, but ${files[0].name} is ${kind}`);
}

async function openArrow(source: Source, options: ReadOptions, scratch: Scratch): Promise<Source> {
  const { arrowToParquet } = await import("./formats/arrow-table.js");
  const files = [];
  for (const file of source.files) {
    const path = await scratch.place(".parquet");
    await arrowToParquet(file, path, options);
    files.push({ path, name: file.name });
  }
  return { ...source, table: "parquet", files };
}

/** Sparse rows, of which there may be very wide ones, are no table unless one is asked for. */
async function openArff(source: Source, options: ReadOptions, scratch: Scratch): Promise<Source> {
  const { arffToParquet, isSparseArff } = await import("./formats/arff.js");
  if (!needsTable(options) && (await isSparseArff(source.files[0], options))) return source;
  const files = [];
  let declared: Declared | undefined;
  for (const file of source.files) {
    const path = await scratch.place(".parquet");
    const reader = await arffToParquet(file, path, options);
    declared ??= reader.declared;
    files.push({ path, name: file.name, place: (row: number) => reader.place(row - 1) });
  }
  return { ...source, table: "parquet", files, ...(declared && { declared }) };
}

async function openSheets(source: Source, options: ReadOptions, scratch: Scratch): Promise<Source> {
  const { xlsxToCsv } = await import("./formats/xlsx.js");
  const files = [];
  const notes = [...source.notes];
  for (const file of source.files) {
    const opened = await xlsxToCsv(file, scratch, options);
    files.push(opened.file);
    notes.push(...opened.notes);
  }
  return { ...source, table: "csv", files, notes };
}

async function openDatabases(source: Source, options: ReadOptions, scratch: Scratch): Promise<Source> {
  const { sqliteToParquet } = await import("./formats/sqlite.js");
  const files = [];
  const notes = [...source.notes];
  for (const file of source.files) {
    const path = await scratch.place(".parquet");
    notes.push(...(await sqliteToParquet(file, path, scratch, options)));
    files.push({ path, name: file.name });
  }
  return { ...source, table: "parquet", files, notes };
}

async function readWhole(source: Source, options: ReadOptions): Promise<Data> {
  const { kind, files, table } = source;
  if (table !== undefined) {
    const column = textColumn(options);
    const wanted = tableOptions(source, options);
    if (column !== undefined) {
      const { readTextColumn } = await import("./duckdb/text-column.js");
      return readTextColumn(files, table, column, wanted);
    }
    const { readTable } = await import("./table.js");
    return keepKind(await readTable(files, table, wanted), source, options);
  }
  if (kind === "images") return (await import("./formats/images.js")).readImages(files, options);
  return (await import("./thread.js")).readPlainFiles(kind as PlainKind, files, options);
}

/** Parts as they are read; of kinds that are read as a whole, slices. */
async function openParts(
  source: Source,
  options: ReadOptions,
  rows: number,
): Promise<AsyncIterable<Data> | Iterable<Data>> {
  const { kind, files, table } = source;
  const { like } = options;
  if (table !== undefined) {
    const column = textColumn(options);
    const wanted = tableOptions(source, options);
    if (column === undefined) {
      const { readTableParts } = await import("./table.js");
      return readTableParts(files, table, wanted, rows, (data) => keepKind(data, source, options));
    }
    if (like) {
      const { readTextColumnParts } = await import("./duckdb/text-column.js");
      return readTextColumnParts(files, table, column, wanted, rows);
    }
  }
  if (kind === "images") return (await import("./formats/images.js")).readImageParts(files, options, rows);
  if (kind === "text" && like) return (await import("./formats/text.js")).readTextParts(files, options, rows);
  // Means and medians are over all samples.
  const alone = options.missing !== "mean" && options.missing !== "median";
  if (kind === "libsvm" && (like || alone)) {
    return (await import("./formats/libsvm-parts.js")).readLibsvmParts(files, refuseMissing(options), rows);
  }
  if (kind === "npy" && alone) {
    const { findRows, readNpyParts } = await import("./formats/npy-parts.js");
    const layouts = await findRows(files);
    if (layouts) return readNpyParts(layouts, refuseMissing(options), rows);
  }
  return slice(await readWhole(source, options), rows);
}

/** A median is over all samples, so that of a part is not used in its place. */
function refuseMissing(options: ReadOptions): ReadOptions {
  return { ...options, missing: options.missing ?? (options.like ? undefined : "error") };
}

function textColumn({ text, like }: ReadOptions): string | undefined {
  return text ?? like?.recipe.text?.column;
}

function tableOptions({ declared }: Source, options: ReadOptions): ReadOptions {
  return declared ? { ...options, declared } : options;
}

/** What became a Parquet file is still of the kind it was. */
function keepKind(data: Data, { kind, table }: Source, { like }: ReadOptions): Data {
  return kind === table || data.kind === "text"
    ? data
    : { ...data, kind, recipe: like?.recipe ?? { ...data.recipe, kind } };
}

/** Calls files, and places in them, by the names their user knows. */
function nameAll(files: Source["files"]): string {
  const [first, ...others] = files.map(({ name }) => name);
  return others.length === 0 ? (first ?? "the query") : `${first} and ${others.length} more`;
}

function nameFiles(error: unknown, source: Source): unknown {
  const { files } = source;
  if (isLimit(error)) return explainLimits(error, nameAll(files));
  if (!(error instanceof UserError)) return explainMemory(error, source);
  let { message } = error;
  for (const { path, name, place } of files) {
    if (path !== name) message = message.replaceAll(path, name);
    if (!place) continue;
    const parts = message.split(`${name}, `);
    message = parts
      .map((part, p) => (p === 0 ? part : part.replace(/^(?:line|row) (\d+)/, (_, at) => place(Number(at)))))
      .join(`${name}, `);
  }
  const several = files.length > 1 && files.some(({ archived }) => archived) && /together/.test(error.hint ?? message);
  const hint = several ? [error.hint, "read one of them with --member"].filter(Boolean).join("; or ") : error.hint;
  return message === error.message && hint === error.hint ? error : new UserError(message, hint, { cause: error });
}
