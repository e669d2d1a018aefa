import { KINDS } from "bonmf-data/kinds";
import type { Call, Option } from "../command.js";
import { UserError } from "../errors.js";
import type { ReadOptions } from "./data.js";

const MISSING = ["zero", "mean", "drop"] as const;
const group = "Reading";

/** The flags of every command that reads samples. */
export const READ_OPTIONS: readonly Option[] = [
  {
    name: "kind",
    value: "KIND",
    choices: KINDS.filter((kind) => kind !== "sql"),
    help: "What the data is, where content and name mislead",
    group,
  },
  {
    name: "sql",
    value: "QUERY",
    help: `Read the rows of a DuckDB query, as "select * from 'data/*.parquet' where year > 2020"`,
    group,
  },
  {
    name: "label",
    value: "COLUMN",
    help: 'The column with the classes; for pictures in class folders "folder"',
    group,
  },
  { name: "id", value: "COLUMN", help: "The column that names the samples; no feature", group },
  { name: "weight", value: "COLUMN", help: "The column with the samples' weights, 0 or more; no feature", group },
  {
    name: "features",
    value: "COLUMNS",
    type: "list",
    help: "The columns to use, with commas between; default: all that are numbers",
    group,
  },
  { name: "exclude", value: "COLUMNS", type: "list", help: "Columns to leave out, with commas between", group },
  {
    name: "one-hot",
    value: "COLUMNS",
    type: "list",
    help: 'Columns of categories to turn into one 0/1 feature a value; "all" for every column that is no number',
    group,
  },
  { name: "missing", value: "HOW", choices: MISSING, help: "Missing values: zero, mean, or drop the sample", group },
  {
    name: "size",
    value: "WxH",
    help: "Bring pictures to this size, as 28x28; default: the first one's, at most 64x64",
    group,
  },
  { name: "text", value: "COLUMN", help: "The column of a table that holds text; its words become features", group },
  {
    name: "max-words",
    value: "N",
    type: "integer",
    help: "Keep the N words found in most documents; default 20000",
    group,
  },
];

/** The values of READ_OPTIONS; commands add `like` and `onProgress`. */
export function readOptions({ options, signal }: Pick<Call, "options" | "signal">): ReadOptions {
  const oneHot = options.list("one-hot");
  const maxWords = options.number("max-words");
  if (maxWords !== undefined && !(Number.isInteger(maxWords) && maxWords > 0)) {
    throw new UserError(`--max-words must be a whole number above 0, not ${maxWords}`);
  }
  return {
    kind: find(options.string("kind"), KINDS),
    sql: options.string("sql"),
    label: options.string("label"),
    id: options.string("id"),
    weight: options.string("weight"),
    features: options.list("features"),
    exclude: options.list("exclude"),
    oneHot: oneHot?.length === 1 && oneHot[0] === "all" ? true : oneHot,
    missing: find(options.string("missing"), MISSING),
    size: parseSize(options.string("size")),
    text: options.string("text"),
    maxWords,
    signal,
  };
}

function find<T extends string>(value: string | undefined, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

function parseSize(text: string | undefined): { width: number; height: number } | undefined {
  if (text === undefined) return undefined;
  const [, width, height] = /^(\d{1,4})[x×](\d{1,4})$/i.exec(text) ?? [];
  if (Number(width) > 0 && Number(height) > 0) return { width: Number(width), height: Number(height) };
  throw new UserError(
    `--size ${JSON.stringify(text)} is not a width and a height in pixels`,
    "write it as --size 28x28",
  );
}
