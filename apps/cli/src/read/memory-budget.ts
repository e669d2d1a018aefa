import { stat } from "node:fs/promises";
import { MemoryError } from "bonmf";
import { allowBytes } from "bonmf/io";
import { UserError } from "../errors.js";
import type { ReadOptions } from "./data.js";
import type { FoundFile, Source } from "./files/sources.js";

/** The share of the free memory that samples may take. */
export const MOST_SAMPLES = 0.7;

/** Memory this process can still allocate; in a container, within its limit. */
export function freeMemory(): number {
  return process.availableMemory();
}

/** Bytes that reading files may take: what the user allows, else what files of their size take and memory has room for. */
export async function findBudget(files: readonly FoundFile[], { maxBytes, sql }: ReadOptions): Promise<number> {
  if (maxBytes !== undefined) return maxBytes;
  const most = freeMemory() * MOST_SAMPLES;
  // A query may make any number of rows.
  if (sql !== undefined) return most;
  let total = 0;
  for (const { path, size } of files) {
    if (allowBytes(total) >= most) break;
    total += size ?? (await stat(path).catch(() => null))?.size ?? 0;
  }
  return Math.min(most, allowBytes(total));
}

/** Files claim more than their budget. */
export class OverBudget extends UserError {
  readonly code = "memory";

  constructor(
    readonly error: MemoryError,
    /** Whether reading the files in parts takes less. */
    readonly divisible: boolean,
  ) {
    const enough = Math.ceil((1.5 * error.needed) / 2 ** 30);
    super(error.claim, `if that is right, allow it with --memory ${enough}GB`, { cause: error });
  }
}

/** A reader's refusal in the words of the command. */
export function explainMemory(error: unknown, { kind, table }: Pick<Source, "kind" | "table">): unknown {
  return error instanceof MemoryError ? new OverBudget(error, table !== undefined || kind === "arrow") : error;
}
