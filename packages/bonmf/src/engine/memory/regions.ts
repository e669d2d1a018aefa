import { MODULES } from "../../kernel/module.js";
import { type Kernel, type Region, SCRATCH_BYTES } from "../../kernel/region.js";
import { provideScratch } from "../../kernel/scratch.js";
import { isFull, spread } from "../../kernel/spread.js";
import { hollowRoom, squeeze } from "../../kernel/squeeze.js";
import { Dense, type Floats, type Precision } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import { Sparse } from "../../matrix/sparse.js";
import { freeReserved, initAllocator, keepReserved, PAGE, reserve } from "./bump-allocator.js";
import { reuseMemory } from "./memory-pool.js";

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
export function canShare(): boolean {
  const page = globalThis as { crossOriginIsolated?: boolean };
  return typeof SharedArrayBuffer === "function" && page.crossOriginIsolated !== false;
}

const MOST = 65_536 * PAGE;
/** What kernels use of a memory beside the samples, to begin with. */
const BESIDE = 2 ** 20;

/** A memory big enough for `bytes` and a little more; null where there is none to be had. */
export function allocateMemory(bytes: number): WebAssembly.Memory | null {
  if (typeof WebAssembly === "undefined" || bytes > MOST - BESIDE) return null;
  const spare = reuseMemory(bytes + BESIDE);
  if (spare !== null) {
    freeReserved(spare);
    return spare;
  }
  const initial = Math.ceil((bytes + BESIDE) / PAGE);
  try {
    const memory = new WebAssembly.Memory(canShare() ? { initial, maximum: MOST / PAGE, shared: true } : { initial });
    initAllocator(memory);
    return memory;
  } catch {
    return null;
  }
}

/** Puts kernels on a memory; null where they cannot run. */
export async function openRegion(memory: WebAssembly.Memory): Promise<Region | null> {
  offered ??= offerScratch();
  await offered;
  return instantiate(memory);
}

let offered: Promise<void> | null = null;

/** From now on samples can be encoded by the kernels as well, which must not wait for anything. */
async function offerScratch(): Promise<void> {
  const memory = allocateMemory(0);
  const region = memory && (await instantiate(memory));
  if (memory) keepReserved(memory);
  provideScratch(region && { ...region, clear: () => freeReserved(memory!) });
}

const kernels = new WeakMap<WebAssembly.Memory, Kernel>();

async function instantiate(memory: WebAssembly.Memory): Promise<Region | null> {
  const module = await compile(memory.buffer instanceof ArrayBuffer ? "own" : "shared");
  if (module === null) return null;
  const kernel = kernels.get(memory) ?? ((await makeInstance(module, memory)).exports as Kernel);
  kernels.set(memory, kernel);
  const scratch = reserve(memory, SCRATCH_BYTES);
  kernel.useScratch(scratch);
  return {
    kernel,
    scratch,
    reserve: (bytes, filled) => reserve(memory, bytes, filled),
    f32: (at, length) => new Float32Array(memory.buffer, at, length),
    f64: (at, length) => new Float64Array(memory.buffer, at, length),
    u32: (at, length) => new Uint32Array(memory.buffer, at, length),
  };
}

/** At once, which takes less than half the time, except where browsers forbid that to their main thread. */
function makeInstance(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): WebAssembly.Instance | Promise<WebAssembly.Instance> {
  const imports = { env: { memory } };
  try {
    return new WebAssembly.Instance(module, imports);
  } catch {
    return WebAssembly.instantiate(module, imports);
  }
}

/** A region on a memory of its own, with room for `bytes`; null where there is none to be had. */
export async function makeRegion(bytes: number): Promise<Region | null> {
  const memory = allocateMemory(bytes);
  return memory && openRegion(memory);
}

/** Samples that lie in a memory where kernels can read them. */
export interface Moved {
  readonly X: Matrix;
  readonly memory: WebAssembly.Memory;
  /** Nothing else lies in it. */
  readonly own: boolean;
}

/** Memories given to callers to fill, by their buffers, and how many engines use each. */
const lent = new WeakMap<ArrayBufferLike, { readonly memory: WebAssembly.Memory; users: number }>();

/** Zeros for the caller to fill, in a memory of their own; null where threads cannot share one. */
export function lendMemory(samples: number, features: number, precision: Precision): Dense | null {
  const bytes = samples * features * (precision === "f64" ? 8 : 4);
  // What a fit keeps of the samples must find room beside them.
  const memory = canShare() && bytes + 128 * samples < MOST ? allocateMemory(bytes) : null;
  if (memory === null) return null;
  const Values = precision === "f64" ? Float64Array : Float32Array;
  const X = new Dense(samples, features, new Values(memory.buffer, reserve(memory, bytes), samples * features));
  keepReserved(memory);
  lent.set(X.data.buffer, { memory, users: 0 });
  return X;
}

/** Notes that an engine begins to use samples, and gives back what to call when it ends. */
export function occupy(X: Matrix): () => void {
  const loan = X.kind === "dense" ? lent.get(X.data.buffer) : undefined;
  if (loan === undefined) return () => {};
  if (loan.users++ === 0) freeReserved(loan.memory);
  return () => {
    loan.users--;
  };
}

/**
 * Finds samples in a memory where they are, or copies them into one of their own, without the zeros where most are and
 * with them where few are; null where there is none to be had.
 */
export async function moveIn(X: Matrix): Promise<Moved | null> {
  const loan = X.kind === "dense" ? lent.get(X.data.buffer) : undefined;
  if (loan !== undefined) return { X, memory: loan.memory, own: false };
  const room = X.kind === "dense" ? hollowRoom(X) : null;
  if (room !== null) return (await squeezeIn(X as Dense, room)) ?? copyIn(X);
  const full = X.kind === "sparse" && X.precision === "f32" && isFull(X);
  return (full ? await spreadIn(X) : null) ?? copyIn(X);
}

function copyIn(X: Matrix): Moved | null {
  const arrays = X.kind === "dense" ? [X.data] : [X.values, X.offsets, X.indices];
  const memory = allocateMemory(arrays.reduce((sum, { byteLength }) => sum + byteLength + 64, 64 * X.samples));
  if (memory === null) return null;
  const put = <V extends Floats | Uint32Array>(array: V): V => {
    const View = array.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => V;
    const view = new View(memory.buffer, reserve(memory, array.byteLength, true), array.length);
    view.set(array);
    return view;
  };
  const { samples, features } = X;
  if (X.kind === "dense") return { X: new Dense(samples, features, put(X.data)), memory, own: true };
  return { X: Sparse.trust(samples, features, put(X.offsets), put(X.indices), put(X.values)), memory, own: true };
}

async function squeezeIn(X: Dense, room: number): Promise<Moved | null> {
  const { samples, features } = X;
  // Pages that stay untouched cost nothing.
  const memory = allocateMemory(8 * room + 72 * samples);
  const region = memory && (await openRegion(memory));
  const squeezed = region && squeeze(region, X, room);
  if (!squeezed) return null;
  const { offsets, indices, values, filled } = squeezed;
  const ends = region.u32(offsets, samples + 1);
  const inside = Sparse.trust(samples, features, ends, region.u32(indices, filled), region.f32(values, filled));
  return { X: inside, memory, own: true };
}

async function spreadIn(X: Sparse): Promise<Moved | null> {
  const { samples, features } = X;
  const memory = allocateMemory(4 * samples * features + 64 * samples);
  const region = memory && (await openRegion(memory));
  if (!region) return null;
  const inside = new Dense(samples, features, region.f32(spread(region, X), samples * features));
  return { X: inside, memory, own: true };
}
