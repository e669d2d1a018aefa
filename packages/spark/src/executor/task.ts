import type { Readable, Writable } from "node:stream";
import { blockSize, mergeStats, type Stats } from "bonmf/engine";
import type { Chunk, Request, Rows, Totals } from "../request.js";
import { decode, encode } from "../wire.js";
import { cut, fieldsOf, linesOf } from "./lines.js";
import { isExact, Partition } from "./partition.js";

/** What a daemon keeps between tasks. */
export interface Memory {
  partition: Partition | null;
}

/**
 * Does what a request asks of a partition. The task's lines are (partition, request, chunk); the request stands in the first, and chunks
 * come only where the partition is not remembered.
 *
 * @returns whether the fit is over
 */
export async function serveTask(lines: AsyncIterable<Buffer>, output: Writable, memory: Memory): Promise<boolean> {
  let number = 0;
  try {
    let request: Request | null = null;
    const chunks: Chunk[] = [];
    for await (const line of lines) {
      const [partition, text, chunk] = fieldsOf(line);
      number = Number(partition);
      if (text) request = decode<Request>(text);
      if (chunk) chunks.push(decode<Chunk>(chunk));
    }
    if (request === null) throw new Error("a task came without a request");
    if (chunks.length > 0) {
      checkCount(request, number, countSamples(chunks));
      await memory.partition?.close();
      memory.partition = await Partition.open(request.shape, request.shape.cuts[number], chunks);
    }
    if (request.close) output.write(`closed\t${number}\t0\t\n`);
    else if (memory.partition === null) output.write(`missing\t${number}\t0\t\n`);
    else if (memory.partition.isBehind(request)) output.write(`behind\t${number}\t0\t\n`);
    else for (const row of cut(...(await answer(memory.partition, number, request)))) output.write(row);
    output.end();
    return request.close === true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.end(`error\t${number}\t0\t${reason.replace(/\s+/g, " ")}\n`);
    return false;
  }
}

async function answer(
  partition: Partition,
  number: number,
  request: Request,
): Promise<[kind: string, partition: number, text: string]> {
  if (request.rows) return ["rows", number, encode(await partition.rows(request.rows))];
  const { stats, rows } = await partition.pass(request);
  return ["totals", number, encode(totalsOf(number, request, stats, rows))];
}

/** The same for a partition too large to remember: its chunks are swept a few at a time, as they come. */
export async function streamTask(input: Readable, output: Writable, most: number): Promise<void> {
  let request: Request | null = null;
  let number = 0;
  let first = 0;
  let until = 0;
  let block = 1;
  let stats: Stats | null = null;
  const rows: Rows[] = [];
  let chunks: Chunk[] = [];
  let held = 0;
  const flush = async () => {
    if (request === null || chunks.length === 0) return;
    const partition = await Partition.open(request.shape, first, chunks);
    if (request.rows) rows.push(await partition.rows(request.rows));
    else {
      const totals = await partition.pass(request);
      stats = stats === null ? totals.stats : mergeStats(stats, totals.stats);
      rows.push(totals.rows);
    }
    await partition.close();
    first = until;
    chunks = [];
    held = 0;
  };
  for await (const line of linesOf(input)) {
    const [partition, text, chunk] = fieldsOf(line);
    if (text) {
      request = decode<Request>(text);
      number = Number(partition);
      first = until = request.shape.cuts[number];
      block = blockSize(request.shape.samples);
    }
    chunks.push(decode<Chunk>(chunk!));
    held += chunks.at(-1)!.values.byteLength;
    until += chunks.at(-1)!.samples;
    // Totals are those of whole blocks.
    if (held >= most && until % block === 0) await flush();
  }
  await flush();
  if (request === null) return;
  checkCount(request, number, until - request.shape.cuts[number]);
  const answer = stats === null ? joinRows(rows) : totalsOf(number, request, stats, joinRows(rows));
  for (const row of cut(request.rows ? "rows" : "totals", number, encode(answer))) output.write(row);
}

function totalsOf(partition: number, request: Request, stats: Stats, rows: Rows): Totals {
  return { partitions: [partition], exact: isExact(request.step!), stats, rows };
}

export function joinRows(all: readonly Rows[]): Rows {
  const [{ data: first }] = all;
  const length = all.reduce((sum, { data }) => sum + data.length, 0);
  const data = first instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
  let at = 0;
  for (const rows of all) {
    data.set(rows.data, at);
    at += rows.data.length;
  }
  return { ids: all.flatMap(({ ids }) => ids), data };
}

function countSamples(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { samples }) => sum + samples, 0);
}

/** A task that is killed looks like one whose rows have ended. */
function checkCount({ shape: { cuts } }: Request, partition: number, samples: number): void {
  const wanted = cuts[partition + 1] - cuts[partition];
  if (samples !== wanted) throw new Error(`partition ${partition} has ${wanted} samples, but ${samples} came`);
}
