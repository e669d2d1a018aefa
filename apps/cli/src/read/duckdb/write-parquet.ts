import { setImmediate } from "node:timers/promises";
import { DuckDBDataChunk, DuckDBInstance, type DuckDBType, type DuckDBValue } from "@duckdb/node-api";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { checkColumnNames } from "./column-names.js";
import { quoteName, quoteText } from "./duck.js";

/** Milliseconds of work between two turns of the event loop. */
const TURN = 50;

/** What DuckDB takes at once. */
export const CHUNK = 2048;

export interface Field {
  readonly name: string;
  readonly type: DuckDBType;
}

/** Values of a column: one by one, with null where one is missing, or as they lie in memory. */
export type Values = readonly DuckDBValue[] | Raw;

type Raw =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

/**
 * Writes a table that DuckDB cannot read as one that it can, so that one reader knows all about columns.
 *
 * @param source what the user calls it
 * @param chunks the values of each column, for at most CHUNK rows at a time
 */
export async function writeParquet(
  path: string,
  source: string,
  fields: readonly Field[],
  chunks: Iterable<readonly Values[]> | AsyncIterable<readonly Values[]>,
  { signal }: ReadOptions,
): Promise<void> {
  checkNames(fields, source);
  // What does not fit into memory goes beside the file, not to the working folder.
  const instance = await DuckDBInstance.create(":memory:", { temp_directory: `${path}.spill` });
  const connection = await instance.connect();
  try {
    await connection.run(
      `create table samples (${fields.map(({ name, type }) => `${quoteName(name)} ${type}`).join(", ")})`,
    );
    const appender = await connection.createAppender("samples");
    const types = fields.map(({ type }) => type);
    let last = performance.now();
    for await (const columns of chunks) {
      // Signals are heard between turns of the event loop.
      if (performance.now() - last > TURN) {
        await setImmediate();
        last = performance.now();
      }
      signal?.throwIfAborted();
      const chunk = DuckDBDataChunk.create(types, columns[0].length);
      for (const [c, values] of columns.entries()) setValues(chunk, c, values);
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    await connection.run(`copy samples to ${quoteText(path)} (format parquet, compression uncompressed)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function setValues(chunk: DuckDBDataChunk, c: number, values: Values): void {
  if (!ArrayBuffer.isView(values)) {
    chunk.setColumnValues(c, values);
    return;
  }
  // Value by value would take fifty times as long.
  const vector = chunk.getColumnVector(c) as unknown as { items: { set(values: Raw): void }; flush(): void };
  vector.items.set(values);
  vector.flush();
}

/** SQL names do not differ by case. */
function checkNames(fields: readonly Field[], source: string): void {
  if (fields.length === 0) throw new UserError(`${source} has no columns`);
  checkColumnNames(fields, source);
  const seen = new Map<string, string>();
  for (const { name } of fields) {
    const twin = seen.get(name.toLowerCase());
    if (twin !== undefined) {
      const [one, other] = [twin, name].map((text) => JSON.stringify(text));
      const names = one === other ? `are called ${one}` : `differ only in case: ${one}, ${other}`;
      throw new UserError(`${source}: two columns ${names}`, "rename one");
    }
    seen.set(name.toLowerCase(), name);
  }
}
