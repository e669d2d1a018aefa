import { rowsOf } from "../kernel/rows.js";
import { Facts } from "./facts.js";
import type { Shelf } from "./shelf.js";

/**
 * Looks at every sample once: fills the norms and adds up what a survey wants, block by block. Values were checked by
 * whoever stored them.
 */
export async function takeCensus(shelf: Shelf, block: number): Promise<Facts> {
  const { region, samples, features, precision, sparse, norms: at } = shelf.placed;
  const quick = precision === "f32" && region.kernel.surveyDense32 !== undefined;
  const totalsAt = region.reserve(8 * Math.min(block, samples));
  const mostAt = region.reserve(4 * features + 16);
  const facts = new Facts(shelf.placed, block);
  let longest = 0;
  for (let from = 0; from < samples; from += block) {
    const to = Math.min(from + block, samples);
    for (let start = from, end = from; start < to; start = end) {
      end = shelf.reach(start, to);
      await shelf.bring(start, end);
      const X = shelf.view(start, end);
      if (X.kind === "sparse")
        for (let i = 0; i < X.samples; i++) longest = Math.max(longest, X.offsets[i + 1] - X.offsets[i]);
      if (quick) {
        const { X, indices, values } = shelf.placed;
        const own = totalsAt - 8 * from;
        if (sparse) region.kernel.surveySparse32(X, indices, values, start, end, at, own, mostAt);
        else region.kernel.surveyDense32(X, features, start, end, at, own, mostAt);
        continue;
      }
      const rows = rowsOf(X);
      const norms = region.f64(at, samples);
      const totals = region.f64(totalsAt, to - from);
      for (let i = start; i < end; i++) {
        norms[i] = rows.normSq(i - start);
        totals[i - from] = rows.sum(i - start);
        rows.raise(i - start, facts.most);
      }
    }
    facts.add(from, to, region.f64(totalsAt, to - from));
  }
  if (quick) facts.most.set(region.f32(mostAt, features));
  if (sparse) for (const placed of [shelf.placed, shelf.near]) Object.assign(placed, { longest });
  return facts;
}
