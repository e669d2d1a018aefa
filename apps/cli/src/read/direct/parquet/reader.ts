import { allocateDense, type Dense } from "bonmf";
import { makePlan, type TablePlan, type TableSummary } from "bonmf-data";
import type { FileMetaData } from "hyparquet";
import type { ReadOptions } from "../../data.js";
import { ConstantFeatures } from "../../duckdb/constant-features.js";
import { type Duck, NO_TABLE } from "../../duckdb/duck.js";
import { needsTable } from "../../duckdb/needs-table.js";
import { readSideColumns, type TableRows } from "../../duckdb/query.js";
import type { Relation } from "../../duckdb/relation.js";
import { summarizeRelation } from "../../duckdb/summaries.js";
import { budgetOf, requireRows } from "../../duckdb/table-builder.js";
import type { File } from "../../files/bytes.js";
import type { DirectReader } from "../../table.js";
import { countThreads, WorkerPool } from "../worker-pool.js";
import { fillTasks } from "./fill.js";
import type { Done, Job } from "./job.js";
import { findRowGroups, listColumns, readMetadata } from "./metadata.js";
import { cutTasks } from "./tasks.js";

const CRAFT = { script: "parquet/worker.js", work: fillTasks };

/** Bytes of files that are worth a thread. */
const TASK_BYTES = 4 * 2 ** 20;

type Metadata = Promise<readonly FileMetaData[] | null>;

/**
 * Reads Parquet files of plain numbers straight into the matrix, on all cores: to fetch what DuckDB has decoded takes
 * longer than decoding does. DuckDB reads, fills or refuses whatever is unusual, down to a missing value.
 */
export class ParquetReader implements DirectReader {
  allocated: Dense | null = null;
  readonly #files: readonly File[];
  readonly #metadata: Metadata;
  readonly #options: ReadOptions;
  readonly #threads: number;
  /** Whether only features are read. Label, id and weight come from DuckDB, by this thread. */
  readonly #onlyFeatures: boolean;
  readonly #pool: WorkerPool<Job, Done>;
  #tried = false;

  private constructor(files: readonly File[], bytes: number, options: ReadOptions) {
    const { label, id, weight } = options;
    this.#files = files;
    this.#metadata = readMetadata(files).catch(() => null);
    this.#options = options;
    this.#threads = countThreads(Math.ceil(bytes / TASK_BYTES));
    this.#onlyFeatures = label === undefined && id === undefined && weight === undefined;
    this.#pool = new WorkerPool(CRAFT, this.#threads - (this.#onlyFeatures ? 1 : 0));
  }

  /** Starts threads; null where a folder may stand for a column. */
  static open(files: readonly File[], bytes: number, options: ReadOptions): ParquetReader | null {
    // As in "year=2024/data.parquet".
    if (files.some(({ path }) => path.includes("="))) return null;
    return new ParquetReader(files, bytes, options);
  }

  async readAlone(): Promise<{
    found: TableRows;
    relation: Relation;
    summary: TableSummary;
    plan: TablePlan;
  } | null> {
    const { oneHot, missing, text, like } = this.#options;
    if (!this.#onlyFeatures || needsTable({ oneHot, missing, text, like }) || like?.recipe.text) return null;
    const relation = await this.#describe();
    const known = relation && (await summarizeRelation(NO_TABLE, relation, this.#options, false).catch(() => null));
    if (!known) return null;
    const plan = makePlan(known.summary, this.#options);
    const found = await this.read(relation, plan, null);
    return found && { found, relation, summary: known.summary, plan };
  }

  async read(relation: Relation, plan: TablePlan, duck: Duck | null): Promise<TableRows | null> {
    const { signal, onProgress } = this.#options;
    const m = plan.features.length;
    const metadata = await this.#metadata;
    const groups = metadata && !this.#tried && findRowGroups(plan, metadata);
    const n = groups ? groups.reduce((sum, { rows }) => sum + rows, 0) : 0;
    if (!groups || n === 0 || n !== relation.rows) return null;
    requireRows(budgetOf(relation.name, this.#options), n, m);
    this.#tried = true;
    const X = allocateDense(n, m);
    this.allocated = X;
    const out = X.data as Float32Array;
    if (!(out.buffer instanceof SharedArrayBuffer)) return null;
    const paths = this.#files.map(({ path }) => path);
    const tasks = cutTasks(groups, m, this.#threads);
    const constant = new ConstantFeatures(m);
    let values = 0;
    const failed = new AbortController();
    const working = this.#pool.run(
      { paths, tasks, out, m, next: new Int32Array(new SharedArrayBuffer(4)) },
      this.#onlyFeatures,
      AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]),
      (done) => {
        const { feature, rows, chunks } = tasks[done.task];
        constant.merge(done.constant, feature);
        values += rows * chunks.length;
        onProgress?.(Math.floor(values / m), n, "rows");
      },
    );
    const side = await readSideColumns(duck, relation, plan, this.#options).catch(() => null);
    if (side === null) failed.abort();
    const whole = await working;
    signal?.throwIfAborted();
    if (!whole || side === null) return null;
    return { X, side, constant: constant.list().map((f) => plan.features[f]) };
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** The table as the files' metadata describe it. */
  async #describe(): Promise<Relation | null> {
    const metadata = await this.#metadata;
    if (!metadata) return null;
    return {
      kind: "parquet",
      name: this.#files[0].name,
      files: this.#files,
      csvGroups: [],
      columns: listColumns(metadata[0]),
      from: () => "",
      rows: metadata.reduce((sum, { num_rows }) => sum + Number(num_rows), 0),
      notes: [],
    };
  }
}
