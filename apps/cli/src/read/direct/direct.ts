import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { allocateDense, type Dense } from "bonmf";
import { makePlan, type TablePlan } from "bonmf-data";
import type { File } from "../bytes.js";
import { isNumber } from "../csv.js";
import type { ReadOptions } from "../data.js";
import { type Duck, NO_TABLE } from "../duck.js";
import { askColumns } from "../facts.js";
import type { Harvest } from "../margin.js";
import { readMargin } from "../query.js";
import type { Relation } from "../relation.js";
import { needsTable } from "../wishes.js";
import { type Craft, Crew } from "./crew.js";
import { doTasks } from "./fill.js";
import { type Footer, readFooters } from "./footer.js";
import type { Done, Order } from "./order.js";
import { surveyFiles } from "./survey.js";
import { cutTasks } from "./tasks.js";

/** Bytes of files below which DuckDB has made a table before threads have started. */
export const LEAST = 4 * 2 ** 20;
/** More would only wait for memory. */
export const MOST_THREADS = 16;

const CRAFT: Craft<Order, Done> = { script: "worker.js", work: doTasks };

type Footers = Promise<readonly Footer[] | null>;

/**
 * Reads files of plain numbers straight into the matrix, on all cores: fetching what DuckDB has decoded would take
 * longer than decoding does. Anything out of the ordinary, down to a missing value, is DuckDB's to read, fill or refuse.
 */
export class Direct {
  /** Room for the matrix, which may still be used where it came to nothing. */
  room: Dense | null = null;
  readonly #files: readonly File[];
  readonly #footers: Footers;
  readonly #options: ReadOptions;
  readonly #threads: number;
  /** Whether nothing but features is to be read; what else there is would wait too long for this thread. */
  readonly #alone: boolean;
  readonly #crew: Crew<Order, Done>;
  #tried = false;

  private constructor(files: readonly File[], bytes: number, footers: Footers, options: ReadOptions) {
    const { label, id, weight } = options;
    this.#files = files;
    this.#footers = footers.catch(() => null);
    this.#options = options;
    this.#threads = Math.min(availableParallelism(), MOST_THREADS, Math.ceil(bytes / LEAST));
    this.#alone = label === undefined && id === undefined && weight === undefined;
    this.#crew = new Crew(CRAFT, this.#threads - (this.#alone ? 1 : 0));
  }

  /** Begins with what can be done before a table is known; null where the files are too small, or named strangely. */
  static async open(files: readonly File[], options: ReadOptions, least = LEAST): Promise<Direct | null> {
    // Folders named like "year=2024" may stand for columns.
    if (files.some(({ path }) => path.includes("="))) return null;
    let bytes = 0;
    for (const { path } of files) bytes += (await stat(path)).size;
    if (bytes < least) return null;
    return new Direct(files, bytes, readFooters(files), options);
  }

  /** What the files say of themselves. */
  async #describe(): Promise<Relation | null> {
    const footers = await this.#footers;
    if (!footers) return null;
    const [{ fields }] = footers;
    return {
      kind: "parquet",
      name: this.#files[0].name,
      files: this.#files,
      sheets: [],
      columns: fields.map(({ name, type, kind }) => ({ name, type, number: kind !== null || isNumber(type) })),
      from: () => "",
      rows: countRows(footers.flatMap(({ groups }) => groups)),
      notes: [],
    };
  }

  /** Without DuckDB; null where it is needed. */
  async readAlone(): Promise<{ harvest: Harvest; relation: Relation; plan: TablePlan } | null> {
    const { oneHot, missing, text, like } = this.#options;
    if (!this.#alone || needsTable({ oneHot, missing, text, like }) || like?.recipe.text) return null;
    const relation = await this.#describe();
    const plan =
      relation && (await makePlan(askColumns(NO_TABLE, relation, this.#options), this.#options).catch(() => null));
    const harvest = plan && (await this.read(null, relation, plan));
    return harvest && { harvest, relation, plan };
  }

  /** Null where it is DuckDB's after all. */
  async read(duck: Duck | null, relation: Relation, plan: TablePlan): Promise<Harvest | null> {
    const { signal, onProgress } = this.#options;
    const m = plan.features.length;
    const footers = await this.#footers;
    const groups = footers && !this.#tried && surveyFiles(plan, footers);
    const n = groups ? countRows(groups) : 0;
    if (!groups || n === 0 || n !== relation.rows) return null;
    this.#tried = true;
    const X = allocateDense(n, m);
    this.room = X;
    const out = X.data as Float32Array;
    if (!(out.buffer instanceof SharedArrayBuffer)) return null;
    const paths = this.#files.map(({ path }) => path);
    const tasks = cutTasks(groups, m, this.#threads);
    const order: Order = { paths, tasks, out, m, next: new Int32Array(new SharedArrayBuffer(4)) };
    const still = new Map<number, number>();
    let values = 0;
    const failed = new AbortController();
    const stop = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
    const working = this.#crew.run(order, this.#alone, stop, (done) => {
      values += mergeStill(still, order, done);
      onProgress?.(Math.floor(values / m), n, "rows");
    });
    const margin = await readMargin(duck, relation, plan, this.#options).catch(() => null);
    if (margin === null) failed.abort();
    const whole = await working;
    signal?.throwIfAborted();
    if (!whole || margin === null) return null;
    return { X, margin, constant: plan.features.filter((_, f) => !Number.isNaN(still.get(f))) };
  }

  async close(): Promise<void> {
    await this.#crew.close();
  }
}

function countRows(groups: readonly { readonly rows: number }[]): number {
  return groups.reduce((sum, { rows }) => sum + rows, 0);
}

/** Notes which features have had one value so far; returns how many values are new. */
function mergeStill(still: Map<number, number>, { tasks }: Order, { task, still: values }: Done): number {
  const { feature, rows } = tasks[task];
  for (const [c, value] of values.entries()) {
    const before = still.get(feature + c) ?? value;
    still.set(feature + c, before === value ? value : Number.NaN);
  }
  return rows * values.length;
}
