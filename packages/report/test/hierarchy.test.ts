import { Dense } from "bonmf";
import { expect, it } from "vitest";
import { cutHierarchy, linkPrototypes } from "../src/hierarchy.js";

/** All merges by comparing all members of all pairs of sets, as average linkage is defined. */
function linkNaively(points: readonly (readonly number[])[]): { left: number; right: number; distance: number }[] {
  const apart = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((value, f) => value - b[f]));
  let sets = points.map((_, j) => ({ node: j, members: [j] }));
  const merges = [];
  while (sets.length > 1) {
    const pairs = sets.flatMap((one, p) =>
      sets.slice(p + 1).map((other) => {
        const all = one.members.flatMap((a) => other.members.map((b) => apart(points[a], points[b])));
        return { one, other, distance: all.reduce((sum, d) => sum + d, 0) / all.length };
      }),
    );
    const best = pairs.reduce((least, pair) => (pair.distance < least.distance ? pair : least));
    const node = points.length + merges.length;
    const left = { node, members: [...best.one.members, ...best.other.members] };
    merges.push({ left: best.one.node, right: best.other.node, distance: best.distance });
    sets = sets.flatMap((set) => (set === best.one ? [left] : set === best.other ? [] : [set]));
  }
  return merges;
}

const TOY = Dense.from(
  [
    [1, 0],
    [1, 0.1],
    [0, 1],
    [0.2, 1],
  ],
  "f64",
);

it("links prototypes by average linkage: a toy by hand", () => {
  const { metric, merges } = linkPrototypes(TOY, "bonmf")!;
  expect(metric).toBe("cosine");
  expect(merges.map(({ left, right }) => [left, right])).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  expect(merges[0].distance).toBeCloseTo(1 - 1 / Math.sqrt(1.01), 12);
  const across = [1, 1 - 0.2 / Math.sqrt(1.04), 1 - 0.1 / Math.sqrt(1.01), 1 - 0.3 / Math.sqrt(1.01 * 1.04)];
  expect(merges[2].distance).toBeCloseTo(across.reduce((sum, d) => sum + d) / 4, 12);
});

it("links as the definition says, by the distance for k-means", () => {
  let state = 7;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const points = Array.from({ length: 14 }, () => Array.from({ length: 3 }, draw));
  const { metric, merges } = linkPrototypes(Dense.from(points, "f64"), "kmeans")!;
  expect(metric).toBe("distance");
  const naive = linkNaively(points);
  const pairs = (list: readonly { left: number; right: number }[]) =>
    list.map(({ left, right }) => [left, right].sort((a, b) => a - b));
  expect(pairs(merges)).toEqual(pairs(naive));
  for (const [i, { distance }] of merges.entries()) expect(distance).toBeCloseTo(naive[i].distance, 10);
});

it("is cut into sets, none at 0 and one at the top", () => {
  const tree = linkPrototypes(TOY, "bonmf")!;
  expect(cutHierarchy(tree, 0)).toEqual([[0], [1], [2], [3]]);
  expect(cutHierarchy(tree, tree.merges[0].distance)).toEqual([[0, 1], [2], [3]]);
  expect(cutHierarchy(tree, tree.merges[1].distance)).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(cutHierarchy(tree, 2)).toEqual([[0, 1, 2, 3]]);
  expect(linkPrototypes(Dense.from([[1, 2]]), "bonmf")).toBeNull();
});
