import { tableFromArrays } from "apache-arrow";
import type { QueryOptions, Session } from "./connect/index.js";
import { askDaemon } from "./executor/daemon.js";
import type { PinnedView } from "./pinned-view.js";
import type { Request, Rows, Shape, Totals } from "./request.js";
import type { Script } from "./script.js";
import type { ViewNames } from "./view-names.js";
import { decode, encode } from "./wire.js";

/** Samples packed and cached on a cluster. */
export interface PackedSamples {
  readonly session: Session;
  readonly script: Script;
  readonly names: ViewNames;
  readonly shape: Shape;
  /** Partitions that executors keep in memory; null: every sweep reads them from Spark's cache. */
  readonly pinned: PinnedView | null;
  /** Bytes of samples that an executor may keep in memory for one partition. */
  readonly memory: number;
  onNote(note: string): void;
}

/** Sends a request to every partition and collects the answers. Merged totals answer for several partitions. */
export type Dispatch = <T extends Totals | Rows>(request: Request, signal?: AbortSignal) => Promise<T[]>;

/** @param fit what daemons know the fit by, and queries a request that is too long to be chunk of them */
export function openDispatch(
  { session, script, names, shape, pinned, memory, onNote }: PackedSamples,
  fit: string,
): Dispatch {
  const partitions = shape.cuts.length - 1;
  let loaded = false;

  return async <T extends Totals | Rows>(request: Request, signal?: AbortSignal): Promise<T[]> => {
    const options: QueryOptions = signal ? { signal } : {};
    const answers = new Map<number, T>();
    let behind: number[] = [];
    const run = async (queryOf: (text: string) => string, request: Request) => {
      const text = encode(request);
      const long = text.length > LONGEST;
      if (long) await session.uploadView(fit, tableFromArrays({ text: [text] }), options);
      const query = mergeOnCluster(script, queryOf(long ? `(SELECT text FROM ${fit})` : REQUEST), partitions);
      const rows = await session.collect(query, long ? options : { ...options, args: { bytes: Buffer.from(text) } });
      if (long) await session.run(`DROP VIEW IF EXISTS ${fit}`);
      const pieces = new Map<number, string[]>();
      behind = [];
      for (const row of rows) {
        const { kind, partition_id, piece } = row as { kind: string; partition_id: string; piece: string | null };
        const number = Number(partition_id);
        const own = pieces.get(number) ?? [];
        // An answer without its closing row was cut off and does not count.
        if (kind === "done") answers.set(number, decode<T>(own.join("")));
        else if (kind === "behind") behind.push(number);
        else if (piece) pieces.set(number, [...own, piece]);
      }
    };
    const sendSamples = (job: string, request: Request, where = "") =>
      run((text) => {
        const rows = `SELECT partition_id, CASE WHEN chunk = 0 THEN ${text} END AS message, payload FROM ${names.packed} ${where}`;
        return script.transform(COLUMNS, job, ANSWER, rows);
      }, request);
    const askDaemons = (request: Request, where = "") =>
      run((text) => {
        const rows = `SELECT partition_id, CASE WHEN asks THEN ${text} END AS message, NULL AS payload FROM ${names.partitions} ${where}`;
        return script.pipe(COLUMNS, askDaemon(fit), ANSWER, rows);
      }, request);
    if (pinned === null) await sendSamples(`stream ${memory}`, request);
    else {
      // Daemons usually hold the earlier steps, so those are sent only to daemons that report themselves behind.
      await pinned.use(() => askDaemons({ ...request, prior: [], after: request.prior.at(-1)?.number }));
      if (behind.length > 0) await pinned.use(() => askDaemons(request, wherePartition(behind)));
      const missing = missingFrom(answers, partitions);
      if (missing.length > 0 && !request.close) {
        if (loaded)
          onNote(
            `${missing.length} of ${partitions} partitions are reloaded: their executors were lost or dropped them`,
          );
        loaded = true;
        await sendSamples(`sweep ${fit}`, request, wherePartition(missing));
      }
    }
    return [...answers.values()];
  };
}

/** The partitions without an answer. */
function missingFrom(answers: ReadonlyMap<number, Totals | Rows>, partitions: number): number[] {
  const answered = new Set(
    [...answers].flatMap(([partition, answer]) => ("partitions" in answer ? answer.partitions : [partition])),
  );
  return Array.from({ length: partitions }, (_, partition) => partition).filter(
    (partition) => !answered.has(partition),
  );
}

function wherePartition(partitions: readonly number[]): string {
  return `WHERE partition_id IN (${partitions.join(", ")})`;
}

/** The request inside a query, as bytes: Spark keeps printed plans and parameters, and prints little of bytes. */
const REQUEST = "(SELECT CAST(bytes AS STRING) FROM VALUES (:bytes) AS requests(bytes))";
/** Longest request sent inside a query; a server accepts messages of up to 128 MB. */
const LONGEST = 64 << 20;
/** Columns of a task's rows, and of its answer. */
const COLUMNS = "partition_id, message, payload";
const ANSWER = ["kind", "partition_id", "at", "piece"];
/** Partitions whose totals one task merges before they reach the client. */
const FAN = 16;

/** With many partitions, wraps the query so that totals are merged on the cluster in groups. */
function mergeOnCluster(script: Script, answers: string, partitions: number): string {
  if (partitions <= FAN) return answers;
  const columns = ANSWER.join(", ");
  const grouped = `SELECT ${columns} FROM (
    SELECT /*+ REPARTITION(${Math.ceil(partitions / FAN)}, merge_group) */ * FROM (
      SELECT *, CAST(partition_id AS INT) div ${FAN} AS merge_group FROM (${answers})))
    SORT BY CAST(partition_id AS INT), CAST(at AS INT)`;
  return script.transform(columns, "merge", ANSWER, grouped);
}
