import type { Terminal } from "../command.js";
import type { Data } from "../read/data.js";
import type { Originals } from "../read/duckdb/originals.js";
import { formatOf, TABLES } from "../write/format.js";
import { type Cell, openTable, type TableWriter, type TextOptions, type Value, writeLines } from "../write/table.js";
import type { PredictionColumns } from "./prediction-columns.js";
import type { Prediction } from "./predictor.js";

/** Where predictions go, part by part. */
export interface PredictionWriter {
  /** @param first the index of the part's first sample among all samples */
  write(predictions: readonly Prediction[], data: Data, first: number): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Writes to the file `out`; without one to standard output as CSV, or with --json into the list `kept`. */
export async function openWriter(
  terminal: Terminal,
  out: string | null,
  answers: PredictionColumns,
  originals: Originals | null,
  kept: Record<string, Value>[],
  options: TextOptions = {},
): Promise<PredictionWriter> {
  if (out === null && terminal.json) return keepRows(answers, kept);
  const columns = [...(originals?.columns ?? []), ...answers.columns];
  const table =
    out === null
      ? await print(terminal, columns, options)
      : await openTable(out, columns, formatOf(out, TABLES), originals?.scan, options);
  return writeBeside(table, originals, answers);
}

function keepRows({ columns, toRow }: PredictionColumns, kept: Record<string, Value>[]): PredictionWriter {
  return {
    async write(predictions, data, first) {
      predictions.forEach((prediction, i) => {
        const row = toRow(prediction, data, i, first + i);
        kept.push(Object.fromEntries(columns.map(({ name }, c) => [name, row[c]])));
      });
    },
    commit: async () => {},
    discard: async () => {},
  };
}

/** Rows of the table's own columns with their answers; rows that are no samples have empty cells there. */
function writeBeside(
  table: TableWriter,
  originals: Originals | null,
  { columns, toRow }: PredictionColumns,
): PredictionWriter {
  const none: Value[] = columns.map(() => null);
  let row = 0;
  return {
    async write(predictions, data, first) {
      const answers = predictions.map((prediction, i) => toRow(prediction, data, i, first + i));
      if (originals === null) return table.write(answers);
      const dropped = new Set(data.dropped);
      const own = await originals.take(answers.length + dropped.size);
      let next = 0;
      const rows: Cell[][] = own.map((cells) => [...cells, ...(dropped.has(row++) ? none : answers[next++])]);
      if (next !== answers.length) throw new Error(`the table has ${row} rows, but more were predicted`);
      await table.write(rows);
    },
    async commit() {
      // Rows after the last sample.
      for await (const rows of originals?.rest() ?? []) await table.write(rows.map((cells) => [...cells, ...none]));
      await originals?.close();
      await table.commit();
    },
    async discard() {
      await originals?.close();
      await table.discard();
    },
  };
}

function print(terminal: Terminal, columns: PredictionColumns["columns"], options: TextOptions): Promise<TableWriter> {
  const write = async (text: Uint8Array | string) => terminal.data(String(text));
  return writeLines({ write, commit: async () => {}, discard: async () => {} }, columns, "csv", options);
}
