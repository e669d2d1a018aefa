import { MODULES } from "../kernel/module.js";
import type { Kernel, Region } from "../kernel/region.js";
import { provideScratch, type Scratch } from "../kernel/scratch.js";
import { hollowRoom, squeeze } from "../kernel/squeeze.js";
import { Dense, type Floats } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";

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
/** What `squeeze` needs beside the samples. */
const SQUEEZING = 2 ** 20;

/** A memory big enough for `bytes` and a little more; null where there is none to be had. */
function allocateMemory(bytes: number): WebAssembly.Memory | null {
  if (typeof WebAssembly === "undefined" || bytes > MOST - 2 * PAGE) return null;
  const initial = Math.ceil(bytes / PAGE) + 2;
  try {
    return new WebAssembly.Memory(canShare() ? { initial, maximum: MOST / PAGE, shared: true } : { initial });
  } catch {
    return null;
  }
}

/** Puts kernels on a memory whose bytes below `taken` are in use; null where the kernels cannot run. */
export async function openRegion(memory: WebAssembly.Memory, taken: number): Promise<Region | null> {
  offered ??= offerScratch();
  await offered;
  return instantiate(memory, taken);
}

let offered: Promise<void> | null = null;

/** From now on samples can be encoded by the kernels as well, which must not wait for anything. */
async function offerScratch(): Promise<void> {
  const memory = allocateMemory(0);
  provideScratch(memory && (await instantiate(memory, PAGE)));
}

async function instantiate(memory: WebAssembly.Memory, taken: number): Promise<Scratch | null> {
  const module = await compile(memory.buffer instanceof ArrayBuffer ? "own" : "shared");
  if (module === null) return null;
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  let next = align(taken);
  return {
    kernel: instance.exports as Kernel,
    reserve(bytes) {
      const at = next;
      next = align(at + bytes);
      const short = next - memory.buffer.byteLength;
      if (short > 0) memory.grow(Math.ceil(short / PAGE));
      return at;
    },
    clear() {
      new Uint8Array(memory.buffer, align(taken), next - align(taken)).fill(0);
      next = align(taken);
    },
    f32: (at, length) => new Float32Array(memory.buffer, at, length),
    f64: (at, length) => new Float64Array(memory.buffer, at, length),
    u32: (at, length) => new Uint32Array(memory.buffer, at, length),
  };
}

/** A region on a memory of its own, with room for `bytes`; null where there is none to be had. */
export async function makeRegion(bytes: number): Promise<Region | null> {
  const memory = allocateMemory(bytes);
  return memory && openRegion(memory, PAGE);
}

function align(at: number): number {
  return Math.ceil(at / 64) * 64;
}

/** Samples that lie in a memory of their own, where kernels can read them. */
export interface Moved {
  readonly X: Matrix;
  readonly memory: WebAssembly.Memory;
}

/** Copies samples into a memory of their own, without the zeros where most are; null where there is none to be had. */
export async function moveIn(X: Matrix): Promise<Moved | null> {
  const room = X.kind === "dense" ? hollowRoom(X) : null;
  return (room === null ? null : await squeezeIn(X as Dense, room)) ?? copyIn(X);
}

function copyIn(X: Matrix): Moved | null {
  const arrays = X.kind === "dense" ? [X.data] : [X.values, X.offsets, X.indices];
  const memory = allocateMemory(arrays.reduce((sum, { byteLength }) => sum + byteLength + 64, 64 * X.samples));
  if (memory === null) return null;
  let next = PAGE;
  const put = <V extends Floats | Uint32Array>(array: V): V => {
    const View = array.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => V;
    const view = new View(memory.buffer, next, array.length);
    view.set(array);
    next = align(next + array.byteLength);
    return view;
  };
  const { samples, features } = X;
  if (X.kind === "dense") return { X: new Dense(samples, features, put(X.data)), memory };
  return { X: Sparse.trust(samples, features, put(X.offsets), put(X.indices), put(X.values)), memory };
}

async function squeezeIn(X: Dense, room: number): Promise<Moved | null> {
  const { samples, features } = X;
  // Pages that stay untouched cost nothing.
  const memory = allocateMemory(8 * room + 72 * samples + SQUEEZING);
  const region = memory && (await openRegion(memory, PAGE));
  const squeezed = region && squeeze(region, X, room);
  if (!squeezed) return null;
  const { offsets, indices, values, filled } = squeezed;
  const ends = region.u32(offsets, samples + 1);
  const inside = Sparse.trust(samples, features, ends, region.u32(indices, filled), region.f32(values, filled));
  return { X: inside, memory };
}
