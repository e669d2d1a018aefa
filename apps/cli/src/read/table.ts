import type { Dense } from "bonmf";
import { noteConstant, noteRows } from "bonmf-data";
import { UserError } from "../errors.js";
import type { Data, ReadOptions } from "./data.js";
import { type DirectReader, openDirect } from "./direct/open.js";
import { isMissing } from "./duckdb/errors.js";
import { finishPart, finishWhole } from "./duckdb/finish.js";
import { OpenTable } from "./duckdb/open-table.js";
import { type Query, select } from "./duckdb/query.js";
import { SideColumns, type SideLayout } from "./duckdb/side-columns.js";
import { TableBuilder } from "./duckdb/table-builder.js";
import type { File } from "./files/bytes.js";
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
      return await fill(table, select(relation, plan, options, plain), options, direct?.room);
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
  room?: Dense | null,
): Promise<Data> {
  const { duck, relation, plan } = await table.open();
  const capacity = relation.rows === null ? START : Math.ceil(relation.rows * 1.02) + 1;
  const builder = new TableBuilder(
    plan,
    openSideColumns(layout, options),
    options.missing === "drop",
    capacity,
    true,
    room,
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
