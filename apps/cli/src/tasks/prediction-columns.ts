import type { SchemeName } from "bonmf";
import { watchNames } from "bonmf-data";
import type { Data } from "../read/data.js";
import { type Column, typeOf, type Value } from "../write/table.js";
import { hasWeights, type Prediction, type Predictor } from "./predictor.js";
import { listProbabilities, type Which } from "./probability-columns.js";

/** How predictions become rows of a table. */
export interface PredictionColumns {
  readonly columns: readonly Column[];
  /** @param i the index of the sample in `data`; `number`: its index among all samples */
  toRow(prediction: Prediction, data: Data, i: number, number: number): Value[];
}

type Cell = (prediction: Prediction, data: Data, i: number, number: number) => Value;

/** What predictions are written with. */
export interface Choice {
  /** Reasons of a classifier. */
  readonly why: boolean;
  /** How clearly a sample belongs to its cluster, and its weights in all clusters. */
  readonly full: boolean;
  /** Of the classes. */
  readonly probabilities: Which;
  /** Names of the table's own columns that stand before these; null where there are none. */
  readonly beside: readonly string[] | null;
}

function isLinear(scheme: SchemeName): boolean {
  return scheme === "linear" || scheme === "linear+codes";
}

/** How many features are named as reasons. */
const REASONS = 3;

/** "glucose +1.21, age −0.40": what spoke for the class and against it, in log odds. */
function listReasons(evidence: Prediction["evidence"]): string {
  const reasons = (evidence ?? []).slice(0, REASONS);
  return reasons
    .map(({ name, amount }) => `${name} ${amount < 0 ? "−" : "+"}${Math.abs(amount).toFixed(2)}`)
    .join(", ");
}

/** Leaves out columns that would be empty. @param data the first part of the samples */
export function chooseColumns(
  predictor: Predictor,
  data: Data,
  { why, full, beside, probabilities }: Choice,
): PredictionColumns {
  const { classifier, model, topics } = predictor;
  const parts: [column: Column, cell: Cell][] = [];
  const freeName = watchNames(beside ?? []);
  const add = (name: string, type: Column["type"], cell: Cell) => parts.push([{ name: freeName(name), type }, cell]);
  if (beside === null) {
    if (data.ids) add("id", typeOf(data.ids), (_, { ids }, i) => ids?.[i] ?? null);
    else add("sample", "integer", (_prediction, _data, _i, number) => number);
  }
  add("cluster", "integer", ({ cluster }) => cluster);
  if (predictor.names && full) add("name", "text", ({ cluster }) => predictor.names?.[cluster ?? -1] || null);
  if (topics && full) {
    add("topic", "integer", ({ topic }) => topic ?? null);
    add("name", "text", ({ name }) => name ?? null);
  }
  if (classifier) add("class", typeOf(classifier.classes), ({ label }) => label ?? null);
  if (beside === null && data.labels) add("label", typeOf(data.labels), (_, { labels }, i) => labels?.[i] ?? null);
  if (classifier) {
    for (const { name, type, of } of listProbabilities(probabilities, classifier.classes)) add(name, type, of);
  }
  if (why || full) {
    if (model.method === "kmeans" && !classifier) {
      add("distance", "double", ({ distance }) => distance?.own ?? null);
      add("margin", "double", ({ distance }) => distance?.margin ?? null);
    } else {
      add("cosine", "double", ({ cosine }) => cosine ?? null);
      add("margin", "double", ({ margin }) => margin ?? null);
    }
  }
  if (why && classifier) {
    add("share", "double", ({ share }) => share ?? null);
    if (isLinear(classifier.scheme)) add("because", "text", ({ evidence }) => listReasons(evidence));
    else if (classifier.scheme !== "majority" && classifier.scheme !== "prototypes") {
      add("neighbor", "integer", ({ neighbor }) => neighbor?.index ?? null);
      add("closeness", "double", ({ neighbor }) => neighbor?.closeness ?? null);
    }
    if (Object.values(classifier.reject).some((limit) => limit !== undefined))
      add("rejected", "text", ({ rejected }) => rejected ?? null);
  }
  if (predictor.outliers) add("outlier", "double", ({ outlier }) => outlier ?? null);
  if (topics && why) {
    add("words", "text", ({ words }) => words?.map(({ word }) => word).join(", ") ?? null);
  }
  if (full && topics) {
    for (const [j, { id }] of topics.list.entries())
      add(`weight_${id}`, "double", ({ weights }) => weights?.[j] ?? null);
  } else if (full && hasWeights(predictor)) {
    for (let j = 0; j < model.k; j++) add(`weight_${j}`, "double", ({ weights }) => weights?.[j] ?? null);
  }
  return {
    columns: parts.map(([column]) => column),
    toRow: (prediction, from, i, number) => parts.map(([, cell]) => cell(prediction, from, i, number)),
  };
}
