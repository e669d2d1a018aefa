import { crc32 } from "node:zlib";
import { parquetHeader } from "hyparquet/src/column.js";
import { check, readFully } from "../file-bytes.js";
import { type MemoryRange, NOWHERE, type Wasm } from "../wasm.js";
import { type ColumnChunk, NUMBER_TYPES, widthOf } from "./job.js";
import { checkThrift, PAGE } from "./thrift.js";

type Header = ReturnType<typeof parquetHeader>;

/** Bytes of the state of the run decoder, see assembly/runs. */
const RUNS = 28;
/** Bytes in which the header of a page ends; with long statistics in the second. */
const HEADER_SIZES = [256, 65_536];

/** A page in memory. */
export interface Page {
  readonly values: number;
  /** Whether values are codes into the dictionary, which the run decoder has before it. */
  readonly coded: boolean;
  /** Bytes at … end − 1 of the memory, good until the next page. */
  readonly at: number;
  readonly end: number;
}

/** The data pages of a column chunk one after the other. Throws at anything but the usual. */
export class PageReader {
  /** The address of the run decoder's state. */
  readonly runs: number;
  /** The dictionary as f32, with NaN for codes that have no value. */
  dictionary: MemoryRange = NOWHERE;
  readonly #wasm: Wasm;
  readonly #file: number;
  readonly #chunk: ColumnChunk;
  readonly #width: number;
  #position: number;
  #output: MemoryRange = NOWHERE;

  /** @param file open for reading */
  constructor(wasm: Wasm, file: number, chunk: ColumnChunk) {
    this.#wasm = wasm;
    this.#file = file;
    this.#chunk = chunk;
    this.#width = widthOf(chunk.type);
    this.#position = chunk.start;
    this.runs = wasm.reserve(RUNS);
  }

  next(): Page {
    for (;;) {
      const { header, length } = this.#readHeader();
      const { compressed_page_size, uncompressed_page_size, data_page_header, data_page_header_v2 } = header;
      const body = this.#position + length;
      check(compressed_page_size >= 0 && uncompressed_page_size >= 0, "a page has no size");
      this.#position = body + compressed_page_size;
      check(this.#position <= this.#chunk.end, "a page ends after its column chunk");
      this.#checkSum(header, body);
      if (header.dictionary_page_header) this.#readDictionary(header, body);
      else if (data_page_header) return this.#readPage(header, body);
      else if (data_page_header_v2) return this.#readPage2(header, body);
    }
  }

  /** Checks that there is nothing after the last page. */
  finish(): void {
    check(this.#position === this.#chunk.end, "a column chunk is longer than its pages");
  }

  /** Not all writers add a checksum; it is over the page as it is stored. */
  #checkSum({ crc, compressed_page_size }: Header, body: number): void {
    if (crc === undefined) return;
    const bytes = new Uint8Array(compressed_page_size);
    readFully(this.#file, bytes, body);
    check(crc32(bytes) === crc >>> 0, "the checksum of a page does not fit");
  }

  #readHeader(): { header: Header; length: number } {
    for (const size of HEADER_SIZES) {
      const bytes = new Uint8Array(Math.min(size, this.#chunk.end - this.#position));
      readFully(this.#file, bytes, this.#position);
      const reader = { view: new DataView(bytes.buffer), offset: 0 };
      try {
        const header = parquetHeader(reader);
        checkThrift(bytes.subarray(0, reader.offset), PAGE);
        return { header, length: reader.offset };
      } catch {
        // It may go on beyond these bytes.
      }
    }
    throw new Error("the header of a page cannot be read");
  }

  #readDictionary(header: Header, body: number): void {
    const wasm = this.#wasm;
    const { num_values: values, encoding } = header.dictionary_page_header as NonNullable<
      Header["dictionary_page_header"]
    >;
    check(encoding === "PLAIN" || encoding === "PLAIN_DICTIONARY", "a dictionary is encoded");
    check(values >= 0 && values * this.#width === header.uncompressed_page_size, "a dictionary has another length");
    const at = this.#load(body, header.compressed_page_size, header.uncompressed_page_size, this.#chunk.snappy);
    // Some writers' codes have a bit more than they need.
    const size = 2 ** (Math.ceil(Math.log2(Math.max(1, values))) + 1);
    this.dictionary = { at: wasm.reserve(4 * size), size };
    new Float32Array(wasm.bytes.buffer, this.dictionary.at, size).fill(Number.NaN, values);
    wasm.kernel.convert(NUMBER_TYPES.indexOf(this.#chunk.type), at, values, this.dictionary.at);
  }

  /** Version 1: definition levels are compressed with the values, and begin with their length. */
  #readPage(header: Header, body: number): Page {
    const { num_values: values, encoding } = header.data_page_header as NonNullable<Header["data_page_header"]>;
    const size = header.uncompressed_page_size;
    let at = this.#load(body, header.compressed_page_size, size, this.#chunk.snappy);
    const end = at + size;
    if (this.#chunk.optional) {
      check(at + 4 <= end, "a page is shorter than its levels");
      const start = at + 4 + new DataView(this.#wasm.bytes.buffer).getUint32(at, true);
      check(start <= end, "a page is shorter than its levels");
      this.#checkLevels(at + 4, start, values);
      at = start;
    }
    return this.#openPage(values, encoding, at, end);
  }

  /** Version 2: levels stand before the values and are never compressed. */
  #readPage2(header: Header, body: number): Page {
    const page = header.data_page_header_v2 as NonNullable<Header["data_page_header_v2"]>;
    const { repetition_levels_byte_length: repetition, definition_levels_byte_length: definition } = page;
    const before = repetition + definition;
    check(page.num_nulls === 0 && page.num_rows === page.num_values, "a page has missing or repeated values");
    const [packed, size] = [header.compressed_page_size - before, header.uncompressed_page_size - before];
    check(repetition >= 0 && definition >= 0 && packed >= 0 && size >= 0, "a page is shorter than its levels");
    if (this.#chunk.optional) {
      const at = this.#load(body, before, before, false);
      this.#checkLevels(at + repetition, at + before, page.num_values);
    }
    const at = this.#load(body + before, packed, size, this.#chunk.snappy && page.is_compressed !== false);
    return this.#openPage(page.num_values, page.encoding, at, at + size);
  }

  #openPage(values: number, encoding: string | undefined, at: number, end: number): Page {
    if (encoding === "PLAIN") {
      check(values >= 0 && values * this.#width === end - at, "a page has another number of values");
      return { values, coded: false, at, end };
    }
    check((encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") && at < end, "an unusual encoding");
    const width = this.#wasm.bytes[at];
    check(2 ** width <= this.dictionary.size, "codes are too wide");
    this.#wasm.kernel.start(this.runs, at + 1, end, width);
    return { values, coded: true, at, end };
  }

  #checkLevels(at: number, end: number, values: number): void {
    this.#wasm.kernel.start(this.runs, at, end, 1);
    check(this.#wasm.kernel.areAllOne(this.runs, values), "a value is missing");
  }

  /** Reads `length` bytes of the file, decompressed to `size`, to the address it returns. */
  #load(position: number, length: number, size: number, snappy: boolean): number {
    const wasm = this.#wasm;
    if (this.#output.size < size) this.#output = { at: wasm.reserve(size), size };
    const { at } = this.#output;
    const from = snappy ? wasm.borrow(length) : at;
    check(snappy || length === size, "a page is damaged");
    readFully(this.#file, wasm.bytes.subarray(from, from + length), position);
    if (snappy) check(wasm.kernel.unpackSnappy(from, from + length, at, size), "a page is damaged");
    return at;
  }
}
