import type { DuckDBDataChunk } from "@duckdb/node-api";
import { allocateDense, Dense } from "bonmf";
import { Cell } from "./cell.js";
import type { Harvest, Margin } from "./margin.js";
import type { Plan } from "./plan.js";
import { areAll, areFinite, findMissing, type Numbers, scatter } from "./vector.js";

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
  /** For each one-hot column its values' features. */
  readonly #places: readonly (Map<string, number> | null)[];
  /** The value of a feature that so far never changed; undefined once it has. */
  readonly #still: (number | undefined)[];
  #data: Float32Array;

  readonly #allocate: (rows: number) => Dense;

  /**
   * @param capacity rows to make room for
   * @param whole whether this is all there is: then it lies where a fit takes no copy
   * @param room to be used instead, if there is some already
   */
  constructor(plan: Plan, margin: Margin, drop: boolean, capacity: number, whole: boolean, room?: Dense | null) {
    const m = plan.features.length;
    this.#allocate = (rows) => (whole ? allocateDense(rows, m) : Dense.zeros(rows, m));
    this.#plan = plan;
    this.#margin = margin;
    this.#drop = drop;
    this.#data = (room ?? this.#allocate(capacity)).data as Float32Array;
    this.#places = plan.parts.map(({ values, at }) => values && new Map(values.map((value, v) => [value, at + v])));
    this.#still = plan.parts.map(() => Number.NaN);
  }

  /**
   * Takes rows from … to − 1 of a chunk.
   *
   * @param before rows of the table before this chunk
   */
  append(chunk: DuckDBDataChunk, from: number, to: number, before: number): void {
    const { features, parts } = this.#plan;
    const m = features.length;
    this.#grow((this.rows + to - from) * m);
    const gone = new Set<number>();
    const base = this.rows * m;
    let run: { at: number; columns: Float32Array[] } = { at: 0, columns: [] };
    for (const [p, part] of parts.entries()) {
      if (part.values) {
        this.#spread(chunk, p, from, to, before, gone);
        continue;
      }
      const vector = chunk.getColumnVector(p) as unknown as Numbers;
      const items = vector.items.subarray(from, to);
      this.#mend(vector, items, p, from, before, gone);
      if (run.at + run.columns.length !== part.at || run.columns.length === 8) {
        scatter(this.#data, base + run.at, m, run.columns);
        run = { at: part.at, columns: [] };
      }
      run.columns.push(items);
    }
    scatter(this.#data, base + run.at, m, run.columns);
    this.#margin.append(chunk, from, to, before, gone);
    this.#compact(to - from, gone);
  }

  finish(): Harvest {
    const { features, parts } = this.#plan;
    const m = features.length;
    return {
      X: new Dense(this.rows, m, this.#data.subarray(0, this.rows * m)),
      margin: this.#margin,
      constant: parts.filter((_, p) => this.#still[p] !== undefined).map(({ column }) => column),
    };
  }

  #grow(length: number): void {
    if (length <= this.#data.length) return;
    const m = this.#plan.features.length;
    const data = this.#allocate(Math.ceil(Math.max(length, this.#data.length * 1.5) / m)).data as Float32Array;
    data.set(this.#data);
    this.#data = data;
  }

  /** Looks for what is no number, and does with it what was asked. */
  #mend(vector: Numbers, items: Float32Array, p: number, from: number, before: number, gone: Set<number>): void {
    const { column } = this.#plan.parts[p];
    const missing = findMissing(vector, from, items.length);
    for (const i of missing) items[i] = Number.NaN;
    if (missing.length > 0 || !areFinite(items)) {
      const fill = this.#plan.fills?.[column];
      for (let i = 0; i < items.length; i++) {
        const value = items[i];
        if (value - value === 0) continue;
        if (!Number.isNaN(value)) throw new Cell(before + from + i, column, "infinite", value);
        if (fill !== undefined) {
          items[i] = fill;
          this.filled++;
        } else if (this.#drop) gone.add(i);
        else throw new Cell(before + from + i, column, "missing", null);
      }
    }
    const still = this.#still[p];
    if (still === undefined) return;
    const first = Number.isNaN(still) ? items[0] : still;
    this.#still[p] = areAll(items, first) ? first : undefined;
  }

  #spread(chunk: DuckDBDataChunk, p: number, from: number, to: number, before: number, gone: Set<number>): void {
    const { column, at, values } = this.#plan.parts[p];
    const width = values?.length ?? 0;
    const m = this.#plan.features.length;
    const places = this.#places[p];
    const vector = chunk.getColumnVector(p);
    this.#still[p] = undefined;
    for (let i = from; i < to; i++) {
      const start = (this.rows + i - from) * m;
      this.#data.fill(0, start + at, start + at + width);
      const value = vector.getItem(i) as string | null;
      const place = value === null ? undefined : places?.get(value);
      if (place !== undefined) this.#data[start + place] = 1;
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

  /** Moves the rows that stay together. */
  #compact(count: number, gone: Set<number>): void {
    const m = this.#plan.features.length;
    if (gone.size > 0) {
      let to = this.rows;
      for (let i = 0; i < count; i++) {
        if (gone.has(i)) continue;
        this.#data.copyWithin(to * m, (this.rows + i) * m, (this.rows + i + 1) * m);
        to++;
      }
    }
    this.rows += count - gone.size;
    this.dropped += gone.size;
  }
}
