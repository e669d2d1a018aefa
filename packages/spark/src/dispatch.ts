import { tableFromArrays } from "apache-arrow";
import type { QueryOptions, Session } from "./connect/index.js";
import { askDaemon } from "./executor/daemon.js";
import type { ViewNames } from "./view-names.js";
import type { Request, Rows, Shape, Totals } from "./request.js";
import type { Script } from "./script.js";
import type { PinnedView } from "./pinned-view.js";
import { decode, encode } from "./wire.js";

/** Samples that lie packed on a cluster. */
export interface PackedSamples {
  readonly session: Session;
  readonly script: Script;
  readonly names: ViewNames;
  readonly shape: Shape;
  /** Where executors keep their partitions in memory; else, null, every sweep reads them from Spark's cache. */
  readonly pinned: PinnedView | null;
  /** Bytes of samples an executor may hold for a partition. */
  readonly memory: number;
  onNote(note: string): void;
}

/** Brings an order to every partition, and what they say. Where totals were added up on the cluster, one stands for several. */
export type Dispatch = <T extends Totals | Rows>(request: Request, signal?: AbortSignal) => Promise<T[]>;

/** @param fit what daemons know the fit by, and queries an order that is too long to be part of them */
export function openDispatch({ session, script, names, shape, pinned, memory, onNote }: PackedSamples, fit: string): Dispatch {
  const partitions = shape.cuts.length - 1;
  let loaded = false;

  return async <T extends Totals | Rows>(request: Request, signal?: AbortSignal): Promise<T[]> => {
    const options: QueryOptions = signal ? { signal } : {};
    const answers = new Map<number, T>();
    let behind: number[] = [];
    const run = async (queryOf: (text: string) => string, request: Request) => {
      const text = encode(order);
      const long = text.length > LONGEST;
      if (long) await session.uploadView(fit, tableFromArrays({ text: [text] }), options);
      const query = merging(script, queryOf(long ? `(SELECT text FROM ${fit})` : ORDER), partitions);
      const rows = await session.collect(query, long ? options : { ...options, args: { bytes: Buffer.from(text) } });
      if (long) await session.run(`DROP VIEW IF EXISTS ${fit}`);
      const pieces = new Map<number, string[]>();
      behind = [];
      for (const row of rows) {
        const { kind, partition, piece } = row as { kind: string; partition: string; piece: string | null };
        const number = Number(partition);
        const own = pieces.get(number) ?? [];
        // What breaks off before it says that it is done does not count.
        if (kind === "done") answers.set(number, decode<T>(own.join("")));
        else if (kind === "behind") behind.push(number);
        else if (piece) pieces.set(number, [...own, piece]);
      }
    };
    const bring = (job: string, request: Request, where = "") =>
      run((text) => {
        const rows = `SELECT partition, CASE WHEN part = 0 THEN ${text} END AS message, payload FROM ${names.packed} ${where}`;
        return script.transform(COLUMNS, job, ANSWER, rows);
      }, order);
    const quiz = (request: Request, where = "") =>
      run((text) => {
        const rows = `SELECT partition, CASE WHEN asks THEN ${text} END AS message, NULL AS payload FROM ${names.partitions} ${where}`;
        return script.pipe(COLUMNS, askDaemon(fit), ANSWER, rows);
      }, order);
    if (pinned === null) await bring(`stream ${memory}`, order);
    else {
      // Nearly always daemons remember the steps before; W is not sent twice for those that do not.
      await pinned.use(() => quiz({ ...order, prior: [], after: order.prior.at(-1)?.number }));
      if (behind.length > 0) await pinned.use(() => quiz(order, among(behind)));
      const missing = missingFrom(answers, partitions);
      if (missing.length > 0 && !order.close) {
        if (loaded)
          onNote(`${missing.length} of ${partitions} partitions are loaded again: their executors were lost or forgot them`);
        loaded = true;
        await bring(`sweep ${fit}`, order, among(missing));
      }
    }
    return [...answers.values()];
  };
}

/** The partitions that are not among those that answered. */
function missingFrom(answers: ReadonlyMap<number, Totals | Rows>, partitions: number): number[] {
  const answered = new Set([...answers].flatMap(([partition, answer]) => ("partitions" in answer ? answer.partitions : [partition])));
  return Array.from({ length: partitions }, (_, partition) => partition).filter((partition) => !answered.has(partition));
}

function among(partitions: readonly number[]): string {
  return `WHERE partition IN (${partitions.join(", ")})`;
}

/** The order within a query. Spark keeps what it prints of plans and parameters; of tables and bytes it prints little. */
const ORDER = "(SELECT CAST(bytes AS STRING) FROM VALUES (:bytes) AS orders(bytes))";
/** A server takes messages of up to 128 MB. */
const LONGEST = 64 << 20;
/** The columns of a task's rows, and of an answer. */
const COLUMNS = "partition, message, payload";
const ANSWER = ["kind", "partition", "at", "piece"];
/** So many partitions are added up by one task before the client hears of them. */
const FAN = 16;

/** With many partitions, a query for their answers added up in groups. */
function merging(script: Script, answers: string, partitions: number): string {
  if (partitions <= FAN) return answers;
  const columns = ANSWER.join(", ");
  const grouped = `SELECT ${columns} FROM (
    SELECT /*+ REPARTITION(${Math.ceil(partitions / FAN)}, team) */ * FROM (
      SELECT *, CAST(partition AS INT) div ${FAN} AS team FROM (${answers})))
    SORT BY CAST(partition AS INT), CAST(at AS INT)`;
  return script.transform(columns, "merge", ANSWER, grouped);
}
