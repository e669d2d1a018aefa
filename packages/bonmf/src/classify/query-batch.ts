import type { SparseScreen } from "../kernel/neighbors/sparse-screen.js";
import { angleOf, type Query } from "./query.js";

/** As many queries as a panel takes, sifted together. Scores only say what cannot be among the closest. */
export class QueryBatch {
  readonly #panel: SparseScreen;
  readonly #sizes: Uint32Array;
  readonly #decide: (query: Query, member: number) => void;
  readonly #queries: Query[] = [];
  /** For each lane the members that may be among the closest, and their scores. */
  readonly #members: number[][];
  readonly #scores: number[][];
  /** How many they are. */
  readonly #seen: Uint32Array;
  /** k, the least angle of any route. */
  readonly #least: Float64Array;

  /**
   * @param sizes IN k, how many members each cluster has
   * @param decide is told of all members that may be among the `count` closest to a query
   */
  constructor(panel: SparseScreen, sizes: Uint32Array, count: number, decide: (query: Query, member: number) => void) {
    panel.expect(count);
    this.#panel = panel;
    this.#sizes = sizes;
    this.#decide = decide;
    this.#members = Array.from({ length: panel.lanes }, () => []);
    this.#scores = Array.from({ length: panel.lanes }, () => []);
    this.#seen = new Uint32Array(panel.lanes);
    this.#least = new Float64Array(sizes.length);
  }

  get size(): number {
    return this.#queries.length;
  }

  /** Takes a query of a tame length; true when there is no room for another. */
  add(query: Query): boolean {
    const lane = this.#queries.push(query) - 1;
    this.#panel.load(lane, query.x, query.length);
    return this.#queries.length === this.#panel.lanes;
  }

  /** Sifts what the routes lead to, and is empty again. Returns how many comparisons that were. */
  sift(): number {
    const least = this.#least.fill(Number.POSITIVE_INFINITY);
    for (const { route } of this.#queries) {
      for (let j = 0; j < least.length; j++) if (route[j] < least[j]) least[j] = route[j];
    }
    let visited = 0;
    for (let j = placeOfLeast(least); least[j] < Number.POSITIVE_INFINITY; j = placeOfLeast(least)) {
      least[j] = Number.POSITIVE_INFINITY;
      const open = this.#open(j);
      if (open > 0) this.#panel.sift(j, this.#note);
      visited += open * this.#sizes[j];
    }
    this.#settle();
    return visited;
  }

  /** Opens the lanes of queries to which cluster j may matter, and closes the others; returns how many are open. */
  #open(j: number): number {
    const panel = this.#panel;
    let open = 0;
    for (let lane = 0; lane < panel.lanes; lane++) {
      const matters = lane < this.#queries.length && this.#queries[lane].route[j] <= this.#reach(lane);
      panel.open(lane, matters);
      if (matters) open++;
    }
    return open;
  }

  /** The largest angle at which a member may still be among the closest. */
  #reach(lane: number): number {
    const worst = this.#panel.worst(lane);
    return worst === Number.NEGATIVE_INFINITY ? Number.MAX_VALUE : angleOf(worst - this.#panel.error);
  }

  readonly #note = (lane: number, member: number, score: number): void => {
    const at = this.#seen[lane]++;
    this.#members[lane][at] = member;
    this.#scores[lane][at] = score;
  };

  #settle(): void {
    for (let lane = 0; lane < this.#queries.length; lane++) {
      const least = this.#panel.worst(lane) - 2 * this.#panel.error;
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
