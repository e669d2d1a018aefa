import type { Option, Options } from "../command.js";
import type { TextOptions } from "../write/table.js";

export const COLUMNS_OPTION: Option = {
  name: "columns",
  value: "WHICH",
  type: "list",
  help: "The table's own columns to write beside the results: all (default), some by name, or none for just the clusters",
  group: "Results",
};

export const SAFE_OPTION: Option = {
  name: "spreadsheet-safe",
  help: "In .csv and .tsv, put an apostrophe before texts that spreadsheets would run as formulas (= + - @); numbers stay",
  group: "Results",
};

export function readTextOptions(options: Options): TextOptions {
  return { spreadsheetSafe: options.flag(SAFE_OPTION.name) };
}

/** The table's own columns to write: null for all, [] for none. */
export function readColumns(options: Options): readonly string[] | null {
  const names = options.list("columns");
  if (names === undefined || (names.length === 1 && names[0] === "all")) return null;
  return names.length === 1 && names[0] === "none" ? [] : names;
}
