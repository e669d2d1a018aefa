import { fullestRow } from "../matrix/sparse.js";
import { Facts } from "./facts.js";
import type { Shelf } from "./shelf.js";

/** Looks at every stored sample once, block by block. Values were checked by whoever stored them. */
export async function takeCensus(shelf: Shelf, block: number): Promise<Facts> {
  const { samples, sparse } = shelf.placed;
  const facts = new Facts(shelf.placed, block);
  let longest = 0;
  for (let from = 0; from < samples; from += block) {
    const to = Math.min(from + block, samples);
    for (let start = from, end = from; start < to; start = end) {
      end = shelf.reach(start, to);
      await shelf.bring(start, end);
      const X = shelf.view(start, end);
      if (X.kind === "sparse") longest = Math.max(longest, fullestRow(X));
      facts.look(start, end, () => X);
    }
    facts.close();
  }
  if (sparse) for (const placed of [shelf.placed, shelf.near]) Object.assign(placed, { longest });
  return facts;
}
