import { MemoryError } from "bonmf";
import { allowBytes, requireMemory } from "bonmf/io";
import { UserError } from "./errors.js";
import { listNames } from "./labels.js";
import { askNearest } from "./nearest.js";
import { findTable, type SheetCell, type SheetTable } from "./sheet.js";
import { listEntries, type ZipCodec } from "./zip.js";

/** A sheet of a workbook: its rows from the first on, empty ones too. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly SheetCell[])[];
}

/** The table of a sheet. */
export interface WorkbookTable extends SheetTable {
  /** The sheet's name, and those of all that are not empty. */
  readonly sheet: string;
  readonly sheets: readonly string[];
}

/**
 * The table on a sheet of an Excel file.
 *
 * @param load reads all sheets; the package read-excel-file does in the command and the studio
 * @param wanted the name of the sheet; by default the first one that is not empty
 */
export async function openWorkbook(
  load: () => Promise<Sheet[]>,
  file: string,
  wanted?: string,
): Promise<WorkbookTable> {
  const sheets = await loadSheets(load, file);
  const names = sheets.map(({ name }) => name);
  const chosen = wanted === undefined ? sheets : sheets.filter(({ name }) => name === wanted);
  if (chosen.length === 0) {
    throw new UserError(
      `${file} has no sheet ${JSON.stringify(wanted)}`,
      askNearest(wanted ?? "", names) ?? `its sheets are ${listNames(names)}`,
    );
  }
  for (const { name, rows } of chosen) {
    const table = findTable(rows);
    if (table === null) continue;
    const others = names.filter((other) => other !== name);
    const choice = `${file}: read the sheet ${JSON.stringify(name)}, not ${listNames(others)} (--sheet chooses)`;
    const notes = table.notes.map((note) => `${file}: ${note}`);
    const filled = sheets.filter(({ rows }) => rows.length > 0).map((one) => one.name);
    const told = wanted === undefined && others.length > 0 ? [choice, ...notes] : notes;
    return { ...table, notes: told, sheet: name, sheets: filled };
  }
  const which = wanted === undefined ? "has no cells with values" : `: the sheet ${JSON.stringify(wanted)} is empty`;
  throw new UserError(`${file}${wanted === undefined ? " " : ""}${which}`);
}

async function loadSheets(load: () => Promise<Sheet[]>, file: string): Promise<Sheet[]> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    throw new UserError(
      `${file} cannot be read as an Excel file: it is damaged or protected by a password`,
      "save it again as .xlsx without a password, or save the sheet as CSV",
      { cause: error },
    );
  }
}

/** What XML takes once it is parsed, relative to its size; a cell of a sheet; the cells that a row takes beyond its own. */
const GROWTH = 4;
const CELL_BYTES = 16;
const ROW_CELLS = 8;

/**
 * Refuses an Excel file that unpacks to more than its budget, or whose last cell is so far out that the cells before it,
 * which the reader fills in, would.
 */
export async function checkWorkbook(
  bytes: Uint8Array,
  file: string,
  codec: ZipCodec,
  budget: number = allowBytes(bytes.length),
): Promise<void> {
  const entries = listEntries(bytes, file, codec, budget).filter(({ name }) => name.endsWith(".xml"));
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  requireMemory(GROWTH * total, budget, `${file} unpacks to ${total} bytes`);
  for (const { name, read } of entries) {
    const content = await read();
    if (!name.startsWith("xl/worksheets/")) continue;
    const { rows, columns } = findCorner(new TextDecoder().decode(content));
    const cells = rows * (columns + ROW_CELLS);
    requireMemory(CELL_BYTES * cells, budget, `${file} claims a sheet of ${rows} × ${columns} cells`);
  }
}

/** A comment, unparsed text, a declaration, the end of an element, or a beginning whose attributes are whole; alone, what is none of these. */
const TAG =
  /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[!?/][^<>]*>|<[^\s<>"'=/!?]+((?:\s+[^\s<>"'=/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>|</gs;

/**
 * The last row and the last column that cells name, as r="B7". The reader takes any characters before a digit for a column, and has
 * ideas of its own about what is no XML: neither must reach it.
 */
function findCorner(xml: string): { rows: number; columns: number } {
  let [rows, columns] = [0, 0];
  for (const [tag, attributes] of xml.matchAll(TAG)) {
    if (tag === "<") throw new UserError("a sheet is no XML");
    if (attributes === undefined) continue;
    for (const [, , address] of attributes.matchAll(/\sr\s*=\s*(["'])(.*?)\1/gs)) {
      const [valid, letters, row] = /^([A-Za-z]*)(\d+)$/.exec(address) ?? [];
      if (valid === undefined) throw new UserError(`a cell's address is ${JSON.stringify(address)}`);
      rows = Math.max(rows, Number(row));
      let column = 0;
      for (let p = 0; p < letters.length; p++) column = 26 * column + letters.charCodeAt(p) - 64;
      columns = Math.max(columns, column);
    }
  }
  return { rows, columns };
}
