import { type Column, type ColumnTable, countMissing, NONE, type TextColumn } from "./column.js";
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
  return column.type === "number" ? column.mean : 0;
}

/** Texts are no numbers; where most of a column is, the first text is the mistake to name. */
function checkNumbers({ name, place }: NamedTable, columns: readonly Column[]): void {
  const texts = columns.filter(
    (column): column is TextColumn => column.type === "text" && countMissing(column) < column.codes.length,
  );
  if (texts.length === 0) return;
  for (const column of texts) {
    const row = findSlip(column);
    if (row === undefined) continue;
    throw new UserError(
      `${name}, ${place(row)}, column ${JSON.stringify(column.name)}: ` +
        `${JSON.stringify(column.texts[column.codes[row]])} is not a number`,
      "correct it, or leave the column out",
    );
  }
  const several = texts.length > 1;
  const names = texts.map((column) => JSON.stringify(column.name));
  const shown = names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", ");
  throw new UserError(
    `${name}: column${several ? "s" : ""} ${shown} ${several ? "are" : "is"} not of numbers`,
    "make it the label, one feature a value, or leave it out",
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
