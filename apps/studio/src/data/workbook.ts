import { openWorkbook, type SheetCell, type SheetTable } from "bonmf-data";

/** Reads the first sheet of an Excel file; the reader is loaded when the first such file is opened. */
export async function readWorkbook(buffer: ArrayBuffer, name: string): Promise<SheetTable> {
  const { default: readSheets } = await import("read-excel-file/universal");
  return openWorkbook(async () => {
    const sheets = await readSheets(buffer, { trim: false });
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as unknown as SheetCell[][] }));
  }, name);
}
