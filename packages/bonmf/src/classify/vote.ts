import { readRow } from "../kernel/rows.js";
import { argMax } from "../kernel/rules.js";
import type { Labels } from "../kernel/step.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { type Bearings, makeCompass } from "./bearings.js";
import { type Decision, decideAll, type Poll, type Scheme, type Training } from "./decision.js";
import { type Neighbor, NeighborIndex } from "./neighbor-index.js";

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
  const { findHomes, takeBearings } = makeCompass(model, (j) => polls[j].size > 0);
  return {
    decide(Q) {
      const decisions: Decision[] = [];
      for (const bearings of takeBearings(Q)) {
        decideAll(bearings, (i) => ({ poll: polls[bearings.homes[i]], neighbor: null }), decisions);
      }
      return decisions;
    },
    classify(Q) {
      const winners = new Uint32Array(findHomes(Q));
      for (let i = 0; i < winners.length; i++) winners[i] = polls[winners[i]].winner;
      return winners;
    },
    state: () => ({ counts }),
  };
}

/** The commonest class among the `count` closest training samples. */
export async function byVote(training: Training, count: number, probes: number | "exact"): Promise<Scheme> {
  const { y, classes } = training;
  const { search, findHomes, neighbors } = await buildSearch(training, count, probes);
  const classify = (Q: Matrix) => {
    const homes = findHomes(Q);
    const nearest = neighbors.findNearest(Q, homes);
    if (nearest === null) return null;
    const x = new Float64Array(Q.features);
    const winners = new Uint32Array(Q.samples);
    for (let i = 0; i < winners.length; i++) {
      if (nearest[i] >= 0) winners[i] = y[nearest[i]];
      else {
        readRow(Q, i, x);
        winners[i] = countVotes(neighbors.search(x, [homes[i]], 1), y, classes).winner;
      }
    }
    return winners;
  };
  return {
    ...(count === 1 && probes === 1 ? { classify } : {}),
    decide(Q) {
      const decisions: Decision[] = [];
      /** The poll of each class where one vote decides. */
      const alone: Poll[] = [];
      const answer = (found: readonly Neighbor[]) => {
        if (found.length === 1) {
          const winner = y[found[0].index];
          alone[winner] ??= countVotes(found, y, classes);
          return { poll: alone[winner], neighbor: found[0] };
        }
        const poll = countVotes(found, y, classes);
        return { poll, neighbor: found.find(({ index }) => y[index] === poll.winner) ?? null };
      };
      for (const { bearings, lists } of search(Q)) decideAll(bearings, (i) => answer(lists[i]), decisions);
      return decisions;
    },
    state: () => ({ Z: neighbors.samples(), y }),
  };
}

/** For samples some at a time, the closest training samples of each by angle, closest first. */
export type Search = (Q: Matrix) => Iterable<{ bearings: Bearings; lists: Neighbor[][] }>;

/** Searches the home cluster and the next ones by angle, `probes` in all, or exactly. */
export async function buildSearch(
  { model, Z, homes }: Training,
  count: number,
  probes: number | "exact",
): Promise<{ search: Search; findHomes: (Q: Matrix) => Labels; neighbors: NeighborIndex }> {
  const { k } = model;
  const neighbors = await NeighborIndex.open(Z, homes, model.W.data as Float64Array, k);
  const isOpen = (j: number) => !neighbors.isEmpty(j);
  const { findHomes, takeBearings } = makeCompass(model, isOpen);
  const open = Array.from({ length: k }, (_, j) => j).filter(isOpen);
  const homeward = Array.from({ length: k }, (_, j) => neighbors.routeThrough([j]));
  const routeOf = (home: number, cosines: Float64Array) => {
    if (probes === "exact") return neighbors.routeExactly(cosines);
    const others = open.filter((j) => j !== home).sort((a, b) => cosines[b] - cosines[a] || a - b);
    return neighbors.routeThrough([home, ...others.slice(0, probes - 1)]);
  };
  const search: Search = function* (all) {
    for (const bearings of takeBearings(all)) {
      const { Q, homes, cosines } = bearings;
      const routes = Array.from(homes, (home, i) =>
        probes === 1 ? homeward[home] : routeOf(home, cosines.subarray(i * k, (i + 1) * k)),
      );
      yield { bearings, lists: neighbors.searchMany(Q, 0, routes, count) };
    }
  };
  return { search, findHomes, neighbors };
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
