import { MODULES } from "./module.js";

/** The types of what is used here; the command has none of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** See assembly. Addresses are bytes of `memory`; booleans are 0 or 1. */
interface Kernel {
  readonly memory: Memory;
  unpackSnappy(from: number, end: number, out: number, length: number): number;
  start(runs: number, at: number, end: number, width: number): void;
  lookUp(runs: number, table: number, out: number, count: number): number;
  areAllOne(runs: number, count: number): number;
  convert(kind: number, from: number, count: number, out: number): void;
  transpose(columns: number, m: number, rows: number, out: number): number;
  countLines(from: number, end: number): number;
  readLines(lines: number, from: number, end: number, most: number, out: number): number;
}

/** Bytes that the kernel may read or write beyond those it means. */
const SPARE = 16;
/** The lowest address given out. */
const FIRST = 1024;
const PAGE = 65_536;
/** Bytes to grow by at least: growing is slow. */
const STEP = 4 * 2 ** 20;
const MOST = 256 * 2 ** 20;

/** A piece of the memory. */
export interface MemoryRange {
  readonly at: number;
  readonly size: number;
}

export const NOWHERE: MemoryRange = { at: 0, size: 0 };

/** The WASM kernel with a memory of its own and a bump allocator for it. */
export class Wasm {
  readonly kernel: Kernel;
  #top = FIRST;
  #bytes = new Uint8Array();
  #shared = NOWHERE;

  constructor() {
    const module = new WebAssembly.Module(Buffer.from(MODULES.own, "base64"));
    this.kernel = new WebAssembly.Instance(module).exports as Kernel;
  }

  /** All of the memory; `reserve` makes views of it invalid. */
  get bytes(): Uint8Array {
    const { buffer } = this.kernel.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return this.#bytes;
  }

  reserve(bytes: number): number {
    const at = this.#top;
    this.#top = Math.ceil((at + bytes + SPARE) / 64) * 64;
    if (!(this.#top <= MOST)) throw new Error(`this takes more than ${MOST} bytes`);
    const { memory } = this.kernel;
    const short = this.#top - memory.buffer.byteLength;
    if (short > 0) memory.grow(Math.ceil(Math.max(short, STEP) / PAGE));
    return at;
  }

  /** Scratch bytes, good until the next call. */
  borrow(bytes: number): number {
    if (this.#shared.size < bytes) this.#shared = { at: this.reserve(bytes), size: bytes };
    return this.#shared.at;
  }

  /** Frees everything. */
  release(): void {
    this.#top = FIRST;
    this.#shared = NOWHERE;
  }
}
