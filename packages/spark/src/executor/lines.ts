import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

const NEWLINE = 10;

/** The lines of a byte stream; each is a view of the bytes read. */
export async function* linesOf(stream: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  // The socket is still written to after its end was read.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, end);
      yield held.length === 0 ? rest : Buffer.concat([...held, rest]);
      held = [];
      from = end + 1;
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  }
  if (held.length > 0) yield Buffer.concat(held);
}

/** How Spark writes null for a script. */
const NULL = "\\N";

/** The fields of a line, as Spark hands them to a script. */
export function fieldsOf(line: Buffer): (string | null)[] {
  return line
    .toString("latin1")
    .split("\t")
    .map((field) => (field === NULL ? null : field));
}

/** Longest piece in one row: a row of results must fit in one message. */
const PIECE = 2 ** 20;

/** A text for the client, cut into rows (kind, partition, piece number, piece) and closed by a `done` row. */
export function* cut(kind: string, partition: number, text: string): Generator<string> {
  let at = 0;
  for (; at * PIECE < text.length; at++)
    yield `${kind}\t${partition}\t${at}\t${text.slice(at * PIECE, (at + 1) * PIECE)}\n`;
  yield `done\t${partition}\t${at}\t\n`;
}

/** Writes, and waits while the reader is slower. */
export async function send(output: Writable, text: string): Promise<void> {
  if (!output.write(text, "latin1")) await once(output, "drain");
}
