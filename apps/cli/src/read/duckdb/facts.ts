import type { TableFacts } from "bonmf-data";
import { quoteWord } from "../../args/quote.js";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { type Asker, quoteName } from "./duck.js";
import type { Relation } from "./relation.js";
import { describePlace } from "./row-place.js";

/** Answers a plan's questions about a table by DuckDB. */
export function askColumns(duck: Asker, relation: Relation, options: ReadOptions): TableFacts {
  const { kind, name, columns } = relation;
  return {
    kind,
    name,
    columns,
    checkNumbers: (wanted) => checkTexts(duck, relation, wanted, options),
    listValues: (column, most) => listValues(duck, relation, column, most),
    findMeans: (wanted) => findMeans(duck, relation, wanted),
  };
}

async function listValues(duck: Asker, relation: Relation, column: string, most: number): Promise<string[]> {
  const rows = await duck.ask(
    `select distinct ${quoteName(column)}::varchar as value from ${relation.from(new Map())} ` +
      `where ${quoteName(column)} is not null limit ${most}`,
  );
  return rows.map(({ value }) => String(value));
}

async function findMeans(duck: Asker, relation: Relation, columns: readonly string[]): Promise<number[]> {
  const means = columns.map((column, c) => {
    const value = `${quoteName(column)}::double`;
    return `avg(${value}) filter (where isfinite(${value})) as m${c}`;
  });
  const types = new Map(columns.map((column) => [column, "DOUBLE"]));
  for (const { name, type } of relation.columns) if (type === "BOOLEAN") types.set(name, type);
  const [row] = await duck.ask(`select ${means.join(", ")} from ${relation.from(types)}`);
  return columns.map((_, c) => Number(row[`m${c}`] ?? 0));
}

/**
 * Checks that columns can be read as numbers. Text that is numbers throughout will do (inf, or a column without any
 * value); where most of it is, the first that is not is the mistake to name.
 */
async function checkTexts(
  duck: Asker,
  relation: Relation,
  columns: readonly string[],
  options: ReadOptions,
): Promise<void> {
  const wanted = new Set(columns);
  const texts = relation.columns.filter(({ name, number }) => wanted.has(name) && !number);
  if (texts.length === 0) return;
  const plain = texts.filter(({ type }) => type === "VARCHAR").map(({ name }) => name);
  const shares = await measure(duck, relation, plain);
  const strange = texts.map(({ name }) => name).filter((name) => shares.get(name) !== 1);
  if (strange.length === 0) return;
  const slip = strange.find((name) => (shares.get(name) ?? 0) >= 0.5);
  if (slip !== undefined) throw await nameSlip(duck, relation, slip, options);
  const several = strange.length > 1;
  const names = strange.map((name) => JSON.stringify(name));
  const shown = names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", ");
  const words = strange.slice(0, 8).map(quoteWord).join(",");
  const label = options.label === undefined ? `--label ${quoteWord(strange.at(-1) ?? "")} if that is the class, ` : "";
  throw new UserError(
    `${relation.name}: column${several ? "s" : ""} ${shown} ${several ? "are" : "is"} not numeric`,
    `${label}--one-hot ${words} for one feature per value, or --exclude ${words}`,
  );
}

/** The share of numbers among the values there are. */
async function measure(duck: Asker, relation: Relation, columns: readonly string[]): Promise<Map<string, number>> {
  if (columns.length === 0) return new Map();
  const counts = columns.map(
    (column, c) => `count(${quoteName(column)}) as n${c}, count(try_cast(${quoteName(column)} as float)) as g${c}`,
  );
  const [row] = await duck.ask(`select ${counts.join(", ")} from ${relation.from(new Map())}`);
  return new Map(
    columns.map((column, c) => {
      const all = Number(row[`n${c}`]);
      return [column, all === 0 ? 1 : Number(row[`g${c}`]) / all];
    }),
  );
}

async function nameSlip(duck: Asker, relation: Relation, column: string, options: ReadOptions): Promise<UserError> {
  const [{ row, value }] = await duck.ask(
    `select row, value from (select row_number() over () as row, ${quoteName(column)} as value ` +
      `from ${relation.from(new Map())}) where value is not null and try_cast(value as float) is null order by row limit 1`,
  );
  const place = await describePlace(duck, relation, Number(row) - 1, options);
  return describeSlip(place, column, String(value));
}

export function describeSlip(place: string, column: string, value: string): UserError {
  const word = quoteWord(column);
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return new UserError(
    `${place}, column ${JSON.stringify(column)}: ${JSON.stringify(shown)} is not a number`,
    `correct it, or omit the column with --exclude ${word}; --label ${word} if it is the class, ` +
      `--one-hot ${word} for one feature per value`,
  );
}
