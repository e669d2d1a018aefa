import type { Option, Options } from "../command.js";

export const COLUMNS_OPTION: Option = {
  name: "columns",
  value: "WHICH",
  type: "list",
  help: "The table's own columns to write beside the results: all (default), some by name, or none for just the clusters",
  group: "Results",
};

/** The table's own columns to write: null for all, [] for none. */
export function readColumns(options: Options): readonly string[] | null {
  const names = options.list("columns");
  if (names === undefined || (names.length === 1 && names[0] === "all")) return null;
  return names.length === 1 && names[0] === "none" ? [] : names;
}
