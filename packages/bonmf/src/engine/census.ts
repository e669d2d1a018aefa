import { rowsOf } from "../kernel/rows.js";
import type { Sums } from "../kernel/sums.js";
import { addFacts, openFacts } from "./facts.js";
import type { Shelf } from "./shelf.js";

/**
 * Looks at every sample once: fills the norms and adds up what a survey wants, block by block. Values were checked by
 * whoever stored them.
 */
export async function takeCensus(shelf: Shelf, block: number): Promise<Sums[]> {
  const { region, samples, features, precision, sparse, norms: at } = shelf.placed;
  const quick = precision === "f32" && region.kernel.surveyDense32 !== undefined;
  const totalsAt = region.reserve(8 * Math.min(block, samples));
  const mostAt = region.reserve(4 * features + 16);
  const out: Sums[] = [];
  let longest = 0;
  for (let from = 0; from < samples; from += block) {
    const to = Math.min(from + block, samples);
    const sums = openFacts(features);
    region.f32(mostAt, features).fill(0);
    for (let start = from, end = from; start < to; start = end) {
      end = shelf.reach(start, to);
      await shelf.bring(start, end);
      const X = shelf.view(start, end);
      if (X.kind === "sparse")
        for (let i = 0; i < X.samples; i++) longest = Math.max(longest, X.offsets[i + 1] - X.offsets[i]);
      if (quick) {
        const { X, indices, values } = shelf.placed;
        const into = [start, end, at, totalsAt - 8 * from, mostAt];
        if (sparse) region.kernel.surveySparse32(X, indices, values, ...into);
        else region.kernel.surveyDense32(X, features, ...into);
        continue;
      }
      const rows = rowsOf(X);
      const norms = region.f64(at, samples);
      const totals = region.f64(totalsAt, to - from);
      for (let i = start; i < end; i++) {
        norms[i] = rows.normSq(i - start);
        totals[i - from] = rows.sum(i - start);
        rows.raise(i - start, sums.most);
      }
    }
    if (quick) sums.most.set(region.f32(mostAt, features));
    addFacts(shelf.placed, sums, from, to, region.f64(totalsAt, to - from));
    out.push(sums);
  }
  if (sparse) for (const placed of [shelf.placed, shelf.near]) Object.assign(placed, { longest });
  return out;
}
