import { check, LINE, type Piece, readFully, readSlices, SLICE } from "./feed.js";
import type { Machine } from "./machine.js";

/** Shorter literals are better unpacked with all the others. */
const SMALL = 4096;

/** The length of it all, and a tag with the length of a literal. */
const HEAD = 10;

/** Room that is needed for one literal. */
export const ROOM = SLICE + HEAD + LINE;

/**
 * The content of a Snappy block that could not be made smaller: it is kept as literals, which are taken as they are, a
 * slice at a time. Where there is anything else, the rest is taken from the whole, as `load` gives it.
 */
export function* readLiterals(
  machine: Machine,
  file: number,
  room: number,
  block: { readonly from: number; readonly to: number; readonly size: number },
  load: () => Piece,
): Generator<Piece, undefined> {
  const { from, to, size } = block;
  let done = 0;
  for (let position = from; position < to; ) {
    const start = room + (position % LINE);
    const end = start + Math.min(SLICE + HEAD, to - position);
    const { bytes } = machine;
    readFully(file, bytes.subarray(start, end), position);
    let at = start;
    // The length of it all comes first.
    if (position === from) while (bytes[at++] > 127);
    const tag = bytes[at];
    const extra = Math.max(0, (tag >> 2) - 59);
    let literal = (tag >> 2) + 1;
    if (extra > 0) literal = 1;
    for (let i = 0; i < extra; i++) literal += bytes[at + 1 + i] * 2 ** (8 * i);
    if ((tag & 3) !== 0 || (literal < SMALL && done + literal < size)) {
      const whole = load();
      yield { at: whole.at + done, end: whole.end };
      return;
    }
    at += 1 + extra;
    position += at - start + literal;
    done += literal;
    check(position === to ? done === size : position < to && done < size, "a page is damaged");
    const here = Math.min(literal, end - at);
    yield { at, end: at + here };
    if (here < literal) yield* readSlices(machine, file, room, position - literal + here, position);
  }
}
