import type { Region } from "../../kernel/region.js";
import { usedBytes } from "./bump-allocator.js";
import { releaseMemory } from "./memory-pool.js";
import { allocateMemory, canShare, openRegion } from "./regions.js";

/** Regions up to this many bytes share a memory. */
const SMALL = 2 ** 19;
/** A memory with this many bytes in use takes no further regions. */
const FULL = 2 ** 24;

interface Arena {
  readonly memory: WebAssembly.Memory;
  readonly region: Region;
  users: number;
}

let current: Arena | null = null;
let opening: Promise<Arena | null> | null = null;

const collected = new FinalizationRegistry<Arena>((arena) => {
  if (--arena.users > 0) return;
  if (current === arena) current = null;
  releaseMemory(arena.memory);
});

/**
 * A region freed when garbage-collected. Small ones share one memory: each memory takes gigabytes of address space, and
 * time to make. Null where kernels cannot run.
 */
export async function openArena(bytes: number): Promise<Region | null> {
  // A memory that is not shared detaches all views of it when it grows.
  const alone = bytes > SMALL || !canShare();
  const hasRoom = current !== null && usedBytes(current.memory) <= FULL;
  const arena = await (alone ? makeArena(bytes) : hasRoom ? current : nextArena());
  if (arena === null) return null;
  const region = { ...arena.region };
  arena.users++;
  collected.register(region, arena);
  return region;
}

/** Opens another shared memory, once for all callers who wait for it. */
async function nextArena(): Promise<Arena | null> {
  opening ??= makeArena(0);
  current = await opening;
  opening = null;
  return current;
}

async function makeArena(bytes: number): Promise<Arena | null> {
  const memory = allocateMemory(bytes);
  const region = memory && (await openRegion(memory));
  return region && { memory: memory!, region, users: 0 };
}
