import type { Terminal } from "../command.js";
import type { Data } from "../read/data.js";
import { openTable, type TableWriter, type Value, writeLines } from "../write/table.js";
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
  { columns, toRow }: PredictionColumns,
  kept: Record<string, Value>[],
): Promise<PredictionWriter> {
  const table = out !== null ? await openTable(out, columns) : terminal.json ? null : await print(terminal, columns);
  return {
    async write(predictions, data, first) {
      const rows = predictions.map((prediction, i) => toRow(prediction, data, i, first + i));
      if (table) await table.write(rows);
      else for (const row of rows) kept.push(Object.fromEntries(columns.map(({ name }, c) => [name, row[c]])));
    },
    commit: async () => table?.commit(),
    discard: async () => table?.discard(),
  };
}

function print(terminal: Terminal, columns: PredictionColumns["columns"]): Promise<TableWriter> {
  const write = async (text: Uint8Array | string) => terminal.out(String(text));
  return writeLines({ write, commit: async () => {}, discard: async () => {} }, columns, "csv");
}
