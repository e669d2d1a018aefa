import { KINDS } from "bonmf-data/kinds";
import { parseMemory } from "../cache/memory-size.js";
import type { Call, Option } from "../command.js";
import { UserError } from "../errors.js";
import type { ReadOptions } from "./data.js";
import { readWordRules, WORD_OPTIONS } from "./word-options.js";

const MISSING = ["median", "mean", "zero", "mask", "drop", "error"] as const;
const group = "Reading";

const MEMORY: Option = {
  name: "memory",
  value: "SIZE",
  help: "Memory that the files may take, for example 2GB or 50%; default: by their size, at most 70% of the free memory",
  group,
};

/** The flags of every command that reads samples. */
export const READ_OPTIONS: readonly Option[] = [
  {
    name: "kind",
    value: "KIND",
    choices: KINDS.filter((kind) => kind !== "sql"),
    help: "The kind of data, if content and name are misleading",
    group,
  },
  {
    name: "sql",
    value: "QUERY",
    help: `Read the rows of a DuckDB query, for example "select * from 'data/*.parquet' where year > 2020"`,
    group,
  },
  {
    name: "member",
    value: "NAME",
    help: "The file of a zip archive to read; default: its pictures, else its tables, else its texts",
    group,
  },
  { name: "sheet", value: "NAME", help: "The sheet of an Excel file; default: the first one that is not empty", group },
  {
    name: "width",
    value: "N",
    type: "integer",
    help: "The number of features of a LIBSVM file, or of sparse rows on Spark; default: the largest index, or the model's",
    group,
  },
  {
    name: "label",
    value: "COLUMN",
    help: 'The column with the classes; for pictures or texts in class folders "folder"; default: one named and shaped like it',
    group,
  },
  { name: "no-label", help: "Use the column that looks like the classes as a feature", group },
  { name: "id", value: "COLUMN", help: "The column that identifies the samples; not a feature", group },
  {
    name: "weight",
    value: "COLUMN",
    help: "The column with the weights of the samples, 0 or more; not a feature",
    group,
  },
  {
    name: "features",
    value: "COLUMNS",
    type: "list",
    help: "The columns to use, separated by commas; default: numbers and categories",
    group,
  },
  { name: "exclude", value: "COLUMNS", type: "list", help: "Columns to omit, separated by commas", group },
  {
    name: "one-hot",
    value: "COLUMNS",
    type: "list",
    help: 'Categorical columns, each value of which becomes a 0/1 feature; "all" for every column that is not numeric',
    group,
  },
  {
    name: "numbers",
    value: "COLUMNS",
    type: "list",
    help: "Columns to use as numbers, whatever they look like; texts in them count as missing",
    group,
  },
  {
    name: "missing",
    value: "HOW",
    choices: MISSING,
    help: "Missing values: median, mean or zero, mask (leave them out), drop the sample, or an error; default: median, for categories the commonest",
    group,
  },
  {
    name: "strict",
    help: "Refuse what is not plain numbers instead of deciding: leave nothing out, fill nothing, set no label aside",
    group,
  },
  {
    name: "size",
    value: "WxH",
    help: "Resize pictures, for example to 28x28; default: the size of the first one, at most 64x64",
    group,
  },
  { name: "text", value: "COLUMN", help: "The column of a table that holds text; its words become features", group },
  { name: "table", value: "NAME", help: "The table of a SQLite file, or on a Spark cluster", group },
  MEMORY,
  ...WORD_OPTIONS,
];

/** For commands that find topics or know them. */
export const VECTORS_OPTION: Option = {
  name: "vectors",
  value: "FILE|COLUMN",
  help: "Vectors of the documents, from a language model: a .npy or .npz file or a table with a row for each, or a column of lists",
  group,
};

/** The values of READ_OPTIONS; commands add `like` and `onProgress`. */
export function readOptions({ options, signal }: Pick<Call, "options" | "signal">): ReadOptions {
  const oneHot = options.list("one-hot");
  const memory = options.string("memory");
  return {
    kind: find(options.string("kind"), KINDS),
    sql: options.string("sql"),
    member: options.string("member"),
    sheet: options.string("sheet"),
    table: options.string("table"),
    width: readWidth(options.number("width")),
    label: options.string("label"),
    noLabel: options.flag("no-label") || undefined,
    id: options.string("id"),
    weight: options.string("weight"),
    features: options.list("features"),
    exclude: options.list("exclude"),
    oneHot: oneHot?.length === 1 && oneHot[0] === "all" ? true : oneHot,
    numbers: options.list("numbers"),
    missing: find(options.string("missing"), MISSING),
    strict: options.flag("strict") || undefined,
    size: parseSize(options.string("size")),
    text: options.string("text"),
    words: readWordRules({ options }),
    threads: options.number("threads"),
    maxBytes: memory === undefined ? undefined : parseMemory(memory),
    signal,
  };
}

function find<T extends string>(value: string | undefined, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

function readWidth(width: number | undefined): number | undefined {
  if (width === undefined || (Number.isInteger(width) && width > 0)) return width;
  throw new UserError(`--width must be a whole number above 0, not ${width}`);
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
