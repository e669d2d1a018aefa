import { check, type Feed, LINE, type Page, type Piece, readFully, readSlices, SLICE } from "./feed.js";
import { type Machine, NOWHERE } from "./machine.js";
import { type Chunk, widthOf } from "./order.js";
import { unpack } from "./unpack.js";

/** Packed buffers begin with the length of their content, in eight bytes; all ones where it is as it was. */
const HEAD = 8;

/** The values of an Arrow buffer, as one page. Throws at anything that is not as usual. */
export class Bare implements Feed {
  readonly runs = 0;
  readonly table = NOWHERE;
  readonly #machine: Machine;
  readonly #file: number;
  readonly #chunk: Chunk;
  readonly #width: number;

  /** @param file open for reading */
  constructor(machine: Machine, file: number, chunk: Chunk) {
    this.#machine = machine;
    this.#file = file;
    this.#chunk = chunk;
    this.#width = widthOf(chunk.kind);
  }

  open(spare: number): { page: Page; past: number } {
    const { values, codec, start } = this.#chunk;
    check(spare < values, "a buffer has too few values");
    const skip = spare * this.#width;
    const pieces = codec === "UNCOMPRESSED" ? this.#read(start + skip) : this.#unpackAll(skip);
    return { page: { values: values - spare, pieces, coded: false }, past: spare };
  }

  #read(from: number): IterableIterator<Piece, undefined> {
    const { end } = this.#chunk;
    const room = this.#machine.reserve(Math.min(SLICE, end - from) + LINE);
    return readSlices(this.#machine, this.#file, room, from, end);
  }

  #unpackAll(skip: number): IterableIterator<Piece, undefined> {
    const machine = this.#machine;
    const { start, end, codec } = this.#chunk;
    const length = end - start;
    check(length >= HEAD, "a buffer has too few values");
    const from = machine.borrow(length);
    readFully(this.#file, machine.bytes.subarray(from, from + length), start);
    const size = Number(new DataView(machine.bytes.buffer).getBigInt64(from, true));
    if (size === -1) return this.#read(start + HEAD + skip);
    check(size >= skip, "a buffer has too few values");
    const at = machine.reserve(size);
    unpack(machine, codec, from + HEAD, length - HEAD, at, size);
    return [{ at: at + skip, end: at + size }].values();
  }
}
