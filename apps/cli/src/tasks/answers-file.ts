import { watchNames } from "bonmf-data";
import type { Data } from "../read/data.js";
import { type Column, openTable, type TextOptions, typeOf, type Value } from "../write/table.js";
import type { Answers } from "./evaluation.js";
import { listProbabilities, type Which } from "./probability-columns.js";

/** Rows written at a time. */
const PART = 8192;

/** Writes every sample that was tested with its class, the answer and its probabilities. */
export async function writeAnswers(
  path: string,
  answers: Answers,
  { ids }: Pick<Data, "ids">,
  which: Which,
  text: TextOptions,
): Promise<void> {
  const { rows, truth, predictions, classes, probabilities } = answers;
  const freeName = watchNames([]);
  const parts: { column: Column; cell: (i: number) => Value }[] = [];
  const add = (name: string, type: Column["type"], cell: (i: number) => Value) =>
    parts.push({ column: { name: freeName(name), type }, cell });
  if (ids) add("id", typeOf(ids), (i) => ids[rows[i]]);
  else add("sample", "integer", (i) => rows[i]);
  add("label", typeOf(truth), (i) => truth[i]);
  add("class", typeOf(classes), (i) => predictions[i].label ?? null);
  add("right", "integer", (i) => Number(predictions[i].label === truth[i]));
  // By place among all classes: one of the parts may have learnt fewer.
  for (const { name, type, of } of listProbabilities(which, classes)) {
    add(name, type, (i) => of({ ...predictions[i], probabilities: probabilities.row(i) }));
  }
  if (predictions.some(({ rejected }) => rejected)) add("rejected", "text", (i) => predictions[i].rejected ?? null);
  const table = await openTable(
    path,
    parts.map(({ column }) => column),
    undefined,
    null,
    text,
  );
  try {
    for (let from = 0; from < rows.length; from += PART) {
      const length = Math.min(PART, rows.length - from);
      await table.write(Array.from({ length }, (_, i) => parts.map(({ cell }) => cell(from + i))));
    }
    await table.commit();
  } catch (error) {
    await table.discard();
    throw error;
  }
}
