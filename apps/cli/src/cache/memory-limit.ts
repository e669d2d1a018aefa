import type { MemoryError } from "bonmf";
import type { Call } from "../command.js";
import type { ReadOptions } from "../read/data.js";
import { type FoundFile, stampFiles } from "../read/files/sources.js";
import { freeMemory, MOST_SAMPLES } from "../read/memory-budget.js";
import { readOptions } from "../read/options.js";
import { bytes } from "../show/text.js";
import { parseMemory } from "./memory-size.js";

/** The share of the free memory that a fit from disk takes. */
const FROM_DISK = 0.5;
/** Smaller files are not probed: their samples always fit. */
const SMALL = 2 ** 28;

/** Returns the bytes a fit from disk may use; null where the samples fit into memory. */
export async function chooseMemory(
  call: Call,
  files: readonly FoundFile[],
  free: number = freeMemory(),
): Promise<number | null> {
  const given = call.options.string("memory");
  if (given !== undefined) return parseMemory(given);
  const size = await estimateBytes(call, files, free);
  if (size <= free * MOST_SAMPLES) return null;
  return useDisk(call, `about ${bytes(size)} but only ${bytes(free)} of memory is free`, Math.floor(free * FROM_DISK));
}

/** For samples whose files claim more than their budget: bytes a fit from disk may use. */
export function limitMemory(call: Call, { needed, allowed }: MemoryError): number {
  const memory = Math.floor(Math.min(allowed, freeMemory() * FROM_DISK));
  return useDisk(call, `${bytes(needed)} or more, a great deal for files of their size`, memory);
}

function useDisk(call: Call, need: string, memory: number): number {
  call.terminal.note(
    `note: the samples need ${need}: they stay on disk, and the fit uses ${bytes(memory)} (change it with --memory)`,
  );
  return memory;
}

/** Roughly the bytes that the samples take in memory. */
async function estimateBytes(call: Call, files: readonly FoundFile[], free: number): Promise<number> {
  const stamps = await stampFiles(files, call.options.string("sql")).catch(() => null);
  const total = stamps?.reduce((sum, [path, size]) => sum + size * growthOf(path), 0) ?? 0;
  if (total < Math.min(SMALL, free * MOST_SAMPLES)) return total;
  return (await probe(call, files)) ?? total;
}

/** How much larger than its file a matrix can be. */
function growthOf(path: string): number {
  return /\.(gz|zst|parquet|pq|zip|xlsx)$/i.test(path) ? 8 : 1;
}

/** Reads the first rows: how many features there are, and how many rows the reader expects. */
async function probe(call: Call, files: readonly FoundFile[]): Promise<number | null> {
  const { readParts } = await import("../read/read.js");
  let rows: number | null = null;
  const onProgress: ReadOptions["onProgress"] = (_, total, unit) => {
    if (unit === "rows") rows = total;
  };
  const options: ReadOptions = { ...readOptions(call), missing: "drop", glance: true, onProgress };
  try {
    for await (const { X } of readParts(files, options, 1024)) return rows === null ? null : 4 * rows * X.features;
  } catch {
    // Reading will say what is wrong.
    call.signal.throwIfAborted();
  }
  return null;
}
