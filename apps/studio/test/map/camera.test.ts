import { describe, expect, it } from "vitest";
import { CLOSEST, fillFrame, frameBox, toMap, toScreen, unitOf, WHOLE } from "../../src/map/camera.js";

const size = { width: 800, height: 400, unit: 200 };

describe("the camera", () => {
  it("draws a map as large as its samples allow, far outliers or not", () => {
    const wide = [Float32Array.of(-1, 0.5, 1), Float32Array.of(-0.4, 0.5, 0)] as const;
    expect(fillFrame(800, 400, ...wide)).toBeCloseTo(400 - 2 * 46, 5);
    expect(fillFrame(400, 800, ...wide)).toBeCloseTo(200 - 30, 5);
    expect(fillFrame(800, 400, Float32Array.of(-1, 1, 40), Float32Array.of(0, 1, 0))).toBeCloseTo(200 - 46, 5);
  });

  it("has the whole map in the middle", () => {
    expect(toScreen(WHOLE, size, 0, 0)).toEqual([400, 200]);
    expect(toScreen(WHOLE, size, -1, 1)).toEqual([200, 0]);
    expect(unitOf(WHOLE, size)).toBe(200);
  });

  it("goes there and back", () => {
    const camera = { k: 3, x: -120, y: 44 };
    const [x, y] = toMap(camera, size, ...toScreen(camera, size, 0.3, -0.7));
    expect(x).toBeCloseTo(0.3, 12);
    expect(y).toBeCloseTo(-0.7, 12);
  });

  it("shows a part of the map whole, in the middle, with room around it", () => {
    const box = { left: 0.2, right: 0.4, low: -0.6, high: -0.5 };
    const camera = frameBox(size, box);
    const [left, top] = toScreen(camera, size, box.left, box.high);
    const [right, bottom] = toScreen(camera, size, box.right, box.low);
    expect(left + right).toBeCloseTo(800, 8);
    expect(top + bottom).toBeCloseTo(400, 8);
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(46 - 1e-9);
    expect(Math.min(left, top)).toBeCloseTo(46, 8);
  });

  it("goes no nearer than the closest, for one sample", () =>
    expect(frameBox(size, { left: 0.5, right: 0.5, low: 0, high: 0 }).k).toBe(CLOSEST));
});
