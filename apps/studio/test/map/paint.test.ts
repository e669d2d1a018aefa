import { describe, expect, it } from "vitest";
import { paintPoints } from "../../src/map/paint.js";
import type { Rgba, View } from "../../src/map/pen.js";

const RED: Rgba = [200, 0, 0, 255];
const BLUE: Rgba = [0, 0, 200, 255];
const HIDDEN: Rgba = [0, 200, 0, 0];
const EDGE = 20;
const VIEW: View = { unit: 10, centre: [10, 10], size: 4, moved: 1, grown: 1 };

/** Paints points at [x, y, group] and returns a reader of pixels. */
function paint(places: readonly (readonly [number, number, number])[], view: Partial<View> = {}, opacity = 1) {
  const picture = { width: EDGE, height: EDGE, data: new Uint8ClampedArray(4 * EDGE * EDGE) };
  const to = Float32Array.from(places.flatMap((place) => place.slice(0, 2)));
  const groups = Float32Array.from(places, ([, , group]) => group);
  const from = new Float32Array(to.length);
  const points = { from, to, groups, count: places.length };
  paintPoints(picture, points, [RED, BLUE, HIDDEN], opacity, { ...VIEW, ...view });
  return {
    at: (column: number, row: number) => Array.from(picture.data.subarray(4 * (row * EDGE + column)).subarray(0, 4)),
    inked: picture.data.filter((value, i) => i % 4 === 3 && value > 0).length,
  };
}

describe("points without a graphics card", () => {
  it("are discs at their places; y goes up", () => {
    const { at, inked } = paint([[0.5, 0.5, 0]]);
    for (const [column, row] of [
      [14, 4],
      [15, 4],
      [14, 5],
      [15, 5],
    ]) {
      expect(at(column, row)).toEqual(RED);
    }
    expect(at(13, 3)[3]).toBe(0);
    expect(inked).toBeGreaterThan(4);
    expect(inked).toBeLessThanOrEqual(16);
  });

  it("cover those before them, and let them through by their opacity", () => {
    const two = [
      [0, 0, 0],
      [0, 0, 1],
    ] as const;
    expect(paint(two).at(10, 10)).toEqual(BLUE);
    // Half of blue over half of red: 0.5 + 0.25 of the ground, two thirds of it blue.
    expect(paint(two, {}, 0.5).at(10, 10)).toEqual([67, 0, 133, 192]);
  });

  it("are left out where their group is, or has no colour", () => {
    expect(paint([[0, 0, 2]]).inked).toBe(0);
    expect(paint([[0, 0, 7]]).inked).toBe(0);
  });

  it("are cut at the edge", () => {
    expect(paint([[1, -1, 0]]).inked).toBeGreaterThan(0);
    expect(paint([[3, 0, 0]]).inked).toBe(0);
  });

  it("are on their way from where they were, also on a map that was smaller", () => {
    expect(paint([[0.8, 0, 0]], { moved: 0.5 }).at(14, 10)[3]).toBe(255);
    expect(paint([[0.8, 0, 0]], { moved: 0 }).at(10, 10)[3]).toBe(255);
    const picture = { width: EDGE, height: EDGE, data: new Uint8ClampedArray(4 * EDGE * EDGE) };
    const points = {
      from: Float32Array.of(0.25, 0),
      to: Float32Array.of(0, 0),
      groups: Float32Array.of(0),
      count: 1,
    };
    paintPoints(picture, points, [RED], 1, { ...VIEW, moved: 0, grown: 2 });
    expect(picture.data[4 * (10 * EDGE + 15) + 3]).toBe(255);
  });

  it("are squares of whole pixels where they are small", () =>
    expect(paint([[0.05, 0.05, 0]], { size: 1 }).inked).toBe(1));
});
