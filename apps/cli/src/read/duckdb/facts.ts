import type { TableFacts } from "bonmf-data";
import type { ReadOptions } from "../data.js";
import { type Asker, quoteName } from "./duck.js";
import { checkTexts } from "./number-check.js";
import type { Relation } from "./relation.js";

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
