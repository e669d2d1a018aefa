import { check } from "../file-bytes.js";
import type { Wasm } from "../wasm.js";
import { type ColumnChunk, NUMBER_TYPES, widthOf } from "./job.js";
import { PageReader } from "./page-reader.js";

const F32 = NUMBER_TYPES.indexOf("f32");

/** The values of a column chunk one after the other, as f32. Throws at anything but the usual. */
export class ColumnReader {
  readonly #wasm: Wasm;
  readonly #pages: PageReader;
  readonly #type: number;
  readonly #width: number;
  readonly #decoded: number;
  #coded = false;
  /** Values left in the page, and where they begin if they are not codes. */
  #left = 0;
  #at = 0;

  /**
   * @param file open for reading
   * @param most values that are taken at once
   */
  constructor(wasm: Wasm, file: number, chunk: ColumnChunk, most: number) {
    this.#wasm = wasm;
    this.#pages = new PageReader(wasm, file, chunk);
    this.#type = NUMBER_TYPES.indexOf(chunk.type);
    this.#width = widthOf(chunk.type);
    this.#decoded = wasm.reserve(4 * most);
  }

  /** The address of the next `count` values, good until the next call. */
  take(count: number): number {
    if (this.#left === 0) this.#openPage();
    // They are what is asked for already.
    if (this.#type === F32 && !this.#coded && this.#left >= count) return this.#advance(count);
    for (let done = 0; done < count; ) {
      if (this.#left === 0) this.#openPage();
      const n = Math.min(count - done, this.#left);
      this.#decode(n, this.#decoded + 4 * done);
      done += n;
    }
    return this.#decoded;
  }

  /** Checks that all values were taken. */
  finish(): void {
    check(this.#left === 0, "a column has more values than rows");
    this.#pages.finish();
  }

  #decode(count: number, out: number): void {
    const { kernel } = this.#wasm;
    const { runs, dictionary } = this.#pages;
    const at = this.#advance(count);
    if (this.#coded) check(kernel.lookUp(runs, dictionary.at, out, count), "codes end early");
    else kernel.convert(this.#type, at, count, out);
  }

  /** Goes past so many values of the page; returns where they begin. */
  #advance(count: number): number {
    const at = this.#at;
    this.#at += count * this.#width;
    this.#left -= count;
    return at;
  }

  #openPage(): void {
    const { values, coded, at } = this.#pages.next();
    this.#coded = coded;
    this.#left = values;
    this.#at = at;
  }
}
