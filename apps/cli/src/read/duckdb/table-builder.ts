import type { DuckDBDataChunk } from "@duckdb/node-api";
import { allocateDense, Dense } from "bonmf";
import { requireMemory } from "bonmf/io";
import { checkLabel, noteConstant, summarizeLabels, type TablePlan } from "bonmf-data";
import type { Data, ReadOptions } from "../data.js";
import { ConstantFeatures } from "./constant-features.js";
import { BadValue, type SideColumns, type TableRows } from "./query.js";
import type { Relation } from "./relation.js";

/** What becomes of missing numbers that have no fill: their rows are dropped, they stay NaN, or are an error. */
export type Missing = "drop" | "keep" | "refuse";

/** Rows of a table as they are being read, with what belongs to each row. */
export class TableBuilder {
  /** Numbers of the rows that were left out, from 0 over all files. */
  readonly gone: number[] = [];
  filled = 0;
  /** Values of one-hot columns that have no feature. */
  readonly unknown = new Map<string, Set<string>>();
  readonly #plan: TablePlan;
  readonly #side: SideColumns;
  readonly #missing: Missing;
  /** Features with missing values that stay so. */
  readonly #open = new Set<number>();
  /** The column of each feature. */
  readonly #columns: readonly string[];
  /** One-hot columns, in the order of the query, with the features of their values. */
  readonly #categories: readonly { readonly column: string; readonly places: ReadonlyMap<string, number> }[];
  readonly #constant: ConstantFeatures;
  readonly #rows: RowBuffer;

  /** @param capacity @param whole @param budget @param allocated see RowBuffer */
  constructor(
    plan: TablePlan,
    side: SideColumns,
    missing: Missing,
    capacity: number,
    whole: boolean,
    budget?: TableBudget,
    allocated?: Dense | null,
  ) {
    const { features, parts } = plan;
    const m = features.length;
    this.#plan = plan;
    this.#side = side;
    this.#missing = missing;
    this.#rows = new RowBuffer(m, capacity, whole, budget, allocated);
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

  get dropped(): number {
    return this.gone.length;
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
    for (const row of [...gone].sort((a, b) => a - b)) this.gone.push(before + from + row);
  }

  finish(): TableRows {
    return {
      gone: this.gone,
      X: this.#rows.toDense(),
      side: this.#side,
      constant: this.#constant.list().map((f) => this.#columns[f]),
      missing: [...this.#open],
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
      const fill = this.#plan.fills.get(column);
      if (!Number.isNaN(value)) throw new BadValue(first + row, column, "infinite", value);
      if (typeof fill === "number") {
        values[p] = fill;
        this.filled++;
      } else if (this.#missing === "drop") gone.add(row);
      else if (this.#missing === "keep") this.#open.add(p % m);
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
    const fill = this.#plan.fills.get(column);
    const m = this.#plan.features.length;
    const vector = chunk.getColumnVector(1 + c);
    for (let i = 0; i * m < values.length; i++) {
      const value = vector.getItem(from + i) as string | null;
      const place = value === null ? undefined : places.get(value);
      if (place !== undefined) values[i * m + place] = 1;
      else if (value !== null) this.#meet(column, value);
      else if (fill !== undefined) {
        const usual = places.get(String(fill));
        if (Number.isNaN(fill)) for (const feature of places.values()) values[i * m + feature] = Number.NaN;
        else if (usual !== undefined) values[i * m + usual] = 1;
        this.filled++;
      } else if (this.#missing === "drop") gone.add(i);
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

/** What a table may take. */
export interface TableBudget {
  /** The table's name, for messages. */
  readonly name: string;
  readonly bytes: number;
}

export function budgetOf(name: string, { budget = Number.POSITIVE_INFINITY }: ReadOptions): TableBudget {
  return { name, bytes: budget };
}

/** Refuses a table of more than its budget. */
export function requireRows({ name, bytes }: TableBudget, rows: number, m: number): void {
  requireMemory(4 * rows * m, bytes, `${name} has ${rows} rows or more, which make as many samples of ${m} features`);
}

/** A dense matrix that grows by rows of m values. */
export class RowBuffer {
  count = 0;
  readonly #m: number;
  readonly #budget: TableBudget;
  readonly #allocate: (rows: number) => Float32Array;
  #data: Float32Array;

  /**
   * @param capacity rows to make room for, as an estimate: only rows that are there can exceed the budget
   * @param whole whether this is all there is: then it lies where a fit takes no copy
   * @param allocated a matrix to be used instead
   */
  constructor(
    m: number,
    capacity: number,
    whole: boolean,
    budget = budgetOf("the table", {}),
    allocated?: Dense | null,
  ) {
    this.#m = m;
    this.#budget = budget;
    this.#allocate = (rows) => (whole ? allocateDense(rows, m) : Dense.zeros(rows, m)).data as Float32Array;
    this.#data = allocated ? (allocated.data as Float32Array) : this.#allocate(this.#limit(capacity));
  }

  /** The place of so many new rows, to be written. */
  append(rows: number): Float32Array {
    const m = this.#m;
    const start = this.count * m;
    const end = start + rows * m;
    if (end > this.#data.length) {
      requireRows(this.#budget, this.count + rows, m);
      const wanted = Math.ceil((this.#data.length * 1.5) / m);
      const data = this.#allocate(Math.max(this.count + rows, this.#limit(wanted)));
      data.set(this.#data.subarray(0, start));
      this.#data = data;
    }
    this.count += rows;
    return this.#data.subarray(start, end);
  }

  /** As many of so many rows as the budget allows. */
  #limit(rows: number): number {
    return Math.min(rows, Math.floor(this.#budget.bytes / (4 * Math.max(1, this.#m))));
  }

  /** Takes the last rows away again. */
  drop(rows: number): void {
    this.count -= rows;
  }

  toDense(): Dense {
    return new Dense(this.count, this.#m, this.#data.subarray(0, this.count * this.#m));
  }
}

/** What DuckDB's vectors of FLOAT[] are inside; asking them value by value would take ten times as long. */
interface RowLists {
  /** For each list where it begins among the items, and how long it is. */
  readonly entryData: BigUint64Array;
  readonly childData: {
    readonly items: Float32Array;
    /** A bit for each item, 0 where it is NULL; null where none is. */
    readonly validity: { readonly data: BigUint64Array | null };
  };
}

/** Copies lists from … to − 1, of m values each; NaN where one is NULL, and then returns false. */
export function copyRows(lists: RowLists, from: number, to: number, m: number, out: Float32Array): boolean {
  const { items, validity } = lists.childData;
  const at = (i: number) => Number(lists.entryData[2 * i]);
  let whole = true;
  // DuckDB puts one list after the other, but does not promise it.
  for (let i = from; i < to; ) {
    const start = at(i);
    let next = i + 1;
    while (next < to && at(next) === start + (next - i) * m) next++;
    const count = (next - i) * m;
    const place = (i - from) * m;
    out.set(items.subarray(start, start + count), place);
    for (const p of findMissing(validity.data, start, count)) {
      out[place + p] = Number.NaN;
      whole = false;
    }
    i = next;
  }
  return whole;
}

/** Which of `count` items from `from` on are NULL, counted from there. */
function findMissing(data: BigUint64Array | null, from: number, count: number): number[] {
  const missing: number[] = [];
  if (data === null) return missing;
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length * 2);
  for (let i = from; i < from + count; ) {
    const word = words[i >>> 5];
    if (word === 0xffffffff) i = ((i >>> 5) + 1) << 5;
    else {
      if (((word >>> (i & 31)) & 1) === 0) missing.push(i - from);
      i++;
    }
  }
  return missing;
}

/** Whether all are: a sum in 64 bits of 32-bit numbers is finite unless one of them is not. */
export function areFinite(items: Float32Array): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 4 <= items.length; i += 4) {
    a += items[i];
    b += items[i + 1];
    c += items[i + 2];
    d += items[i + 3];
  }
  for (; i < items.length; i++) a += items[i];
  return Number.isFinite(a + b + c + d);
}

/** All rows of a table. */
export function finishWhole(found: TableRows, plan: TablePlan, relation: Relation, options: ReadOptions): Data {
  checkClasses(found, plan, relation, options);
  const constant = noteConstant(found.constant, found.X.samples, options);
  return finishPart(found, plan, relation, [...relation.notes, ...plan.notes, ...constant]);
}

/** Stops at labels that are measurements, which reading shows where no summary was made of them. */
export function checkClasses(
  { side }: TableRows,
  { label }: TablePlan,
  { name }: Relation,
  { like }: ReadOptions,
): void {
  if (label === undefined || side.labels === null || like) return;
  if (typeof side.labels[0] === "number") checkLabel(name, summarizeLabels(label, side.labels));
}

export function finishPart(
  { X, side, gone = [] }: TableRows,
  { features, groups, recipe }: TablePlan,
  { kind }: Relation,
  notes: readonly string[],
): Data {
  const { labels, ids, weights } = side;
  return {
    X,
    features,
    ...(groups && { groups }),
    labels,
    ids,
    weights: weights && Float64Array.from(weights),
    kind,
    recipe,
    notes,
    ...(gone.length > 0 && { dropped: gone }),
  };
}
