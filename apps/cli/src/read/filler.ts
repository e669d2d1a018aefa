import type { DuckDBDataChunk } from "@duckdb/node-api";
import { allocateDense, Dense } from "bonmf";
import { Cell } from "./cell.js";
import type { Harvest, Margin } from "./margin.js";
import type { Plan } from "./plan.js";
import { areFinite, ConstantFeatures, copyRows, type RowLists } from "./vector.js";

/** Rows as they are being read: an n × m matrix that grows, with what belongs to each row. */
export class Filler {
  rows = 0;
  dropped = 0;
  filled = 0;
  /** Values of one-hot columns that have no feature. */
  readonly unknown = new Map<string, Set<string>>();
  readonly #plan: Plan;
  readonly #margin: Margin;
  readonly #drop: boolean;
  /** The column of each feature. */
  readonly #columns: readonly string[];
  /** One-hot columns, in the order of the query, with the features of their values. */
  readonly #categories: readonly { readonly column: string; readonly places: ReadonlyMap<string, number> }[];
  readonly #constant: ConstantFeatures;
  readonly #allocate: (rows: number) => Dense;
  #data: Float32Array;

  /**
   * @param capacity rows to make room for
   * @param whole whether this is all there is: then it lies where a fit takes no copy
   * @param room to be used instead, if there is some already
   */
  constructor(plan: Plan, margin: Margin, drop: boolean, capacity: number, whole: boolean, room?: Dense | null) {
    const { features, parts } = plan;
    const m = features.length;
    this.#allocate = (rows) => (whole ? allocateDense(rows, m) : Dense.zeros(rows, m));
    this.#plan = plan;
    this.#margin = margin;
    this.#drop = drop;
    this.#data = (room ?? this.#allocate(capacity)).data as Float32Array;
    this.#columns = parts.flatMap(({ column, values }) => Array<string>(values?.length ?? 1).fill(column));
    this.#categories = parts.flatMap(({ column, at, values }) =>
      values ? [{ column, places: new Map(values.map((value, v) => [value, at + v])) }] : [],
    );
    this.#constant = new ConstantFeatures(
      parts.filter(({ values }) => !values).map(({ at }) => at),
      m,
    );
  }

  /**
   * Takes rows from … to − 1 of a chunk whose first column is the features of a row, in a list (see `select`).
   *
   * @param before rows of the table before this chunk
   */
  append(chunk: DuckDBDataChunk, from: number, to: number, before: number): void {
    const m = this.#plan.features.length;
    const start = this.rows * m;
    const length = (to - from) * m;
    this.#grow(start + length);
    const values = this.#data.subarray(start, start + length);
    const whole = copyRows(chunk.getColumnVector(0) as unknown as RowLists, from, to, m, values);
    const gone = new Set<number>();
    if (!whole || !areFinite(values)) this.#mend(values, before + from, gone);
    for (const c of this.#categories.keys()) this.#spread(chunk, c, from, to, before, gone);
    this.#margin.append(chunk, from, to, before, gone);
    const kept = dropRows(values, m, gone);
    this.#constant.update(values.subarray(0, kept * m));
    this.rows += kept;
    this.dropped += gone.size;
  }

  finish(): Harvest {
    const m = this.#plan.features.length;
    return {
      X: new Dense(this.rows, m, this.#data.subarray(0, this.rows * m)),
      margin: this.#margin,
      constant: this.#constant.list().map((f) => this.#columns[f]),
    };
  }

  #grow(length: number): void {
    if (length <= this.#data.length) return;
    const m = this.#plan.features.length;
    const data = this.#allocate(Math.ceil(Math.max(length, this.#data.length * 1.5) / m)).data as Float32Array;
    data.set(this.#data);
    this.#data = data;
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
      if (!Number.isNaN(value)) throw new Cell(first + row, column, "infinite", value);
      if (fill !== undefined) {
        values[p] = fill;
        this.filled++;
      } else if (this.#drop) gone.add(row);
      else throw new Cell(first + row, column, "missing", null);
    }
  }

  /** Sets the feature of each row's category to 1. */
  #spread(chunk: DuckDBDataChunk, c: number, from: number, to: number, before: number, gone: Set<number>): void {
    const { column, places } = this.#categories[c];
    const m = this.#plan.features.length;
    const vector = chunk.getColumnVector(1 + c);
    for (let i = from; i < to; i++) {
      const value = vector.getItem(i) as string | null;
      const place = value === null ? undefined : places.get(value);
      if (place !== undefined) this.#data[(this.rows + i - from) * m + place] = 1;
      else if (value !== null) this.#meet(column, value);
      else if (this.#drop) gone.add(i - from);
      else if (this.#plan.fills) this.filled++;
      else throw new Cell(before + i, column, "missing", null);
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
