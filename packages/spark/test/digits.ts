import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Field, Float32, Int32, Int64, List, Table, vectorFromArray } from "apache-arrow";
import { Dense } from "bonmf";
import type { Session } from "../src/connect/index.js";

/** Where the tests on a cluster find it; packages/spark/cluster/check.js starts one. */
export const url = process.env.SPARK_CONNECT_URL ?? "";

const FEATURES = 64;

/** The first samples of Optdigits, 64 features each: in six blocks unless told otherwise. */
export async function readDigits(samples = 1500): Promise<Dense> {
  const path = join(process.env.BONMF_DATA_DIR ?? "", "optdigits/optdigits.csv.gz");
  const lines = gunzipSync(await readFile(path))
    .toString()
    .trim()
    .split("\n")
    .slice(1, samples + 1);
  const rows = lines.map((line) => line.split(",").slice(0, FEATURES).map(Number));
  return new Dense(rows.length, FEATURES, Float32Array.from(rows.flat()));
}

/** A folder that the cluster can write to, and what takes it away. */
export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "bonmf-spark-test-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Writes samples to Parquet files on the cluster, shuffled over 12 partitions: dense, sparse and as columns. */
export async function spread(session: Session, X: Dense, folder: string) {
  const rows = Array.from({ length: X.samples }, (_, i) => Array.from(X.row(i)));
  const filled = rows.map((row) => row.flatMap((value, f) => (value === 0 ? [] : [f])).reverse());
  const list = (type: Float32 | Int32) => new List(new Field("item", type, false));
  const ids = Array.from(rows, (_, i) => BigInt(i));
  const paths = { dense: join(folder, "dense"), sparse: join(folder, "sparse"), columns: join(folder, "columns") };
  await session.uploadView(
    "digits",
    new Table({
      id: vectorFromArray(ids, new Int64()),
      pixels: vectorFromArray(rows, list(new Float32())),
      indices: vectorFromArray(filled, list(new Int32())),
      values: vectorFromArray(
        filled.map((own, i) => own.map((f) => rows[i][f])),
        list(new Float32()),
      ),
    }),
  );
  const columns = Array.from({ length: FEATURES }, (_, f) => `pixels[${f}] AS p${f}`).join(", ");
  const write = (path: string, what: string, parts: number) =>
    session.run(
      `INSERT OVERWRITE DIRECTORY '${path}' USING parquet
       SELECT /*+ REPARTITION(${parts}, id) */ id, ${what} FROM digits`,
    );
  await write(paths.dense, "pixels", 12);
  await write(paths.sparse, "indices, values", 7);
  await write(paths.columns, columns, 5);
  return paths;
}
