import { argMax } from "../kernel/rules.js";
import type { Matrix } from "../matrix/matrix.js";
import { type Bearing, takeBearings } from "../model/bearing.js";
import type { Model } from "../model/model.js";
import { decide, type Poll, type Scheme, type Training } from "./decision.js";
import { type Neighbor, Neighbors } from "./neighbors.js";

/** The commonest class of the home cluster. */
export function byMajority({ model, y, classes, homes }: Training): Scheme {
  const counts = new Float64Array(model.k * classes);
  homes.forEach((home, i) => {
    counts[home * classes + y[i]]++;
  });
  return byCounts(model, counts, classes);
}

/** The same from `counts` (k × classes); among equally common classes the first. */
export function byCounts(model: Model, counts: Float64Array, classes: number): Scheme {
  const polls = Array.from({ length: model.k }, (_, j) => {
    const count = counts.subarray(j * classes, (j + 1) * classes);
    const size = count.reduce((sum, c) => sum + c, 0);
    return { size, shares: count.map((c) => c / size), winner: argMax(count) };
  });
  const isOpen = (j: number) => polls[j].size > 0;
  return {
    decide: (Q) => Array.from(takeBearings(Q, model, isOpen), (bearing) => decide(bearing, polls[bearing.home], null)),
    recall: () => ({ counts }),
  };
}

/** The commonest class among the `count` closest training samples. */
export async function byVote(training: Training, count: number, probes: number | "exact"): Promise<Scheme> {
  const { y, classes } = training;
  const { search, neighbors } = await buildSearch(training, count, probes);
  return {
    decide: (Q) =>
      Array.from(search(Q), ({ bearing, found }) => {
        const poll = countVotes(found, y, classes);
        return decide(bearing, poll, found.find(({ index }) => y[index] === poll.winner) ?? null);
      }),
    recall: () => ({ Z: neighbors.samples(), y }),
  };
}

/** For every row of prepared samples, the closest training samples by angle, closest first. */
export type Search = (Q: Matrix) => Iterable<{ bearing: Omit<Bearing, "x">; found: Neighbor[] }>;

/** Queries that are looked for together: enough for many to take the same route. */
const TOGETHER = 1200;

/** Searches the home cluster and the next ones by angle, `probes` in all, or exactly. */
export async function buildSearch(
  { model, Z, homes }: Training,
  count: number,
  probes: number | "exact",
): Promise<{ search: Search; neighbors: Neighbors }> {
  const neighbors = new Neighbors(Z, homes, model.W.data as Float64Array, model.k);
  await neighbors.quicken();
  const isOpen = (j: number) => !neighbors.isEmpty(j);
  const open = Array.from({ length: model.k }, (_, j) => j).filter(isOpen);
  const homeward = Array.from({ length: model.k }, (_, j) => neighbors.routeThrough([j]));
  const routeOf = ({ home, cosines }: Bearing) => {
    if (probes === "exact") return neighbors.routeExactly(cosines);
    if (probes === 1) return homeward[home];
    const others = open.filter((j) => j !== home).sort((a, b) => cosines[b] - cosines[a] || a - b);
    return neighbors.routeThrough([home, ...others.slice(0, probes - 1)]);
  };
  const search: Search = function* (Q) {
    const bearings = takeBearings(Q, model, isOpen);
    for (let first = 0; first < Q.samples; first += TOGETHER) {
      const some = Array.from(
        { length: Math.min(TOGETHER, Q.samples - first) },
        () => bearings.next().value as Bearing,
      );
      const lists = neighbors.searchMany(Q, first, some.map(routeOf), count);
      for (const [i, bearing] of some.entries()) yield { bearing, found: lists[i] };
    }
  };
  return { search, neighbors };
}

/** One vote each; among equally common classes the one with the closest neighbour wins. */
export function countVotes(found: readonly Neighbor[], y: Uint32Array, classes: number): Poll {
  const votes = new Float64Array(classes);
  for (const { index } of found) votes[y[index]]++;
  let winner = y[found[0].index];
  for (const { index } of found) if (votes[y[index]] > votes[winner]) winner = y[index];
  for (let c = 0; c < classes; c++) votes[c] /= found.length;
  return { shares: votes, winner };
}
