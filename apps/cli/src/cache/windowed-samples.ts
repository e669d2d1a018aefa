import { Dense, type Matrix, Sparse } from "bonmf";
import type { Stored, Visited } from "bonmf/engine";
import type { FileReader } from "./file-reader.js";

const WINDOW_BYTES = 2 ** 20;

/** Stored 32-bit samples, read through a window of 1 MB. The next window takes the memory of the one before. */
export class WindowedSamples implements Visited {
  readonly samples: number;
  readonly features: number;
  readonly #stored: Omit<Stored, "reader">;
  readonly #reader: FileReader;
  readonly #rows: number;
  #from = 0;
  #window: Matrix | null = null;
  #dense = new Float32Array(0);

  constructor(stored: Omit<Stored, "reader">, reader: FileReader) {
    this.samples = stored.samples;
    this.features = stored.features;
    this.#stored = stored;
    this.#reader = reader;
    const { kind, part, features } = stored;
    this.#rows = kind === "sparse" ? part : Math.max(1, Math.floor(WINDOW_BYTES / (4 * features)));
  }

  each(sample: number, visit: (feature: number, value: number) => void): void {
    const at = sample - this.#from;
    if (this.#window && at >= 0 && at < this.#window.samples) this.#window.each(at, visit);
    else {
      this.#from = sample - (sample % this.#rows);
      this.#window = this.#load(this.#from);
      this.#window.each(sample - this.#from, visit);
    }
  }

  /** Yields all samples, a window at a time, each until the next is asked for. */
  *windows(): Generator<Matrix> {
    for (let from = 0; from < this.samples; from += this.#rows) yield this.#load(from);
  }

  /** How many values are stored. */
  countValues(): number {
    const { kind, part, starts } = this.#stored;
    if (kind === "dense") return this.samples * this.features;
    const last = new Uint32Array(1);
    let total = 0;
    for (let from = 0; from < this.samples; from += part) {
      this.#read(starts[from / part] + 4 * Math.min(part, this.samples - from), last);
      total += last[0];
    }
    return total;
  }

  /** Copies of some samples. @param rows ascending, so that no window is read twice */
  take(rows: Uint32Array): Matrix {
    const { features } = this;
    if (this.#stored.kind === "sparse") {
      const visit = (row: number) => {
        const pairs: [number, number][] = [];
        this.each(row, (f, value) => pairs.push([f, value]));
        return pairs;
      };
      return Sparse.from(Array.from(rows, visit), features, "f32");
    }
    const data = new Float32Array(rows.length * features);
    rows.forEach((row, i) => {
      this.each(row, (f, value) => {
        data[i * features + f] = value;
      });
    });
    return new Dense(rows.length, features, data);
  }

  #load(from: number): Matrix {
    const { kind, part, starts, features } = this.#stored;
    const count = Math.min(this.#rows, this.samples - from);
    if (kind === "dense") {
      if (this.#dense.length === 0) this.#dense = new Float32Array(this.#rows * features);
      const data = this.#dense.subarray(0, count * features);
      this.#read(starts[0] + 4 * from * features, data);
      return new Dense(count, features, data);
    }
    const p = from / part;
    const offsets = new Uint32Array(count + 1);
    this.#read(starts[p], offsets);
    const indices = new Uint32Array(offsets[count]);
    const values = new Float32Array(offsets[count]);
    this.#read(starts[p] + offsets.byteLength, indices);
    this.#read(starts[p] + offsets.byteLength + indices.byteLength, values);
    return new Sparse(count, features, offsets, indices, values);
  }

  #read(at: number, { buffer, byteLength }: Float32Array | Uint32Array): void {
    this.#reader.read(at, new Uint8Array(buffer, 0, byteLength));
  }
}
