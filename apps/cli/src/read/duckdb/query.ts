import { MISSING, makeLabelReader, type TablePlan } from "bonmf-data";
import type { ReadOptions } from "../data.js";
import type { Duck } from "./duck.js";
import type { Relation } from "./relation.js";
import { SideColumns, type SideLayout } from "./side-columns.js";
import { quoteName, quoteText } from "./sql.js";

export interface Query {
  /** In SQL: a list of a row's features, the texts of one-hot columns, then what the layout say. */
  readonly columns: readonly string[];
  readonly from: string;
  readonly layout: SideLayout;
}

/**
 * The query for the planned columns, and where label, id and weight are in it.
 *
 * @param plain see scanCsv; text columns have their missing values all the same
 */
export function select(relation: Relation, plan: TablePlan, options: ReadOptions, plain: boolean): Query {
  const { label, id, weight } = options;
  const found = new Map(relation.columns.map(({ name, type, number }) => [name, { type, number }]));
  const types = new Map<string, string>();
  const missing = MISSING.map(quoteText).join(", ");
  // Not "in": of several texts DuckDB makes a join, which loses the order of the rows.
  const text = (column: string) =>
    plain
      ? `if(list_contains([${missing}], ${quoteName(column)}), null, ${quoteName(column)})`
      : `${quoteName(column)}::varchar`;
  // One list instead of many columns: DuckDB's threads turn columns into rows, and fetching a vector takes a while.
  const row = plan.parts.flatMap(({ column, values }) => {
    if (values) return values.map(() => "0::float");
    types.set(column, found.get(column)?.type === "BOOLEAN" ? "BOOLEAN" : "FLOAT");
    return `${quoteName(column)}::float`;
  });
  const wanted = row.length === 0 ? [] : [`[${row.join(", ")}]`];
  for (const { column, values } of plan.parts) if (values) wanted.push(text(column));
  const add = (expression: string) => wanted.push(expression) - 1;
  // A weight that is also a name stays text here.
  if (weight !== undefined && weight !== label && weight !== id) types.set(weight, "DOUBLE");
  const number = (column: string) => found.get(column)?.number === true && found.get(column)?.type !== "BOOLEAN";
  const written = relation.kind === "csv";
  const layout: SideLayout = {
    label:
      label === undefined ? null : { at: add(text(label)), column: label, read: makeLabelReader(number(label), false) },
    id: id === undefined ? null : { at: add(text(id)), read: makeLabelReader(number(id), written) },
    weight: weight === undefined ? null : { at: add(`${quoteName(weight)}::double`), column: weight },
  };
  return { columns: wanted, from: relation.from(types, plain), layout };
}

/** The columns that are no features, by DuckDB; null where a row would be dropped. */
export async function readSideColumns(
  duck: Duck | null,
  relation: Relation,
  plan: TablePlan,
  options: ReadOptions,
): Promise<SideColumns | null> {
  const { columns, from, layout } = select(relation, { ...plan, parts: [] }, options, false);
  const side = new SideColumns(layout, options.missing === "drop");
  if (columns.length === 0) return side;
  if (duck === null) return null;
  const gone = new Set<number>();
  let seen = 0;
  for await (const { chunk, rows } of duck.stream(columns, from)) {
    side.append(chunk, 0, rows, seen, gone);
    if (gone.size > 0) return null;
    seen += rows;
  }
  return side;
}
