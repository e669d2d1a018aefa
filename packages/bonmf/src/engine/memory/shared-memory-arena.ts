import type { Region } from "../../kernel/region.js";
import { usedBytes } from "./bump-allocator.js";
import { releaseMemory } from "./memory-pool.js";
import { allocateMemory, canShare, openRegion } from "./regions.js";

/** The largest region that lies with others, and how much of a memory may be taken before they go to another. */
const SMALL = 2 ** 19;
const FULL = 2 ** 24;

interface House {
  readonly memory: WebAssembly.Memory;
  readonly region: Region;
  lodgers: number;
}

let open: House | null = null;
let next: Promise<House | null> | null = null;

const left = new FinalizationRegistry<House>((house) => {
  if (--house.lodgers > 0) return;
  if (open === house) open = null;
  releaseMemory(house.memory);
});

/**
 * A region that lasts, as long as somebody holds it: then its room is another's. Small ones lie together, since a memory takes
 * up gigabytes of addresses, of which there are not so many, and a while to make. Null where there is none to be had.
 */
export async function lodge(bytes: number): Promise<Region | null> {
  // A memory that is not shared detaches all views of it when it grows.
  const alone = bytes > SMALL || !canShare();
  const house = await (alone ? build(bytes) : open !== null && usedBytes(open.memory) <= FULL ? open : move());
  if (house === null) return null;
  const region = { ...house.region };
  house.lodgers++;
  left.register(region, house);
  return region;
}

/** Opens another house, for all who ask meanwhile. */
async function move(): Promise<House | null> {
  next ??= build(0);
  open = await next;
  next = null;
  return open;
}

async function build(bytes: number): Promise<House | null> {
  const memory = allocateMemory(bytes);
  const region = memory && (await openRegion(memory));
  return region && { memory: memory!, region, lodgers: 0 };
}
