import { parseDecimal } from "bonmf/io";
import { type Column, type ColumnTable, NONE, type NumberColumn, type TextColumn } from "./column.js";
import { isNumber } from "./csv.js";
import { UserError } from "./errors.js";
import type { Kind } from "./kinds.js";
import type { TableFacts } from "./plan.js";

/** A table in memory, with what it is called and where it comes from. */
export interface NamedTable extends ColumnTable {
  readonly name: string;
  readonly kind: Kind;
}

/** Answers a plan's questions about a table in memory. */
export function summarizeColumns(table: NamedTable): TableFacts {
  const { kind, name, columns } = table;
  const byName = new Map(columns.map((column) => [column.name, column]));
  const get = (column: string) => byName.get(column) as Column;
  return {
    kind,
    name,
    columns: columns.map((column) => ({ name: column.name, number: isNumeric(column) })),
    checkNumbers: async (wanted) => checkNumbers(table, wanted.map(get)),
    listValues: async (column, most) => spellColumn(get(column)).texts.slice(0, most),
    findMeans: async (wanted) => wanted.map((column) => meanOf(get(column))),
  };
}

function isNumeric(column: Column): boolean {
  return column.type === "number" && (column.written === "number" || column.written === "boolean");
}

export function spellColumn(column: Column): TextColumn {
  return column.type === "text" ? column : column.spell();
}

function meanOf(column: Column): number {
  return column.type === "number" ? column.mean : readNumbers(column).mean;
}

/** A column of texts that are all numbers, as JSON may have them. */
export function readNumbers(column: TextColumn): NumberColumn {
  const { name, codes, texts } = column;
  const singles = texts.map((text) => parseDecimal(text, "f32"));
  let sum = 0;
  let count = 0;
  for (const code of codes) {
    if (code === NONE) continue;
    sum += Number(texts[code]);
    count++;
  }
  const numbers = Float32Array.from(codes, (code) => (code === NONE ? Number.NaN : singles[code]));
  return {
    type: "number",
    name,
    numbers,
    mean: count === 0 ? 0 : sum / count,
    written: "code",
    spell: () => column,
  };
}

/** Stops at columns that are not numbers throughout. Where most of a column is, the first text is the mistake to name. */
function checkNumbers({ name, place }: NamedTable, columns: readonly Column[]): void {
  const texts = columns.filter(
    (column): column is TextColumn => column.type === "text" && !column.texts.every(isNumber),
  );
  if (texts.length === 0) return;
  for (const column of texts) {
    const row = findSlip(column);
    if (row === undefined) continue;
    throw new UserError(
      `${name}, ${place(row)}, column ${JSON.stringify(column.name)}: ` +
        `${JSON.stringify(column.texts[column.codes[row]])} is not a number`,
      "correct it, or omit the column",
    );
  }
  const several = texts.length > 1;
  const names = texts.map((column) => JSON.stringify(column.name));
  const shown = names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", ");
  throw new UserError(
    `${name}: column${several ? "s" : ""} ${shown} ${several ? "are" : "is"} not numeric`,
    "make it the label, one feature per value, or omit it",
  );
}

/** The first row that is no number, if at least half of those that hold something are. */
function findSlip({ codes, texts }: TextColumn): number | undefined {
  const numbers = texts.map(isNumber);
  let good = 0;
  let all = 0;
  let first: number | undefined;
  for (const [row, code] of codes.entries()) {
    if (code === NONE) continue;
    all++;
    if (numbers[code]) good++;
    else first ??= row;
  }
  return good >= all / 2 ? first : undefined;
}
