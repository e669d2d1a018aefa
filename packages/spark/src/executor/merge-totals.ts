import type { Readable, Writable } from "node:stream";
import { mergeSums } from "bonmf/engine";
import type { Totals } from "../request.js";
import { decode, encode } from "../wire.js";
import { cut, fieldsOf, linesOf } from "./lines.js";
import { joinRows } from "./task.js";

/**
 * Merges the totals of several partitions on the cluster, so that the client receives fewer. Reads the tasks' answers,
 * partition after partition, piece after piece; drops partitions that were cut off; passes on totals that are not exact
 * sums, whose order matters.
 */
export async function mergeTotals(input: Readable, output: Writable): Promise<void> {
  let partition: string | null = null;
  let pieces: string[] = [];
  let merged: Totals | null = null;
  for await (const line of linesOf(input)) {
    const [kind, own, , piece] = fieldsOf(line);
    if (own !== partition) pieces = [];
    partition = own;
    if (kind === "totals") pieces.push(piece!);
    else if (kind !== "done" || pieces.length === 0) output.write(`${line.toString("latin1")}\n`);
    else {
      const text = pieces.join("");
      const totals = decode<Totals>(text);
      if (totals.exact) merged = merged === null ? totals : add(merged, totals);
      else for (const row of cut("totals", Number(own), text)) output.write(row);
    }
  }
  if (merged) for (const row of cut("totals", merged.partitions[0], encode(merged))) output.write(row);
}

function add(a: Totals, b: Totals): Totals {
  const { rank } = a.stats;
  const [first, ...others] = [...a.stats.parts, ...b.stats.parts];
  const sums = others.reduce((total, part) => mergeSums(total, part.sums, rank), first.sums);
  const parts = [{ start: Math.min(first.start, b.stats.parts[0].start), level: 0, sums }];
  return {
    partitions: [...a.partitions, ...b.partitions],
    exact: true,
    stats: { rank, parts },
    rows: joinRows([a.rows, b.rows]),
  };
}
