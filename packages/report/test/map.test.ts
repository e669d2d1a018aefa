import { Dense, fit } from "bonmf";
import { describe, expect, it } from "vitest";
import { collectFindings } from "../src/index.js";
import { openDraw } from "../src/subsample.js";

describe("the map", () => {
  it("is the same whatever the number of clusters, the seed and the labels of a fit", async () => {
    const draw = openDraw(3);
    const X = Dense.from(Array.from({ length: 60 }, () => Array.from({ length: 6 }, draw)));
    const labels = Array.from({ length: 60 }, (_, i) => i % 2);
    const [few, many] = await Promise.all([fit(X, { k: 2, seed: 1 }), fit(X, { k: 7, seed: 2 })]);
    const { map } = await collectFindings(few, { X });
    const other = (await collectFindings(many, { X, labels })).map;
    expect([other.x, other.y]).toEqual([map.x, map.y]);
  });
});
