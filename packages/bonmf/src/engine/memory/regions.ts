import { MODULES } from "../../kernel/module.js";
import { type Kernels, type Region, SCRATCH_BYTES } from "../../kernel/region.js";
import { provideScratch } from "../../kernel/simd/scratch.js";
import { freeReserved, initAllocator, keepReserved, PAGE, reserve, reserveSome } from "./bump-allocator.js";
import { reuseMemory } from "./memory-pool.js";

type Build = keyof typeof MODULES;
const compiled = new Map<Build, Promise<WebAssembly.Module | null>>();

/** Compiles the kernels once; null where WebAssembly or its SIMD is missing. */
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

/** The most bytes of a memory. */
export const MOST_BYTES = 65_536 * PAGE;
/** What may be taken at a time where there is another place for it, as a share of what is left: others need room, too. */
const SOME = 0.25;
/** What kernels use of a memory beside the samples, at first. */
const EXTRA_BYTES = 2 ** 20;

/** A memory for `bytes` and a little more; null where the system has none. */
export function allocateMemory(bytes: number): WebAssembly.Memory | null {
  if (typeof WebAssembly === "undefined" || bytes > MOST_BYTES - EXTRA_BYTES) return null;
  const idle = reuseMemory(bytes + EXTRA_BYTES);
  if (idle !== null) {
    freeReserved(idle);
    return idle;
  }
  const initial = Math.ceil((bytes + EXTRA_BYTES) / PAGE);
  try {
    const memory = new WebAssembly.Memory(
      canShare() ? { initial, maximum: MOST_BYTES / PAGE, shared: true } : { initial },
    );
    initAllocator(memory);
    return memory;
  } catch {
    return null;
  }
}

/** Puts kernels on a memory; null where they cannot run. */
export async function openRegion(memory: WebAssembly.Memory): Promise<Region | null> {
  scratchReady ??= openScratch();
  await scratchReady;
  return instantiate(memory);
}

let scratchReady: Promise<void> | null = null;

/** Gives `predict`, which is synchronous, a region to encode samples in. */
async function openScratch(): Promise<void> {
  const memory = allocateMemory(0);
  const region = memory && (await instantiate(memory));
  if (memory) keepReserved(memory);
  provideScratch(region && { ...region, clear: () => freeReserved(memory!) });
}

const kernels = new WeakMap<WebAssembly.Memory, Kernels>();

async function instantiate(memory: WebAssembly.Memory): Promise<Region | null> {
  const module = await compile(memory.buffer instanceof ArrayBuffer ? "own" : "shared");
  if (module === null) return null;
  const kernel = kernels.get(memory) ?? ((await makeInstance(module, memory)).exports as unknown as Kernels);
  kernels.set(memory, kernel);
  const scratch = reserve(memory, SCRATCH_BYTES);
  kernel.useScratch(scratch);
  return {
    kernel,
    scratch,
    reserve: (bytes, filled) => reserve(memory, bytes, filled),
    reserveSome: (bytes) => reserveSome(memory, bytes, MOST_BYTES, SOME),
    f32: (at, length) => new Float32Array(memory.buffer, at, length),
    f64: (at, length) => new Float64Array(memory.buffer, at, length),
    u32: (at, length) => new Uint32Array(memory.buffer, at, length),
  };
}

/** Synchronously, in less than half the time, except where browsers forbid that in their main thread. */
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

/** A region on a memory of its own, with room for `bytes`; null where kernels cannot run. */
export async function makeRegion(bytes: number): Promise<Region | null> {
  const memory = allocateMemory(bytes);
  return memory && openRegion(memory);
}
