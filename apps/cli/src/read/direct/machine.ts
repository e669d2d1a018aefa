import { MODULES } from "./module.js";

/** What is used of it; the command has no types of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** See assembly: addresses are bytes of `memory`, and answers are 0 for no. */
interface Kernel {
  readonly memory: Memory;
  unpackSnappy(from: number, end: number, out: number, length: number): number;
  start(runs: number, at: number, end: number, width: number): void;
  lookUp(runs: number, table: number, out: number, count: number): number;
  skip(runs: number, count: number): number;
  areAllOne(runs: number, count: number): number;
  convert(kind: number, from: number, count: number, out: number): void;
  turn(columns: number, m: number, rows: number, out: number): number;
  areAll(values: number, count: number, value: number): number;
  countLines(from: number, end: number): number;
  readLines(lines: number, from: number, end: number, most: number, out: number): number;
}

/** What the kernel may touch beyond the bytes it means. */
const SPARE = 16;
const FIRST = 1024;
const PAGE = 65_536;
/** As growing takes a while. */
const STEP = 4 * 2 ** 20;
/** Pages of all columns at once should need far less. */
const MOST = 256 * 2 ** 20;

/** Bytes of the memory that somebody has. */
export interface Room {
  readonly at: number;
  readonly size: number;
}

export const NOWHERE: Room = { at: 0, size: 0 };

/** The kernel with a memory of its own, given out from the bottom up and taken back all at once. */
export class Machine {
  readonly kernel: Kernel;
  #top = FIRST;
  #bytes = new Uint8Array();
  #desk = NOWHERE;

  constructor() {
    const module = new WebAssembly.Module(Buffer.from(MODULES.own, "base64"));
    this.kernel = new WebAssembly.Instance(module).exports as Kernel;
  }

  /** All of the memory, to be asked for anew after `reserve`. */
  get bytes(): Uint8Array {
    const { buffer } = this.kernel.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return this.#bytes;
  }

  reserve(bytes: number): number {
    const at = this.#top;
    this.#top = Math.ceil((at + bytes + SPARE) / 64) * 64;
    if (!(this.#top <= MOST)) throw new Error(`the pages of the columns need more than ${MOST} bytes`);
    const { memory } = this.kernel;
    const short = this.#top - memory.buffer.byteLength;
    if (short > 0) memory.grow(Math.ceil(Math.max(short, STEP) / PAGE));
    return at;
  }

  /** Bytes on the desk, which all share: good until the next call. */
  borrow(bytes: number): number {
    if (this.#desk.size < bytes) this.#desk = { at: this.reserve(bytes), size: bytes };
    return this.#desk.at;
  }

  release(): void {
    this.#top = FIRST;
    this.#desk = NOWHERE;
  }
}
