import type { ReadOptions } from "../data.js";
import { type File, readChunks } from "../files/bytes.js";
import { readBlocks } from "../files/lines.js";
import { type Asker, quotePaths } from "./duck.js";
import type { FileDialect, Relation } from "./relation.js";

/** Where a row stands, for messages: "a.csv, line 7". Looks through the files again, as reading them does not tell. */
export async function describePlace(
  duck: Asker,
  relation: Relation,
  row: number,
  options: ReadOptions,
): Promise<string> {
  const { kind, csvGroups, files, name } = relation;
  const { signal } = options;
  let left = row;
  if (kind === "sql" || files.some(({ path }) => /\.zst$/i.test(path))) return `row ${row + 1} of ${name}`;
  if (kind === "parquet") {
    for (const file of files) {
      const [{ rows }] = await duck.ask(
        `select sum(num_rows)::double as rows from parquet_file_metadata(${quotePaths([file.path])})`,
      );
      if (left < Number(rows)) return `${file.name}, row ${left + 1}`;
      left -= Number(rows);
    }
  }
  const plain = { files, dialect: null, columns: relation.columns };
  for (const { files, dialect, columns } of kind === "csv" ? csvGroups : [plain]) {
    for (const file of files) {
      const place = await findLine(file, dialect, columns.length === 1 && dialect !== null, left, { signal });
      if (place.line !== null) return `${file.name}, line ${place.line}`;
      left -= place.rows;
    }
  }
  return `row ${row + 1} of ${name}`;
}

const LF = 10;
const CR = 13;

/**
 * The line on which row `row` starts, both counted past quoted line breaks and blank lines.
 *
 * @param blanks a blank line is a row too, as in files of one column
 */
async function findLine(
  file: File,
  dialect: FileDialect | null,
  blanks: boolean,
  row: number,
  options: ReadOptions,
): Promise<{ line: number | null; rows: number }> {
  const quote = dialect?.quote.charCodeAt(0) ?? -1;
  const comment = dialect?.comment.charCodeAt(0) ?? Number.NaN;
  let skip = dialect?.skip ?? 0;
  let header = dialect?.header ?? false;
  let rows = 0;
  let line = 1;
  let start = 1;
  let blank = true;
  let note = false;
  let quoted = false;
  for await (const bytes of readChunks(file, options)) {
    for (const byte of bytes) {
      if (byte !== LF) {
        if (blank && byte === comment) note = true;
        if (blank && byte !== CR) {
          blank = false;
          // Here a row begins, or the header.
          if (skip === 0 && !note && !header && rows === row) return { line: start, rows };
        }
        if (byte === quote) quoted = !quoted;
        continue;
      }
      line++;
      if (quoted) continue;
      if (skip > 0) skip--;
      else if (!note && (!blank || blanks)) {
        if (header) header = false;
        else if (rows++ === row) return { line: start, rows };
      }
      blank = true;
      note = false;
      start = line;
    }
  }
  return { line: null, rows: blank ? rows : rows + 1 };
}

/** Lines looked at together. */
const LINES = 4096;

/** Where a record of a JSON file stands, counted from 1: its line, blank ones included, or the entry of an array. */
export async function describeRecord(file: File, record: number, options: ReadOptions): Promise<string> {
  const entry = `${file.name}, entry ${record}`;
  let seen = 0;
  for await (const { bytes, line } of readBlocks(file, options, LINES)) {
    for (const [l, text] of new TextDecoder().decode(bytes).split("\n").entries()) {
      if (text.trim() === "") continue;
      // Records that go over several lines cannot be told apart by lines.
      if (++seen === 1 && (/^\s*\[/.test(text) || (record > 1 && !isWhole(text)))) return entry;
      if (seen === record) return `${file.name}, line ${line + l}`;
    }
  }
  return entry;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
