import type { Readable, Writable } from "node:stream";
import { blockSize, mergeStats, type Stats } from "bonmf/engine";
import type { Request, Chunk, Rows, Totals } from "../request.js";
import { decode, encode } from "../wire.js";
import { isExact, Partition } from "./partition.js";
import { cut, fieldsOf, linesOf } from "./lines.js";

/** What a daemon remembers from task to task. */
export interface Memory {
  partition: Partition | null;
}

/**
 * Does what an order asks of a partition. The task's lines are (partition, order, part); the order stands in the first, and parts
 * come only where the partition is not remembered.
 *
 * @returns whether the fit is over
 */
export async function serveTask(lines: AsyncIterable<Buffer>, output: Writable, memory: Memory): Promise<boolean> {
  let number = 0;
  try {
    let request: Request | null = null;
    const parts: Chunk[] = [];
    for await (const line of lines) {
      const [partition, text, part] = fieldsOf(line);
      number = Number(partition);
      if (text) order = decode<Request>(text);
      if (part) parts.push(decode<Chunk>(part));
    }
    if (order === null) throw new Error("a task came without an order");
    if (parts.length > 0) {
      checkCount(order, number, countSamples(parts));
      await memory.partition?.close();
      memory.partition = await Partition.open(order.shape, order.shape.cuts[number], parts);
    }
    if (order.close) output.write(`closed\t${number}\t0\t\n`);
    else if (memory.partition === null) output.write(`missing\t${number}\t0\t\n`);
    else if (memory.partition.isBehind(order)) output.write(`behind\t${number}\t0\t\n`);
    else for (const row of cut(...(await answer(memory.partition, number, order)))) output.write(row);
    output.end();
    return order.close === true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.end(`error\t${number}\t0\t${reason.replace(/\s+/g, " ")}\n`);
    return false;
  }
}

async function answer(partition: Partition, number: number, request: Request): Promise<[kind: string, partition: number, text: string]> {
  if (order.rows) return ["rows", number, encode(await partition.rows(order.rows))];
  const { stats, rows } = await partition.pass(order);
  return ["totals", number, encode(totalsOf(number, order, stats, rows))];
}

/** The same for a partition too large to remember: its parts are swept a few at a time, as they come. */
export async function streamTask(input: Readable, output: Writable, most: number): Promise<void> {
  let request: Request | null = null;
  let number = 0;
  let first = 0;
  let until = 0;
  let block = 1;
  let stats: Stats | null = null;
  const rows: Rows[] = [];
  let parts: Chunk[] = [];
  let held = 0;
  const flush = async () => {
    if (order === null || parts.length === 0) return;
    const partition = await Partition.open(order.shape, first, parts);
    if (order.rows) rows.push(await partition.rows(order.rows));
    else {
      const totals = await partition.pass(order);
      stats = stats === null ? totals.stats : mergeStats(stats, totals.stats);
      rows.push(totals.rows);
    }
    await partition.close();
    first = until;
    parts = [];
    held = 0;
  };
  for await (const line of linesOf(input)) {
    const [partition, text, part] = fieldsOf(line);
    if (text) {
      order = decode<Request>(text);
      number = Number(partition);
      first = until = order.shape.cuts[number];
      block = blockSize(order.shape.samples);
    }
    parts.push(decode<Chunk>(part!));
    held += parts.at(-1)!.values.byteLength;
    until += parts.at(-1)!.samples;
    // Totals are those of whole blocks.
    if (held >= most && until % block === 0) await flush();
  }
  await flush();
  if (order === null) return;
  checkCount(order, number, until - order.shape.cuts[number]);
  const answer = stats === null ? joinRows(rows) : totalsOf(number, order, stats, joinRows(rows));
  for (const row of cut(order.rows ? "rows" : "totals", number, encode(answer))) output.write(row);
}

function totalsOf(partition: number, request: Request, stats: Stats, rows: Rows): Totals {
  return { partitions: [partition], exact: isExact(order.step!), stats, rows };
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

function countSamples(parts: readonly Chunk[]): number {
  return parts.reduce((sum, { samples }) => sum + samples, 0);
}

/** A task that is killed looks like one whose rows have ended. */
function checkCount({ shape: { cuts } }: Request, partition: number, samples: number): void {
  const wanted = cuts[partition + 1] - cuts[partition];
  if (samples !== wanted) throw new Error(`partition ${partition} has ${wanted} samples, but ${samples} came`);
}
