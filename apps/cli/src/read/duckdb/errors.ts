import { MISSING, MISSING_REMEDY, omitUnlabelled } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import type { File } from "../files/bytes.js";
import { EncodingError } from "../files/recode.js";
import type { Duck } from "./duck.js";
import type { BadValue } from "./query.js";
import type { Relation } from "./relation.js";
import { describePlace, describeRecord } from "./row-place.js";
import { describeSlip } from "./slip.js";
import { explainStorage } from "./storage.js";

/** A value that cannot be used, with where it stands. */
export async function describeBadValue(
  duck: Duck,
  relation: Relation,
  { row, column, fault, value }: BadValue,
  options: ReadOptions,
): Promise<UserError> {
  const where = `${await describePlace(duck, relation, row, options)}, column ${JSON.stringify(column)}`;
  if (fault === "infinite") {
    return new UserError(`${where}: the value is infinite`, "features must be finite numbers, up to 3.4e38");
  }
  if (fault === "weight") {
    return new UserError(`${where}: ${value ?? "a missing value"} is no weight`, "weights are numbers, 0 or more");
  }
  return new UserError(
    `${where}: the value is missing`,
    fault === "unlabelled" ? omitUnlabelled(column) : MISSING_REMEDY,
  );
}

/** Whether DuckDB failed at a text that means a missing value. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && MISSING.some((text) => error.message.includes(`Could not convert string "${text}" to`))
  );
}

/** DuckDB's error in our words. Errors that the user cannot correct stay as they are. */
export async function translate(error: unknown, files: readonly File[], options: ReadOptions): Promise<unknown> {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  const message = error.message.replace(/^Failed to extract statements: /, "");
  const [, type] = /^((?:[A-Z]\w*\s)*)Error: /.exec(message) ?? [];
  if (type === undefined || type === "INTERNAL ") return error;
  const storage = explainStorage(error);
  if (storage) return storage;
  const cause = { cause: error };
  const [, path, number, fault] = MALFORMED.exec(message) ?? [];
  const file = files.find((one) => one.path === path);
  if (file) {
    // DuckDB counts records, from 2.
    const place = await describeRecord(file, Number(number) - 1, options);
    if (/UTF-8/i.test(fault)) return new EncodingError(`${place}: the text is not UTF-8`, "save it as UTF-8", cause);
    return new UserError(`${place}: not whole JSON: ${fault}`, undefined, cause);
  }
  return translateCsv(message, cause) ?? translateFile(message, cause) ?? translateSql(message, cause);
}

const MALFORMED = /Malformed JSON in file "(.*)", at byte \d+ in (?:line|record\/value) (\d+): (.*?)\.? *$/m;

function translateCsv(message: string, cause: ErrorOptions): UserError | undefined {
  const file = /^ {2}file = (.*)$/m.exec(message)?.[1];
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  if (file === undefined || line === undefined) return undefined;
  const place = `${file}, line ${line}`;
  const ragged = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
  if (ragged) {
    const [, expected, found] = ragged;
    return new UserError(
      `${place}: ${found} value${found === "1" ? "" : "s"} where the table has ${expected} columns`,
      "correct the line, or put values that hold the delimiter in quotes",
      cause,
    );
  }
  const slip = /Error when converting column "(.*)"\. Could not convert string "(.*)" to/s.exec(message);
  if (slip) return describeSlip(place, slip[1], slip[2]);
  if (/unterminated quote/i.test(message)) {
    return new UserError(
      `${place}: a quote is opened and not closed`,
      "close it, or double quotes within values",
      cause,
    );
  }
  if (/not utf-8/i.test(message)) {
    return new EncodingError(`${place}: the text is not UTF-8`, "save it as UTF-8", cause);
  }
  if (/Maximum line size/i.test(message))
    return new UserError(`${place}: the line is longer than 2 MB`, undefined, cause);
  const said = message.split("\n").find((part) => !/^(\w+ )*Error: |^Original Line|^\s*$/.test(part));
  return new UserError(`${place}: ${said ?? "the line cannot be read"}`, undefined, cause);
}

function translateFile(message: string, cause: ErrorOptions): UserError | undefined {
  const [head] = message.split("\n");
  const path = /["']([^"']+)["']/.exec(head)?.[1];
  const damaged =
    /magic bytes|too small to be a Parquet|Invalid Parquet|TProtocol|thrift|Snappy|ZSTD|decompress|footer|Corrupt/i;
  if (damaged.test(head)) {
    const what = path === undefined ? "a file" : path;
    return new UserError(`${what} cannot be read: it is cut short or damaged`, "download or write it again", cause);
  }
  if (/^(\w+ )*Error: Error when sniffing file/.test(head)) {
    const remedy = "--kind says what it is, if it is not CSV";
    return new UserError(`${path ?? "a file"}: no rows and columns are found in it`, remedy, cause);
  }
  const mismatch = /column "(.*)" was read from the original file "(.*)", but could not be found in file "(.*)"/.exec(
    head,
  );
  if (mismatch) {
    const [, column, first, other] = mismatch;
    return new UserError(
      `${other} has no column ${JSON.stringify(column)}, but ${first} has`,
      "files read together must have the same columns",
      cause,
    );
  }
  const large = /Type \w+ with value (\S+) can't be cast because the value is out of range/.exec(head);
  if (large)
    return new UserError(
      `the value ${large[1]} is too large: features are 32-bit numbers, up to 3.4e38`,
      undefined,
      cause,
    );
  const extension = /extension '(\w+)'/.exec(head);
  if (/Extension/.test(head) && extension) {
    return new UserError(
      `this needs DuckDB's extension ${extension[1]}, and nothing is fetched from the network`,
      "read a file on this machine",
      cause,
    );
  }
  const none = /No files found that match the pattern "(.*)"/.exec(head);
  if (none) return new UserError(`${none[1]}: there is no such file`, undefined, cause);
  return undefined;
}

/** Other complaints are about the query; DuckDB shows where, and so do we. */
function translateSql(message: string, cause: ErrorOptions): UserError {
  const [head, ...rest] = message.split("\n");
  const said = head.replace(/^(\w+ )*Error: /, "");
  const hint = rest
    .find((line) => /^(Did you mean|Candidate)/.test(line))
    ?.replace(/^D/, "d")
    .replace(/^C/, "c");
  const kind = /^(Parser|Binder|Catalog) Error/.test(message) ? "--sql: " : "";
  return new UserError(`${kind}${said}`, hint, cause);
}
