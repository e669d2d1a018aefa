import { describe, expect, it } from "vitest";
import { discriminate } from "../src/discriminant.js";
import { arrange } from "../src/neighbor-embedding.js";
import { chooseRows, openDraw } from "../src/subsample.js";

describe("the linear view", () => {
  it("looks along what separates, and not along what merely spreads", () => {
    // Two clusters a little apart in the second coordinate, each spread far along the first.
    const points = Float64Array.from([-9, 0, 9, 0, -3, 0.1, -9, 1, 9, 1, 3, 0.9]);
    const { x } = discriminate(points, 2, [0, 0, 0, 1, 1, 1], 2);
    const [left, right] = [x.slice(0, 3), x.slice(3)].sort((a, b) => a[0] - b[0]);
    expect(Math.max(...left)).toBeLessThan(Math.min(...right));
  });

  it("separates three clusters in two coordinates", () => {
    const corners = [
      [0, 0, 4],
      [4, 0, 0],
      [0, 4, 0],
    ];
    const draw = openDraw(1);
    const clusters = Array.from({ length: 60 }, (_, i) => i % 3);
    const points = Float64Array.from(clusters.flatMap((j) => corners[j].map((value) => value + draw())));
    const { x, y } = discriminate(points, 3, clusters, 3);
    expect(countStrangers(x, y, clusters)).toBe(0);
  });

  it("survives clusters that are alike, alone or all the same point", () => {
    for (const points of [new Float64Array(8), Float64Array.from([1, 1, 1, 1, 2, 2, 2, 2])]) {
      const { x, y } = discriminate(points, 2, [0, 0, 1, 1], 3);
      expect([...x, ...y].every(Number.isFinite)).toBe(true);
    }
  });
});

describe("the layout", () => {
  it("brings neighbours together that a bad start has mixed up", () => {
    const draw = openDraw(5);
    const clusters = Array.from({ length: 160 }, (_, i) => i % 4);
    const points = Float64Array.from(clusters.flatMap((j) => [0, 1, 2, 3].map((a) => (a === j ? 9 : 0) + draw())));
    const x = Float32Array.from(clusters, () => draw());
    const y = Float32Array.from(clusters, () => draw());
    expect(countStrangers(x, y, clusters)).toBeGreaterThan(60);
    arrange(points, 4, x, y);
    expect(countStrangers(x, y, clusters)).toBe(0);
  });

  it("leaves one or two points as they are", () => {
    const x = Float32Array.of(1, 2);
    arrange(Float64Array.of(5, 6), 1, x, Float32Array.of(3, 4));
    expect([...x]).toEqual([1, 2]);
  });
});

describe("the choice of samples", () => {
  it("is all of them where there are few", () => expect([...chooseRows(3, 7)]).toEqual([0, 1, 2]));

  it("is spread over all, rising, and depends on the seed alone", () => {
    const rows = chooseRows(1_000_000, 7);
    expect(rows).toHaveLength(4000);
    rows.forEach((row, p) => {
      expect(Math.floor(row / 250)).toBe(p);
    });
    expect(chooseRows(1_000_000, 7)).toEqual(rows);
    expect(chooseRows(1_000_000, 8)).not.toEqual(rows);
  });
});

/** Points whose nearest other point is of another cluster. */
function countStrangers(x: Float32Array, y: Float32Array, clusters: readonly number[]): number {
  return clusters.filter((cluster, i) => {
    const distances = clusters.map((_, j) =>
      j === i ? Number.POSITIVE_INFINITY : (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2,
    );
    return clusters[distances.indexOf(Math.min(...distances))] !== cluster;
  }).length;
}
