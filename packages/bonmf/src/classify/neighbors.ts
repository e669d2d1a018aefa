import { makeRegion } from "../engine/memory.js";
import { type Rows, rowsOf } from "../kernel/rows.js";
import { CHUNK, isTame, LANES, Sieve } from "../kernel/sieve.js";
import { mixLabel } from "../kernel/sums.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { readRow } from "../model/bearing.js";

/** A training sample found near a query; a larger `closeness` is nearer. */
export interface Neighbor {
  /** Its number in the training data. */
  readonly index: number;
  readonly closeness: number;
}

/** `cosine`: the cosine of the angle, 0 where a vector is zero; `distance`: minus the Euclidean distance, squared. */
export type Closeness = "cosine" | "distance";

/**
 * For each cluster the least angle that a member can have with a query: no cluster is looked into once all that is
 * wanted is found nearer. Infinity closes a cluster; below 0 it is looked into in any case.
 */
export type Route = Float64Array;

/** One query under way. */
interface Quest {
  /** m, and its length. */
  readonly x: Float64Array;
  readonly length: number;
  readonly route: Route;
  readonly found: Neighbor[];
}

/**
 * Training samples kept cluster by cluster (an inverted file), searched by cosine or distance. Every search breaks ties
 * by `compareTied`, so an exact one returns what brute force would.
 */
export class Neighbors {
  /** How many training samples the searches so far have compared with. */
  visited = 0;
  /** Members of cluster j are `ids[starts[j]] … ids[starts[j+1] − 1]`, numbers rising. */
  readonly #ids: Uint32Array;
  readonly #starts: Uint32Array;
  /** The cluster of each member. */
  readonly #homes: Uint32Array;
  /** The members' values and lengths, in the order of `ids`. */
  readonly #members: Matrix;
  readonly #rows: Rows;
  readonly #norms: Float64Array;
  readonly #squares: Float64Array;
  readonly #W: Float64Array;
  readonly #k: number;
  /** ρ_j, the largest angle between w_j and a member; measured when an exact search needs it. */
  #radii: Float64Array | null = null;
  readonly #slack: number;
  #sieve: Sieve | null = null;
  /** Places in `ids`, by `compareTied`; made when a zero query needs it. */
  #shuffle: Uint32Array | null = null;

  /**
   * @param Z IN n × m, values of 0 or more
   * @param clusters IN n labels
   * @param W IN k × m
   */
  constructor(Z: Matrix, clusters: ArrayLike<number>, W: Float64Array, k: number) {
    this.#starts = new Uint32Array(k + 1);
    for (let i = 0; i < Z.samples; i++) this.#starts[clusters[i] + 1]++;
    for (let j = 0; j < k; j++) this.#starts[j + 1] += this.#starts[j];
    this.#ids = new Uint32Array(Z.samples);
    this.#homes = new Uint32Array(Z.samples);
    const next = this.#starts.slice();
    for (let i = 0; i < Z.samples; i++) {
      const place = next[clusters[i]]++;
      this.#ids[place] = i;
      this.#homes[place] = clusters[i];
    }
    this.#members = Z.take(this.#ids);
    this.#rows = rowsOf(this.#members);
    this.#squares = Float64Array.from(this.#ids, (_, p) => this.#rows.normSq(p));
    this.#norms = this.#squares.map(Math.sqrt);
    // Rounding moves a cosine by up to about m ulps, and an angle by the root of twice that.
    this.#slack = 3 * Math.sqrt(2 * (Z.features + 8) * Number.EPSILON);
    this.#W = W;
    this.#k = k;
  }

  get #radius(): Float64Array {
    this.#radii ??= this.#measureRadii();
    return this.#radii;
  }

  #measureRadii(): Float64Array {
    const lengths = rowLengths(this.#W, this.#k);
    const radii = new Float64Array(this.#k);
    this.#homes.forEach((j, p) => {
      if (this.#norms[p] === 0) return;
      const cosine = lengths[j] > 0 ? this.#rows.dot(p, this.#W, j) / (lengths[j] * this.#norms[p]) : 0;
      radii[j] = Math.max(radii[j], angleOf(cosine));
    });
    return radii;
  }

  /** The training samples in their own order, a copy. */
  samples(): Matrix {
    const places = new Uint32Array(this.#ids.length);
    this.#ids.forEach((id, place) => {
      places[id] = place;
    });
    return this.#members.take(places);
  }

  /** Whether cluster j has no training sample. */
  isEmpty(j: number): boolean {
    return this.#starts[j + 1] === this.#starts[j];
  }

  /**
   * The `count` closest members of the named clusters.
   *
   * @param x IN m, the query
   */
  search(x: Float64Array, clusters: Iterable<number>, count: number, by: Closeness = "cosine"): Neighbor[] {
    const found: Neighbor[] = [];
    const length = rowLengths(x, 1)[0];
    if (length === 0 && by === "cosine") {
      return this.#takeTied({ x, length, found, route: this.routeThrough([...clusters]) }, count);
    }
    for (const j of clusters) this.#scan(x, length, j, count, by, found);
    return found;
  }

  /**
   * The `count` closest training samples by angle, whatever their cluster.
   *
   * @param x IN m, the query
   * @param cosines IN k, of x with each prototype
   */
  searchExact(x: Float64Array, cosines: ArrayLike<number>, count: number): Neighbor[] {
    return this.#walk(this.#begin(x, this.routeExactly(cosines)), count);
  }

  /**
   * The route past every cluster that can hold a closest member: θ(x,w_j) − ρ_j. Zero samples need no bound of their
   * own: while they matter the worst angle is π/2, which no θ − ρ exceeds.
   */
  routeExactly(cosines: ArrayLike<number>): Route {
    return this.#radius.map((radius, j) => angleOf(cosines[j]) - radius - this.#slack);
  }

  /** The route through the named clusters alone. */
  routeThrough(clusters: readonly number[]): Route {
    const route = new Float64Array(this.#k).fill(Number.POSITIVE_INFINITY);
    clusters.forEach((j, place) => {
      route[j] = place - clusters.length;
    });
    return route;
  }

  /** Whether `searchMany` uses the SIMD kernels. */
  get isQuick(): boolean {
    return this.#sieve !== null;
  }

  /** Lets `searchMany` use the SIMD kernels from now on, where they can run; it finds the same. */
  async quicken(): Promise<void> {
    if (!Sieve.suits(this.#members, this.#norms)) return;
    const region = await makeRegion(Sieve.bytesOf(this.#members));
    if (region !== null) this.#sieve = new Sieve(region, this.#members, this.#norms);
  }

  /**
   * The `count` closest training samples by angle to each of several queries, on the way that each one's route leaves.
   *
   * @param Q IN n × m; the queries are the rows from `first` on, as many as there are routes
   */
  searchMany(Q: Matrix, first: number, routes: readonly Route[], count: number): Neighbor[][] {
    const all = routes.map((): Neighbor[] => []);
    const batch: Quest[] = [];
    const room = Array.from({ length: LANES }, () => new Float64Array(Q.features));
    for (const i of sortAlike(routes)) {
      const x = room[batch.length];
      readRow(Q, first + i, x);
      const quest = this.#begin(x, routes[i], all[i]);
      if (this.#sieve === null || !isTame(quest.length)) this.#walk(quest, count);
      else if (batch.push(quest) === LANES) this.#sift(batch.splice(0), count, this.#sieve);
    }
    if (batch.length > 0) this.#sift(batch, count, this.#sieve!);
    return all;
  }

  #begin(x: Float64Array, route: Route, found: Neighbor[] = []): Quest {
    return { x, length: rowLengths(x, 1)[0], route, found };
  }

  #walk(quest: Quest, count: number): Neighbor[] {
    const { x, length, route, found } = quest;
    if (length === 0) return this.#takeTied(quest, count);
    const order = Uint32Array.from(route, (_, j) => j).sort((a, b) => compareAngles(route[a], route[b]));
    for (const j of order) {
      if (!isOpen(quest, j, count)) break;
      this.#scan(x, length, j, count, "cosine", found);
    }
    return found;
  }

  /**
   * A zero query is the same as zero members, all of them, however many were asked for: one alone would decide for every
   * zero query there is. Without any, all members are equally far.
   */
  #takeTied({ route, found }: Quest, count: number): Neighbor[] {
    this.#shuffle ??= Uint32Array.from(this.#ids, (_, p) => p).sort(
      (a, b) => Math.sign(this.#norms[a]) - Math.sign(this.#norms[b]) || compareTied(this.#ids[a], this.#ids[b]),
    );
    route.forEach((least, j) => {
      if (least < Number.POSITIVE_INFINITY) this.visited += this.#starts[j + 1] - this.#starts[j];
    });
    for (const p of this.#shuffle) {
      const zero = this.#norms[p] === 0;
      if (!zero && (found[0]?.closeness === 1 || found.length === count)) break;
      if (route[this.#homes[p]] === Number.POSITIVE_INFINITY) continue;
      found.push({ index: this.#ids[p], closeness: zero ? 1 : 0 });
    }
    return found;
  }

  #sift(batch: readonly Quest[], count: number, sieve: Sieve): void {
    const least = new Float64Array(this.#k).fill(Number.POSITIVE_INFINITY);
    for (let lane = 0; lane < batch.length; lane++) {
      const { x, length, route } = batch[lane];
      sieve.load(lane, x, length);
      for (let j = 0; j < least.length; j++) if (route[j] < least[j]) least[j] = route[j];
    }
    const order = Uint32Array.from(least.keys()).filter((j) => least[j] < Number.POSITIVE_INFINITY);
    if (order.length > 1) order.sort((a, b) => compareAngles(least[a], least[b]));
    let seen = 0;
    for (const j of order) {
      sieve.limits.fill(Number.POSITIVE_INFINITY);
      let open = 0;
      for (let lane = 0; lane < batch.length; lane++) {
        if (!isOpen(batch[lane], j, count)) continue;
        sieve.limits[lane] = limitOf(batch[lane], count, sieve);
        open++;
      }
      if (open === 0) continue;
      const to = this.#starts[j + 1];
      this.visited += open * (to - this.#starts[j]);
      // Short steps at first: until limits are known everything is a hit.
      for (let from = this.#starts[j], end = from; from < to; from = end) {
        end = Math.min(to, from + Math.min(CHUNK, Math.max(24, seen)));
        seen += end - from;
        this.#settle(batch, count, sieve, from, sieve.sift(from, end));
      }
    }
  }

  /** Decides on hits as a scan would. */
  #settle(batch: readonly Quest[], count: number, sieve: Sieve, from: number, hits: number): void {
    for (let h = 0; h < hits; h++) {
      const lane = sieve.laneOf(h);
      if (sieve.scoreOf(h) < sieve.limits[lane]) continue;
      const quest = batch[lane];
      const p = from + sieve.placeOf(h);
      insert(quest.found, this.#ids[p], this.#cosine(quest.x, quest.length, p), count);
      sieve.limits[lane] = limitOf(quest, count, sieve);
    }
  }

  #cosine(x: Float64Array, length: number, p: number): number {
    const scale = length * this.#norms[p];
    return scale > 0 ? this.#rows.dot(p, x, 0) / scale : 0;
  }

  #scan(x: Float64Array, length: number, j: number, count: number, by: Closeness, found: Neighbor[]): void {
    const from = this.#starts[j];
    const to = this.#starts[j + 1];
    this.visited += to - from;
    for (let p = from; p < to; p++) {
      const closeness =
        by === "cosine" ? this.#cosine(x, length, p) : 2 * this.#rows.dot(p, x, 0) - this.#squares[p] - length * length;
      insert(found, this.#ids[p], closeness, count);
    }
  }
}

/** Whether cluster j may hold a member that belongs to what is found. */
function isOpen({ route, found }: Quest, j: number, count: number): boolean {
  return route[j] <= (found.length === count ? angleOf(found[count - 1].closeness) : Number.MAX_VALUE);
}

/** The least score a member can have that belongs to what is found. */
function limitOf({ found }: Quest, count: number, { error }: Sieve): number {
  return found.length === count ? found[count - 1].closeness - error : Number.NEGATIVE_INFINITY;
}

/** The places of routes, so that those which begin in the same two clusters follow each other. */
function sortAlike(routes: readonly Route[]): Uint32Array {
  const keys = routes.map((route) => {
    let [first, second] = [0, -1];
    for (let j = 1; j < route.length; j++) {
      if (route[j] < route[first]) [first, second] = [j, first];
      else if (second < 0 || route[j] < route[second]) second = j;
    }
    return first * route.length + second;
  });
  return Uint32Array.from(keys, (_, i) => i).sort((a, b) => keys[a] - keys[b] || a - b);
}

/** Rising, also where both are infinite. */
function compareAngles(a: number, b: number): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * Which of two equally close training samples comes first: a fixed shuffle of their numbers. The lower number would
 * favour whatever class a sorted file begins with.
 */
export function compareTied(a: number, b: number): number {
  return mixLabel(a, 0, 0) - mixLabel(b, 0, 0) || a - b;
}

/** Keeps `found` sorted, closest first, then by `compareTied`, and no longer than `count`. */
function insert(found: Neighbor[], index: number, closeness: number, count: number): void {
  let at = found.length;
  while (at > 0 && isBefore(index, closeness, found[at - 1])) at--;
  if (at === count) return;
  if (found.length === count) found.pop();
  found.splice(at, 0, { index, closeness });
}

function isBefore(index: number, closeness: number, other: Neighbor): boolean {
  return closeness > other.closeness || (closeness === other.closeness && compareTied(index, other.index) < 0);
}

/** Used for bounds and refusals only, never for a choice, since `Math.acos` may differ between engines. */
export function angleOf(cosine: number): number {
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}
