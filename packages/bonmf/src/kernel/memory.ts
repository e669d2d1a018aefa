import { MODULE } from "./module.js";

/** The exports of assembly/kernel.ts; addresses are bytes. */
export type Kernel = Record<string, (...args: number[]) => number>;

let compiled: Promise<WebAssembly.Module | null> | null = null;

/** Compiles the kernels once; null where WebAssembly or its SIMD is missing, and then plain TypeScript serves. */
function compile(): Promise<WebAssembly.Module | null> {
  compiled ??= (async () => {
    try {
      const bytes = Uint8Array.from(atob(MODULE), (c) => c.charCodeAt(0));
      return await WebAssembly.compile(bytes);
    } catch {
      return null;
    }
  })();
  return compiled;
}

const PAGE = 65_536;
const MOST = 65_536 * PAGE;

/** A linear memory with the kernels on it and a cursor that only moves up. */
export class Region {
  readonly kernel: Kernel;
  readonly #memory: WebAssembly.Memory;
  #next = PAGE;

  private constructor(memory: WebAssembly.Memory, kernel: Kernel) {
    this.#memory = memory;
    this.kernel = kernel;
  }

  /** @returns null where the kernels cannot run or `bytes` is more than a memory holds */
  static async open(bytes: number): Promise<Region | null> {
    const module = await compile();
    if (module === null || bytes > MOST - 2 * PAGE) return null;
    try {
      const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) + 2 });
      const instance = await WebAssembly.instantiate(module, { env: { memory } });
      return new Region(memory, instance.exports as Kernel);
    } catch {
      return null;
    }
  }

  /** Room for `bytes`, zeroed, aligned to a cache line. */
  reserve(bytes: number): number {
    const at = this.#next;
    this.#next = Math.ceil((at + bytes) / 64) * 64;
    const short = this.#next - this.#memory.buffer.byteLength;
    if (short > 0) this.#memory.grow(Math.ceil(short / PAGE));
    return at;
  }

  /** Views of the memory; a later `reserve` may detach them. */
  f32(at: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, length);
  }
  f64(at: number, length: number): Float64Array {
    return new Float64Array(this.#memory.buffer, at, length);
  }
  u32(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, at, length);
  }
}
