import { type FileHandle, open } from "node:fs/promises";
import type { TablePlan } from "bonmf-data";
import type { CsvGroup } from "../../duckdb/relation.js";
import { check } from "../file-bytes.js";
import type { CsvFile } from "./job.js";

/** Bytes in which the first line should end. */
const FIRST = 2 ** 21;
/** Bytes at the end that may be blank lines. */
const LAST = 1024;
const LF = 10;
const CR = 13;

/** The files as threads read them; throws where they are written in an unusual way. */
export async function describeFiles(
  csvGroups: readonly CsvGroup[],
  plan: TablePlan,
  texts: readonly string[],
): Promise<CsvFile[]> {
  const features = new Map(plan.parts.map(({ column, at }) => [column, at]));
  const described: CsvFile[] = [];
  for (const { files, dialect, columns } of csvGroups) {
    const { delimiter, decimal, quote, comment, skip, header, compression } = dialect;
    const codes = [delimiter, decimal, quote, dialect.escape];
    const usual = comment === "" && skip === 0 && compression === "auto" && codes.every(isByte);
    check(usual && delimiter !== decimal, "it is written in an unusual way");
    const targets = Int32Array.from(columns, ({ name }) => features.get(name) ?? -2 - texts.indexOf(name));
    for (const { path } of files) {
      const file = await open(path);
      try {
        const cr = await readFirst(file, dialect, columns.length);
        const size = await findEnd(file, cr, columns.length);
        const [d, p, q, e] = codes.map((text) => text.charCodeAt(0));
        described.push({ path, delimiter: d, decimal: p, quote: q, escape: e, cr, header, size, targets });
      } finally {
        await file.close();
      }
    }
  }
  return described;
}

function isByte(text: string): boolean {
  return text.length === 1 && text.charCodeAt(0) < 128;
}

/** Checks that the header is as wide as the table; returns whether lines end in CR LF. */
async function readFirst(
  file: FileHandle,
  { header, delimiter, quote, ...rest }: CsvGroup["dialect"],
  columns: number,
) {
  const bytes = Buffer.alloc(FIRST);
  const { bytesRead } = await file.read(bytes, 0, FIRST, 0);
  const end = bytes.subarray(0, bytesRead).indexOf(LF);
  check(end > 0, "the first line is too long");
  const cr = bytes[end - 1] === CR;
  if (!header) return cr;
  let cells = 1;
  let quoted = false;
  for (const letter of bytes.toString("latin1", 0, end)) {
    check(letter !== rest.escape || letter === quote, "the header is unusual");
    if (letter === quote) quoted = !quoted;
    else if (letter === delimiter && !quoted) cells++;
  }
  check(!quoted && cells === columns, "the header is unusual");
  return cr;
}

/** Where the last row ends. Blank lines after it are no rows, except in a table of one column. */
async function findEnd(file: FileHandle, cr: boolean, columns: number): Promise<number> {
  const { size } = await file.stat();
  if (columns === 1) return size;
  const bytes = Buffer.alloc(Math.min(size, LAST));
  await file.read(bytes, 0, bytes.length, size - bytes.length);
  const text = bytes.toString("latin1");
  const line = cr ? "\r\n" : "\n";
  let end = text.length;
  while (text.endsWith(line + line, end)) end -= line.length;
  return size - text.length + end;
}
