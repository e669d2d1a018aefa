import type { Dense } from "bonmf";
import { makePlan, noteConstant, noteRows, type TablePlan } from "bonmf-data";
import { UserError } from "../errors.js";
import type { Data, ReadOptions } from "./data.js";
import { CsvReader } from "./direct/csv/reader.js";
import { ParquetReader } from "./direct/parquet/reader.js";
import { Cell } from "./duckdb/bad-value.js";
import { Duck } from "./duckdb/duck.js";
import { describeCell, isMissing, translate } from "./duckdb/errors.js";
import { askColumns } from "./duckdb/facts.js";
import { Filler } from "./duckdb/filler.js";
import { type Query, select } from "./duckdb/query.js";
import { guessTableKind, openRelation, type Relation } from "./duckdb/relation.js";
import { type Harvest, Margin } from "./duckdb/side-columns.js";
import { type File, readChunks, readHead } from "./files/bytes.js";
import { findFiles } from "./files/find.js";
import { Scratch } from "./files/scratch.js";

/** Rows to make room for where nobody knows how many there are. */
const START = 65_536;

/** Reads CSV, JSON lines, Parquet or a query into one dense matrix: numbers are features. */
export async function readTable(sources: readonly string[], options: ReadOptions): Promise<Data> {
  const parts = read(sources, options, null);
  const { value } = await parts.next();
  await parts.return(undefined);
  return value as Data;
}

/** The same in parts of at most `rows` rows. */
export function readTableParts(
  sources: readonly string[],
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Data, undefined> {
  return read(sources, options, rows);
}

async function* read(
  sources: readonly string[],
  options: ReadOptions,
  rows: number | null,
): AsyncGenerator<Data, undefined> {
  const { signal, sql } = options;
  signal?.throwIfAborted();
  const scratch = new Scratch();
  const done = new AbortController();
  let duck: Duck | undefined;
  let parquet: ParquetReader | null = null;
  let csv: CsvReader | null = null;
  let relation: Relation | undefined;
  let whole: Promise<unknown> = Promise.resolve();
  try {
    const files = sql !== undefined && sources.length === 0 ? [] : await findFiles(sources, options, scratch);
    whole = unpackAll(files, AbortSignal.any([done.signal, ...(signal ? [signal] : [])]));
    // Awaited below; until then its failure is no unhandled one.
    whole.catch(() => {});
    const kind = rows === null && sql === undefined ? (options.kind ?? guessTableKind(files[0].path)) : null;
    if (kind === "parquet") parquet = await ParquetReader.open(files, options);
    if (kind === "csv") csv = await CsvReader.open(files, options);
    const alone = await parquet?.readAlone();
    if (alone) {
      yield finishWhole(alone.harvest, alone.plan, alone.relation, options);
      return;
    }
    duck = await Duck.open(signal, options.memory);
    relation = await openRelation(duck, files, options);
    const plan = await makePlan(askColumns(duck, relation, options), options);
    const harvest = (await parquet?.read(duck, relation, plan)) ?? (await csv?.read(relation, plan));
    if (harvest) {
      yield finishWhole(harvest, plan, relation, options);
      return;
    }
    const plain = relation.kind === "csv" && rows === null;
    const room = parquet?.room ?? csv?.room;
    try {
      yield* fill(duck, relation, plan, select(relation, plan, options, plain), options, rows, whole, room);
    } catch (error) {
      if (!plain || !isMissing(error)) throw error;
      yield* fill(duck, relation, plan, select(relation, plan, options, false), options, rows, whole);
    }
  } catch (error) {
    signal?.throwIfAborted();
    // What a file that is cut short ends in may look like another mistake.
    await whole;
    throw error instanceof Cell && duck && relation
      ? await describeCell(duck, relation, error, options)
      : translate(error);
  } finally {
    done.abort();
    await parquet?.close();
    await csv?.close();
    duck?.close();
    await scratch.remove();
  }
}

/** Unpacks gzipped files to their ends beside DuckDB, which does not notice when one is cut short. */
async function unpackAll(files: readonly File[], signal: AbortSignal): Promise<void> {
  for (const file of files) {
    if (!(await readHead(file)).gzip) continue;
    for await (const _ of readChunks(file, { signal }));
  }
}

async function* fill(
  duck: Duck,
  relation: Relation,
  plan: TablePlan,
  { columns, from: table, extras }: Query,
  options: ReadOptions,
  rows: number | null,
  whole: Promise<unknown>,
  room?: Dense | null,
): AsyncGenerator<Data, undefined> {
  const { onProgress, missing } = options;
  const capacity = rows ?? (relation.rows === null ? START : Math.ceil(relation.rows * 1.02) + 1);
  const open = () => {
    const margin = new Margin(extras, missing === "drop");
    return new Filler(plan, margin, missing === "drop", capacity, rows === null, room);
  };
  let filler = open();
  let notes = [...relation.notes, ...plan.notes];
  let seen = 0;
  for await (const { chunk, rows: count } of duck.stream(columns, table)) {
    for (let from = 0; from < count; ) {
      const to = rows === null ? count : Math.min(count, from + rows - filler.rows);
      filler.append(chunk, from, to, seen);
      from = to;
      if (rows === null || filler.rows < rows) continue;
      yield finish(filler.finish(), plan, relation, [...notes, ...noteRows(filler, options)]);
      notes = [];
      filler = open();
    }
    seen += count;
    onProgress?.(seen, relation.rows && Math.max(seen, relation.rows), "rows");
  }
  // A file that was cut short must not end as if it were whole.
  await whole;
  if (seen === 0) throw new UserError(`${relation.name} has columns but no rows`);
  onProgress?.(seen, seen, "rows");
  if (filler.rows === 0) {
    if (rows !== null && filler.dropped < seen) return;
    throw new UserError(
      `${relation.name}: every row has a missing value, so none is left`,
      "--missing mean fills them",
    );
  }
  const harvest = filler.finish();
  if (rows === null) notes.push(...noteConstant(harvest.constant, harvest.X.samples, options));
  yield finish(harvest, plan, relation, [...notes, ...noteRows(filler, options)]);
}

export function finishWhole(harvest: Harvest, plan: TablePlan, relation: Relation, options: ReadOptions): Data {
  return finish(harvest, plan, relation, [
    ...relation.notes,
    ...plan.notes,
    ...noteConstant(harvest.constant, harvest.X.samples, options),
  ]);
}

function finish({ X, margin }: Harvest, { features, recipe }: TablePlan, { kind }: Relation, notes: string[]): Data {
  const { labels, ids, weights } = margin;
  return { X, features, labels, ids, weights: weights && Float64Array.from(weights), kind, recipe, notes };
}
