import { join } from "node:path";
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type Json,
  ResultReturnType,
} from "@duckdb/node-api";
import { makeTemporaryFolder, removeTemporarySync } from "../../write/leftovers.js";
import { freeMemory, MOST_SAMPLES } from "../memory-budget.js";

// Nothing is fetched from the network.
const SETTINGS = { autoinstall_known_extensions: "false" };

/** With less, DuckDB may fail on small tables. */
const LEAST_BYTES = 2 ** 29;

/** Rows that DuckDB may buffer ahead. With its default of 1 MB its threads mostly wait. */
const AHEAD = "64MB";

/** Milliseconds between two interruptions. */
const PAUSE = 50;

export interface Chunk {
  readonly chunk: DuckDBDataChunk;
  readonly rows: number;
}

/** A DuckDB of our own, in memory, that the signal interrupts. */
export class Duck {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal | undefined;
  /** DuckDB forgets an interruption that comes while a query is about to begin. */
  readonly #stop = () => {
    this.#connection.interrupt();
    this.#again = setInterval(() => this.#connection.interrupt(), PAUSE);
  };
  #again: NodeJS.Timeout | undefined;

  readonly #memory: number | undefined;
  /** For spooled queries, and what does not fit into memory; null where none could be made. */
  readonly #folder: string | null;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    folder: string | null,
    signal: AbortSignal | undefined,
    memory: number | undefined,
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#folder = folder;
    this.#signal = signal;
    this.#memory = memory;
    signal?.addEventListener("abort", this.#stop);
  }

  /** @param memory bytes it may take, about: then one thread reads, and little of it ahead */
  static async open(signal?: AbortSignal, memory?: number): Promise<Duck> {
    const few = memory === undefined ? {} : { threads: "1" };
    const most = memory ?? Math.max(LEAST_BYTES, freeMemory() * MOST_SAMPLES);
    const memory_limit = `${Math.ceil(most / 2 ** 20)}MiB`;
    // Small tables need no folder.
    const folder = await makeTemporaryFolder().catch(() => null);
    const temp_directory = folder === null ? "" : join(folder, "spill");
    const instance = await DuckDBInstance.create(":memory:", { ...SETTINGS, temp_directory, memory_limit, ...few });
    const connection = await instance.connect();
    await connection.run(`set streaming_buffer_size = '${memory === undefined ? AHEAD : "4MB"}'`);
    return new Duck(instance, connection, folder, signal, memory);
  }

  /** Throws where the text is not SQL; nothing of it is run. */
  async parse(sql: string): Promise<void> {
    this.#signal?.throwIfAborted();
    await this.#connection.extractStatements(sql);
  }

  /** All rows of a small result. */
  async ask(sql: string): Promise<Record<string, Json>[]> {
    this.#signal?.throwIfAborted();
    return (await this.#connection.runAndReadAll(sql)).getRowObjectsJson();
  }

  async run(sql: string): Promise<void> {
    this.#signal?.throwIfAborted();
    await this.#connection.run(sql);
  }

  /**
   * Writes the result of a query into a file; returns the SQL that reads it.
   *
   * @param place where; by default a file of our own, which `close` removes
   */
  async spool(query: string, columns: readonly string[], place?: string): Promise<string> {
    const path = quoteText(place ?? join(this.#folder ?? (await makeTemporaryFolder()), "rows.parquet"));
    // A row group is in memory as a whole.
    const size = this.#memory === undefined ? "" : ", row_group_size 2048";
    const options = `format parquet, compression uncompressed${size}`;
    await this.run(`copy (select ${columns.join(", ")} from ${query}) to ${path} (${options})`);
    return `read_parquet(${path})`;
  }

  /** The rows of a large result, chunk by chunk. */
  async *stream(columns: readonly string[], from: string): AsyncGenerator<Chunk, undefined> {
    this.#signal?.throwIfAborted();
    const query = `select ${columns.join(", ")} from ${from}`;
    const result = await this.#connection.stream(query);
    for (;;) {
      const chunk = await result.fetchChunk();
      this.#signal?.throwIfAborted();
      if (chunk === null || chunk.rowCount === 0) break;
      yield { chunk, rows: chunk.rowCount };
    }
    if (result.returnType !== ResultReturnType.INVALID) return;
    // When DuckDB meets an error on the way, the stream just ends. Run again, the query tells which.
    await this.run(`select count(columns(*)) from (${query})`);
    throw new Error("DuckDB ended the result early");
  }

  close(): void {
    this.#signal?.removeEventListener("abort", this.#stop);
    clearInterval(this.#again);
    this.#connection.closeSync();
    this.#instance.closeSync();
    if (this.#folder !== null) removeTemporarySync(this.#folder);
  }
}

/** Who answers questions about a table. */
export type Asker = Pick<Duck, "ask">;

/** For files that are read without DuckDB; where a question comes up, they are read again with it. */
export const NO_TABLE: Asker = { ask: () => Promise.reject(new Error("there is no table")) };

/** A text as SQL writes it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A column's name as SQL writes it. */
export function quoteName(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}

/** File names as they are: DuckDB takes * ? [ for patterns. */
export function quotePaths(paths: readonly string[]): string {
  return `[${paths.map((path) => quoteText(path.replace(/[*?[]/g, "[$&]"))).join(", ")}]`;
}
