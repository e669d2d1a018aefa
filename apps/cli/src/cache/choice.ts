import type { Call } from "../command.js";
import type { ReadOptions } from "../read/data.js";
import { readOptions } from "../read/options.js";
import { bytes } from "../show/numbers.js";
import { listFiles } from "./key.js";
import { parseMemory } from "./memory.js";

/** Of the memory that is free: what samples may take before they are left on disk, and what a fit from there may take. */
const MOST_SAMPLES = 0.7;
const FROM_DISK = 0.5;
/** Below this nobody looks: no file of this size holds samples that do not fit. */
const SMALL = 2 ** 28;

/** The memory that a fit from disk may use; null where the samples are better read into memory as a whole. */
export async function chooseMemory(call: Call, free: number = freeMemory()): Promise<number | null> {
  const given = call.options.string("memory");
  if (given !== undefined) return parseMemory(given);
  const size = await estimateBytes(call, free);
  if (size <= free * MOST_SAMPLES) return null;
  const memory = Math.floor(free * FROM_DISK);
  call.terminal.note(
    `note: the samples take about ${bytes(size)} and ${bytes(free)} of memory are free: they stay on disk, and ` +
      `${bytes(memory)} are used (--memory says otherwise)`,
  );
  return memory;
}

/** What this process can still have; in a container, of its limit. */
function freeMemory(): number {
  return process.availableMemory();
}

/** Bytes that the samples take in memory, about: 0 where they are few enough not to ask. */
async function estimateBytes(call: Call, free: number): Promise<number> {
  const files = await listFiles(call.args, call.options.string("sql")).catch(() => null);
  const total = files?.reduce((sum, [path, size]) => sum + size * swelling(path), 0) ?? 0;
  if (total < Math.min(SMALL, free * MOST_SAMPLES)) return total;
  return (await probe(call)) ?? total;
}

/** How much larger samples may be than their file. */
function swelling(path: string): number {
  return /\.(gz|zst|parquet|pq)$/i.test(path) ? 8 : 1;
}

/** Reads a little: how wide the samples are, and how many the reader expects. */
async function probe(call: Call): Promise<number | null> {
  const { readParts } = await import("../read/read.js");
  let rows: number | null = null;
  const onProgress: ReadOptions["onProgress"] = (_, total, unit) => {
    if (unit === "rows") rows = total;
  };
  for await (const { X } of readParts(call.args, { ...readOptions(call), onProgress }, 1024)) {
    return rows === null ? null : 4 * rows * X.features;
  }
  return null;
}
