import { blockSize } from "bonmf/engine";
import type { QueryOptions, Session } from "./connect/index.js";
import type { Shape } from "./request.js";
import { numberedQuery } from "./row-numbers.js";
import type { RowSurvey } from "./row-survey.js";
import type { Script } from "./script.js";
import type { ViewNames } from "./view-names.js";

/** Bytes of samples in a chunk; Spark holds a few chunks in memory at a time. */
const CHUNK_BYTES = 4 * 2 ** 20;

/** Most bytes of samples in a partition: a WebAssembly memory ends at 4 GB and holds more than samples. */
const PARTITION_BYTES = 1.5 * 2 ** 30;

/** Cuts the samples into partitions of whole blocks: one per core, more where they would be too large. */
export function cutPartitions({ samples }: RowSurvey, bytes: number, cores: number): number[] {
  const block = blockSize(samples);
  const blocks = Math.ceil(samples / block);
  const partitions = Math.min(blocks, Math.max(cores, Math.ceil(bytes / PARTITION_BYTES)));
  return Array.from({ length: partitions + 1 }, (_, partition) =>
    Math.min(samples, Math.floor((partition * blocks) / partitions) * block),
  );
}

/** The number of tasks the cluster runs at a time. */
export async function countCores(session: Session, options: QueryOptions): Promise<number> {
  const query = "SELECT p FROM (SELECT spark_partition_id() AS p FROM range(100000)) GROUP BY p";
  return (await session.collect(query, options)).length;
}

/** Packs the numbered rows into chunks, each of our partitions in one Spark partition, and caches them. */
export async function packSamples(
  session: Session,
  script: Script,
  names: ViewNames,
  shape: Shape,
  stored: number,
  options: QueryOptions,
): Promise<void> {
  const { samples, features, precision, sparse, cuts } = shape;
  const block = blockSize(samples);
  const blocks = Math.ceil(samples / block);
  const partitions = cuts.length - 1;
  const slots = await findSlots(session, partitions, options);
  const job = `pack ${precision} ${features} ${sparse ? "sparse" : "dense"} ${chunkSize(shape, stored, block)}`;
  const assigned = `SELECT i, text, ((i div ${block} + 1) * ${partitions} - 1) div ${blocks} AS partition_id
    FROM (${numberedQuery(names, "text")})`;
  const distributed = `SELECT /*+ REPARTITION(${partitions}, slot) */ i, text, partition_id, slot FROM (
    SELECT *, element_at(array(${slots.join(", ")}), CAST(partition_id AS INT) + 1) AS slot FROM (${assigned}))`;
  const rows = `SELECT partition_id, text FROM (${distributed}) SORT BY i`;
  await session.run(
    `CACHE TABLE ${names.packed} OPTIONS('storageLevel' 'DISK_ONLY') AS
     SELECT CAST(partition_id AS INT) AS partition_id, CAST(chunk AS INT) AS chunk, payload
     FROM (${script.transform("partition_id, text", job, ["partition_id", "chunk", "payload"], rows)})`,
    options,
  );
}

/** Samples per chunk: a power of two, so that block borders are chunk borders. */
function chunkSize({ samples, features, precision, sparse }: Shape, stored: number, block: number): number {
  const width = precision === "f64" ? 8 : 4;
  const bytes = sparse ? (stored / samples) * (width + 4) + 4 : features * width;
  return Math.min(block, 2 ** Math.max(0, Math.floor(Math.log2(CHUNK_BYTES / bytes))));
}

/** For each of our partitions a number that Spark's hash sends to the Spark partition of that index. */
async function findSlots(session: Session, partitions: number, options: QueryOptions): Promise<number[]> {
  const tries = 40 * partitions + 100;
  const found = await session.collect(
    `SELECT pmod(hash(n), ${partitions}) AS partition_id, min(n) AS n FROM (SELECT CAST(id AS INT) AS n FROM range(${tries}))
     GROUP BY 1`,
    options,
  );
  const slots = new Map(found.map(({ partition_id, n }) => [Number(partition_id), Number(n)]));
  return Array.from({ length: partitions }, (_, partition) => slots.get(partition) ?? partition);
}
