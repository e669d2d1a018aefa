import { Dense, fit } from "bonmf";
import { describe, expect, it } from "vitest";
import { collectFindings } from "../../src/index.js";
import { listColourings } from "../../src/views/map-colouring.js";
import { findNearest, stepFrom } from "../../src/views/map-pointer.js";

const spots = [
  { p: 0, x: 0, y: 0 },
  { p: 1, x: 10, y: 1 },
  { p: 2, x: 4, y: 9 },
  { p: 3, x: 100, y: 100 },
];

describe("samples under the pointer", () => {
  it("are the nearest, and none where nothing is near", () => {
    expect(findNearest(spots, 8, 2)?.p).toBe(1);
    expect(findNearest(spots, 60, 60)).toBeUndefined();
  });

  it("are reached by steps in a direction; straight ones are preferred", () => {
    expect(stepFrom(spots[0], spots, [1, 0])?.p).toBe(1);
    expect(stepFrom(spots[0], spots, [0, 1])?.p).toBe(2);
    expect(stepFrom(spots[0], spots, [-1, 0])).toBeUndefined();
  });
});

describe("colours of the map", () => {
  const rows = Array.from({ length: 40 }, (_, i) => [1 + (i % 2) * 8, 9 - (i % 2) * 8, 1 + (i % 5) / 5]);
  const labels = rows.map((_, i) => (i % 2 ? "odd" : "even"));

  it("are those of clusters, classes and closeness", async () => {
    const X = Dense.from(rows);
    const findings = await collectFindings(await fit(X, { k: 2, seed: 1 }), { X, labels });
    const [clusters, classes, closeness] = listColourings(findings);
    expect([clusters, classes, closeness].map(({ title }) => title)).toEqual(["clusters", "classes", "closeness"]);
    expect(classes.groups.names).toEqual(["even", "odd"]);
    expect(Array.from(classes.groups.of)).toEqual(rows.map((_, i) => i % 2));
    expect(closeness.groups).toBe(clusters.groups);
    const { least, most, of } = closeness.shades!;
    const { cosines } = findings.map;
    expect(least).toBeGreaterThanOrEqual(Math.min(...cosines));
    expect(most).toBeLessThanOrEqual(Math.max(...cosines));
    const [low, high] = [cosines.indexOf(Math.min(...cosines)), cosines.indexOf(Math.max(...cosines))];
    expect(of[low]).not.toBe(of[high]);
    expect(new Set(of).size).toBeGreaterThan(2);
  });

  it("have no classes where there are none, and call clusters by what people named them", async () => {
    const X = Dense.from(rows);
    const findings = await collectFindings(await fit(X, { k: 2, seed: 1 }), { X });
    const named = {
      ...findings,
      clusters: findings.clusters.map((one) => ({ ...one, name: one.cluster ? "b" : null })),
    };
    const colourings = listColourings(named);
    expect(colourings.map(({ title }) => title)).toEqual(["clusters", "closeness"]);
    expect(colourings[0].groups.marks).toEqual(["0", "b"]);
  });

  it("label texts with their words", async () => {
    const X = Dense.from(rows);
    const findings = await collectFindings(await fit(X, { k: 2, seed: 1 }), { X, features: ["goal", "vote", "film"] });
    const [{ groups }] = listColourings({ ...findings, form: "text" });
    expect(groups.marks).toEqual(
      findings.clusters.map(({ distinctive }) => distinctive.map(({ name }) => name).join(" · ")),
    );
    expect(groups.marks[0]).toMatch(/goal|vote/);
  });
});
