import type { Readable, Writable } from "node:stream";
import type { Precision } from "bonmf";
import type { Chunk } from "../request.js";
import { encode } from "../wire.js";
import { linesOf, send } from "./lines.js";
import { readNumbers } from "./numbers.js";

const TAB = 9;
const BAR = 124;

/** The matrix that rows of text become. */
export interface RowFormat {
  readonly precision: Precision;
  readonly features: number;
  readonly sparse: boolean;
}

/** Packs rows of text into chunks. A row is its values, or for sparse samples indices|values. */
export class RowPacker {
  readonly #precision: Precision;
  readonly #features: number;
  readonly #sparse: boolean;
  readonly #most: number;
  readonly #row: Float64Array;
  readonly #places: Float64Array;
  #values: number[] | Float32Array | Float64Array;
  #indices: number[] = [];
  #lengths: number[] = [];
  #samples = 0;

  /** @param most samples in a chunk */
  constructor({ precision, features, sparse }: RowFormat, most: number) {
    this.#precision = precision;
    this.#features = features;
    this.#sparse = sparse;
    this.#most = most;
    this.#row = new Float64Array(features);
    this.#places = new Float64Array(features);
    this.#values = this.#allocate();
  }

  #allocate(): number[] | Float32Array | Float64Array {
    if (this.#sparse) return [];
    const length = this.#most * this.#features;
    return this.#precision === "f64" ? new Float64Array(length) : new Float32Array(length);
  }

  get samples(): number {
    return this.#samples;
  }

  get full(): boolean {
    return this.#samples === this.#most;
  }

  add(text: Buffer): void {
    if (this.#sparse) this.#addSparse(text);
    else {
      const count = readNumbers(text, this.#row);
      if (count !== this.#features) throw new Error(`a row has ${count} values instead of ${this.#features}`);
      (this.#values as Float32Array).set(this.#row, this.#samples * this.#features);
    }
    this.#samples++;
  }

  #addSparse(text: Buffer): void {
    const bar = text.indexOf(BAR);
    const count = readNumbers(text.subarray(0, bar), this.#places);
    if (readNumbers(text.subarray(bar + 1), this.#row) !== count) throw new Error("a row has unequal arrays");
    const order = Array.from({ length: count }, (_, p) => p).filter((p) => this.#row[p] !== 0);
    order.sort((a, b) => this.#places[a] - this.#places[b]);
    for (const p of order) {
      this.#indices.push(this.#places[p]);
      (this.#values as number[]).push(this.#row[p]);
    }
    this.#lengths.push(order.length);
  }

  /** The chunk so far; the next one begins empty. */
  take(): Chunk {
    const samples = this.#samples;
    const Values = this.#precision === "f64" ? Float64Array : Float32Array;
    const values = this.#sparse
      ? Values.from(this.#values)
      : (this.#values as Float32Array).subarray(0, samples * this.#features);
    const chunk: Chunk = this.#sparse
      ? { samples, values, lengths: Uint32Array.from(this.#lengths), indices: Uint32Array.from(this.#indices) }
      : { samples, values };
    this.#values = this.#allocate();
    this.#indices = [];
    this.#lengths = [];
    this.#samples = 0;
    return chunk;
  }
}

/** Reads lines of (partition, row), partition by partition, and writes lines of (partition, chunk number, chunk). */
export async function packRows(input: Readable, output: Writable, rows: RowPacker): Promise<void> {
  let partition = "";
  let chunk = 0;
  const flush = async () => {
    if (rows.samples > 0) await send(output, `${partition}\t${chunk++}\t${encode(rows.take())}\n`);
  };
  for await (const line of linesOf(input)) {
    const tab = line.indexOf(TAB);
    const own = line.toString("latin1", 0, tab);
    if (own !== partition) {
      await flush();
      partition = own;
      chunk = 0;
    }
    rows.add(line.subarray(tab + 1));
    if (rows.full) await flush();
  }
  await flush();
}
