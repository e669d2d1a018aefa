import { type Column, openTable, type TextOptions, typeOf, type Value } from "./table.js";

/** The result for each sample; all lists have one entry for each sample. */
export interface Assignments {
  readonly ids?: readonly (string | number)[] | null | undefined;
  /** The cluster of each sample; absent where there are only classes. */
  readonly labels?: ArrayLike<number> | null | undefined;
  readonly classes?: readonly (string | number | null)[] | null | undefined;
  readonly scores?: ArrayLike<number> | null | undefined;
}

const PART = 8192;

/** Writes the columns that exist, in this order: `id` (or `sample`, from 0), `cluster`, `class`, `score`. */
export async function writeAssignments(
  path: string,
  assignments: Assignments,
  options: TextOptions = {},
): Promise<void> {
  const { columns, rows, count } = toTable(assignments);
  const table = await openTable(path, columns, undefined, null, options);
  try {
    for (let from = 0; from < count; from += PART) await table.write(rows(from, Math.min(from + PART, count)));
    await table.commit();
  } catch (error) {
    await table.discard();
    throw error;
  }
}

/** The same as columns and rows, for writing in parts; `first` is the index of the first sample. */
export function toTable(assignments: Assignments, first = 0) {
  const { ids, labels, classes, scores } = assignments;
  const count = (labels ?? classes ?? scores ?? ids)?.length ?? 0;
  const parts: [column: Column, value: (i: number) => Value][] = [];
  if (ids) parts.push([{ name: "id", type: typeOf(ids) }, (i) => ids[i]]);
  else parts.push([{ name: "sample", type: "integer" }, (i) => first + i]);
  if (labels) parts.push([{ name: "cluster", type: "integer" }, (i) => labels[i]]);
  if (classes) parts.push([{ name: "class", type: typeOf(classes) }, (i) => classes[i]]);
  if (scores) parts.push([{ name: "score", type: "double" }, (i) => scores[i]]);
  const rows = (from: number, to: number): Value[][] =>
    Array.from({ length: to - from }, (_, i) => parts.map(([, value]) => value(from + i)));
  return { columns: parts.map(([column]) => column), rows, count };
}
