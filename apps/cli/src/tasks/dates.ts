import { parseDates } from "bonmf-data";
import { UserError } from "../errors.js";
import type { Reading } from "../read/read.js";

/** Whole numbers in this range are years. */
const YEARS = [1000, 3000] as const;
/** Larger ones are milliseconds since 1970, others seconds. */
const MILLISECONDS = 1e11;

/** The dates of a column in milliseconds since 1970, null where a row has none. */
export async function readDates(reading: Reading, column: string, source: string): Promise<(number | null)[]> {
  const originals = await openColumn(reading, column);
  if (originals === null) {
    throw new UserError(`${source} is no table: it has no column for --time`, "omit --time, or give a table");
  }
  const cells: unknown[] = [];
  try {
    for await (const rows of originals.rest()) {
      for (const [line] of rows) {
        const row = JSON.parse(`{${String(line)}}`) as Readonly<Record<string, unknown>>;
        cells.push(Object.hasOwn(row, column) ? row[column] : null);
      }
    }
  } finally {
    await originals.close();
  }
  const times = parseDates(cells.map((cell) => (cell === null ? "" : String(cell))));
  return cells.map((cell, row) => {
    if (cell === null || cell === "") return null;
    const time = readNumber(cell) ?? times[row];
    if (!Number.isNaN(time)) return time;
    throw new UserError(
      `${source}: row ${row + 1}, column ${JSON.stringify(column)} is ${JSON.stringify(cell)}, which is no date`,
      "write dates as 2024-12-31, a year, or seconds since 1970; leave cells without a date empty",
    );
  });
}

async function openColumn(reading: Reading, column: string) {
  try {
    return await reading.readOriginals([column], "jsonl");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.message.replace("for --columns", "for --time"), error.hint, { cause: error });
  }
}

/** The time of a number: a year, or seconds or milliseconds since 1970. */
function readNumber(value: unknown): number | null {
  const number = typeof value === "number" ? value : Number(value);
  if (Number.isInteger(number) && number >= YEARS[0] && number <= YEARS[1]) return Date.UTC(number, 0, 1);
  if (!Number.isFinite(number)) return null;
  return Math.abs(number) >= MILLISECONDS ? number : 1000 * number;
}
