import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { allocateDense, Dense } from "bonmf";
import type { TablePlan } from "bonmf-data";
import { type File, readHead } from "../bytes.js";
import type { ReadOptions } from "../data.js";
import type { Harvest } from "../margin.js";
import { select } from "../query.js";
import type { Relation } from "../relation.js";
import { needsTable } from "../wishes.js";
import { Binder } from "./binder.js";
import { cutBlocks, doBlocks } from "./blocks.js";
import { type Craft, Crew } from "./crew.js";
import { LEAST, MOST_THREADS } from "./direct.js";
import { describeFiles } from "./head.js";
import type { Writing, Written } from "./script.js";

const CRAFT: Craft<Writing, Written> = { script: "reader.js", work: doBlocks };
/** Bytes of text for a thread at a time. */
const BLOCK = 2 ** 20;
/** Room for each row that is expected, as what is not used takes no memory; and where no more can be shared. */
const SLACK = 1.25;
const LITTLE = 1.02;
const SHARED = 2 ** 32 - 2 ** 27;

/**
 * Reads CSV files of plain numbers straight into the matrix, on all cores. DuckDB has found out how they are written;
 * anything out of the ordinary, down to a missing value, is its own to read, fill or refuse.
 */
export class Sheets {
  /** Room for the matrix, which may still be used where it came to nothing. */
  room: Dense | null = null;
  readonly #options: ReadOptions;
  readonly #crew: Crew<Writing, Written>;
  readonly #block: number;

  private constructor(options: ReadOptions, threads: number, block: number) {
    this.#options = options;
    this.#crew = new Crew(CRAFT, threads - 1);
    this.#block = block;
  }

  /** Starts threads; null where the files are too small or packed, or something else is asked for than numbers. */
  static async open(
    files: readonly File[],
    options: ReadOptions,
    least = LEAST,
    block = BLOCK,
  ): Promise<Sheets | null> {
    const { oneHot, missing, text, like } = options;
    if (needsTable({ oneHot, missing, text, like })) return null;
    let bytes = 0;
    for (const file of files) {
      if (/\.(gz|zst)$/i.test(file.path) || (await readHead(file)).gzip) return null;
      bytes += (await stat(file.path)).size;
    }
    if (bytes < least) return null;
    return new Sheets(options, Math.min(availableParallelism(), MOST_THREADS, Math.ceil(bytes / block)), block);
  }

  /** Null where it is DuckDB's after all. */
  async read(relation: Relation, plan: TablePlan): Promise<Harvest | null> {
    const { label, id, weight, signal, onProgress } = this.#options;
    const { files: paths, sheets, columns, rows } = relation;
    const m = plan.features.length;
    const bools = new Set(columns.filter(({ type }) => type === "BOOLEAN").map(({ name }) => name));
    if (rows === null || plan.parts.some(({ column, values }) => values || bools.has(column))) return null;
    const beside = [label, id, weight].filter((name) => name !== undefined);
    const texts = [...new Set(beside)];
    const files = await describeFiles(sheets, plan, texts).catch(() => null);
    if (!files || files.length !== paths.length) return null;
    this.room = allocateDense(Math.ceil(rows * (4 * rows * m * SLACK < SHARED ? SLACK : LITTLE)) + 1, m);
    const out = this.room.data as Float32Array;
    if (!(out.buffer instanceof SharedArrayBuffer)) return null;
    const tasks = cutBlocks(files, this.#block);
    const counts = new Int32Array(new SharedArrayBuffer(4 * tasks.length)).fill(-1);
    const next = new Int32Array(new SharedArrayBuffer(4));
    const { extras } = select(relation, { ...plan, parts: [] }, this.#options, true);
    const places = beside.map((name) => texts.indexOf(name));
    const binder = new Binder(extras, places, counts);
    const failed = new AbortController();
    let done = 0;
    const whole = await this.#crew.run(
      { files, tasks, texts: texts.length, out, m, next, counts },
      true,
      AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]),
      (written) => {
        try {
          binder.take(written);
        } catch {
          failed.abort();
        }
        done += counts[written.task];
        onProgress?.(done, Math.max(done, rows), "rows");
      },
    );
    signal?.throwIfAborted();
    const { margin, rows: n } = binder;
    if (!whole || failed.signal.aborted || n === 0) return null;
    onProgress?.(n, n, "rows");
    const constant = plan.features.filter((_, f) => binder.isConstant(f));
    return { X: new Dense(n, m, out.subarray(0, n * m)), margin, constant };
  }

  async close(): Promise<void> {
    await this.#crew.close();
  }
}
