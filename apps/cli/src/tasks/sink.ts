import type { Terminal } from "../command.js";
import type { Data } from "../read/data.js";
import { openTable, type TableWriter, type Value, writeLines } from "../write/table.js";
import type { Answer } from "./answer.js";
import type { Layout } from "./verdicts.js";

/** Where answers go, part by part. */
export interface Sink {
  /** @param first the number of the part's first sample among all, from 0 */
  write(answers: readonly Answer[], data: Data, first: number): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** A file; else standard output, as CSV; else, where that is for JSON, the list `kept`. */
export async function openSink(
  terminal: Terminal,
  out: string | null,
  { columns, toRow }: Layout,
  kept: Record<string, Value>[],
): Promise<Sink> {
  const table = out !== null ? await openTable(out, columns) : terminal.json ? null : await print(terminal, columns);
  return {
    async write(answers, data, first) {
      const rows = answers.map((answer, i) => toRow(answer, data, i, first + i));
      if (table) await table.write(rows);
      else for (const row of rows) kept.push(Object.fromEntries(columns.map(({ name }, c) => [name, row[c]])));
    },
    commit: async () => table?.commit(),
    discard: async () => table?.discard(),
  };
}

function print(terminal: Terminal, columns: Layout["columns"]): Promise<TableWriter> {
  const write = async (text: Uint8Array | string) => terminal.out(String(text));
  return writeLines({ write, commit: async () => {}, discard: async () => {} }, columns, "csv");
}
