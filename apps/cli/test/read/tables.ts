import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { kindByName } from "bonmf-data";
import { afterAll, beforeAll } from "vitest";
import { UserError } from "../../src/errors.js";
import type { Data, ReadOptions } from "../../src/read/data.js";
import type { TableKind } from "../../src/read/files/sources.js";
import { readData, readParts } from "../../src/read/read.js";

/** Reads files as tables, by their endings, whatever they look like; what is not said is refused, not decided. */
export function readTable(sources: readonly string[], options: ReadOptions): Promise<Data> {
  return readData(sources, { strict: true, ...options, ...(sources.length > 0 && { kind: guessKind(sources[0]) }) });
}

/** The same in parts. */
export function readTableParts(sources: readonly string[], options: ReadOptions, rows: number): AsyncIterable<Data> {
  return readParts(sources, { strict: true, ...options, kind: guessKind(sources[0]) }, rows);
}

function guessKind(path: string): TableKind {
  const kind = kindByName(path);
  return kind === "parquet" || kind === "jsonl" ? kind : "csv";
}

/** A folder of files for one test file, removed afterwards. */
export function useFolder() {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bonmf-test-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    path: (name: string) => join(folder, name),
    async write(name: string, content: string | Uint8Array): Promise<string> {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
    async writeParquet(name: string, query: string): Promise<string> {
      const path = join(folder, name);
      const instance = await DuckDBInstance.create();
      const connection = await instance.connect();
      await connection.run(`copy (${query}) to '${path.replaceAll("'", "''")}' (format parquet)`);
      connection.closeSync();
      instance.closeSync();
      return path;
    },
    /** A user's error as people see it, less the folder. */
    async fail(run: Promise<unknown>): Promise<string> {
      const error: unknown = await run.then(
        () => new Error("nothing failed"),
        (reason) => reason,
      );
      if (!(error instanceof UserError)) throw error;
      const hint = error.hint === undefined ? "" : `\n${error.hint}`;
      return `${error.message}${hint}`.replaceAll(`${folder}/`, "");
    },
  };
}
