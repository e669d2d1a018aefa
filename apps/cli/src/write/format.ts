import { UserError } from "../errors.js";

/** Formats that can be written; `--to` names one if the file name does not. */
export const FORMATS = ["csv", "tsv", "jsonl", "parquet", "arrow", "libsvm", "npy", "mtx"] as const;
export type Format = (typeof FORMATS)[number];

/** Formats of rows and named columns, for assignments and predictions. */
export const TABLES = ["csv", "tsv", "jsonl", "parquet", "arrow"] as const;
export type TableFormat = (typeof TABLES)[number];

/** Formats of prototypes. */
export const PROTOTYPES = [...TABLES, "npy", "json"] as const;

const endings = new Map(
  Object.entries<Format | "json">({
    json: "json",
    csv: "csv",
    tsv: "tsv",
    tab: "tsv",
    jsonl: "jsonl",
    ndjson: "jsonl",
    parquet: "parquet",
    pq: "parquet",
    arrow: "arrow",
    feather: "arrow",
    svm: "libsvm",
    libsvm: "libsvm",
    svmlight: "libsvm",
    npy: "npy",
    mtx: "mtx",
  }),
);

/** The format of a file by its ending, one of `among`; text formats may end in .gz. Standard output takes CSV. */
export function formatOf<F extends Format | "json">(path: string, among: readonly F[]): F {
  if (path === "-" && isOneOf("csv", among)) return "csv" as F;
  const match = /\.([^./\\]+?)(\.gz)?$/i.exec(path);
  const format = endings.get(match?.[1].toLowerCase() ?? "");
  if (!format || !isOneOf(format, among)) {
    const names = among.map((name) => [...endings].find(([, format]) => format === name)?.[0]);
    throw new UserError(
      `${path}: the ending of the name is not one of a known format`,
      `end it in .${names.join(", .")}`,
    );
  }
  if (match?.[2]) checkGzip(path, format);
  return format;
}

/** @throws UserError for .gz with a format that is compressed or needs random access */
export function checkGzip(path: string, format: Format | "json"): void {
  if (!/\.gz$/i.test(path) || !["parquet", "arrow", "npy", "json"].includes(format)) return;
  throw new UserError(`${path}: ${format} is not written as .gz`, "omit .gz, or write csv.gz");
}

function isOneOf<F extends string>(format: string, among: readonly F[]): format is F {
  return (among as readonly string[]).includes(format);
}
