import { readSync } from "node:fs";
import type { Machine, Room } from "./machine.js";

/** Bytes in memory. */
export interface Piece {
  readonly at: number;
  readonly end: number;
}

/**
 * Values that follow each other, in pieces, each good until the next; those of a coded page are told by runs, as places
 * of a table.
 */
export interface Page {
  readonly values: number;
  readonly pieces: IterableIterator<Piece, undefined>;
  readonly coded: boolean;
}

/** Where a column gets its values from, a page at a time. */
export interface Feed {
  readonly runs: number;
  readonly table: Room;
  /** The next page that has a value beyond the `spare` next ones, and how many it went past. */
  open(spare: number): { page: Page; past: number };
}

/** Bytes of a file at a time: few enough to stay in the cache, for many columns. */
export const SLICE = 65_536;

/** The system copies faster what lies alike in the file and in memory. */
export const LINE = 64;

/** A part of a file, slice after slice, in `room` for one and a line. */
export function* readSlices(
  machine: Machine,
  file: number,
  room: number,
  from: number,
  to: number,
): Generator<Piece, undefined> {
  for (let position = from; position < to; position += SLICE) {
    const at = room + (position % LINE);
    const end = at + Math.min(SLICE, to - position);
    readFully(file, machine.bytes.subarray(at, end), position);
    yield { at, end };
  }
}

export function readFully(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, bytes.length - done, position + done);
    check(count > 0, "the file ends early");
    done += count;
  }
}

export function check(fine: boolean | number, otherwise: string): void {
  if (!fine) throw new Error(otherwise);
}
