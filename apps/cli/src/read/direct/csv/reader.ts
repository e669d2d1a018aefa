import { allocateDense, Dense } from "bonmf";
import type { TablePlan } from "bonmf-data";
import type { ReadOptions } from "../../data.js";
import { needsTable } from "../../duckdb/needs-table.js";
import { select, type TableRows } from "../../duckdb/query.js";
import type { Relation } from "../../duckdb/relation.js";
import { type File, readHead } from "../../files/bytes.js";
import type { DirectReader } from "../../table.js";
import { countThreads, WorkerPool } from "../worker-pool.js";
import { cutBlocks, parseBlocks } from "./blocks.js";
import { Collector } from "./collector.js";
import { describeFiles } from "./files.js";
import type { Done, Job } from "./job.js";

const CRAFT = { script: "csv/worker.js", work: parseBlocks };
/** Bytes of text for a thread at a time. */
const BLOCK = 2 ** 20;
/** Room for more rows than are expected, which takes no memory while it is not used; less of it near the limit. */
const SLACK = 1.25;
const LITTLE_SLACK = 1.02;
const MOST_SHARED = 2 ** 32 - 2 ** 27;

/**
 * Reads CSV files of plain numbers straight into the matrix, on all cores. DuckDB has found out how they are written. It
 * also reads, fills or refuses whatever is unusual, down to a missing value.
 */
export class CsvReader implements DirectReader {
  allocated: Dense | null = null;
  readonly #options: ReadOptions;
  readonly #pool: WorkerPool<Job, Done>;
  readonly #block: number;

  private constructor(options: ReadOptions, threads: number, block: number) {
    this.#options = options;
    this.#pool = new WorkerPool(CRAFT, threads - 1);
    this.#block = block;
  }

  /** Starts threads; null where files are compressed, or something else is asked for than numbers. */
  static async open(
    files: readonly File[],
    bytes: number,
    options: ReadOptions,
    block = BLOCK,
  ): Promise<CsvReader | null> {
    const { oneHot, missing, text, like } = options;
    if (needsTable({ oneHot, missing, text, like })) return null;
    for (const file of files) {
      if (/\.(gz|zst)$/i.test(file.path) || (await readHead(file)).gzip) return null;
    }
    return new CsvReader(options, countThreads(Math.ceil(bytes / block)), block);
  }

  async read(relation: Relation, plan: TablePlan): Promise<TableRows | null> {
    const { signal, onProgress, budget = Number.POSITIVE_INFINITY } = this.#options;
    const { label, id, weight } = plan;
    const { files: paths, csvGroups, columns, rows } = relation;
    const m = plan.features.length;
    const bools = new Set(columns.filter(({ type }) => type === "BOOLEAN").map(({ name }) => name));
    if (rows === null || plan.parts.some(({ column, values, decimal }) => values || decimal || bools.has(column)))
      return null;
    // DuckDB counts the rows that are there.
    if (4 * rows * m > budget) return null;
    const beside = [label, id, weight].filter((name) => name !== undefined);
    const texts = [...new Set(beside)];
    const files = await describeFiles(csvGroups, plan, texts).catch(() => null);
    if (!files || files.length !== paths.length) return null;
    this.allocated = allocateDense(
      Math.ceil(rows * (4 * rows * m * SLACK < MOST_SHARED ? SLACK : LITTLE_SLACK)) + 1,
      m,
    );
    const out = this.allocated.data as Float32Array;
    if (!(out.buffer instanceof SharedArrayBuffer)) return null;
    const tasks = cutBlocks(files, this.#block);
    const counts = new Int32Array(new SharedArrayBuffer(4 * tasks.length)).fill(-1);
    const next = new Int32Array(new SharedArrayBuffer(4));
    const { layout } = select(relation, { ...plan, parts: [] }, true);
    const places = beside.map((name) => texts.indexOf(name));
    const collector = new Collector(m, layout, places, counts);
    const failed = new AbortController();
    let done = 0;
    const whole = await this.#pool.run(
      { files, tasks, texts: texts.length, out, m, next, counts },
      true,
      AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]),
      (finished) => {
        try {
          collector.add(finished);
        } catch {
          failed.abort();
        }
        done += counts[finished.task];
        onProgress?.(done, Math.max(done, rows), "rows");
      },
    );
    signal?.throwIfAborted();
    const { side, rows: n } = collector;
    if (!whole || failed.signal.aborted || n === 0) return null;
    onProgress?.(n, n, "rows");
    const constant = collector.constant.list().map((f) => plan.features[f]);
    return { X: new Dense(n, m, out.subarray(0, n * m)), side, constant };
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
