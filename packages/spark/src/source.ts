import { type Model, OptionError, type Source } from "bonmf";
import type { Engine } from "bonmf/engine";
import { type RowSurvey, surveyRows } from "./row-survey.js";
import { connect, type QueryOptions, type Session, SparkError } from "./connect/index.js";
import { endOnLoss, isLoss } from "./server-loss.js";
import { rowsQuery, type SparkInput } from "./input.js";
import { type Target, writeLabels } from "./labels.js";
import { openClusterEngine } from "./cluster-engine.js";
import { type Layout, layOut } from "./layout.js";
import { nameViews } from "./view-names.js";
import { arraysOf, numberedQuery, numberRows, textOf } from "./row-numbers.js";
import { countCores, cutPartitions, packSamples } from "./partitioning.js";
import { cacheArrays, openSqlEngine } from "./sql-engine.js";
import { type Script, sendScript } from "./script.js";
import { pinPartitions } from "./pinned-view.js";

export interface SparkOptions extends SparkInput {
  /** Where products are computed: by Node beside the executors, or by Spark SQL; default: Node where it can be had. */
  sweep?: "node" | "sql" | undefined;
  /** The command that starts Node on an executor; default "node". */
  node?: string | undefined;
  /** Into how many parts that work at the same time; default: as many as the cluster has cores. */
  partitions?: number | undefined;
  /** Bytes of samples that may be kept in memory for each of them between sweeps; default 2 GB. */
  memory?: number | undefined;
  /** Told what a person might want to know. */
  onNote?: ((note: string) => void) | undefined;
  /** Aborted when the server goes away; a fit that is given its signal then ends with the model it had reached. */
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

/** What is known of the rows once they were looked at. */
interface Site {
  readonly options: SparkOptions;
  readonly session: Session;
  readonly rows: string;
  readonly layout: Layout;
  readonly survey: RowSurvey;
  findScript(): Promise<Script | null>;
}

/**
 * Connects to a cluster and looks at the rows there, once.
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
    const site: Site = { options, session, rows, layout, survey, findScript };
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
        ready ??= prepare(site).catch((error: unknown) => {
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
        // Where this fails the server is gone, and the tables with it.
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

/** Samples where sweeps find them, for any number of fits. */
interface Ready {
  open(): Engine;
  drop(): Promise<void>;
}

/** Puts the samples in order and where the sweeps will find them. */
async function prepare({ options, session, rows, layout, survey, findScript }: Site): Promise<Ready> {
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
 * Views are to keep their plans. Otherwise Spark reads their text again whenever they are used, and that of the views they
 * are made of, down to listing the files of the rows, in every sweep. A server that forbids it is only slower.
 */
async function keepPlans(session: Session): Promise<void> {
  await session.config("spark.sql.legacy.storeAnalyzedPlanForView", "true").catch((error: unknown) => {
    if (!(error instanceof SparkError) || isLoss(error)) throw error;
  });
}

function queryOptions({ signal }: SparkInput): QueryOptions {
  return signal ? { signal } : {};
}
