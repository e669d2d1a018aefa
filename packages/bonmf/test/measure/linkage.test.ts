import { describe, expect, it } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import { linkage } from "../../src/measure/linkage.js";
import { Random } from "../../src/random.js";

describe("average linkage", () => {
  it("is worked by hand", () => {
    // 0 and 1 join at 1, 2 and 3 at 2; then the mean of 6, 8, 7 and 9.
    const tree = linkage([
      [0, 1, 6, 8],
      [1, 0, 7, 9],
      [6, 7, 0, 2],
      [8, 9, 2, 0],
    ]);
    expect(tree.joinings).toEqual([
      { left: 0, right: 1, height: 1, size: 2 },
      { left: 2, right: 3, height: 2, size: 2 },
      { left: 4, right: 5, height: 7.5, size: 4 },
    ]);
    expect(tree.order).toEqual([0, 1, 2, 3]);
    expect(tree.cut(1)).toEqual([[0, 1, 2, 3]]);
    expect(tree.cut(3)).toEqual([[0, 1], [2], [3]]);
  });

  it("has rising heights, and every cut is a refinement of the one before", () => {
    const random = new Random(3);
    const n = 20;
    const D = Array.from({ length: n }, () => new Float64Array(n));
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) D[i][j] = D[j][i] = random.next();
    const { joinings, cut, order } = linkage(D);
    for (let i = 1; i < joinings.length; i++) expect(joinings[i].height).toBeGreaterThanOrEqual(joinings[i - 1].height);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
    for (let count = 2; count <= n; count++) {
      const coarse = cut(count - 1);
      for (const group of cut(count)) expect(coarse.some((all) => group.every((i) => all.includes(i)))).toBe(true);
    }
  });

  it("takes one thing, and refuses what are no distances", () => {
    expect(linkage([[0]]).cut(1)).toEqual([[0]]);
    expect(() => linkage([[0, 1], [1]])).toThrow(DataError);
    expect(() =>
      linkage([
        [0, Number.NaN],
        [1, 0],
      ]),
    ).toThrow(DataError);
    expect(() => linkage([[0]]).cut(2)).toThrow(OptionError);
  });
});
