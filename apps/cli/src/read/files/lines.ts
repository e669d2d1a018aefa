import { requireMemory } from "bonmf/io";
import type { ReadOptions } from "../data.js";
import { type File, readChunks } from "./bytes.js";

/** Some whole lines of a file. */
export interface Block {
  readonly bytes: Uint8Array;
  /** The number of the first line, from 1. */
  readonly line: number;
  /** Where its lines end, but for one that the end of the file ends. */
  readonly ends: readonly number[];
}

const LF = 10;

/** A file in blocks of at most `rows` lines. */
export async function* readBlocks(file: File, options: ReadOptions, rows: number): AsyncGenerator<Block> {
  const { budget = Number.POSITIVE_INFINITY } = options;
  let held: Uint8Array[] = [];
  let size = 0;
  let line = 1;
  let ends: number[] = [];
  for await (const chunk of readChunks(file, options)) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, end + 1)) {
      ends.push(size + end - start);
      if (ends.length < rows) continue;
      held.push(chunk.subarray(start, end + 1));
      yield { bytes: Buffer.concat(held), line, ends };
      held = [];
      size = 0;
      line += ends.length;
      ends = [];
      start = end + 1;
    }
    if (start === chunk.length) continue;
    held.push(chunk.subarray(start));
    size += chunk.length - start;
    // The pieces, the whole and what it is parsed into.
    requireMemory(
      4 * size,
      budget,
      `${file.name} has ${size} bytes in ${ends.length + 1} line${ends.length === 0 ? "" : "s"}`,
    );
  }
  if (held.length > 0) yield { bytes: Buffer.concat(held), line, ends };
}
