import type { Data } from "../read/data.js";
import { type Column, typeOf, type Value } from "../write/table.js";
import type { Answer, Oracle } from "./answer.js";

/** How answers become rows of a table. */
export interface Layout {
  readonly columns: readonly Column[];
  /** @param i the sample's place in `data`, `number` that among all, from 0 */
  toRow(answer: Answer, data: Data, i: number, number: number): Value[];
}

type Cell = (answer: Answer, data: Data, i: number, number: number) => Value;

/** The columns there is something to say in: `data` is the first part of the samples. */
export function layOut({ classifier }: Oracle, data: Data, why: boolean): Layout {
  const parts: [column: Column, cell: Cell][] = [];
  const add = (name: string, type: Column["type"], cell: Cell) => parts.push([{ name, type }, cell]);
  if (data.ids) add("id", typeOf(data.ids), (_, { ids }, i) => ids?.[i] ?? null);
  else add("sample", "integer", (_answer, _data, _i, number) => number);
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
    toRow: (answer, from, i, number) => parts.map(([, cell]) => cell(answer, from, i, number)),
  };
}
