import { stat, writeFile } from "node:fs/promises";
import { checkWorkbook, openWorkbook, type SheetCell } from "bonmf-data";
import type { ReadOptions } from "../data.js";
import { readBytes } from "../files/bytes.js";
import type { Scratch } from "../files/scratch.js";
import type { FoundFile } from "../files/sources.js";
import { zlib } from "../files/zip.js";
import { runTask, withoutPlace } from "../thread.js";

/** Bytes that are parsed in a fraction of a second: they unpack to ten times as many. */
const FEW = 2 ** 18;

/** Writes a sheet of an Excel file as CSV, so that it is opened like one. */
export async function xlsxToCsv(
  file: FoundFile,
  scratch: Scratch,
  options: ReadOptions,
): Promise<{ file: FoundFile; notes: readonly string[] }> {
  const path = await scratch.place(".csv");
  const short = (await stat(file.path)).size < FEW;
  const request = { file: withoutPlace(file), path };
  const { rows, notes } = await runTask("sheet", request, options, { source: file.name, short });
  const place = (line: number) => `row ${rows[line - 1] ?? rows.at(-1)}`;
  return { file: { path, name: file.name, place }, notes };
}

/** @returns the rows of the sheet that are lines of the CSV */
export async function writeSheet(
  file: FoundFile,
  path: string,
  options: ReadOptions,
): Promise<{ rows: Uint32Array; notes: readonly string[] }> {
  const { default: readSheets } = await import("read-excel-file/universal");
  const bytes = await readBytes(file, options);
  options.signal?.throwIfAborted();
  const load = async () => {
    await checkWorkbook(bytes, file.name, zlib, options.budget);
    const sheets = await readSheets(bytes.buffer as ArrayBuffer, { trim: false });
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as unknown as SheetCell[][] }));
  };
  const { csv, notes, rows } = await openWorkbook(load, file.name, options.sheet);
  await writeFile(path, csv);
  return { rows, notes };
}
