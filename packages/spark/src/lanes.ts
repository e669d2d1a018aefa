import { tableFromArrays } from "apache-arrow";
import { Dense, OptionError } from "bonmf";
import { type Engine, emptyStats, pushStats, type Stats, type Step } from "bonmf/engine";
import type { QueryOptions, Session } from "./connect/index.js";
import { askKeeper } from "./executor/keeper.js";
import { type Names, nameAnew } from "./names.js";
import type { Order, Rows, Shape, Timed, Totals } from "./order.js";
import type { Script } from "./script.js";
import { decode, encode } from "./wire.js";

/** Samples that lie packed on a cluster. */
export interface Packed {
  readonly session: Session;
  readonly script: Script;
  readonly names: Names;
  readonly shape: Shape;
  /** Whether executors keep their lanes in memory; else every sweep reads them from Spark's cache. */
  readonly kept: boolean;
  /** Bytes of samples an executor may hold for a lane. */
  readonly memory: number;
  onNote(note: string): void;
}

/** What lanes said. Where answers were added up on the cluster, one stands for several. */
type Answers = Map<number, string>;

/**
 * The sweep where the data is: an order goes to every lane, the same kernels as here run beside the samples, and only
 * totals come back. Executors that forget or fail are given their samples again, and the steps that they need to be where
 * the others are: labels are a function of the last W, and what a race remembers of its earlier prototypes.
 */
export function openLanes({ session, script, names, shape, kept, memory, onNote }: Packed): Engine {
  const lanes = shape.cuts.length - 1;
  /** What keepers know this fit by, and the view with what is asked of them. */
  const own = nameAnew();
  let loaded = false;
  let numbers = 0;
  /** The steps that make the state at hand from nothing. */
  let log: readonly Timed[] = [];
  let before = log;
  const known = new Map<number, Dense["data"]>();
  const remember = ({ ids, data }: Rows, wanted: ReadonlySet<number> = new Set(ids)) => {
    ids.forEach((id, at) => {
      if (wanted.has(id)) known.set(id, data.slice(at * shape.features, (at + 1) * shape.features));
    });
  };

  const ask = async (order: Order, signal?: AbortSignal): Promise<Answers> => {
    const options: QueryOptions = signal ? { signal } : {};
    await session.uploadView(own, tableFromArrays({ text: [encode(order)] }), options);
    const answers: Answers = new Map();
    const run = async (query: string) => {
      const pieces = new Map<number, string[]>();
      for (const row of await session.collect(merging(script, query, lanes), options)) {
        const { kind, lane, piece } = row as { kind: string; lane: string; piece: string | null };
        const number = Number(lane);
        const own = pieces.get(number) ?? [];
        // What breaks off before it says that it is done does not count.
        if (kind === "done") answers.set(number, own.join(""));
        else if (kind === "closed") answers.set(number, "");
        else if (piece) pieces.set(number, [...own, piece]);
      }
    };
    const text = `(SELECT text FROM ${own})`;
    const payloads = `SELECT lane, CASE WHEN part = 0 THEN ${text} END AS message, payload FROM ${names.packed}`;
    const columns = "lane, message, payload";
    if (!kept) await run(script.transform(columns, `stream ${memory}`, ANSWER, payloads));
    else {
      const asking = `SELECT lane, CASE WHEN asks THEN ${text} END AS message, NULL AS payload FROM ${names.lanes}`;
      await run(script.pipe(columns, askKeeper(own), ANSWER, asking));
      const missing = missingFrom(answers, order);
      if (missing.length > 0 && !order.close) {
        if (loaded)
          onNote(`${missing.length} of ${lanes} lanes are loaded again: their executors were lost or forgot them`);
        loaded = true;
        const rows = `${payloads} WHERE lane IN (${missing.join(", ")})`;
        await run(script.transform(columns, `sweep ${own}`, ANSWER, rows));
      }
    }
    return answers;
  };

  return {
    samples: shape.samples,
    features: shape.features,

    async pass(step: Step, signal?: AbortSignal): Promise<Stats> {
      signal?.throwIfAborted();
      const timed = { number: ++numbers, step };
      const prior = step.rule === "survey" ? [] : log;
      const answers = await ask({ shape, prior: step.fresh ? log.filter(isAssigning) : prior, step: timed }, signal);
      const totals = [...answers.values()].map((text) => decode<Totals>(text));
      const silent = lanes - new Set(totals.flatMap((answer) => answer.lanes)).size;
      if (silent > 0) throw new Error(`${silent} of ${lanes} lanes did not answer`);
      const next = follow(log, timed);
      if (next !== log) [before, log] = [log, next];
      const merged = emptyStats(step.rank ?? (step.rule === "race" ? 1 : 0));
      const parts = totals.flatMap(({ stats }) => stats.parts).sort((a, b) => a.start - b.start);
      for (const { start, level, sums } of parts) pushStats(merged, start, level, sums);
      const ranked = new Set(merged.parts.flatMap(({ sums }) => sums.ranked.map(({ id }) => id)));
      for (const { rows } of totals) remember(rows, ranked);
      return merged;
    },

    async revert() {
      log = before;
    },

    async rows(ids) {
      const missing = [...new Set(Array.from(ids))].filter((id) => !known.has(id));
      if (missing.length > 0) {
        const found = await ask({ shape, prior: [], rows: missing });
        for (const text of found.values()) remember(decode<Rows>(text));
      }
      const out = Dense.zeros(ids.length, shape.features, shape.precision);
      Array.from(ids).forEach((id, at) => {
        out.data.set(known.get(id)!, at * shape.features);
      });
      return out;
    },

    async gather() {
      const last = log.findLast(isAssigning);
      if (!last) throw new OptionError("codes", null, "no pass has assigned anything yet");
      return { form: "labels", k: last.step.k, labels: new Uint8Array(0), values: null };
    },

    async scatter() {
      throw new OptionError("codes", null, "labels cannot be sent to a cluster: they follow from W there");
    },

    async close() {
      if (kept) await ask({ shape, prior: [], close: true });
      await session.run(`DROP VIEW IF EXISTS ${own}`);
    },
  };
}

function isAssigning({ step: { rule } }: Timed): boolean {
  return rule === "cosine" || rule === "distance";
}

/** The log after a step: labels replace labels, and end a race; a race follows the labels it found. */
function follow(log: readonly Timed[], timed: Timed): readonly Timed[] {
  if (isAssigning(timed)) return [timed];
  if (timed.step.rule !== "race") return log;
  return [...(timed.step.fresh ? log.filter(isAssigning) : log), timed];
}

/** The lanes that are not among those that answered. */
function missingFrom(answers: Answers, { shape, step }: Order): number[] {
  const answered = [...answers].flatMap(([lane, text]) => (step ? decode<Totals>(text).lanes : [lane]));
  return Array.from({ length: shape.cuts.length - 1 }, (_, lane) => lane).filter((lane) => !answered.includes(lane));
}

/** The columns of an answer. */
const ANSWER = ["kind", "lane", "at", "piece"];
/** So many lanes are added up by one task before the client hears of them. */
const FAN = 16;

/** With many lanes, a query for their answers added up in groups. */
function merging(script: Script, answers: string, lanes: number): string {
  if (lanes <= FAN) return answers;
  const columns = ANSWER.join(", ");
  const grouped = `SELECT ${columns} FROM (
    SELECT /*+ REPARTITION(${Math.ceil(lanes / FAN)}, team) */ * FROM (
      SELECT *, CAST(lane AS INT) div ${FAN} AS team FROM (${answers})))
    SORT BY CAST(lane AS INT), CAST(at AS INT)`;
  return script.transform(columns, "merge", ANSWER, grouped);
}
