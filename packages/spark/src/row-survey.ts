import { DataError } from "bonmf";
import type { Session } from "./connect/index.js";
import { quoteName, type SparkInput } from "./input.js";
import type { Layout } from "./layout.js";

/** What the survey of the rows found. */
export interface RowSurvey {
  readonly samples: number;
  readonly features: number;
  /** Stored values of all rows. */
  readonly stored: number;
}

interface Group {
  readonly size: number;
  readonly problem: string | null;
  readonly count: number;
  readonly stored: number;
  readonly width: number;
  /** Of the first such row: how it is called, where in it and what is wrong. */
  readonly key: string | null;
  readonly at: number;
  readonly value: string | null;
}

/**
 * Checks and counts every row once, on the cluster. A row that cannot be used is an error that names it.
 *
 * @param rows the query that gives the rows
 */
export async function surveyRows(
  session: Session,
  rows: string,
  layout: Layout,
  input: SparkInput,
): Promise<RowSurvey> {
  const options = input.signal ? { signal: input.signal } : {};
  const found = await session.collect(surveyQuery(rows, layout, input), options);
  const groups = found.map(
    (row): Group => ({
      size: Number(row.size),
      problem: row.problem as string | null,
      count: Number(row.count),
      stored: Number(row.stored),
      width: Number(row.width),
      key: row.key as string | null,
      at: Number(row.at),
      value: row.value as string | null,
    }),
  );
  const samples = groups.reduce((sum, { count }) => sum + count, 0);
  if (samples === 0) throw new DataError("empty", "the query gives no rows");
  const stored = groups.reduce((sum, group) => sum + group.stored, 0);
  const features = widthOf(groups, layout, input);
  const bad = groups.flatMap((group) => {
    const problem = problemOf(group, layout, features);
    return problem === null ? [] : [{ ...group, problem }];
  });
  if (bad.length > 0) throw complain(bad, samples, layout, input);
  if (features === 0) throw new DataError("empty", "the rows have no values");
  return { samples, features, stored };
}

/** One row for each size of sample and each problem, with the first row that has it. */
function surveyQuery(rows: string, { values, indices, kind }: Layout, input: SparkInput): string {
  const { id, order = [], signed = false } = input;
  const key = id ?? order[0];
  const finite = "v < CAST('Infinity' AS DOUBLE)";
  const good = signed ? `v > CAST('-Infinity' AS DOUBLE) AND ${finite}` : `v >= 0 AND ${finite}`;
  const bad = `v -> NOT coalesce(${good}, false)`;
  const places = kind === "sparse" ? "j" : "array()";
  // Sparse rows may have any number of values.
  const extent = kind === "sparse" ? "least(size, 0)" : "size";
  return `
    SELECT ${extent} AS size, problem, count(*) AS count, sum(size) AS stored, max(width) AS width,
      min_by(key, (rank, key)) AS key, min_by(at, (rank, key)) AS at, min_by(value, (rank, key)) AS value
    FROM (
      SELECT size, width, key, at, rank, CAST(get(x, at) AS STRING) AS value,
        CASE WHEN size < 0 THEN 'null' WHEN uneven THEN 'uneven' WHEN unplaced THEN 'index'
          WHEN at IS NULL THEN NULL WHEN get(x, at) IS NULL THEN 'null'
          WHEN isnan(get(x, at)) OR abs(get(x, at)) = CAST('Infinity' AS DOUBLE) THEN 'finite' ELSE 'negative' END AS problem
      FROM (
        SELECT x, key, rank, coalesce(size(x), -1) AS size,
          CASE WHEN exists(x, ${bad}) THEN CAST(array_position(transform(x, ${bad}), true) AS INT) - 1 END AS at,
          ${kind === "sparse" ? "coalesce(size(j) <> size(x), true)" : "false"} AS uneven,
          ${kind === "sparse" ? "coalesce(array_size(array_distinct(filter(j, p -> p >= 0))) <> size(j), true)" : "false"} AS unplaced,
          coalesce(array_max(${places}), -1) + 1 AS width
        FROM (
          SELECT ${values} AS x, ${indices ?? "NULL"} AS j,
            ${key ? `CAST(${quoteName(key)} AS STRING)` : "NULL"} AS key,
            ${order.length > 0 ? `(${order.map(quoteName).join(", ")})` : "0"} AS rank
          FROM (${rows})
        )
      )
    ) GROUP BY ${extent}, problem`;
}

function widthOf(groups: readonly Group[], { kind, columns }: Layout, { width }: SparkInput): number {
  if (kind === "columns") return columns.length;
  if (kind === "sparse") return width ?? groups.reduce((most, group) => Math.max(most, group.width), 0);
  // Of rows of different lengths the odd ones are those there are fewer of.
  const sound = groups.filter(({ problem }) => problem === null);
  return sound.reduce((best, group) => (group.count > best.count ? group : best), { size: 0, count: 0 }).size;
}

function problemOf({ problem, size, width }: Group, { kind }: Layout, features: number): string | null {
  if (problem !== null) return problem;
  if (kind === "array" && size !== features) return "ragged";
  return kind === "sparse" && width > features ? "wide" : null;
}

function complain(bad: readonly (Group & { problem: string })[], samples: number, layout: Layout, input: SparkInput) {
  const key = input.id ?? input.order?.[0];
  const total = bad.reduce((sum, { count }) => sum + count, 0);
  const described = bad.slice(0, 5).map((group) => {
    const row = key ? `${key} = ${group.key ?? "null"}` : "a row";
    return `${row}: ${describe(group, layout)}${group.count > 1 ? ` (and ${group.count - 1} more such rows)` : ""}`;
  });
  const remedy = "exclude or correct such rows in the query";
  const first = bad[0];
  return new DataError(
    first.problem === "null" || first.problem === "finite" ? "missing" : first.problem,
    `${total} of ${samples} rows cannot be used: ${described.join("; ")}. ${remedy}`,
    { ...(first.at >= 0 ? { feature: first.at } : {}), value: first.value },
  );
}

function describe({ problem, at, value, size, width }: Group & { problem: string }, layout: Layout): string {
  const [column] = layout.columns.slice(-1);
  const place = layout.kind === "columns" ? `column ${layout.columns[at]}` : `column ${column}, value ${at}`;
  switch (problem) {
    case "null":
      return size < 0 ? `column ${column} is null` : `${place} is null`;
    case "uneven":
      return `${layout.columns.join(" and ")} have different lengths`;
    case "index":
      return `${layout.columns[0]} holds an index that is null, negative or there twice`;
    case "wide":
      return `${layout.columns[0]} goes up to ${width - 1}`;
    case "ragged":
      return `column ${column} has ${size} values, unlike most rows`;
    default:
      return `${place} is ${value}`;
  }
}
