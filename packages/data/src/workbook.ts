import { UserError } from "./errors.js";
import { listNames } from "./labels.js";
import { askNearest } from "./nearest.js";
import { findTable, type SheetCell, type SheetTable } from "./sheet.js";

/** A sheet of a workbook: its rows from the first on, empty ones too. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly SheetCell[])[];
}

/**
 * The table on a sheet of an Excel file.
 *
 * @param load reads all sheets; the package read-excel-file does in the command and the studio
 * @param wanted the name of the sheet; by default the first one that is not empty
 */
export async function openWorkbook(load: () => Promise<Sheet[]>, file: string, wanted?: string): Promise<SheetTable> {
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
    return { ...table, notes: wanted === undefined && others.length > 0 ? [choice, ...notes] : notes };
  }
  const which = wanted === undefined ? "has no cells with values" : `: the sheet ${JSON.stringify(wanted)} is empty`;
  throw new UserError(`${file}${wanted === undefined ? " " : ""}${which}`);
}

async function loadSheets(load: () => Promise<Sheet[]>, file: string): Promise<Sheet[]> {
  try {
    return await load();
  } catch (error) {
    throw new UserError(
      `${file} cannot be read as an Excel file: it is damaged or protected by a password`,
      "save it again as .xlsx without a password, or save the sheet as CSV",
      { cause: error },
    );
  }
}
