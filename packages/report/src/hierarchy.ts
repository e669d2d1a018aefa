import { type Dense, linkage, type MethodName } from "bonmf";
import type { Hierarchy } from "./findings.js";

/** Of more clusters nobody reads a tree. */
const MOST = 500;

/**
 * Which prototypes are most alike, then which of those pairs, and so on: average linkage by 1 − cosine, for k-means by the
 * distance.
 *
 * @param W k × m
 * @returns null for a single cluster, and for very many
 */
export function linkPrototypes(W: Dense, method: MethodName): Hierarchy | null {
  const k = W.samples;
  if (k < 2 || k > MOST) return null;
  const rows = Array.from({ length: k }, (_, j) => Float64Array.from(W.row(j)));
  const apart = method === "kmeans" ? measureDistance : measureAngle;
  const { joinings, order } = linkage(rows.map((a) => Float64Array.from(rows, (b) => apart(a, b))));
  return {
    metric: method === "kmeans" ? "distance" : "cosine",
    order,
    merges: joinings.map(({ left, right, height }) => ({ left, right, distance: height })),
  };
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
