import { nameElement, refuseRagged } from "bonmf-data";
import type { ReadOptions } from "../data.js";
import { type Asker, quoteName } from "./duck.js";
import { type Column, isNumber, type Relation } from "./relation.js";
import { describePlace } from "./row-place.js";

const LIST = /^(.+)\[\d*\]$/;

/** A relation whose lists of numbers, as embeddings are, have become a column for each of their elements. */
export async function spreadLists(duck: Asker, relation: Relation, options: ReadOptions): Promise<Relation> {
  const found = relation.columns.filter(({ type }) => isNumber(LIST.exec(type)?.[1] ?? ""));
  const wanted = found.filter(({ name }) => isWanted(name, options));
  if (wanted.length === 0) return relation;
  const lengths = new Map<string, number>();
  for (const { name } of wanted) lengths.set(name, await findLength(duck, relation, name, options));
  const spread = relation.columns.map((column) => spreadColumn(column, lengths.get(column.name)));
  const lists = spread.flatMap(({ columns }, c) =>
    lengths.has(relation.columns[c].name) ? [[relation.columns[c].name, columns.map(({ name }) => name)] as const] : [],
  );
  return {
    ...relation,
    columns: spread.flatMap(({ columns }) => columns),
    lists: new Map(lists),
    from: (types, plain) =>
      `(select ${spread.flatMap(({ sql }) => sql).join(", ")} from ${relation.from(types, plain)})`,
  };
}

function isWanted(name: string, { exclude, features, like, label, id, weight }: ReadOptions): boolean {
  const first = nameElement(name, 0);
  if (like?.features) return like.features.includes(first);
  if (exclude?.includes(name) || [label, id, weight].includes(name)) return false;
  return features === undefined || features.some((one) => one === name || one.startsWith(first.slice(0, -2)));
}

function spreadColumn(column: Column, length: number | undefined): { columns: readonly Column[]; sql: string[] } {
  const name = quoteName(column.name);
  if (length === undefined) return { columns: [column], sql: [name] };
  const type = LIST.exec(column.type)?.[1] as string;
  const columns = Array.from({ length }, (_, e) => ({ name: nameElement(column.name, e), type, number: true }));
  // SQL counts from 1.
  return { columns, sql: columns.map((element, e) => `${name}[${e + 1}] as ${quoteName(element.name)}`) };
}

/** The length that all lists of a column have. */
async function findLength(duck: Asker, relation: Relation, column: string, options: ReadOptions): Promise<number> {
  const source = relation.from(new Map());
  const name = quoteName(column);
  const [{ least, most }] = await duck.ask(
    `select min(len(${name}))::double as least, max(len(${name}))::double as most from ${source}`,
  );
  if (least === most) return Number(most ?? 0);
  const rows = await duck.ask(
    `select row::double as row, length::double as length
     from (select row_number() over () - 1 as row, len(${name}) as length from ${source})
     where length is not null qualify row_number() over (partition by length order by row) = 1 order by row limit 2`,
  );
  const [first, other] = rows.map(({ row, length }) => ({ row: Number(row), length: Number(length) }));
  throw refuseRagged(await describePlace(duck, relation, other.row, options), column, other.length, first.length);
}
