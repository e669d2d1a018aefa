import type { SparseScreen } from "../kernel/neighbors/sparse-screen.js";
import { angleOf, type Query } from "./query.js";

/** Searches for as many queries at a time as the sparse screen has lanes. Its scores only rule members out. */
export class QueryBatch {
  readonly #screen: SparseScreen;
  readonly #sizes: Uint32Array;
  readonly #decide: (query: Query, member: number) => void;
  readonly #queries: Query[] = [];
  /** For each lane the members that may be among the closest, and their scores. */
  readonly #members: number[][];
  readonly #scores: number[][];
  /** How many they are. */
  readonly #seen: Uint32Array;
  /** k, the least bound of any query. */
  readonly #least: Float64Array;

  /**
   * @param sizes IN k, how many members each cluster has
   * @param decide is called with every member that may be among the `count` closest to a query
   */
  constructor(screen: SparseScreen, sizes: Uint32Array, count: number, decide: (query: Query, member: number) => void) {
    screen.expect(count);
    this.#screen = screen;
    this.#sizes = sizes;
    this.#decide = decide;
    this.#members = Array.from({ length: screen.lanes }, () => []);
    this.#scores = Array.from({ length: screen.lanes }, () => []);
    this.#seen = new Uint32Array(screen.lanes);
    this.#least = new Float64Array(sizes.length);
  }

  get size(): number {
    return this.#queries.length;
  }

  /** Adds a query whose length `isInRange`; returns whether the batch is full. */
  add(query: Query): boolean {
    const lane = this.#queries.push(query) - 1;
    this.#screen.load(lane, query.x, query.length);
    return this.#queries.length === this.#screen.lanes;
  }

  /** Searches for all queries of the batch and empties it. Returns the number of comparisons. */
  search(): number {
    const least = this.#least.fill(Number.POSITIVE_INFINITY);
    for (const { bounds } of this.#queries) {
      for (let j = 0; j < least.length; j++) if (bounds[j] < least[j]) least[j] = bounds[j];
    }
    let visited = 0;
    for (let j = placeOfLeast(least); least[j] < Number.POSITIVE_INFINITY; j = placeOfLeast(least)) {
      least[j] = Number.POSITIVE_INFINITY;
      const open = this.#openLanes(j);
      if (open > 0) this.#screen.search(j, this.#note);
      visited += open * this.#sizes[j];
    }
    this.#decideAll();
    return visited;
  }

  /** Opens the lanes of queries whose bounds admit cluster j, closes the others, and returns how many are open. */
  #openLanes(j: number): number {
    const screen = this.#screen;
    let open = 0;
    for (let lane = 0; lane < screen.lanes; lane++) {
      const admits = lane < this.#queries.length && this.#queries[lane].bounds[j] <= this.#reach(lane);
      screen.open(lane, admits);
      if (admits) open++;
    }
    return open;
  }

  /** The largest angle at which a member may still be among the closest. */
  #reach(lane: number): number {
    const worst = this.#screen.worst(lane);
    return worst === Number.NEGATIVE_INFINITY ? Number.MAX_VALUE : angleOf(worst - this.#screen.error);
  }

  readonly #note = (lane: number, member: number, score: number): void => {
    const at = this.#seen[lane]++;
    this.#members[lane][at] = member;
    this.#scores[lane][at] = score;
  };

  #decideAll(): void {
    for (let lane = 0; lane < this.#queries.length; lane++) {
      const least = this.#screen.worst(lane) - 2 * this.#screen.error;
      for (let at = 0; at < this.#seen[lane]; at++) {
        if (this.#scores[lane][at] >= least) this.#decide(this.#queries[lane], this.#members[lane][at]);
      }
      this.#seen[lane] = 0;
    }
    this.#queries.length = 0;
  }
}

function placeOfLeast(values: Float64Array): number {
  let place = 0;
  for (let j = 1; j < values.length; j++) if (values[j] < values[place]) place = j;
  return place;
}
