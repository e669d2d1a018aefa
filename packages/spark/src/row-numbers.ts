import { tableFromArrays } from "apache-arrow";
import type { Precision } from "bonmf";
import type { QueryOptions, Session } from "./connect/index.js";
import { quoteName, type SparkInput } from "./input.js";
import type { Layout } from "./layout.js";
import type { ViewNames } from "./view-names.js";

/** Spark's row ids hold the Spark partition above these bits and the position in it below. */
const PLACE_BITS = 33;

/**
 * Sorts the rows and caches them on the executors' disks. Rows with equal `order` columns are sorted by a hash of their
 * values, then by the values. So the order depends on the rows alone, not on files or partitions, and stays the same when
 * Spark recomputes a lost partition.
 *
 * @param columns SQL expressions to keep, over a row's values x and, if sparse, feature indices j
 */
export async function numberRows(
  session: Session,
  rows: string,
  layout: Layout,
  { order = [], signal }: SparkInput,
  names: ViewNames,
  columns: string,
): Promise<void> {
  const options: QueryOptions = signal ? { signal } : {};
  const own = layout.indices === null ? "x" : "j, x";
  const keys = order.map((_, at) => `k${at}`);
  const selected = order.map((name, at) => `${quoteName(name)} AS k${at}`);
  const source = [`${layout.values} AS x`, `${layout.indices ?? "NULL"} AS j`, ...selected].join(", ");
  await session.run(
    `CACHE TABLE ${names.rows} OPTIONS('storageLevel' 'DISK_ONLY') AS
     SELECT monotonically_increasing_id() AS mid, ${columns} FROM (
       SELECT * FROM (SELECT ${source} FROM (${rows})) ORDER BY ${[...keys, `xxhash64(${own})`, own].join(", ")}
     )`,
    options,
  );
  const counted = await session.collect(
    `SELECT shiftright(mid, ${PLACE_BITS}) AS p, count(*) AS n FROM ${names.rows} GROUP BY 1 ORDER BY 1`,
    options,
  );
  const partition = BigInt64Array.from(counted, ({ p }) => BigInt(p as bigint));
  const start = new BigInt64Array(counted.length);
  counted.slice(0, -1).forEach(({ n }, at) => {
    start[at + 1] = start[at] + BigInt(n as bigint);
  });
  await session.uploadView(names.starts, tableFromArrays({ p: partition, start }), options);
}

/** A query for the numbered rows: i and the kept columns. */
export function numberedQuery({ rows, starts }: ViewNames, columns: string): string {
  const place = `mid & ${2 ** PLACE_BITS - 1}`;
  return `SELECT start + (${place}) AS i, ${columns} FROM ${rows} JOIN ${starts} ON p = shiftright(mid, ${PLACE_BITS})`;
}

/** The values of a row as text for a script. */
export function textOf({ indices }: Layout): string {
  return indices === null ? "array_join(x, ' ')" : "concat(array_join(j, ' '), '|', array_join(x, ' '))";
}

/** The values of a row as arrays in the samples' precision, features in ascending order. */
export function arraysOf({ indices }: Layout, precision: Precision): string {
  const type = precision === "f64" ? "DOUBLE" : "FLOAT";
  if (indices === null) return `CAST(x AS ARRAY<${type}>) AS x, CAST(NULL AS ARRAY<INT>) AS j`;
  const sorted = "array_sort(arrays_zip(j, x))";
  return `CAST(transform(${sorted}, s -> s.x) AS ARRAY<${type}>) AS x, transform(${sorted}, s -> s.j) AS j`;
}
