import { describe, expect, it } from "vitest";
import { MapGeometry } from "../../src/map/geometry.js";

/** A grid of 21 × 21 samples from −1 to 1, row by row from below. */
const SIDE = 21;
const x = Float32Array.from({ length: SIDE * SIDE }, (_, i) => -1 + (i % SIDE) / 10);
const y = Float32Array.from({ length: SIDE * SIDE }, (_, i) => -1 + Math.floor(i / SIDE) / 10);
const at = (column: number, row: number) => row * SIDE + column;

async function open(): Promise<MapGeometry> {
  const geometry = new MapGeometry();
  await geometry.place(x, y);
  return geometry;
}

describe("the map's geometry", () => {
  it("finds the nearest sample within a radius", async () => {
    const geometry = await open();
    expect(await geometry.nearest(0.02, -0.01, 0.05)).toBe(at(10, 10));
    expect(await geometry.nearest(0.05, 0.05, 0.01)).toBeNull();
  });

  it("does not find what is filtered out", async () => {
    const geometry = await open();
    const shown = new Uint8Array(x.length).fill(1);
    shown[at(10, 10)] = 0;
    await geometry.show(shown);
    expect(await geometry.nearest(0.02, 0, 0.05)).toBeNull();
    expect(await geometry.nearest(0.02, 0, 0.09)).toBe(at(11, 10));
    expect(Array.from(await geometry.inside([-0.05, -0.05, 0.15, -0.05, 0.15, 0.05, -0.05, 0.05]))).toEqual([
      at(11, 10),
    ]);
  });

  it("selects exactly what is inside a line, hollow ones too", async () => {
    const geometry = await open();
    // A U: the middle column is outside.
    const line = [
      -0.25, -0.25, 0.25, -0.25, 0.25, 0.25, 0.05, 0.25, 0.05, -0.05, -0.05, -0.05, -0.05, 0.25, -0.25, 0.25,
    ];
    const found = new Set(await geometry.inside(line));
    const expected: number[] = [];
    for (let i = 0; i < x.length; i++) {
      const inBox = Math.abs(x[i]) < 0.25 && Math.abs(y[i]) < 0.25;
      const inGap = Math.abs(x[i]) < 0.05 && y[i] > -0.05;
      if (inBox && !inGap) expected.push(i);
    }
    expect([...found]).toEqual(expected);
    expect(await geometry.inside([0, 0, 1, 1])).toHaveLength(0);
  });

  it("steps to the neighbour in a direction, by the least distance asked for", async () => {
    const geometry = await open();
    expect(await geometry.step(at(10, 10), 1, 0, 0.01)).toBe(at(11, 10));
    expect(await geometry.step(at(10, 10), 0, 1, 0.01)).toBe(at(10, 11));
    expect(await geometry.step(at(10, 10), -1, 0, 0.25)).toBe(at(7, 10));
    expect(await geometry.step(at(20, 10), 1, 0, 0.01)).toBeNull();
  });

  it("steps over large gaps", async () => {
    const geometry = new MapGeometry();
    await geometry.place(Float32Array.of(-0.9, 0.9, 0), Float32Array.of(0, 0.1, 0.95));
    expect(await geometry.step(0, 1, 0, 0.01)).toBe(1);
  });

  it("says how far samples reach", async () => {
    const geometry = await open();
    const { left, right, low, high } = (await geometry.bounds(Uint32Array.of(at(0, 3), at(5, 20))))!;
    expect([left, right, low, high].map((value) => value.toFixed(2))).toEqual(["-1.00", "-0.50", "-0.70", "1.00"]);
    expect(await geometry.bounds(null)).toEqual({ left: -1, right: 1, low: -1, high: 1 });
    await geometry.show(new Uint8Array(x.length));
    expect(await geometry.bounds(null)).toBeNull();
  });

  it("puts labels on members of their groups", async () => {
    const geometry = await open();
    const anchors = await geometry.anchors(
      Uint32Array.from(x, (value) => (value < -0.55 ? 0 : 1)),
      3,
    );
    expect(anchors[0]).toBeCloseTo(-0.8, 5);
    expect(anchors[1]).toBeCloseTo(0, 5);
    expect(anchors[2]).toBeCloseTo(0.3, 5);
    expect([anchors[4], anchors[5]]).toEqual([Number.NaN, Number.NaN]);
  });

  it("draws a ring around each dense place, and follows the filter", async () => {
    const geometry = new MapGeometry();
    const clouds = Array.from({ length: 400 }, (_, i) => ({
      x: (i % 2 ? 0.6 : -0.6) + 0.05 * Math.sin(i * 12.9898),
      y: 0.05 * Math.cos(i * 78.233),
    }));
    await geometry.place(
      Float32Array.from(clouds, (p) => p.x),
      Float32Array.from(clouds, (p) => p.y),
    );
    const middles = async () => {
      const high = (await geometry.contours()).at(-1)!;
      return high.rings.map((ring) => Math.sign(ring[0]));
    };
    expect((await middles()).sort()).toEqual([-1, 1]);
    await geometry.show(Uint8Array.from(clouds, (_, i) => i % 2));
    expect(await middles()).toEqual([1]);
  });
});
