import { describe, expect, it } from "vitest";
import { Dense } from "../../src/index.js";
import { findListed, findNearest, listPoints } from "../../src/map/nearest-samples.js";
import { searchPostings, suitsPostings } from "../../src/map/postings.js";
import { Random } from "../../src/random.js";
import { finishSteps } from "../../src/steps.js";

function drawPoints(n: number, d: number): Float32Array {
  const random = new Random(n);
  return Float32Array.from({ length: n * d }, () => random.next());
}

function searchAll(points: Float32Array, d: number, i: number, near: number): number[] {
  const n = points.length / d;
  const distances = Float64Array.from({ length: n }, (_, j) => {
    let sum = 0;
    for (let a = 0; a < d; a++) sum += (points[i * d + a] - points[j * d + a]) ** 2;
    return j === i ? Number.POSITIVE_INFINITY : sum;
  });
  return Array.from(distances.keys())
    .sort((a, b) => distances[a] - distances[b])
    .slice(0, near);
}

describe("the nearest samples", () => {
  it("are those of brute force, where all are compared", () => {
    const points = drawPoints(200, 6);
    const found = finishSteps(findNearest(finishSteps(listPoints(points, 6, 0)), 5));
    for (let i = 0; i < 200; i++) expect([...found.subarray(5 * i, 5 * i + 5)]).toEqual(searchAll(points, 6, i, 5));
  });

  it("are nearly all found, where only near lists are compared", () => {
    const points = drawPoints(4500, 4);
    const found = finishSteps(findNearest(finishSteps(listPoints(points, 4, 0)), 5));
    let hits = 0;
    for (let i = 0; i < 4500; i += 45) {
      const truth = searchAll(points, 4, i, 5);
      hits += truth.filter((j) => found.subarray(5 * i, 5 * i + 5).includes(j)).length;
    }
    expect(hits).toBeGreaterThan(490);
  });

  it("of sparse samples are those of brute force", () => {
    const points = drawPoints(80, 40).map((value) => (value < 0.93 ? 0 : value));
    const sparse = suitsPostings(new Dense(80, 40, points))!;
    const found = finishSteps(searchPostings(sparse, 3));
    for (let i = 0; i < 80; i++) expect([...found.subarray(3 * i, 3 * i + 3)]).toEqual(searchAll(points, 40, i, 3));
    expect(suitsPostings(new Dense(80, 40, drawPoints(80, 40)))).toBeNull();
  });

  it("of a listed point from outside is the point itself", () => {
    const points = drawPoints(100, 3);
    const { nearest, distances } = finishSteps(findListed(finishSteps(listPoints(points, 3, 0)), points, 2));
    for (let i = 0; i < 100; i++) expect([nearest[2 * i], distances[2 * i]]).toEqual([i, 0]);
  });
});
