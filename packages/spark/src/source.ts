import { type Model, OptionError, type Source } from "bonmf";
import type { Engine } from "bonmf/engine";
import { openClusterEngine } from "./cluster-engine.js";
import { connect, type QueryOptions, type Session, SparkError } from "./connect/index.js";
import { rowsQuery, type SparkInput } from "./input.js";
import { type Target, writeLabels } from "./labels.js";
import { type Layout, layOut } from "./layout.js";
import { countCores, cutPartitions, packSamples } from "./partitioning.js";
import { pinPartitions } from "./pinned-view.js";
import { arraysOf, numberedQuery, numberRows, textOf } from "./row-numbers.js";
import { type RowSurvey, surveyRows } from "./row-survey.js";
import { type Script, sendScript } from "./script.js";
import { endOnLoss, isLoss } from "./server-loss.js";
import { cacheArrays, openSqlEngine } from "./sql-engine.js";
import { nameViews } from "./view-names.js";

export interface SparkOptions extends SparkInput {
  /** Who computes products: Node on the executors, or Spark SQL; default: Node where the executors have it. */
  sweep?: "node" | "sql" | undefined;
  /** The command that starts Node on an executor; default "node". */
  node?: string | undefined;
  /** Number of partitions, which work in parallel; default: the cluster's cores. */
  partitions?: number | undefined;
  /** Bytes of samples kept in memory for each partition between sweeps; default 2 GB. */
  memory?: number | undefined;
  /** Receives notes for people. */
  onNote?: ((note: string) => void) | undefined;
  /** Aborted when the server goes away; a fit given its signal then ends with the model reached so far. */
  lost?: AbortController | undefined;
}

/** Rows on a cluster as samples for `fit` and `resume`. Close it when it is no longer needed. */
export interface SparkSource extends Source {
  /** The names of the columns, where each is a feature. */
  readonly featureNames: readonly string[] | undefined;
  /** Writes (id, cluster) of every row where the rows are; returns how many rows each cluster has. */
  label(model: Model, target: Target): Promise<Uint32Array>;
  close(): Promise<void>;
}

const MEMORY = 2 * 2 ** 30;

/** The surveyed rows. */
interface Surveyed {
  readonly options: SparkOptions;
  readonly session: Session;
  readonly rows: string;
  readonly layout: Layout;
  readonly survey: RowSurvey;
  findScript(): Promise<Script | null>;
}

/**
 * Connects to a cluster and surveys the rows there once.
 *
 * @throws DataError when rows cannot be used, SparkError when the cluster cannot be reached or does not understand
 */
export async function sparkEngine(options: SparkOptions): Promise<SparkSource> {
  const rows = rowsQuery(options);
  const { precision = "f32", node = "node", onNote = () => {} } = options;
  const query = queryOptions(options);
  const session = await connect(options.url, query);
  try {
    await keepPlans(session);
    const layout = layOut(await session.schema(rows, query), options);
    const survey = await surveyRows(session, rows, layout, options);
    let script: Promise<Script | null> | null = null;
    const findScript = () => {
      script ??= options.sweep === "sql" ? Promise.resolve(null) : sendScript(session, node, query, onNote);
      return script;
    };
    const surveyed: Surveyed = { options, session, rows, layout, survey, findScript };
    let ready: Promise<Ready> | null = null;
    return {
      samples: survey.samples,
      features: survey.features,
      precision,
      featureNames: layout.kind === "columns" ? layout.columns : undefined,
      async open({ form }) {
        if (form !== "labels") {
          throw new OptionError("method", form, "on a cluster only bonmf, spherical and kmeans can be fitted");
        }
        ready ??= prepare(surveyed).catch((error: unknown) => {
          ready = null;
          throw error;
        });
        return endOnLoss((await ready).open(), options.lost);
      },
      async label(model, target) {
        const labelled = { session, rows, layout, input: options, script: await findScript() };
        return writeLabels(labelled, model, target);
      },
      async close() {
        // If this fails the server is gone, and the tables with it.
        const dropped = (await ready?.catch(() => null))?.drop();
        await dropped?.catch(() => {});
        await session.close();
      },
    };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Samples prepared for any number of fits. */
interface Ready {
  open(): Engine;
  drop(): Promise<void>;
}

/** Sorts the samples and caches them in the form that sweeps read. */
async function prepare({ options, session, rows, layout, survey, findScript }: Surveyed): Promise<Ready> {
  const { precision = "f32", memory = MEMORY, onNote = () => {} } = options;
  const query = queryOptions(options);
  const { samples, features, stored } = survey;
  const sparse = layout.kind === "sparse";
  const names = nameViews();
  const drop = async () => {
    for (const name of Object.values(names)) await session.run(`DROP VIEW IF EXISTS ${name}`);
  };
  try {
    return { open: await place(), drop };
  } catch (error) {
    await drop().catch(() => {});
    throw error;
  }

  async function place(): Promise<() => Engine> {
    const script = await findScript();
    if (script === null) {
      const arrays = { session, names, shape: { samples, features, precision, sparse } };
      await numberRows(session, rows, layout, options, names, arraysOf(layout, precision));
      await cacheArrays(arrays, numberedQuery(names, "x, j"), query);
      return () => openSqlEngine(arrays);
    }
    await numberRows(session, rows, layout, options, names, `${textOf(layout)} AS text`);
    const bytes = stored * (precision === "f64" ? 8 : 4) * (sparse ? 2 : 1);
    const cores = options.partitions ?? (await countCores(session, query));
    const shape = { samples, features, precision, sparse, cuts: cutPartitions(survey, bytes, cores) };
    await packSamples(session, script, names, shape, stored, query);
    const pinned = bytes / cores <= memory ? await pinPartitions(session, names, query) : null;
    const packed = { session, script, names, shape, pinned, memory, onNote };
    return () => openClusterEngine(packed);
  }
}

/**
 * Makes views keep their analysed plans. Otherwise Spark parses their text again in every sweep, and that of the views
 * below them, down to listing the source files. A server that forbids the setting is only slower.
 */
async function keepPlans(session: Session): Promise<void> {
  await session.config("spark.sql.legacy.storeAnalyzedPlanForView", "true").catch((error: unknown) => {
    if (!(error instanceof SparkError) || isLoss(error)) throw error;
  });
}

function queryOptions({ signal }: SparkInput): QueryOptions {
  return signal ? { signal } : {};
}
