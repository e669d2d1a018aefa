import { describe, expect, it } from "vitest";
import { chooseLandmarks, followLandmarks, placeAll } from "../../src/map/landmarks.js";
import { listPoints } from "../../src/map/nearest-samples.js";
import { Random } from "../../src/random.js";
import { finishSteps } from "../../src/steps.js";

describe("landmarks", () => {
  it("are all samples where these differ and are few", () => {
    expect(chooseLandmarks(Float32Array.of(1, 2, 3, 4), 2, 0)).toBeNull();
  });

  it("are the first of equal samples", () => {
    expect(chooseLandmarks(Float32Array.of(1, 2, 3, 4, 1, 2, 3, 5), 2, 0)).toEqual(Uint32Array.of(0, 1, 3));
  });

  it("are no more than 100,000, drawn by the seed", () => {
    const random = new Random(1);
    const points = Float32Array.from({ length: 2 * 100_500 }, () => random.next());
    const chosen = chooseLandmarks(points, 2, 0)!;
    expect(chosen).toHaveLength(100_000);
    expect(new Set(chosen).size).toBe(100_000);
    expect(chosen).toEqual(chosen.toSorted());
  });

  it("have the other samples between them", () => {
    const marks = Float32Array.of(0, 0, 4, 0, 0, 4, 50, 50);
    const lists = finishSteps(listPoints(marks, 2, 0));
    const followers = finishSteps(followLandmarks(Float32Array.of(4, 0, 2, 0.001), lists));
    const all = placeAll(Float64Array.of(0, 0, 10, 0, 0, 10, 99, 99), followers);
    expect([...all.subarray(0, 2)]).toEqual([10, 0]);
    expect(all[2]).toBeGreaterThan(3);
    expect(all[2]).toBeLessThan(6);
  });
});
