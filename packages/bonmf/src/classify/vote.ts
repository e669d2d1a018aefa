import { argMax } from "../kernel/rules.js";
import type { Matrix } from "../matrix/matrix.js";
import { type Bearing, takeBearings } from "./bearing.js";
import { type Decide, decide, type Poll, type Training } from "./decision.js";
import { type Neighbor, Neighbors } from "./neighbors.js";

/** The commonest class of the home cluster; among equally common ones the first. */
export function byMajority({ model, y, classes, homes }: Training): Decide {
  const counts = Array.from({ length: model.k }, () => new Float64Array(classes));
  homes.forEach((home, i) => {
    counts[home][y[i]]++;
  });
  const sizes = counts.map((count) => count.reduce((sum, c) => sum + c, 0));
  const polls = counts.map((count, j) => ({ shares: count.map((c) => c / sizes[j]), winner: argMax(count) }));
  return (Q) =>
    Array.from(
      takeBearings(Q, model, (j) => sizes[j] > 0),
      (bearing) => decide(bearing, polls[bearing.home], null),
    );
}

/** The commonest class among the `count` closest training samples. */
export function byVote(training: Training, count: number, probes: number | "exact"): Decide {
  const { y, classes } = training;
  const search = buildSearch(training, count, probes);
  return (Q) =>
    Array.from(search(Q), ({ bearing, found }) => {
      const poll = countVotes(found, y, classes);
      return decide(bearing, poll, found.find(({ index }) => y[index] === poll.winner) ?? null);
    });
}

/** For every row of prepared samples, the closest training samples by angle, closest first. */
export type Search = (Q: Matrix) => Iterable<{ bearing: Bearing; found: Neighbor[] }>;

/** Searches the home cluster and the next ones by angle, `probes` in all, or exactly. */
export function buildSearch({ model, Z, homes }: Training, count: number, probes: number | "exact"): Search {
  const neighbors = new Neighbors(Z, homes, model.W.data as Float64Array, model.k);
  const isOpen = (j: number) => !neighbors.isEmpty(j);
  const open = Array.from({ length: model.k }, (_, j) => j).filter(isOpen);
  const find = ({ x, home, cosines }: Bearing) => {
    if (probes === "exact") return neighbors.searchExact(x, cosines, count);
    if (probes === 1) return neighbors.search(x, [home], count);
    const others = open.filter((j) => j !== home).sort((a, b) => cosines[b] - cosines[a] || a - b);
    return neighbors.search(x, [home, ...others.slice(0, probes - 1)], count);
  };
  return function* (Q) {
    for (const bearing of takeBearings(Q, model, isOpen)) yield { bearing, found: find(bearing) };
  };
}

/** One vote each; among equally common classes the one with the closest neighbour wins. */
export function countVotes(found: readonly Neighbor[], y: Uint32Array, classes: number): Poll {
  const votes = new Float64Array(classes);
  for (const { index } of found) votes[y[index]]++;
  let winner = y[found[0].index];
  for (const { index } of found) if (votes[y[index]] > votes[winner]) winner = y[index];
  return { shares: votes.map((count) => count / found.length), winner };
}
