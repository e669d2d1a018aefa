import type { Data } from "../read/data.js";
import { type Column, typeOf, type Value } from "../write/table.js";
import type { Prediction, Predictor } from "./predictor.js";

/** How predictions become rows of a table. */
export interface PredictionColumns {
  readonly columns: readonly Column[];
  /** @param i the index of the sample in `data`; `number`: its index among all samples */
  toRow(prediction: Prediction, data: Data, i: number, number: number): Value[];
}

type Cell = (prediction: Prediction, data: Data, i: number, number: number) => Value;

/** Leaves out columns that would be empty. @param data the first part of the samples */
export function chooseColumns({ classifier }: Predictor, data: Data, why: boolean): PredictionColumns {
  const parts: [column: Column, cell: Cell][] = [];
  const add = (name: string, type: Column["type"], cell: Cell) => parts.push([{ name, type }, cell]);
  if (data.ids) add("id", typeOf(data.ids), (_, { ids }, i) => ids?.[i] ?? null);
  else add("sample", "integer", (_prediction, _data, _i, number) => number);
  add("cluster", "integer", ({ cluster }) => cluster);
  if (classifier) add("class", typeOf(classifier.classes), ({ label }) => label ?? null);
  if (data.labels) add("label", typeOf(data.labels), (_, { labels }, i) => labels?.[i] ?? null);
  if (why) {
    add("cosine", "double", ({ cosine }) => cosine ?? null);
    add("margin", "double", ({ margin }) => margin ?? null);
    if (classifier) add("share", "double", ({ share }) => share ?? null);
    if (classifier && classifier.scheme !== "majority") {
      add("neighbor", "integer", ({ neighbor }) => neighbor?.index ?? null);
      add("closeness", "double", ({ neighbor }) => neighbor?.closeness ?? null);
    }
    const { margin, angle } = classifier?.reject ?? {};
    if (margin !== undefined || angle !== undefined) add("rejected", "text", ({ rejected }) => rejected ?? null);
  }
  return {
    columns: parts.map(([column]) => column),
    toRow: (prediction, from, i, number) => parts.map(([, cell]) => cell(prediction, from, i, number)),
  };
}
