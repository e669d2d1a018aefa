import type { DuckDBDataChunk } from "@duckdb/node-api";
import type { Dense } from "bonmf";
import type { TablePlan } from "bonmf-data";
import { BadValue } from "./bad-value.js";
import { ConstantFeatures } from "./constant-features.js";
import { RowBuffer } from "./row-buffer.js";
import { areFinite, copyRows, type RowLists } from "./row-lists.js";
import type { SideColumns, TableRows } from "./side-columns.js";

/** Rows of a table as they are being read, with what belongs to each row. */
export class TableBuilder {
  dropped = 0;
  filled = 0;
  /** Values of one-hot columns that have no feature. */
  readonly unknown = new Map<string, Set<string>>();
  readonly #plan: TablePlan;
  readonly #side: SideColumns;
  readonly #drop: boolean;
  /** The column of each feature. */
  readonly #columns: readonly string[];
  /** One-hot columns, in the order of the query, with the features of their values. */
  readonly #categories: readonly { readonly column: string; readonly places: ReadonlyMap<string, number> }[];
  readonly #constant: ConstantFeatures;
  readonly #rows: RowBuffer;

  /** @param capacity @param whole @param room see RowBuffer */
  constructor(
    plan: TablePlan,
    side: SideColumns,
    drop: boolean,
    capacity: number,
    whole: boolean,
    room?: Dense | null,
  ) {
    const { features, parts } = plan;
    const m = features.length;
    this.#plan = plan;
    this.#side = side;
    this.#drop = drop;
    this.#rows = new RowBuffer(m, capacity, whole, room);
    this.#columns = parts.flatMap(({ column, values }) => Array<string>(values?.length ?? 1).fill(column));
    this.#categories = parts.flatMap(({ column, at, values }) =>
      values ? [{ column, places: new Map(values.map((value, v) => [value, at + v])) }] : [],
    );
    this.#constant = new ConstantFeatures(
      m,
      parts.filter(({ values }) => !values).map(({ at }) => at),
    );
  }

  get rows(): number {
    return this.#rows.count;
  }

  /**
   * Takes rows from … to − 1 of a chunk whose first column is the features of a row, in a list (see `select`).
   *
   * @param before rows of the table before this chunk
   */
  append(chunk: DuckDBDataChunk, from: number, to: number, before: number): void {
    const m = this.#plan.features.length;
    const values = this.#rows.append(to - from);
    const whole = copyRows(chunk.getColumnVector(0) as unknown as RowLists, from, to, m, values);
    const gone = new Set<number>();
    if (!whole || !areFinite(values)) this.#mend(values, before + from, gone);
    for (const c of this.#categories.keys()) this.#spread(chunk, c, from, before, values, gone);
    this.#side.append(chunk, from, to, before, gone);
    const kept = dropRows(values, m, gone);
    this.#constant.update(values.subarray(0, kept * m));
    this.#rows.drop(gone.size);
    this.dropped += gone.size;
  }

  finish(): TableRows {
    return {
      X: this.#rows.toDense(),
      side: this.#side,
      constant: this.#constant.list().map((f) => this.#columns[f]),
    };
  }

  /** Does with values that are missing (NaN) what was asked; refuses infinite ones. @param first row of the table */
  #mend(values: Float32Array, first: number, gone: Set<number>): void {
    const m = this.#plan.features.length;
    for (let p = 0; p < values.length; p++) {
      const value = values[p];
      if (value - value === 0) continue;
      const row = Math.floor(p / m);
      const column = this.#columns[p % m];
      const fill = this.#plan.fills?.[column];
      if (!Number.isNaN(value)) throw new BadValue(first + row, column, "infinite", value);
      if (fill !== undefined) {
        values[p] = fill;
        this.filled++;
      } else if (this.#drop) gone.add(row);
      else throw new BadValue(first + row, column, "missing", null);
    }
  }

  /** Sets the feature of each row's category to 1. */
  #spread(
    chunk: DuckDBDataChunk,
    c: number,
    from: number,
    before: number,
    values: Float32Array,
    gone: Set<number>,
  ): void {
    const { column, places } = this.#categories[c];
    const m = this.#plan.features.length;
    const vector = chunk.getColumnVector(1 + c);
    for (let i = 0; i * m < values.length; i++) {
      const value = vector.getItem(from + i) as string | null;
      const place = value === null ? undefined : places.get(value);
      if (place !== undefined) values[i * m + place] = 1;
      else if (value !== null) this.#meet(column, value);
      else if (this.#drop) gone.add(i);
      else if (this.#plan.fills) this.filled++;
      else throw new BadValue(before + from + i, column, "missing", null);
    }
  }

  #meet(column: string, value: string): void {
    const values = this.unknown.get(column) ?? new Set();
    this.unknown.set(column, values.add(value));
  }
}

/** Moves the rows that stay together; returns how many there are. */
function dropRows(values: Float32Array, m: number, gone: ReadonlySet<number>): number {
  const count = values.length / m;
  if (gone.size === 0) return count;
  let to = 0;
  for (let i = 0; i < count; i++) if (!gone.has(i)) values.copyWithin(m * to++, m * i, m * (i + 1));
  return to;
}
