import { describe, expect, it } from "vitest";
import { findFreePlaces } from "../../../../packages/report/src/views/free-places.js";
import { PointBudget } from "../../src/map/budget.js";
import { placeLabels } from "../../src/map/labels.js";
import { spreadOrder } from "../../src/map/order.js";
import { makeScale, STEPS } from "../../src/map/scale.js";

describe("the order of drawing", () => {
  it.each([1, 2, 10, 144, 1000, 1_000_000])("has each of %i samples once", (n) => {
    const seen = new Uint8Array(n);
    for (const i of spreadOrder(n)) seen[i]++;
    expect(seen.every((times) => times === 1)).toBe(true);
  });

  it("begins with samples from all over the file", () => {
    const tenths = new Array<number>(10).fill(0);
    for (const i of spreadOrder(1_000_000).subarray(0, 40_000)) tenths[Math.floor(i / 100_000)]++;
    for (const count of tenths) expect(Math.abs(count - 4000)).toBeLessThan(20);
  });
});

describe("the number of points drawn", () => {
  it("grows to all of them where drawing is fast", () => {
    const budget = new PointBudget();
    for (let frame = 0; frame < 5; frame++) budget.record(budget.of(1_000_000), 2);
    expect(budget.of(1_000_000)).toBe(1_000_000);
  });

  it("shrinks to what is drawn in time, and stays there", () => {
    const budget = new PointBudget();
    const slow = (points: number) => points / 200;
    for (let frame = 0; frame < 20; frame++) {
      const points = budget.of(1_000_000);
      budget.record(points, slow(points));
    }
    const settled = budget.of(1_000_000);
    expect(slow(settled)).toBeLessThan(60);
    expect(settled).toBeLessThan(40_000);
    budget.record(settled, slow(settled));
    expect(budget.of(1_000_000)).toBe(settled);
  });

  it("stays where one drawing is late, and grows on", () => {
    const budget = new PointBudget();
    budget.record(budget.of(1_000_000), 300);
    expect(budget.of(1_000_000)).toBe(40_000);
    for (let frame = 0; frame < 5; frame++) budget.record(budget.of(1_000_000), 2);
    expect(budget.of(1_000_000)).toBe(1_000_000);
  });

  it("never falls below a picture of the whole", () => {
    const budget = new PointBudget();
    for (let frame = 0; frame < 20; frame++) budget.record(budget.of(1_000_000), 5000);
    expect(budget.of(1_000_000)).toBe(10_000);
    expect(budget.of(300)).toBe(300);
  });
});

describe("colours of numbers", () => {
  it("go from the least to the most, without a few far values", () => {
    const values = Float64Array.from({ length: 1001 }, (_, i) => (i === 1000 ? 1e9 : i / 1000));
    const { least, most, of } = makeScale(values);
    expect([least, most]).toEqual([0.01, 0.99]);
    expect([of[0], of[1000]]).toEqual([0, STEPS - 1]);
    expect(of[500]).toBe(Math.round((STEPS - 1) / 2));
  });

  it("show a word that few texts have, and what is missing", () => {
    const values = new Float64Array(1000);
    values[7] = 3;
    values[8] = Number.NaN;
    const { of, most } = makeScale(values);
    expect(most).toBe(3);
    expect([of[0], of[7], of[8]]).toEqual([0, STEPS - 1, STEPS]);
  });

  it("are one colour where all values are equal", () =>
    expect(new Set(makeScale(new Float64Array(5).fill(2)).of)).toEqual(new Set([0])));
});

describe("labels", () => {
  const size = { width: 400, height: 400, unit: 200 };
  const place = (anchors: number[], counts: number[], camera = { k: 1, x: 0, y: 0 }) =>
    placeLabels(Float32Array.from(anchors), counts, () => [80, 20], camera, size, findFreePlaces);

  it("do not overlap; large groups keep their place", () => {
    const labels = place([0, 0, 0.01, 0, 0, 0.01], [5, 50, 1]);
    expect(labels.map(({ group }) => group)).toEqual([1, 0, 2]);
    expect([labels[0].box.x, labels[0].box.y].map(Math.round)).toEqual([202, 200]);
    for (const a of labels) {
      for (const b of labels) {
        if (a !== b) expect(Math.abs(a.box.y - b.box.y)).toBeGreaterThanOrEqual(20);
      }
    }
  });

  it("do not stand where the buttons are", () => {
    const buttons = { x: 300, y: 15, width: 200, height: 30 };
    const at = (x: number, y: number) =>
      placeLabels(Float32Array.of(x, y), [5], () => [80, 20], { k: 1, x: 0, y: 0 }, size, findFreePlaces, [buttons]);
    expect(at(0.5, 0.9)[0].box.y).toBeCloseTo(40, 4);
    expect(at(-0.5, 0.9)[0].box.y).toBeCloseTo(20, 4);
  });

  it("stay inside the frame, and are left out for groups that are elsewhere or empty", () => {
    expect(place([-0.99, 0.99], [5])[0].box).toMatchObject({ x: 40, y: 10 });
    expect(place([0.9, 0.9, Number.NaN, Number.NaN], [5, 0], { k: 4, x: 0, y: 0 })).toEqual([]);
  });
});
