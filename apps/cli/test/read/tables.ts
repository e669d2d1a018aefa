import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll } from "vitest";
import { UserError } from "../../src/errors.js";

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
