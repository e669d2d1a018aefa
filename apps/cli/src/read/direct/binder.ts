import { MISSING } from "bonmf-data";
import { type Extras, Margin } from "../margin.js";
import type { Written } from "./script.js";

/** Puts together what threads have read, in the order of the file. */
export class Binder {
  readonly margin: Margin;
  rows = 0;
  readonly #extras: Extras;
  /** For each column beside the features which of the texts it is. */
  readonly #places: readonly number[];
  readonly #counts: Int32Array;
  readonly #early = new Map<number, Written>();
  /** The value of a feature that so far never changed; NaN once it has. */
  #still: Float32Array | null = null;
  #next = 0;

  constructor(extras: Extras, places: readonly number[], counts: Int32Array) {
    this.margin = new Margin(extras, false);
    this.#extras = extras;
    this.#places = places;
    this.#counts = counts;
  }

  /** Throws where a name or a weight is missing or unusual. */
  take(done: Written): void {
    this.#early.set(done.task, done);
    for (let one = this.#early.get(this.#next); one; one = this.#early.get(this.#next)) {
      this.#early.delete(this.#next++);
      this.#append(one);
    }
  }

  isConstant(feature: number): boolean {
    return this.#still !== null && !Number.isNaN(this.#still[feature]);
  }

  #append({ task, still, texts }: Written): void {
    const count = this.#counts[task];
    if (count === 0) return;
    const { weight } = this.#extras;
    const columns = this.#places.map((t, at) =>
      texts[t].map<string | number | null>(at === weight?.at ? toNumber : toName),
    );
    const chunk = { getColumnVector: (at: number) => ({ getItem: (i: number) => columns[at][i] }) };
    this.margin.append(chunk, 0, count, this.rows, new Set());
    this.rows += count;
    this.#still = this.#still?.map((value, f) => (value === still[f] ? value : Number.NaN)) ?? still;
  }
}

function toName(text: string): string | null {
  return text === "" || MISSING.includes(text) ? null : text;
}

function toNumber(text: string): number {
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) throw new Error("a weight is unusual");
  return Number(text);
}
