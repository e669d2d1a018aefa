import { checkWorkbook, openWorkbook, type SheetCell, type WorkbookTable } from "bonmf-data";
import { codec } from "./archive.js";

/** Reads a sheet of an Excel file, by default the first; the reader is loaded when the first such file is opened. */
export async function readWorkbook(buffer: ArrayBuffer, name: string, sheet?: string): Promise<WorkbookTable> {
  const { default: readSheets } = await import("read-excel-file/universal");
  return openWorkbook(
    async () => {
      await checkWorkbook(new Uint8Array(buffer), name, codec);
      const sheets = await readSheets(buffer, { trim: false });
      return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as unknown as SheetCell[][] }));
    },
    name,
    sheet,
  );
}
