import { accuracy, auto, type Candidate, classifier, fit, type Label, type Model, type Samples as Rows } from "bonmf";
import type { Column, Learner } from "./columns.js";
import type { PaperDataset } from "./datasets.js";
import type { DatasetFile, Split } from "./samples.js";

/** What one column did in one run. */
export interface Cell {
  readonly dataset: string;
  readonly column: string;
  readonly run: number;
  /** The share of test samples classified right. */
  readonly accuracy: number;
  /** Seconds for the factorisation; for `auto`, for everything up to the classifier. */
  readonly train: number;
  /** Seconds for making the classifier and classifying the test samples. */
  readonly classify: number;
  /** Whether no other job ran meanwhile: only then the times count. */
  readonly alone: boolean;
  readonly iterations: number | null;
  readonly stopped: string | null;
  /** Bytes that H takes. */
  readonly memory: number | null;
  /** What `auto` chose. */
  readonly chosen?: string;
  /** Of the first run: the relative error after each iteration. */
  readonly curve?: readonly number[];
  /** Of the first run, where they can be looked at: k prototypes of m bytes, base64. */
  readonly prototypes?: string;
}

/** One fit of one run, and the columns that use it. */
export interface Job {
  readonly dataset: string;
  readonly file: DatasetFile;
  readonly run: number;
  readonly learner: string;
  readonly columns: readonly string[];
  readonly seed: number;
  readonly alone: boolean;
}

/** The result of training, before anything is classified. */
interface Learnt {
  readonly seconds: number;
  readonly facts: Pick<Cell, "iterations" | "stopped" | "memory" | "chosen" | "curve" | "prototypes">;
  /** Makes what `column` classifies with. */
  prepare(column: Column): Promise<Answer>;
}

type Answer = (X: Rows) => readonly (Label | null)[];

const NONE = { iterations: null, stopped: null, memory: null } as const;

/** Runs the columns of a job on one split. */
export async function runLearner(learner: Learner, dataset: PaperDataset, split: Split, job: Job): Promise<Cell[]> {
  const learnt = await learn(learner, dataset, split, job);
  const { run, alone } = job;
  const cells: Cell[] = [];
  for (const column of learner.columns.filter(({ name }) => job.columns.includes(name))) {
    const start = performance.now();
    const answer = await learnt.prepare(column);
    const given = answer(split.test.X);
    const classify = (performance.now() - start) / 1000;
    const right = accuracy(split.test.y, given);
    const times = { accuracy: right, train: learnt.seconds, classify, alone };
    cells.push({ dataset: job.dataset, column: column.name, run, ...times, ...learnt.facts });
  }
  return cells;
}

async function learn(learner: Learner, dataset: PaperDataset, split: Split, job: Job): Promise<Learnt> {
  const { X, y } = split.train;
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  if (learner.name === "commonest") {
    const label = findCommonest(y);
    return {
      seconds: elapsed(),
      facts: NONE,
      prepare: async () => (rows) => new Array((rows as typeof X).samples).fill(label),
    };
  }
  if (learner.fit === undefined) {
    const { classifier: made, chosen } = await auto(X, y, { seed: job.seed, threads: 1 });
    const facts = { ...NONE, chosen: `${describeWay(chosen)}, scale ${chosen.scale}` };
    return { seconds: elapsed(), facts, prepare: async () => (rows) => made.predict(rows) };
  }
  const k = learner.clusters?.(X.samples) ?? split.classes;
  const model = await fit(X, { ...learner.fit, k, scale: dataset.scale, seed: job.seed, threads: 1 });
  return {
    seconds: elapsed(),
    facts: describe(model, learner, dataset, job),
    prepare: async ({ scheme = {} }) => {
      const made = await classifier(model, X, y, scheme);
      return (rows) => made.predict(rows);
    },
  };
}

function describe(model: Model, learner: Learner, dataset: PaperDataset, { run }: Job): Learnt["facts"] {
  const { labels, values } = model.codes;
  const facts = {
    iterations: model.iterations,
    stopped: model.stopped,
    memory: (labels?.byteLength ?? 0) + (values?.byteLength ?? 0),
  };
  if (run > 0 || learner.clusters) return facts;
  const curve = model.history.map(({ relativeError }) => Number(relativeError.toPrecision(5)));
  const seen = learner.name === "bonmf" && dataset.look !== undefined;
  return { ...facts, curve, ...(seen && { prototypes: toBytes(model) }) };
}

/** Prototypes with the largest value of each as 255. */
function toBytes({ W, k }: Model): string {
  const bytes = new Uint8Array(k * W.features);
  for (let j = 0; j < k; j++) {
    const row = Array.from(W.row(j));
    const top = Math.max(...row) || 1;
    bytes.set(
      Array.from(row, (value) => Math.round((255 * value) / top)),
      j * W.features,
    );
  }
  return Buffer.from(bytes).toString("base64");
}

/** Ties go to the class that comes first. */
function findCommonest(y: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

type Way = Pick<Candidate, "scheme" | "neighbors" | "metric" | "votes" | "clustersPerClass" | "penalty">;

export function describeWay({ scheme, neighbors, metric, votes, clustersPerClass, penalty }: Way): string {
  if (scheme === "vote") {
    const closer = votes === "closer" ? ", closer ones more" : "";
    return `vote of ${neighbors}${metric === "angle" ? "" : ` by ${metric}`}${closer}`;
  }
  const clustered = scheme === "majority" || scheme === "prototypes";
  return clustered
    ? `${scheme}, ${clustersPerClass} ${clustersPerClass === 1 ? "cluster" : "clusters"} a class`
    : `${scheme}, penalty ${penalty}`;
}
