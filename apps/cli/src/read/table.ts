import { stat } from "node:fs/promises";
import type { Dense } from "bonmf";
import { makePlan, nameElements, noteConstant, noteRows, type TablePlan } from "bonmf-data";
import { UserError } from "../errors.js";
import type { Data, ReadOptions } from "./data.js";
import { Duck } from "./duckdb/duck.js";
import { describeBadValue, isMissing, translate } from "./duckdb/errors.js";
import { askColumns } from "./duckdb/facts.js";
import { spreadLists } from "./duckdb/list-columns.js";
import { BadValue, type Query, SideColumns, type SideLayout, select, type TableRows } from "./duckdb/query.js";
import { openRelation, type Relation } from "./duckdb/relation.js";
import { finishPart, finishWhole, TableBuilder } from "./duckdb/table-builder.js";
import { checkGzip, type File } from "./files/bytes.js";
import type { TableKind } from "./files/sources.js";

/** Rows to make room for where their number is not known. */
const START = 65_536;

/** Reads CSV, JSON lines, Parquet or a query into one dense matrix: numbers are features. */
export async function readTable(files: readonly File[], kind: TableKind | "sql", options: ReadOptions): Promise<Data> {
  options.signal?.throwIfAborted();
  const table = new OpenTable(files, kind, options);
  let direct: DirectReader | null = null;
  try {
    direct = options.sql === undefined ? await openDirect(kind, files, options) : null;
    const alone = await direct?.readAlone?.();
    if (alone) return finishWhole(alone.found, alone.plan, alone.relation, options);
    const { duck, relation, plan } = await table.open();
    const found = await direct?.read(relation, plan, duck);
    if (found) return finishWhole(found, plan, relation, options);
    const plain = relation.kind === "csv";
    try {
      return await fill(table, select(relation, plan, options, plain), options, direct?.allocated);
    } catch (error) {
      if (!plain || !isMissing(error)) throw error;
      return await fill(table, select(relation, plan, options, false), options);
    }
  } catch (error) {
    throw await table.explain(error);
  } finally {
    await direct?.close();
    table.close();
  }
}

async function fill(
  table: OpenTable,
  { columns, from, layout }: Query,
  options: ReadOptions,
  allocated?: Dense | null,
): Promise<Data> {
  const { duck, relation, plan } = await table.open();
  const capacity = relation.rows === null ? START : Math.ceil(relation.rows * 1.02) + 1;
  const builder = new TableBuilder(
    plan,
    openSideColumns(layout, options),
    options.missing === "drop",
    capacity,
    true,
    allocated,
  );
  let seen = 0;
  for await (const { chunk, rows } of duck.stream(columns, from)) {
    builder.append(chunk, 0, rows, seen);
    seen += rows;
    options.onProgress?.(seen, relation.rows && Math.max(seen, relation.rows), "rows");
  }
  await table.finish(seen);
  if (builder.rows === 0) throw allDropped(table);
  const found = builder.finish();
  const constant = noteConstant(found.constant, found.X.samples, options);
  const notes = [...relation.notes, ...plan.notes, ...constant, ...noteRows(builder, options)];
  return finishPart(found, plan, relation, notes);
}

/**
 * The same in parts of at most `rows` rows.
 *
 * @param finish is applied to each part
 */
export async function* readTableParts(
  files: readonly File[],
  kind: TableKind | "sql",
  options: ReadOptions,
  rows: number,
  finish: (data: Data) => Data,
): AsyncGenerator<Data, undefined> {
  options.signal?.throwIfAborted();
  const table = new OpenTable(files, kind, options);
  try {
    const { duck, relation, plan } = await table.open();
    const { columns, from: source, layout } = select(relation, plan, options, false);
    const drop = options.missing === "drop";
    const open = () => new TableBuilder(plan, openSideColumns(layout, options), drop, rows, false);
    let builder = open();
    let notes = [...relation.notes, ...plan.notes];
    let seen = 0;
    for await (const { chunk, rows: count } of duck.stream(columns, source)) {
      for (let from = 0; from < count; ) {
        const to = Math.min(count, from + rows - builder.rows);
        builder.append(chunk, from, to, seen);
        from = to;
        if (builder.rows < rows) continue;
        yield finish(finishPart(builder.finish(), plan, relation, [...notes, ...noteRows(builder, options)]));
        notes = [];
        builder = open();
      }
      seen += count;
      options.onProgress?.(seen, relation.rows && Math.max(seen, relation.rows), "rows");
    }
    await table.finish(seen);
    if (builder.rows > 0)
      yield finish(finishPart(builder.finish(), plan, relation, [...notes, ...noteRows(builder, options)]));
    else if (builder.dropped === seen) throw allDropped(table);
  } catch (error) {
    throw await table.explain(error);
  } finally {
    table.close();
  }
}

function openSideColumns(layout: SideLayout, { missing }: ReadOptions): SideColumns {
  return new SideColumns(layout, missing === "drop");
}

function allDropped({ name }: OpenTable): UserError {
  return new UserError(`${name}: every row has a missing value, so none is left`, "--missing mean fills them");
}

interface Opened {
  readonly duck: Duck;
  readonly relation: Relation;
  readonly plan: TablePlan;
}

/** A table in DuckDB while it is read. */
class OpenTable {
  readonly #files: readonly File[];
  readonly #kind: TableKind | "sql";
  readonly #options: ReadOptions;
  readonly #closed = new AbortController();
  /** Gzipped files are decompressed to their ends beside DuckDB, which does not notice when one is cut short. */
  readonly #gzip: Promise<void>;
  #duck: Duck | undefined;
  #relation: Relation | undefined;
  #opened: Opened | undefined;

  constructor(files: readonly File[], kind: TableKind | "sql", options: ReadOptions) {
    const { signal } = options;
    this.#files = files;
    this.#kind = kind;
    this.#options = options;
    this.#gzip = checkGzip(files, AbortSignal.any([this.#closed.signal, ...(signal ? [signal] : [])]));
    // Awaited later; until then its failure is not an unhandled one.
    this.#gzip.catch(() => {});
  }

  /** For messages. */
  get name(): string {
    return this.#relation?.name ?? this.#files[0].name;
  }

  /** Starts DuckDB, finds the columns and plans what is read of them; once. */
  async open(): Promise<Opened> {
    if (this.#opened) return this.#opened;
    const { signal, memory, sql } = this.#options;
    const duck = await Duck.open(signal, memory);
    this.#duck = duck;
    const relation = await spreadLists(duck, await openRelation(duck, this.#files, this.#kind, sql), this.#options);
    this.#relation = relation;
    const plan = await makePlan(askColumns(duck, relation, this.#options), nameElements(this.#options, relation.lists));
    this.#opened = { duck, relation, plan };
    return this.#opened;
  }

  /** Checks that all rows were read. */
  async finish(rows: number): Promise<void> {
    // A file that was cut short must not end as if it were whole.
    await this.#gzip;
    if (rows === 0) throw new UserError(`${this.name} has columns but no rows`);
    this.#options.onProgress?.(rows, rows, "rows");
  }

  /** The error as its user should see it. */
  async explain(error: unknown): Promise<unknown> {
    this.#options.signal?.throwIfAborted();
    // The end of a file that is cut short may look like another mistake.
    await this.#gzip;
    if (error instanceof BadValue && this.#duck && this.#relation) {
      return describeBadValue(this.#duck, this.#relation, error, this.#options);
    }
    return translate(error, this.#files, this.#options);
  }

  close(): void {
    this.#closed.abort();
    this.#duck?.close();
  }
}

/** Reads a table of plain numbers in threads; null where DuckDB has to read it. */
export interface DirectReader {
  /** Memory for the matrix, which DuckDB's rows may use where this reader gave up. */
  readonly allocated: Dense | null;
  /** Reads without starting DuckDB. */
  readAlone?(): Promise<{ found: TableRows; relation: Relation; plan: TablePlan } | null>;
  read(relation: Relation, plan: TablePlan, duck: Duck): Promise<TableRows | null>;
  close(): Promise<void>;
}

/** Bytes of files below which DuckDB has made a table before threads have started. */
const LEAST_BYTES = 4 * 2 ** 20;

/** Starts threads where the files are large enough for them. */
async function openDirect(
  kind: TableKind | "sql",
  files: readonly File[],
  options: ReadOptions,
): Promise<DirectReader | null> {
  if (kind !== "csv" && kind !== "parquet") return null;
  let bytes = 0;
  for (const { path } of files) bytes += (await stat(path)).size;
  if (bytes < LEAST_BYTES) return null;
  if (kind === "csv") return (await import("./direct/csv/reader.js")).CsvReader.open(files, bytes, options);
  return (await import("./direct/parquet/reader.js")).ParquetReader.open(files, bytes, options);
}
