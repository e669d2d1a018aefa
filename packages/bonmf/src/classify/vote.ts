import { readRow } from "../kernel/plain/rows.js";
import { argMax } from "../kernel/plain/rules.js";
import type { Labels } from "../kernel/step.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { type CosineBlock, PrototypeIndex } from "../model/prototype-index.js";
import { type Ballot, countVotes, type VoteRule } from "./ballot.js";
import { type Decision, decideBlock, type Scheme, type Training, type Votes } from "./decision.js";
import { NeighborIndex } from "./neighbor-index.js";
import type { ClusterBounds, Neighbor } from "./query.js";

/** The most common class of the home cluster. */
export function byMajority({ model, y, classes, homes }: Training, worth: Float64Array | null = null): Scheme {
  const counts = new Float64Array(model.k * classes);
  homes.forEach((home, i) => {
    counts[home * classes + y[i]]++;
  });
  return byCounts(model, counts, classes, worth);
}

/** The same from `counts` (k × classes); ties go to the first class. @param worth of a sample of each class; null: 1 */
export function byCounts(model: Model, counts: Float64Array, classes: number, worth: Float64Array | null): Scheme {
  const clusters = Array.from({ length: model.k }, (_, j) => {
    const own = counts.subarray(j * classes, (j + 1) * classes);
    const count = worth === null ? own : own.map((samples, c) => samples * worth[c]);
    const size = count.reduce((sum, c) => sum + c, 0);
    return { size, shares: count.map((c) => c / size), winner: argMax(count) };
  });
  const prototypes = new PrototypeIndex(model, (j) => clusters[j].size > 0);
  return {
    decide(Q) {
      const decisions: Decision[] = [];
      for (const block of prototypes.cosineBlocks(Q)) {
        const homes = prototypes.findHomes(block.Q);
        decideBlock(block, homes, (i) => ({ votes: clusters[homes[i]], neighbor: null }), decisions);
      }
      return decisions;
    },
    classify(Q) {
      const winners = new Uint32Array(prototypes.findHomes(Q));
      for (let i = 0; i < winners.length; i++) winners[i] = clusters[winners[i]].winner;
      return winners;
    },
    state: () => ({ counts }),
  };
}

/** The class with the most votes among the `count` closest training samples by angle. */
export async function byVote(
  training: Training,
  count: number,
  probes: number | "exact",
  votes: VoteRule = "equal",
  worth: Float64Array | null = null,
): Promise<Scheme> {
  const { y, classes } = training;
  const ballot: Ballot = { y, classes, metric: "angle", votes, worth };
  const search = await NeighborSearch.open(training, count, probes);
  return {
    ...(count === 1 && probes === 1 ? { classify: (Q: Matrix) => classifyByNearest(ballot, search, Q) } : {}),
    decide(Q) {
      const decisions: Decision[] = [];
      const vote = voteAmong(ballot);
      for (const { block, homes, lists } of search.blocks(Q))
        decideBlock(block, homes, (i) => vote(lists[i]), decisions);
      return decisions;
    },
    state: () => ({ Z: search.neighbors.samples(), y }),
  };
}

/** Counts the votes of neighbours. Where there is one neighbour, its class's votes are made once. */
function voteAmong(ballot: Ballot) {
  const { y } = ballot;
  const unanimous: Votes[] = [];
  return (found: readonly Neighbor[]) => {
    if (found.length === 1) {
      const winner = y[found[0].index];
      unanimous[winner] ??= countVotes(found, ballot);
      return { votes: unanimous[winner], neighbor: found[0] };
    }
    const votes = countVotes(found, ballot);
    return { votes, neighbor: found.find(({ index }) => y[index] === votes.winner) ?? null };
  };
}

/** The classes of the closest training samples in the home clusters; null where the index has no fast path. */
function classifyByNearest(ballot: Ballot, search: NeighborSearch, Q: Matrix): Uint32Array | null {
  const { neighbors } = search;
  const homes = search.findHomes(Q);
  const nearest = neighbors.findNearest(Q, homes);
  if (nearest === null) return null;
  const x = new Float64Array(Q.features);
  const winners = new Uint32Array(Q.samples);
  for (let i = 0; i < winners.length; i++) {
    if (nearest[i] >= 0) winners[i] = ballot.y[nearest[i]];
    else {
      readRow(Q, i, x);
      winners[i] = countVotes(neighbors.search(x, [homes[i]], 1), ballot).winner;
    }
  }
  return winners;
}

/** Some queries and, for each, the closest training samples by angle, closest first. */
interface FoundBlock {
  readonly block: CosineBlock;
  readonly homes: Labels;
  readonly lists: Neighbor[][];
}

/** Searches the home cluster and the next ones by angle, `probes` in all, or every cluster that may matter. */
export class NeighborSearch {
  readonly neighbors: NeighborIndex;
  readonly #prototypes: PrototypeIndex;
  readonly #k: number;
  readonly #count: number;
  readonly #probes: number | "exact";
  /** The clusters that have members. */
  readonly #open: number[];
  /** The bounds of queries that search their home alone, by home. */
  readonly #homeBounds: ClusterBounds[] = [];

  private constructor(model: Model, neighbors: NeighborIndex, count: number, probes: number | "exact") {
    const isOpen = (j: number) => !neighbors.isEmpty(j);
    this.neighbors = neighbors;
    this.#prototypes = new PrototypeIndex(model, isOpen);
    this.#k = model.k;
    this.#count = count;
    this.#probes = probes;
    this.#open = Array.from({ length: model.k }, (_, j) => j).filter(isOpen);
  }

  static async open({ model, Z, homes }: Training, count: number, probes: number | "exact"): Promise<NeighborSearch> {
    const neighbors = await NeighborIndex.open(Z, homes, model.W.data as Float64Array, model.k);
    return new NeighborSearch(model, neighbors, count, probes);
  }

  findHomes(Q: Matrix): Labels {
    return this.#prototypes.findHomes(Q);
  }

  /** The closest training samples of some queries after others. */
  *lists(all: Matrix): Generator<Neighbor[][]> {
    for (const { lists } of this.blocks(all)) yield lists;
  }

  *blocks(all: Matrix): Generator<FoundBlock> {
    const k = this.#k;
    for (const block of this.#prototypes.cosineBlocks(all)) {
      const homes = this.findHomes(block.Q);
      const bounds = Array.from(homes, (home, i) => this.#bound(home, block.cosines.subarray(i * k, (i + 1) * k)));
      yield { block, homes, lists: this.neighbors.searchMany(block.Q, bounds, this.#count) };
    }
  }

  #bound(home: number, cosines: Float64Array): ClusterBounds {
    if (this.#probes === "exact") return this.neighbors.boundAll(cosines);
    if (this.#probes === 1) {
      this.#homeBounds[home] ??= this.neighbors.boundOnly([home]);
      return this.#homeBounds[home];
    }
    const others = this.#open.filter((j) => j !== home).sort((a, b) => cosines[b] - cosines[a] || a - b);
    return this.neighbors.boundOnly([home, ...others.slice(0, this.#probes - 1)]);
  }
}
