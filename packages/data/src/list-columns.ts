import { type Column, toColumn } from "./column.js";
import type { TableOptions } from "./data.js";
import { UserError } from "./errors.js";

/** What the element of a list is called as a column; counted from 0, as in the arrays that embeddings come from. */
export function nameElement(column: string, element: number): string {
  return `${column}[${element}]`;
}

/** The lists that became columns of their elements, by name, with the names of the elements. */
export function findLists(columns: readonly { readonly name: string }[]): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const { name } of columns) {
    const [, list, element] = /^(.+)\[(\d+)\]$/su.exec(name) ?? [];
    if (list === undefined) continue;
    const known = lists.get(list) ?? [];
    if (known.length === Number(element)) lists.set(list, [...known, name]);
  }
  return lists;
}

/** Options where the name of a list stands for its elements. @param lists by the name of the list, their elements */
export function nameElements<T extends TableOptions>(
  options: T,
  lists: ReadonlyMap<string, readonly string[]> | undefined,
): T {
  if (!lists) return options;
  const spread = (names: readonly string[] | undefined) => names?.flatMap((name) => lists.get(name) ?? [name]);
  return { ...options, features: spread(options.features), exclude: spread(options.exclude) };
}

/** Lists of numbers become columns only where all are equally long. */
export function refuseRagged(place: string, column: string, length: number, first: number): UserError {
  return new UserError(
    `${place}, column ${JSON.stringify(column)}: a list of ${length}, but the lists before it have ${first}`,
    `lists must be equally long to become features; omit the column with --exclude ${column}, or such rows with --sql`,
  );
}

/**
 * A column of whatever a JSON or Parquet file held; one of lists of numbers, as embeddings are, becomes a column for each
 * element.
 *
 * @param place where a row stands: "a.jsonl, line 7"
 */
export function toColumns(name: string, values: ArrayLike<unknown>, place: (row: number) => string): Column[] {
  const length = findLength(name, values, place);
  if (length === null) return [toColumn(name, values)];
  return Array.from({ length }, (_, e) =>
    toColumn(
      nameElement(name, e),
      Array.from(values, (list) => (list as ArrayLike<unknown> | null | undefined)?.[e] ?? null),
    ),
  );
}

/** The length that all lists have; null where the values are not all lists of numbers. */
function findLength(name: string, values: ArrayLike<unknown>, place: (row: number) => string): number | null {
  let length: number | null = null;
  let ragged: number | null = null;
  for (let row = 0; row < values.length; row++) {
    const list = values[row];
    if (list === null || list === undefined) continue;
    if (!isNumbers(list)) return null;
    length ??= list.length;
    if (list.length !== length) ragged ??= row;
  }
  if (length === null || ragged === null) return length;
  throw refuseRagged(place(ragged), name, (values[ragged] as ArrayLike<unknown>).length, length);
}

function isNumbers(value: unknown): value is ArrayLike<number | bigint | null> {
  if (ArrayBuffer.isView(value)) return !(value instanceof DataView) && !(value instanceof Uint8Array);
  const isNumber = (item: unknown) => typeof item === "number" || typeof item === "bigint" || item === null;
  return Array.isArray(value) && value.every(isNumber);
}
