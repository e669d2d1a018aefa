import { stat } from "node:fs/promises";
import { type Dense, MemoryError } from "bonmf";
import {
  makePlan,
  NotNumeric,
  nameElements,
  noteConstant,
  noteRows,
  type TablePlan,
  type TableSummary,
} from "bonmf-data";
import { UserError } from "../errors.js";
import type { Data, ReadOptions } from "./data.js";
import { Duck } from "./duckdb/duck.js";
import { describeBadValue, isMissing, translate } from "./duckdb/errors.js";
import { spreadLists } from "./duckdb/list-columns.js";
import { BadValue, SideColumns, select, type TableRows } from "./duckdb/query.js";
import { openRelation, type Relation } from "./duckdb/relation.js";
import { settle } from "./duckdb/settle.js";
import { nameSlip } from "./duckdb/slip.js";
import { asText, findText, type Summarized, summarizeRelation } from "./duckdb/summaries.js";
import { budgetOf, checkClasses, finishPart, finishWhole, requireRows, TableBuilder } from "./duckdb/table-builder.js";
import { checkGzip, type File } from "./files/bytes.js";
import type { TableKind } from "./files/sources.js";
import { slice } from "./slices.js";

/** Rows to make room for where their number is not known. */
const START = 65_536;

/** Reads CSV, JSON lines, Parquet or a query into one dense matrix: numbers and categories are features. */
export async function readTable(files: readonly File[], kind: TableKind | "sql", options: ReadOptions): Promise<Data> {
  options.signal?.throwIfAborted();
  const table = new OpenTable(files, kind, options);
  let direct: DirectReader | null = null;
  try {
    direct = options.sql === undefined ? await openDirect(kind, files, options) : null;
    const alone = await direct?.readAlone?.();
    if (alone) return await finishFound(table, alone.found, alone, options);
    const opened = await table.open(false);
    if (opened.plan.text !== undefined) return await table.readProse(opened.plan);
    const found = await direct?.read(opened.relation, opened.plan, opened.duck);
    if (found) return await finishFound(table, found, opened, opened.wishes);
    return await fillOpened(table, opened, options, opened.relation.kind === "csv", direct?.allocated);
  } catch (error) {
    throw await table.explain(error);
  } finally {
    await direct?.close();
    table.close();
  }
}

/** What threads have read. */
async function finishFound(
  table: OpenTable,
  read: TableRows,
  { relation, summary, plan: first }: Pick<Opened, "relation" | "summary" | "plan">,
  options: ReadOptions,
): Promise<Data> {
  const { found, plan } = settle(read, first, summary, options);
  if (plan.text !== undefined) return table.readProse(plan);
  return finishWhole(found, plan, relation, options);
}

/** Reads by DuckDB; once more where there are missing values, or texts that the plan did not know of. */
async function fillOpened(
  table: OpenTable,
  opened: Opened,
  options: ReadOptions,
  plain: boolean,
  allocated?: Dense | null,
): Promise<Data> {
  try {
    return await fill(table, opened, plain, options, allocated);
  } catch (error) {
    const text = options.strict || options.like ? undefined : findText(error, opened.relation);
    if (plain && isMissing(error)) return fillOpened(table, opened, options, false);
    if (text === undefined) throw error;
    return fillOpened(table, await table.openAsText(text), options, false);
  }
}

async function fill(
  table: OpenTable,
  { duck, relation, plan: first, summary, wishes }: Opened,
  plain: boolean,
  options: ReadOptions,
  allocated?: Dense | null,
): Promise<Data> {
  const { columns, from, layout } = select(relation, first, plain);
  const capacity = relation.rows === null ? START : Math.ceil(relation.rows * 1.02) + 1;
  const { missing, strict, like } = options;
  const drop = missing === "drop";
  const how = drop ? "drop" : missing === undefined && !strict && !like ? "keep" : "refuse";
  const budget = budgetOf(relation.name, options);
  // Other kinds only estimate their rows.
  if (relation.kind === "parquet" && relation.rows !== null) requireRows(budget, relation.rows, first.features.length);
  const builder = new TableBuilder(first, new SideColumns(layout, drop), how, capacity, true, budget, allocated);
  let seen = 0;
  for await (const { chunk, rows } of duck.stream(columns, from)) {
    builder.append(chunk, 0, rows, seen);
    seen += rows;
    options.onProgress?.(seen, relation.rows && Math.max(seen, relation.rows), "rows");
  }
  await table.finish(seen);
  if (builder.rows === 0) throw allDropped(table);
  const { found, plan } = settle(builder.finish(), first, summary, wishes);
  if (plan.text !== undefined) return table.readProse(plan);
  checkClasses(found, plan, relation, options);
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
    const { duck, relation, plan } = await table.open(!options.like && !options.strict && !options.glance);
    if (plan.text !== undefined) {
      yield* slice(await table.readProse(plan), rows);
      return;
    }
    const { columns, from: source, layout } = select(relation, plan, false);
    const drop = options.missing === "drop";
    const open = () => new TableBuilder(plan, new SideColumns(layout, drop), drop ? "drop" : "refuse", rows, false);
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

function noRows(name: string): UserError {
  return new UserError(`${name} has columns but no rows`);
}

function allDropped({ name }: OpenTable): UserError {
  return new UserError(`${name}: every row has a missing value, so none is left`, "--missing median fills them");
}

interface Opened extends Summarized {
  readonly duck: Duck;
  readonly plan: TablePlan;
  /** The options, where the names of lists stand for their elements. */
  readonly wishes: ReadOptions;
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

  /**
   * Starts DuckDB, finds the columns and plans what is read of them.
   *
   * @param every looks at all columns before, see summarizeRelation
   */
  async open(every: boolean): Promise<Opened> {
    const { signal, memory } = this.#options;
    this.#duck ??= await Duck.open(signal, memory);
    this.#relation ??= await spreadLists(
      this.#duck,
      await openRelation(this.#duck, this.#files, this.#kind, this.#options),
      this.#options,
    );
    const wishes = nameElements(this.#options, this.#relation.lists);
    const { relation, summary } = await summarizeRelation(this.#duck, this.#relation, wishes, every);
    this.#relation = relation;
    if (summary.columns.some(({ rows }) => rows === 0)) throw noRows(this.name);
    try {
      return { duck: this.#duck, relation, summary, wishes, plan: makePlan(summary, wishes) };
    } catch (error) {
      if (!(error instanceof NotNumeric) || error.slip === undefined) throw error;
      throw await nameSlip(this.#duck, relation, error.slip, this.#options);
    }
  }

  /** The same where a column that began as numbers is text. */
  openAsText(column: string): Promise<Opened> {
    this.#relation = asText(this.#relation as Relation, column);
    return this.open(false);
  }

  /** The words of a column, where a table has prose and no numbers. */
  async readProse({ text, label, id, weight, notes }: TablePlan): Promise<Data> {
    const { readTextColumn } = await import("./duckdb/text-column.js");
    const options = { ...this.#options, exclude: undefined, label, id, weight };
    const data = await readTextColumn(this.#files, this.#kind, text as string, options);
    return { ...data, notes: [...notes, ...data.notes] };
  }

  /** Checks that all rows were read. */
  async finish(rows: number): Promise<void> {
    // A file that was cut short must not end as if it were whole.
    await this.#gzip;
    if (this.#kind === "parquet") {
      const { checkSums } = await import("./direct/parquet/checksums.js");
      await checkSums(this.#files, this.#options.signal);
    }
    if (rows === 0) throw noRows(this.name);
    this.#options.onProgress?.(rows, rows, "rows");
  }

  /** The error as its user should see it. */
  async explain(error: unknown): Promise<unknown> {
    this.#options.signal?.throwIfAborted();
    // The end of a file that is cut short may look like another mistake.
    if (!(error instanceof MemoryError)) await this.#gzip;
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
  readAlone?(): Promise<{ found: TableRows; relation: Relation; summary: TableSummary; plan: TablePlan } | null>;
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
