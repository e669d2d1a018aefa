import { allowBytes, requireMemory } from "bonmf/io";
import { type ColumnTable, toTable } from "./column.js";
import { UserError } from "./errors.js";
import { toColumns } from "./list-columns.js";

/** What a value takes that is missing in an object and there in others. */
const CELL_BYTES = 8;

/** One object a line, or one array of objects. */
export function readJson(text: string, name: string): ColumnTable {
  const array = /^\s*\[/.test(text);
  const rows = array ? parseArray(text, name) : parseLines(text, name);
  if (rows.length === 0) throw new UserError(`${name} holds no objects`);
  const keys = new Set<string>();
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key);
  const most = allowBytes(text.length);
  requireMemory(CELL_BYTES * keys.size * rows.length, most, `${name} has ${rows.length} objects of ${keys.size} keys`);
  const place = (row: number) => (array ? `entry ${row + 1}` : `line ${findLine(text, row)}`);
  const columns = [...keys].flatMap((key) =>
    toColumns(
      key,
      // A row without the column would answer with what every object inherits.
      rows.map((row) => (Object.hasOwn(row, key) ? row[key] : undefined)),
      (row) => `${name}, ${place(row)}`,
    ),
  );
  return { ...toTable(columns, rows.length), place };
}

/** The line of an object, past blank ones. */
function findLine(text: string, row: number): number {
  const lines = text.split("\n").flatMap((line, l) => (line.trim() === "" ? [] : [l + 1]));
  return lines[row];
}

type Row = Readonly<Record<string, unknown>>;

function parseArray(text: string, name: string): Row[] {
  try {
    const rows: unknown = JSON.parse(text);
    if (Array.isArray(rows)) return rows.map((row, i) => check(row, `${name}, entry ${i + 1}`));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UserError(`${name} is not valid JSON: ${error.message}`);
  }
  throw new UserError(`${name} must hold an array of objects`);
}

function parseLines(text: string, name: string): Row[] {
  const rows: Row[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const where = `${name}, line ${i + 1}`;
    let row: unknown;
    try {
      row = JSON.parse(line);
    } catch (error) {
      throw new UserError(`${where} is not valid JSON: ${(error as Error).message}`);
    }
    rows.push(check(row, where));
  }
  return rows;
}

function check(row: unknown, where: string): Row {
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return row as Row;
  throw new UserError(`${where} is not an object`, 'each must name its values, as {"width": 2, "kind": "oak"}');
}
