import type { ReadOptions } from "../data.js";

/** Whether the user asks for what only tables can do: columns of categories, missing values, some of the columns. */
export function needsTable(options: ReadOptions): boolean {
  const { oneHot, numbers, missing, features, exclude, id, weight, sql, text, like } = options;
  const { categories, fills } = like?.recipe ?? {};
  return [oneHot, numbers, missing, features, exclude, id, weight, sql, text, categories, fills].some(
    (option) => option !== undefined,
  );
}
