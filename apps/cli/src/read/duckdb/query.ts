import type { Dense } from "bonmf";
import { MISSING, makeLabelReader, type TablePlan } from "bonmf-data";
import type { ReadOptions } from "../data.js";
import { type Duck, quoteName, quoteText } from "./duck.js";
import type { Relation } from "./relation.js";
import { readAs } from "./summaries.js";

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
export function select(relation: Relation, plan: TablePlan, plain: boolean): Query {
  const { label, id, weight } = plan;
  const found = new Map(relation.columns.map(({ name, type, number }) => [name, { type, number }]));
  const types = new Map<string, string>();
  const missing = MISSING.map(quoteText).join(", ");
  // Not "in": of several texts DuckDB makes a join, which loses the order of the rows.
  const text = (column: string) =>
    plain
      ? `if(list_contains([${missing}], ${quoteName(column)}), null, ${quoteName(column)})`
      : `${quoteName(column)}::varchar`;
  // One list instead of many columns: DuckDB's threads turn columns into rows, and fetching a vector takes a while.
  const row = plan.parts.flatMap(({ column, values, decimal }) => {
    if (values) return values.map(() => "0::float");
    if (decimal !== null && found.get(column)?.number !== true) return readAs(column, decimal, "float");
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
  const { columns, from, layout } = select(relation, { ...plan, parts: [] }, false);
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

type Name = string | number;

/** Which column of a chunk holds what beside the features. */
export interface SideLayout {
  readonly label: { readonly at: number; readonly column: string; readonly read: (text: string) => Name } | null;
  readonly id: { readonly at: number; readonly read: (text: string) => Name } | null;
  readonly weight: { readonly at: number; readonly column: string } | null;
}

/** What is used of a chunk of DuckDB's. */
interface Cells {
  getColumnVector(at: number): { getItem(row: number): unknown };
}

/** The label, id and weight of each row. */
export class SideColumns {
  readonly labels: Name[] | null;
  readonly ids: Name[] | null;
  readonly weights: number[] | null;
  readonly #layout: SideLayout;
  readonly #drop: boolean;

  constructor(layout: SideLayout, drop: boolean) {
    this.#layout = layout;
    this.#drop = drop;
    this.labels = layout.label && [];
    this.ids = layout.id && [];
    this.weights = layout.weight && [];
  }

  /**
   * Takes rows from … to − 1 of a chunk.
   *
   * @param before rows of the table before this chunk
   * @param gone rows that are left out, counted from `from`; gets those where a name or weight is missing
   */
  append(chunk: Cells, from: number, to: number, before: number, gone: Set<number>): void {
    const { label, id, weight } = this.#layout;
    if (!label && !id && !weight) return;
    for (let i = from; i < to; i++) {
      const text = label && (chunk.getColumnVector(label.at).getItem(i) as string | null);
      const mass = weight && (chunk.getColumnVector(weight.at).getItem(i) as number | null);
      if (this.#drop && ((label && text === null) || (weight && mass === null))) gone.add(i - from);
      if (gone.has(i - from)) continue;
      if (label) {
        if (text === null) throw new BadValue(before + i, label.column, "unlabelled", null);
        this.labels?.push(label.read(text));
      }
      if (weight) {
        if (mass === null || !(mass >= 0 && mass < Number.POSITIVE_INFINITY)) {
          throw new BadValue(before + i, weight.column, "weight", mass);
        }
        this.weights?.push(mass);
      }
      if (id) this.ids?.push(id.read((chunk.getColumnVector(id.at).getItem(i) as string | null) ?? ""));
    }
  }
}

/** What was read. */
export interface TableRows {
  readonly X: Dense;
  readonly side: SideColumns;
  /** Numbers of the rows that were left out, from 0 over all files. */
  readonly gone?: readonly number[];
  /** Columns that have one value throughout. */
  readonly constant: readonly string[];
  /** Features with missing values (NaN), which a plan has to fill. */
  readonly missing?: readonly number[];
}

/** A value that cannot be used. The line of its row is looked up later, see row-place. */
export class BadValue extends Error {
  constructor(
    /** From 0, over all files. */
    readonly row: number,
    readonly column: string,
    readonly fault: "missing" | "unlabelled" | "infinite" | "weight",
    readonly value: number | null,
  ) {
    super(fault);
  }
}
