import { closeSync, openSync } from "node:fs";
import { parseDecimal } from "bonmf/io";
import { ConstantFeatures } from "../../duckdb/constant-features.js";
import { check, readFully } from "../file-bytes.js";
import { Wasm } from "../wasm.js";
import type { Block, Done, Job } from "./job.js";

/** Bytes read at once after a block, to find where its last line ends. */
const SLICE = 65_536;
/** Bytes of a line; DuckDB refuses longer ones. */
const LONGEST = 2 ** 21;
/** Values parsed at once: few enough to stay in the cache until they are copied into the matrix. */
const STRIP = 32_768;
/** Numbers of a strip that the kernel may leave in doubt, beside those of a row. */
const DOUBTS = 1024;
/** The kernel has powers of ten from −TOP to TOP. */
const TOP = 60;
/** Words of the struct Lines (see assembly/csv) that the kernel reads, before two that it writes. */
const GIVEN = 13;
const LF = 10;
const CR = 13;

/** Parses the lines of one block after the other into rows of the matrix. */
export class CsvParser {
  readonly #job: Job;
  readonly #wasm = new Wasm();
  readonly #most: number;
  readonly #text: number;
  readonly #strip: number;
  readonly #spans: number;
  readonly #doubts: number;
  readonly #targets: number;
  readonly #powers: number;
  /** The struct Lines. */
  readonly #words: number;
  /** Which file is open, and its descriptor. */
  #file = -1;
  #handle = -1;
  /** The lines of the block. */
  #from = 0;
  #end = 0;

  constructor(job: Job) {
    const { files, tasks, m, texts } = job;
    const wasm = this.#wasm;
    const wide = files.reduce((most, { targets }) => Math.max(most, targets.length), 0);
    const long = tasks.reduce((most, { start, end }) => Math.max(most, end - start), 0);
    this.#job = job;
    this.#most = Math.max(8, Math.floor(STRIP / m));
    this.#text = wasm.reserve(long + LONGEST + SLICE);
    this.#strip = wasm.reserve(4 * m * this.#most);
    this.#spans = wasm.reserve(8 * texts * this.#most);
    this.#doubts = wasm.reserve(8 * (DOUBTS + wide));
    this.#targets = wasm.reserve(4 * wide);
    this.#powers = wasm.reserve(8 * (2 * TOP + 1));
    this.#words = wasm.reserve(4 * (GIVEN + 2));
    const powers = new Float64Array(wasm.bytes.buffer, this.#powers, 2 * TOP + 1);
    for (let e = -TOP; e <= TOP; e++) powers[TOP + e] = Number(`1e${e}`);
  }

  /** Reads the text of a block; returns how many rows it has. */
  open({ file, start, end }: Block): number {
    const csv = this.#job.files[file];
    const wasm = this.#wasm;
    if (file !== this.#file) this.#openFile(file);
    // A line begins after an LF, which may be the last byte before the block.
    const from = Math.max(0, start - 1);
    const at = this.#text;
    let top = at + end - from;
    readFully(this.#handle, wasm.bytes.subarray(at, top), from);
    const breaks = wasm.kernel.countLines(at, top - 1);
    const rows = breaks + Number(start === 0 && !csv.header);
    this.#from = this.#end = at;
    if (rows === 0) return 0;
    this.#from = start > 0 || csv.header ? wasm.bytes.indexOf(LF, at) + 1 : at;
    for (let position = end; wasm.bytes[top - 1] !== LF && position < csv.size; ) {
      const size = Math.min(SLICE, csv.size - position);
      check(position - end < LONGEST, "a line is too long");
      readFully(this.#handle, wasm.bytes.subarray(top, top + size), position);
      position += size;
      const found = wasm.bytes.subarray(top, top + size).indexOf(LF);
      top += found < 0 ? size : found + 1;
      if (found >= 0) break;
    }
    if (wasm.bytes[top - 1] !== LF) {
      if (csv.cr) wasm.bytes[top++] = CR;
      wasm.bytes[top++] = LF;
    }
    this.#end = top;
    return rows;
  }

  /** Reads its rows into the matrix, `sample` being the first. */
  *fill(sample: number, rows: number): Generator<null, Omit<Done, "task">> {
    const { out, m, texts: width } = this.#job;
    const { kernel } = this.#wasm;
    check((sample + rows) * m <= out.length, "there are more rows than were expected");
    const constant = new ConstantFeatures(m);
    const texts = Array.from({ length: width }, (): string[] => []);
    let from = this.#from;
    let done = 0;
    for (; done < rows; yield null) {
      const count = kernel.readLines(this.#words, from, this.#end, this.#most, this.#strip);
      check(count > 0, "a line is unusual");
      const { buffer } = kernel.memory;
      const [doubtful, next] = new Uint32Array(buffer, this.#words + 4 * GIVEN, 2);
      this.#round(doubtful);
      const values = new Float32Array(buffer, this.#strip, count * m);
      constant.update(values);
      out.set(values, (sample + done) * m);
      for (const [t, list] of texts.entries()) this.#decodeTexts(list, t, count);
      from = next;
      done += count;
    }
    check(done === rows && from === this.#end, "the lines are not as many as were counted");
    return { constant: constant.toValues(), texts };
  }

  close(): void {
    if (this.#handle >= 0) closeSync(this.#handle);
    this.#handle = -1;
  }

  #openFile(file: number): void {
    const { files, m, texts } = this.#job;
    const { path, delimiter, decimal, quote, cr, targets, ...csv } = files[file];
    const { buffer } = this.#wasm.bytes;
    this.close();
    this.#handle = openSync(path, "r");
    this.#file = file;
    new Int32Array(buffer, this.#targets, targets.length).set(targets);
    const head = [delimiter, decimal, quote, csv.escape, Number(cr), targets.length, m, texts];
    const places = [this.#targets, this.#powers + 8 * TOP, this.#spans, this.#doubts, DOUBTS + targets.length];
    new Uint32Array(buffer, this.#words, GIVEN).set([...head, ...places]);
  }

  /** Rounds the numbers that the kernel left in doubt. */
  #round(count: number): void {
    const { buffer } = this.#wasm.kernel.memory;
    const bytes = Buffer.from(buffer);
    const { delimiter, decimal } = this.#job.files[this.#file];
    const point = String.fromCharCode(decimal);
    const pairs = new Uint32Array(buffer, this.#doubts, 2 * count);
    for (let p = 0; p < pairs.length; p += 2) {
      let end = pairs[p];
      while (bytes[end] !== delimiter && bytes[end] !== CR && bytes[end] !== LF) end++;
      const value = parseDecimal(bytes.toString("latin1", pairs[p], end).replace(point, "."), "f32");
      check(Number.isFinite(value), "a number is too large");
      new Float32Array(buffer, pairs[p + 1], 1)[0] = value;
    }
  }

  /** Decodes the text column t. */
  #decodeTexts(list: string[], t: number, rows: number): void {
    const { buffer } = this.#wasm.kernel.memory;
    const { texts } = this.#job;
    const spans = new Uint32Array(buffer, this.#spans, 2 * texts * rows);
    const bytes = Buffer.from(buffer);
    for (let p = 2 * t; p < spans.length; p += 2 * texts) {
      const text = bytes.toString("utf8", spans[p], spans[p + 1]);
      check(!text.includes("\ufffd"), "a text is not UTF-8");
      list.push(text);
    }
  }
}
