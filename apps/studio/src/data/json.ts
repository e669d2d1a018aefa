import { type Column, toColumn } from "./column.js";

/** One object a line, or one array of objects. */
export function readJson(text: string, name: string): Column[] {
  const rows = /^\s*\[/.test(text) ? parseArray(text, name) : parseLines(text, name);
  if (rows.length === 0) throw new Error(`${name} holds no objects`);
  const keys = new Set<string>();
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key);
  return [...keys].map((key) =>
    toColumn(
      key,
      rows.map((row) => row[key]),
    ),
  );
}

type Row = Readonly<Record<string, unknown>>;

function parseArray(text: string, name: string): Row[] {
  try {
    const rows: unknown = JSON.parse(text);
    if (Array.isArray(rows)) return rows.map((row, i) => check(row, `${name}, entry ${i + 1}`));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`${name} is not valid JSON: ${error.message}`);
  }
  throw new Error(`${name} must hold an array of objects`);
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
      throw new Error(`${where} is not valid JSON: ${(error as Error).message}`);
    }
    rows.push(check(row, where));
  }
  return rows;
}

function check(row: unknown, where: string): Row {
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return row as Row;
  throw new Error(`${where} is no object: each must name its values, as {"width": 2, "kind": "oak"}`);
}
