import { writeFile } from "node:fs/promises";
import { openWorkbook, type SheetCell } from "bonmf-data";
import readSheets from "read-excel-file/universal";
import type { ReadOptions } from "../data.js";
import { readBytes } from "../files/bytes.js";
import type { Scratch } from "../files/scratch.js";
import type { FoundFile } from "../files/sources.js";

/** Writes a sheet of an Excel file as CSV, so that it is opened like one. */
export async function xlsxToCsv(
  file: FoundFile,
  scratch: Scratch,
  options: ReadOptions,
): Promise<{ file: FoundFile; notes: readonly string[] }> {
  const bytes = await readBytes(file, options);
  options.signal?.throwIfAborted();
  const load = async () => {
    const sheets = await readSheets(bytes.buffer as ArrayBuffer, { trim: false });
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as unknown as SheetCell[][] }));
  };
  const { csv, notes, place } = await openWorkbook(load, file.name, options.sheet);
  const path = await scratch.place(".csv");
  await writeFile(path, csv);
  return { file: { path, name: file.name, place }, notes };
}
