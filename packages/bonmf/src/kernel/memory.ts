import { MODULES } from "./module.js";

/** The exports of assembly/kernel.ts; addresses are bytes. */
export type Kernel = Record<string, (...args: number[]) => number>;

type Build = keyof typeof MODULES;
const compiled = new Map<Build, Promise<WebAssembly.Module | null>>();

/** Compiles the kernels once; null where WebAssembly or its SIMD is missing, and then plain TypeScript serves. */
function compile(build: Build): Promise<WebAssembly.Module | null> {
  const known = compiled.get(build);
  if (known) return known;
  const bytes = Uint8Array.from(atob(MODULES[build]), (c) => c.charCodeAt(0));
  const module = WebAssembly.compile(bytes).catch(() => null);
  compiled.set(build, module);
  return module;
}

/** Whether threads can share memory here: always in Node, in browsers on cross-origin isolated pages. */
function canShare(): boolean {
  const page = globalThis as { crossOriginIsolated?: boolean };
  return typeof SharedArrayBuffer === "function" && page.crossOriginIsolated !== false;
}

const PAGE = 65_536;
const MOST = 65_536 * PAGE;

/** A linear memory with the kernels on it and a cursor that only moves up. */
export class Region {
  readonly kernel: Kernel;
  readonly memory: WebAssembly.Memory;
  #next: number;

  private constructor(memory: WebAssembly.Memory, kernel: Kernel, next: number) {
    this.memory = memory;
    this.kernel = kernel;
    this.#next = next;
  }

  /** @returns null where the kernels cannot run or `bytes` is more than a memory holds */
  static async open(bytes: number): Promise<Region | null> {
    if (typeof WebAssembly === "undefined" || bytes > MOST - 2 * PAGE) return null;
    const initial = Math.ceil(bytes / PAGE) + 2;
    try {
      const memory = new WebAssembly.Memory(canShare() ? { initial, maximum: MOST / PAGE, shared: true } : { initial });
      return await Region.join(memory, PAGE);
    } catch {
      return null;
    }
  }

  /** Puts kernels on a memory whose bytes below `next` are taken. */
  static async join(memory: WebAssembly.Memory, next: number): Promise<Region | null> {
    const module = await compile(memory.buffer instanceof ArrayBuffer ? "own" : "shared");
    if (module === null) return null;
    const instance = await WebAssembly.instantiate(module, { env: { memory } });
    return new Region(memory, instance.exports as Kernel, next);
  }

  /** The first byte that is not taken. */
  get next(): number {
    return this.#next;
  }

  /** Room for `bytes`, zeroed, aligned to a cache line. */
  reserve(bytes: number): number {
    const at = this.#next;
    this.#next = Math.ceil((at + bytes) / 64) * 64;
    const short = this.#next - this.memory.buffer.byteLength;
    if (short > 0) this.memory.grow(Math.ceil(short / PAGE));
    return at;
  }

  /** Views of the memory; a later `reserve` may detach them. */
  f32(at: number, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, at, length);
  }
  f64(at: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, length);
  }
  u32(at: number, length: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, at, length);
  }
}
