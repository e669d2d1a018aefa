import { check, type Feed, LINE, type Page, type Piece, readFully, readSlices } from "./feed.js";
import { type Header, parseHeader } from "./header.js";
import { ROOM, readLiterals } from "./literals.js";
import { type Machine, NOWHERE, type Room } from "./machine.js";
import { type Chunk, type Codec, KINDS, widthOf } from "./order.js";
import { unpack } from "./unpack.js";

const PLAIN = 0;
const CODED = [2, 8];
/** Bytes of the state of a hybrid of runs, see assembly/runs. */
const RUNS = 28;

/** Bytes of a file, and how many they are unpacked. */
interface Block {
  readonly codec: Codec;
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** The pages of a chunk of a Parquet file one after the other. Throws at anything that is not as usual. */
export class Pages implements Feed {
  readonly runs: number;
  /** Room for 2 to the power of some bits. */
  table: Room = NOWHERE;
  readonly #machine: Machine;
  readonly #file: number;
  readonly #chunk: Chunk;
  #next: number;
  #slice: Room = NOWHERE;
  #room: Room = NOWHERE;

  /** @param file open for reading */
  constructor(machine: Machine, file: number, chunk: Chunk) {
    this.#machine = machine;
    this.#file = file;
    this.#chunk = chunk;
    this.#next = chunk.start;
    this.runs = machine.reserve(RUNS);
  }

  open(spare: number): { page: Page; past: number } {
    for (let past = 0; ; ) {
      const header = this.#readHeader();
      const body = this.#next + header.length;
      check(header.packed >= 0 && header.size >= 0, "a page has no size");
      this.#next = body + header.packed;
      check(this.#next <= this.#chunk.end, "a page goes beyond its column");
      if (header.kind === "dictionary") this.#readTable(header, body);
      else if (header.kind === "data" && past + header.values <= spare) past += header.values;
      else if (header.kind === "data") return { page: this.#readPage(header, body), past };
    }
  }

  #readHeader(): Header {
    for (const length of [256, 65_536]) {
      const bytes = new Uint8Array(Math.min(length, this.#chunk.end - this.#next));
      readFully(this.#file, bytes, this.#next);
      try {
        return parseHeader(bytes);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
    throw new Error("a page's header has no end");
  }

  #readTable({ size, packed, values, encoding }: Header, body: number): void {
    const machine = this.#machine;
    const { codec, kind } = this.#chunk;
    check(encoding === PLAIN || encoding === CODED[0], "a dictionary is coded");
    check(values * widthOf(kind) <= size, "a dictionary is too short");
    const { at } = this.#load({ codec, from: body, to: body + packed, size });
    // Codes without a value stand for NaN, which will be found. Some writers' have a bit more than they need.
    const room = 2 ** (Math.ceil(Math.log2(Math.max(1, values))) + 1);
    this.table = { at: machine.reserve(4 * room), size: room };
    new Float32Array(machine.bytes.buffer, this.table.at, room).fill(Number.NaN, values);
    machine.kernel.convert(KINDS.indexOf(kind), at, values, this.table.at);
  }

  #readPage({ size, packed, levels, values, encoding, isPacked }: Header, body: number): Page {
    const { repetition, definition } = levels ?? { repetition: 0, definition: 0 };
    const before = repetition + definition;
    check(before <= packed && before <= size, "a page is shorter than its levels");
    if (levels && this.#chunk.levels) {
      const at = this.#fetch(body, body + before);
      this.#checkLevels({ at: at + repetition, end: at + before }, values);
    }
    const codec = isPacked ? this.#chunk.codec : "UNCOMPRESSED";
    const block = { codec, from: body + before, to: body + packed, size: size - before };
    const coded = encoding !== PLAIN;
    const pieces = coded ? [this.#load(block)].values() : this.#stream(block);
    let first = pieces.next().value ?? { at: 0, end: 0 };
    if (!levels && this.#chunk.levels) first = this.#passLevels(first, values);
    if (coded) this.#checkCodes(encoding, first);
    return { values, coded, pieces: chain(first, pieces) };
  }

  /** The values of a block, as far as possible without a copy. */
  #stream(block: Block): IterableIterator<Piece, undefined> {
    const { codec, from, to, size } = block;
    if (codec !== "SNAPPY" && codec !== "UNCOMPRESSED") return [this.#load(block)].values();
    const machine = this.#machine;
    const room = Math.min(ROOM, to - from + LINE);
    if (this.#slice.size < room) this.#slice = { at: machine.reserve(room), size: room };
    const { at } = this.#slice;
    if (codec === "SNAPPY") return readLiterals(machine, this.#file, at, block, () => this.#load(block));
    check(to - from === size, "a page is damaged");
    return readSlices(machine, this.#file, at, from, to);
  }

  /** A block, unpacked. */
  #load({ codec, from, to, size }: Block): Piece {
    const machine = this.#machine;
    const packed = this.#fetch(from, to);
    if (this.#room.size < size) this.#room = { at: machine.reserve(size), size };
    const { at } = this.#room;
    unpack(machine, codec, packed, to - from, at, size);
    return { at, end: at + size };
  }

  /** What comes after the levels, of which the length is said first. */
  #passLevels({ at, end }: Piece, values: number): Piece {
    check(at + 4 <= end, "a page is shorter than its levels");
    const start = at + 4 + new DataView(this.#machine.bytes.buffer).getUint32(at, true);
    check(start <= end, "a page is shorter than its levels");
    this.#checkLevels({ at: at + 4, end: start }, values);
    return { at: start, end };
  }

  #checkLevels({ at, end }: Piece, values: number): void {
    this.#machine.kernel.start(this.runs, at, end, 1);
    check(this.#machine.kernel.areAllOne(this.runs, values), "a value is missing");
  }

  #checkCodes(encoding: number, { at, end }: Piece): void {
    check(CODED.includes(encoding) && at < end, "values are coded in a way that is not read");
    const width = this.#machine.bytes[at];
    check(2 ** width <= this.table.size, "codes are too wide");
    this.#machine.kernel.start(this.runs, at + 1, end, width);
  }

  /** Bytes of the file, on the desk. */
  #fetch(from: number, to: number): number {
    const at = this.#machine.borrow(to - from);
    readFully(this.#file, this.#machine.bytes.subarray(at, at + to - from), from);
    return at;
  }
}

function* chain(first: Piece, rest: IterableIterator<Piece, undefined>): Generator<Piece, undefined> {
  yield first;
  yield* rest;
}
