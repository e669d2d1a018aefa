import { MISSING } from "bonmf-data";
import { ConstantFeatures } from "../../duckdb/constant-features.js";
import { SideColumns, type SideLayout } from "../../duckdb/query.js";
import type { Done } from "./job.js";

/** Puts together what threads have read beside the matrix, in the order of the file. */
export class Collector {
  readonly side: SideColumns;
  readonly constant: ConstantFeatures;
  rows = 0;
  readonly #layout: SideLayout;
  /** For each column beside the features which of the texts it is. */
  readonly #places: readonly number[];
  readonly #counts: Int32Array;
  /** Blocks that were done before one that comes first. */
  readonly #early = new Map<number, Done>();
  #next = 0;

  constructor(m: number, layout: SideLayout, places: readonly number[], counts: Int32Array) {
    this.side = new SideColumns(layout, false);
    this.constant = new ConstantFeatures(m);
    this.#layout = layout;
    this.#places = places;
    this.#counts = counts;
  }

  /** Throws where a label or a weight is missing or unusual. */
  add(done: Done): void {
    this.#early.set(done.task, done);
    for (let one = this.#early.get(this.#next); one; one = this.#early.get(this.#next)) {
      this.#early.delete(this.#next++);
      this.#append(one);
    }
  }

  #append({ task, constant, texts }: Done): void {
    const count = this.#counts[task];
    if (count === 0) return;
    const { weight } = this.#layout;
    const columns = this.#places.map((t, at) =>
      texts[t].map<string | number | null>(at === weight?.at ? toNumber : toName),
    );
    const chunk = { getColumnVector: (at: number) => ({ getItem: (i: number) => columns[at][i] }) };
    this.side.append(chunk, 0, count, this.rows, new Set());
    this.rows += count;
    this.constant.merge(constant, 0);
  }
}

function toName(text: string): string | null {
  return text === "" || MISSING.includes(text) ? null : text;
}

function toNumber(text: string): number {
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) throw new Error("a weight is unusual");
  return Number(text);
}
