import { check, type Feed, type Piece } from "./feed.js";
import type { Machine } from "./machine.js";
import { type Chunk, KINDS, widthOf } from "./order.js";
import { Pages } from "./pages.js";

/** The values of a chunk one after the other. Throws at anything that is not as usual. */
export class Column {
  readonly #machine: Machine;
  readonly #feed: Feed;
  readonly #kind: number;
  readonly #width: number;
  /** Where values go that cannot stay where they are, how many at once, and their bytes where those are in pieces. */
  readonly #spare: number;
  readonly #most: number;
  readonly #joint: number;
  /** Values there that are still to be taken, and all that are. */
  #ready: Piece;
  #due: number;
  #coded = false;
  /** Values left in this page. */
  #left = 0;
  /** Pieces of it after this one, and what is left of this one. */
  #pieces: IterableIterator<Piece, undefined> = [].values();
  #at = 0;
  #end = 0;

  /**
   * @param file open for reading
   * @param due values that will be taken, after some were skipped
   * @param most a multiple of how many are taken at once; more are better where tables are large
   */
  constructor(machine: Machine, file: number, chunk: Chunk, due: number, most: number) {
    this.#machine = machine;
    this.#feed = new Pages(machine, file, chunk);
    this.#kind = KINDS.indexOf(chunk.kind);
    this.#width = widthOf(chunk.kind);
    this.#due = due;
    this.#most = most;
    this.#spare = machine.reserve(4 * most);
    this.#joint = machine.reserve(this.#width * most);
    this.#ready = { at: this.#spare, end: this.#spare };
  }

  skip(count: number): void {
    for (let left = count; left > 0; ) {
      if (this.#left === 0) left -= this.#open(left);
      const n = Math.min(left, this.#left);
      if (this.#coded) check(this.#machine.kernel.skip(this.#feed.runs, n), "runs end early");
      else for (let bytes = n * this.#width; bytes > 0; ) bytes -= this.#pass(bytes);
      this.#left -= n;
      left -= n;
    }
  }

  /** The address of the next `count` values as f32, good until the next call. */
  take(count: number): number {
    if (this.#ready.at === this.#ready.end) {
      if (this.#left === 0) this.#open(0);
      if (!this.#coded && this.#kind === 0 && this.#left >= count) {
        this.#left -= count;
        this.#due -= count;
        return this.#join(4 * count);
      }
      this.#decode(Math.min(this.#most, this.#due));
    }
    const { at, end } = this.#ready;
    this.#ready = { at: at + 4 * count, end };
    return at;
  }

  #decode(count: number): void {
    const { kernel } = this.#machine;
    for (let done = 0; done < count; ) {
      if (this.#left === 0) this.#open(0);
      const n = Math.min(count - done, this.#left);
      const out = this.#spare + 4 * done;
      const { runs, table } = this.#feed;
      if (this.#coded) check(kernel.lookUp(runs, table.at, out, n), "runs end early");
      else kernel.convert(this.#kind, this.#join(n * this.#width), n, out);
      this.#left -= n;
      done += n;
    }
    this.#due -= count;
    this.#ready = { at: this.#spare, end: this.#spare + 4 * count };
  }

  /** Goes to the next page that has a value beyond the `spare` next ones; returns how many it went past. */
  #open(spare: number): number {
    const { page, past } = this.#feed.open(spare);
    this.#coded = page.coded;
    this.#left = page.values;
    this.#pieces = page.pieces;
    this.#at = 0;
    this.#end = 0;
    return past;
  }

  /** The address of the next bytes, in one piece. */
  #join(length: number): number {
    if (this.#end - this.#at >= length) {
      this.#at += length;
      return this.#at - length;
    }
    for (let done = 0; done < length; ) {
      const passed = this.#pass(length - done);
      this.#machine.bytes.copyWithin(this.#joint + done, this.#at - passed, this.#at);
      done += passed;
    }
    return this.#joint;
  }

  /** Goes on by as many bytes as this piece has, or the next; returns how many, at most `most`. */
  #pass(most: number): number {
    if (this.#at === this.#end) {
      const { value } = this.#pieces.next();
      if (value === undefined) throw new Error("a page has too few values");
      this.#at = value.at;
      this.#end = value.end;
    }
    const count = Math.min(most, this.#end - this.#at);
    this.#at += count;
    return count;
  }
}
