import { closeSync, openSync } from "node:fs";
import { parseDecimal } from "bonmf/io";
import { check, readFully, SLICE } from "./feed.js";
import { Machine } from "./machine.js";
import type { Block, Writing, Written } from "./script.js";

/** Bytes of a line; longer ones are DuckDB's to refuse. */
const LONGEST = 2 ** 21;
/** Values of a strip, which should stay in the cache until they are copied into the matrix. */
const STRIP = 32_768;
/** Numbers of a strip that may want a closer look, beside those of a row. */
const DOUBTS = 1024;
/** Powers of ten to either side. */
const TOP = 60;
/** Words the kernel reads, before two that it writes. */
const GIVEN = 13;
const LF = 10;
const CR = 13;

/** Makes rows of the lines of one block after the other. */
export class Scribe {
  readonly #order: Writing;
  readonly #machine = new Machine();
  readonly #most: number;
  readonly #text: number;
  readonly #strip: number;
  readonly #spans: number;
  readonly #doubts: number;
  readonly #targets: number;
  readonly #powers: number;
  /** See Lines in assembly. */
  readonly #words: number;
  /** Which file is open, and its descriptor. */
  #file = -1;
  #handle = -1;
  /** The lines of the block. */
  #from = 0;
  #end = 0;

  constructor(order: Writing) {
    const { files, tasks, m, texts } = order;
    const machine = this.#machine;
    const wide = files.reduce((most, { targets }) => Math.max(most, targets.length), 0);
    const long = tasks.reduce((most, { start, end }) => Math.max(most, end - start), 0);
    this.#order = order;
    this.#most = Math.max(8, Math.floor(STRIP / m));
    this.#text = machine.reserve(long + LONGEST + SLICE);
    this.#strip = machine.reserve(4 * m * this.#most);
    this.#spans = machine.reserve(8 * texts * this.#most);
    this.#doubts = machine.reserve(8 * (DOUBTS + wide));
    this.#targets = machine.reserve(4 * wide);
    this.#powers = machine.reserve(8 * (2 * TOP + 1));
    this.#words = machine.reserve(4 * (GIVEN + 2));
    const powers = new Float64Array(machine.bytes.buffer, this.#powers, 2 * TOP + 1);
    for (let e = -TOP; e <= TOP; e++) powers[TOP + e] = Number(`1e${e}`);
  }

  /** Reads the text of a block; returns how many rows it has. */
  open({ file, start, end }: Block): number {
    const script = this.#order.files[file];
    const machine = this.#machine;
    if (file !== this.#file) this.#turnTo(file);
    // A line begins after an LF: the first one of interest may be the last byte before the block.
    const from = Math.max(0, start - 1);
    const at = this.#text;
    let top = at + end - from;
    readFully(this.#handle, machine.bytes.subarray(at, top), from);
    const breaks = machine.kernel.countLines(at, top - 1);
    const rows = breaks + Number(start === 0 && !script.header);
    this.#from = this.#end = at;
    if (rows === 0) return 0;
    this.#from = start > 0 || script.header ? machine.bytes.indexOf(LF, at) + 1 : at;
    for (let position = end; machine.bytes[top - 1] !== LF && position < script.size; ) {
      const size = Math.min(SLICE, script.size - position);
      check(position - end < LONGEST, "a line is too long");
      readFully(this.#handle, machine.bytes.subarray(top, top + size), position);
      position += size;
      const found = machine.bytes.subarray(top, top + size).indexOf(LF);
      top += found < 0 ? size : found + 1;
      if (found >= 0) break;
    }
    if (machine.bytes[top - 1] !== LF) {
      if (script.cr) machine.bytes[top++] = CR;
      machine.bytes[top++] = LF;
    }
    this.#end = top;
    return rows;
  }

  /** Reads its rows into the matrix, `sample` being the first. */
  *fill(sample: number, rows: number): Generator<null, Omit<Written, "task">> {
    const { out, m, texts: width } = this.#order;
    const { kernel } = this.#machine;
    check((sample + rows) * m <= out.length, "there are more rows than were expected");
    const still = new Float32Array(m).fill(Number.NaN);
    const texts = Array.from({ length: width }, (): string[] => []);
    let quiet = Array.from(still.keys());
    let from = this.#from;
    let done = 0;
    for (; done < rows; yield null) {
      const count = kernel.readLines(this.#words, from, this.#end, this.#most, this.#strip);
      check(count > 0, "a line is unusual");
      const { buffer } = kernel.memory;
      const [doubtful, next] = new Uint32Array(buffer, this.#words + 4 * GIVEN, 2);
      this.#decide(doubtful);
      const values = new Float32Array(buffer, this.#strip, count * m);
      if (done === 0) still.set(values.subarray(0, m));
      quiet = quiet.filter((f) => isStill(values, f, m, still));
      out.set(values, (sample + done) * m);
      for (const [t, list] of texts.entries()) this.#keep(list, t, count);
      from = next;
      done += count;
    }
    check(done === rows && from === this.#end, "lines were counted otherwise");
    return { still, texts };
  }

  close(): void {
    if (this.#handle >= 0) closeSync(this.#handle);
    this.#handle = -1;
  }

  #turnTo(file: number): void {
    const { files, m, texts } = this.#order;
    const { path, delimiter, decimal, quote, cr, targets, ...script } = files[file];
    const { buffer } = this.#machine.bytes;
    this.close();
    this.#handle = openSync(path, "r");
    this.#file = file;
    new Int32Array(buffer, this.#targets, targets.length).set(targets);
    const head = [delimiter, decimal, quote, script.escape, Number(cr), targets.length, m, texts];
    const places = [this.#targets, this.#powers + 8 * TOP, this.#spans, this.#doubts, DOUBTS + targets.length];
    new Uint32Array(buffer, this.#words, GIVEN).set([...head, ...places]);
  }

  /** Takes a closer look at numbers between two others. */
  #decide(count: number): void {
    const { buffer } = this.#machine.kernel.memory;
    const bytes = Buffer.from(buffer);
    const { delimiter, decimal } = this.#order.files[this.#file];
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

  /** Makes texts of the column `t` of texts. */
  #keep(list: string[], t: number, rows: number): void {
    const { buffer } = this.#machine.kernel.memory;
    const { texts } = this.#order;
    const spans = new Uint32Array(buffer, this.#spans, 2 * texts * rows);
    const bytes = Buffer.from(buffer);
    for (let p = 2 * t; p < spans.length; p += 2 * texts) {
      const text = bytes.toString("utf8", spans[p], spans[p + 1]);
      check(!text.includes("\ufffd"), "a text is not UTF-8");
      list.push(text);
    }
  }
}

/** Whether feature f is what it was; if not, says so. */
function isStill(values: Float32Array, f: number, m: number, still: Float32Array): boolean {
  const value = still[f];
  for (let p = f; p < values.length; p += m) {
    if (values[p] === value) continue;
    still[f] = Number.NaN;
    return false;
  }
  return true;
}
