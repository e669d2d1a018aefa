// Parquet: the direct reader of the command, whose errors only mean that DuckDB reads the file, and the studio's reader.
import { writeFileSync } from "node:fs";
import { fillTasks } from "../../apps/cli/src/read/direct/parquet/fill.ts";
import { findRowGroups, listColumns, readMetadata } from "../../apps/cli/src/read/direct/parquet/metadata.ts";
import { cutTasks } from "../../apps/cli/src/read/direct/parquet/tasks.ts";
import { readParquet } from "../../apps/studio/src/data/parquet.ts";
import { placeFile } from "../scratch.js";

/** hyparquet makes an array of as many entries as a list claims, up to 2²⁵, before it reads them. */
export const memoryBudget = { base: 2 ** 29, perByte: 256 };

const path = placeFile("parquet");

export async function read(bytes) {
  writeFileSync(path, bytes);
  await readDirect().catch(() => {});
  await readParquet(bytes.buffer, "input.parquet");
}

async function readDirect() {
  const files = await readMetadata([{ path, name: "input.parquet" }]);
  if (files === null) return;
  const columns = listColumns(files[0]).filter(({ number }) => number);
  const m = columns.length;
  const groups = findRowGroups({ parts: columns.map(({ name }, at) => ({ column: name, at })) }, files);
  if (!groups) return;
  const n = groups.reduce((sum, { rows }) => sum + rows, 0);
  const job = {
    paths: [path],
    tasks: cutTasks(groups, m, 1),
    out: new Float32Array(n * m),
    m,
    next: new Int32Array(1),
  };
  for (const _ of fillTasks(job));
}
