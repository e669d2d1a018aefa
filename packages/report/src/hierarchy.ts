import type { Dense, MethodName } from "bonmf";
import type { Hierarchy } from "./findings.js";

/** Of more clusters nobody reads a tree. */
const MOST = 500;

/**
 * Which prototypes are most alike, then which of those pairs, and so on: average linkage (UPGMA: Sokal and Michener 1958), by
 * 1 − cosine, for k-means by the distance. The k clusters are nodes 0 … k − 1, the result of merge i is node k + i, as in SciPy.
 *
 * @param W k × m
 * @returns null for a single cluster, and for very many
 */
export function linkPrototypes(W: Dense, method: MethodName): Hierarchy | null {
  const k = W.samples;
  if (k < 2 || k > MOST) return null;
  const rows = Array.from({ length: k }, (_, j) => Float64Array.from(W.row(j)));
  const apart = method === "kmeans" ? measureDistance : measureAngle;
  const distances = rows.map((a) => Float64Array.from(rows, (b) => apart(a, b)));
  const nodes = Array.from({ length: k }, (_, j) => j);
  const sizes = new Uint32Array(k).fill(1);
  const open = new Set(nodes.keys());
  const merges: Hierarchy["merges"][number][] = [];
  while (open.size > 1) {
    const [a, b] = findNearest(distances, open);
    merges.push({ left: nodes[a], right: nodes[b], distance: distances[a][b] });
    for (const c of open) {
      if (c === a || c === b) continue;
      const mean = (sizes[a] * distances[a][c] + sizes[b] * distances[b][c]) / (sizes[a] + sizes[b]);
      distances[a][c] = mean;
      distances[c][a] = mean;
    }
    nodes[a] = k + merges.length - 1;
    sizes[a] += sizes[b];
    open.delete(b);
  }
  return { metric: method === "kmeans" ? "distance" : "cosine", merges };
}

/** The pair at the least distance; of several the first. */
function findNearest(distances: readonly Float64Array[], open: ReadonlySet<number>): [number, number] {
  const places = [...open];
  let best: [number, number] = [places[0], places[1]];
  for (const [p, a] of places.entries()) {
    for (const b of places.slice(p + 1)) if (distances[a][b] < distances[best[0]][best[1]]) best = [a, b];
  }
  return best;
}

function measureAngle(a: Float64Array, b: Float64Array): number {
  let [product, normA, normB] = [0, 0, 0];
  for (let f = 0; f < a.length; f++) {
    product += a[f] * b[f];
    normA += a[f] * a[f];
    normB += b[f] * b[f];
  }
  const lengths = Math.sqrt(normA) * Math.sqrt(normB);
  return lengths === 0 ? 1 : Math.max(0, 1 - product / lengths);
}

function measureDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let f = 0; f < a.length; f++) sum += (a[f] - b[f]) ** 2;
  return Math.sqrt(sum);
}

/** The clusters that are one where the tree is cut at a distance; the first of each set rising. */
export function cutHierarchy({ merges }: Hierarchy, distance: number): number[][] {
  const k = merges.length + 1;
  const sets = new Map<number, number[]>(Array.from({ length: k }, (_, j) => [j, [j]]));
  for (const [i, merge] of merges.entries()) {
    const [left, right] = [sets.get(merge.left), sets.get(merge.right)];
    if (merge.distance > distance || !left || !right) continue;
    sets.delete(merge.left);
    sets.delete(merge.right);
    sets.set(
      k + i,
      [...left, ...right].sort((a, b) => a - b),
    );
  }
  return [...sets.values()].sort((a, b) => a[0] - b[0]);
}
