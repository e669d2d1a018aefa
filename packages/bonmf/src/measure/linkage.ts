import { DataError, OptionError, quote } from "../errors.js";

/** Two groups that become one. */
export interface Joining {
  /** 0 … n − 1 are the things themselves, n + i the group of the i-th joining; the smaller number first. */
  readonly left: number;
  readonly right: number;
  /** The mean distance between things of the one and of the other. */
  readonly height: number;
  /** How many things the new group has. */
  readonly size: number;
}

/** A tree of n things, the nearest joined first. */
export interface Linkage {
  readonly size: number;
  /** n − 1 of them, heights rising. */
  readonly joinings: readonly Joining[];
  /** The things in an order that draws the tree without crossings. */
  readonly order: readonly number[];
  /** The things in `count` groups, as they are before the last count − 1 joinings. Groups are in the order of their first thing. */
  cut(count: number): number[][];
}

/**
 * Hierarchical clustering by average linkage (Sokal and Michener 1958): the two groups with the least mean distance are joined,
 * again and again. Ties go to the groups of the lowest numbers.
 *
 * @param distances n × n, symmetric; row i has the distances of thing i
 * @throws DataError unless there are n × n finite distances
 *
 * @example
 * ```ts
 * import { linkage } from "bonmf";
 * const tree = linkage([[0, 1, 5], [1, 0, 4], [5, 4, 0]]);
 * tree.joinings.map(({ height }) => height); // → [1, 4.5]
 * tree.cut(2); // → [[0, 1], [2]]
 * ```
 */
export function linkage(distances: ArrayLike<ArrayLike<number>>): Linkage {
  const n = distances.length;
  const D = Array.from({ length: n }, (_, i) => {
    if (distances[i].length !== n) {
      throw new DataError("shape", `row ${i} has ${distances[i].length} distances instead of ${n}`, { sample: i });
    }
    const odd = Array.prototype.findIndex.call(distances[i], (value) => !Number.isFinite(value));
    if (odd >= 0) throw new DataError("not-finite", `the distance of ${i} and ${odd} is ${distances[i][odd]}`);
    return Float64Array.from(distances[i]);
  });
  const groups = Array.from({ length: n }, (_, i) => ({ id: i, size: 1 }));
  const open = groups.map((_, i) => i);
  const joinings: Joining[] = [];
  while (open.length > 1) {
    const [a, b] = findNearest(D, open);
    const [one, other] = [groups[a], groups[b]];
    const size = one.size + other.size;
    const [left, right] = one.id < other.id ? [one.id, other.id] : [other.id, one.id];
    joinings.push({ left, right, height: D[a][b], size });
    for (const c of open) {
      if (c === a || c === b) continue;
      D[a][c] = (one.size * D[a][c] + other.size * D[b][c]) / size;
      D[c][a] = D[a][c];
    }
    groups[a] = { id: n + joinings.length - 1, size };
    open.splice(open.indexOf(b), 1);
  }
  return { size: n, joinings, order: orderThings(n, joinings), cut: (count) => cutTree(n, joinings, count) };
}

function findNearest(D: readonly Float64Array[], open: readonly number[]): [number, number] {
  let best: [number, number] = [open[0], open[1]];
  for (let i = 0; i < open.length; i++) {
    for (let j = i + 1; j < open.length; j++) {
      if (D[open[i]][open[j]] < D[best[0]][best[1]]) best = [open[i], open[j]];
    }
  }
  return best;
}

function orderThings(n: number, joinings: readonly Joining[]): number[] {
  const lists: number[][] = Array.from({ length: n }, (_, i) => [i]);
  for (const { left, right } of joinings) lists.push([...lists[left], ...lists[right]]);
  return lists.at(-1) ?? [];
}

function cutTree(n: number, joinings: readonly Joining[], count: number): number[][] {
  if (!Number.isInteger(count) || count < 1 || count > n) {
    throw new OptionError("count", count, `a tree of ${n} is cut into 1 … ${n} groups, not ${quote(count)}`);
  }
  const groups = new Map<number, number[]>(Array.from({ length: n }, (_, i) => [i, [i]]));
  for (const [at, { left, right }] of joinings.slice(0, n - count).entries()) {
    groups.set(n + at, [...groups.get(left)!, ...groups.get(right)!]);
    groups.delete(left);
    groups.delete(right);
  }
  return [...groups.values()].map((group) => group.sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
}
