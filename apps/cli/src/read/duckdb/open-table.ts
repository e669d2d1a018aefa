import { makePlan, type TablePlan } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { checkGzip, type File } from "../files/bytes.js";
import type { TableKind } from "../files/sources.js";
import { BadValue } from "./bad-value.js";
import { Duck } from "./duck.js";
import { describeBadValue, translate } from "./errors.js";
import { askColumns } from "./facts.js";
import { openRelation, type Relation } from "./relation.js";

interface Opened {
  readonly duck: Duck;
  readonly relation: Relation;
  readonly plan: TablePlan;
}

/** A table in DuckDB while it is read. */
export class OpenTable {
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
    const relation = await openRelation(duck, this.#files, this.#kind, sql);
    this.#relation = relation;
    const plan = await makePlan(askColumns(duck, relation, this.#options), this.#options);
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
    return translate(error);
  }

  close(): void {
    this.#closed.abort();
    this.#duck?.close();
  }
}
