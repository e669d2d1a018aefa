import { tableFromArrays } from "apache-arrow";
import { DataError, type Model, OptionError, saveModel } from "bonmf";
import type { QueryOptions, Session } from "./connect/index.js";
import type { LabelTask } from "./executor/label-rows.js";
import { quoteName, quoteTable, quoteText, type SparkInput } from "./input.js";
import type { Layout } from "./layout.js";
import { prototypesTable } from "./prototypes.js";
import { arraysOf, textOf } from "./row-numbers.js";
import type { Script } from "./script.js";
import { findLabels } from "./sql-expressions.js";
import { uniqueName } from "./view-names.js";
import { encode } from "./wire.js";

/** Where the cluster writes the labels: a new table, or a folder of Parquet files. */
export type Target = { readonly table: string } | { readonly parquet: string };

/** Checked rows on a cluster. */
export interface Labelled {
  readonly session: Session;
  /** The query that gives them. */
  readonly rows: string;
  readonly layout: Layout;
  readonly input: SparkInput;
  /** Runs jobs on the executors; null where they have no Node. */
  readonly script: Script | null;
}

/**
 * Labels every row on the cluster and writes (id, cluster) there; only counts come back. For the rows of the fit these are
 * the labels of the fit.
 *
 * @returns how many rows each cluster has
 */
export async function writeLabels(labelled: Labelled, model: Model, target: Target): Promise<Uint32Array> {
  const { session, input } = labelled;
  const options: QueryOptions = input.signal ? { signal: input.signal } : {};
  const id = input.id ?? input.order?.[0];
  if (id === undefined) {
    throw new OptionError("id", id, "labels need an id: name the column that identifies a row (id)");
  }
  const query = labelled.script
    ? await byScript(labelled, model, id, options)
    : await byQuery(labelled, model, id, options);
  if ("table" in target)
    await session.run(`CREATE TABLE ${quoteTable(target.table)} USING parquet AS ${query}`, options);
  else await session.run(`INSERT OVERWRITE DIRECTORY ${quoteText(target.parquet)} USING parquet ${query}`, options);
  const written = "table" in target ? quoteTable(target.table) : `parquet.${quoteName(target.parquet)}`;
  const found = await session.collect(`SELECT cluster, count(*) AS n FROM ${written} GROUP BY cluster`, options);
  const counts = new Uint32Array(model.k);
  for (const { cluster, n } of found) counts[Number(cluster)] = Number(n);
  return counts;
}

/** The model travels in the first row of each task; the executor predicts with the library. */
async function byScript(labelled: Labelled, model: Model, id: string, options: QueryOptions): Promise<string> {
  const { session, rows, layout, script } = labelled;
  const { precision, scaler } = model;
  const format = { precision, features: scaler.features, sparse: layout.kind === "sparse" };
  const task: LabelTask = { format, model: saveModel(model) };
  const view = uniqueName();
  await session.uploadView(view, tableFromArrays({ text: [encode(task)] }), options);
  const type = await typeOf(labelled, id, options);
  const first = "monotonically_increasing_id() & 8589934591L = 0";
  const texts = `SELECT CASE WHEN ${first} THEN (SELECT text FROM ${view}) END AS task, name, ${textOf(layout)} AS text
    FROM (SELECT ${layout.values} AS x, ${layout.indices ?? "NULL"} AS j,
      hex(CAST(CAST(${quoteName(id)} AS STRING) AS BINARY)) AS name FROM (${rows}))`;
  const answers = script!.transform("task, name, text", "label", ["name", "label"], texts);
  return `SELECT CAST(decode(unhex(name), 'UTF-8') AS ${type}) AS id, CAST(label AS INT) AS cluster FROM (${answers})`;
}

async function byQuery(labelled: Labelled, model: Model, id: string, options: QueryOptions): Promise<string> {
  const { session, rows, layout } = labelled;
  const { method, scaler } = model;
  if (scaler.name !== "none" || !["bonmf", "spherical", "kmeans"].includes(method)) {
    throw new DataError(
      "method",
      `without Node on the executors only models of bonmf, spherical and kmeans without a scaler can label rows, not ` +
        `${method} with scaler ${scaler.name}`,
    );
  }
  const { k, W, precision } = model;
  const view = uniqueName();
  const rule = method === "kmeans" ? "distance" : "cosine";
  await session.uploadView(view, prototypesTable({ rule, k, W: Float64Array.from(W.data) }, precision), options);
  const source = `SELECT ${quoteName(id)} AS id, ${layout.values} AS x, ${layout.indices ?? "NULL"} AS j FROM (${rows})`;
  const arrays = `(SELECT id, ${arraysOf(layout, precision)} FROM (${source}))`;
  return findLabels(layout.kind === "sparse", arrays, "id", view, "cluster");
}

async function typeOf({ session, rows }: Labelled, id: string, options: QueryOptions): Promise<string> {
  const [column] = await session.schema(`SELECT ${quoteName(id)} FROM (${rows})`, options);
  return column.type;
}
