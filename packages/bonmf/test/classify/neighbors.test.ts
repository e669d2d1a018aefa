import { expect, it } from "vitest";
import { neighbors } from "../../src/classify/neighbors.js";
import { fit } from "../../src/model/fit.js";
import { blobRows } from "../synthetic.js";
import { cosine } from "./handmade.js";

const X = blobRows(5, 300, 6, 4);

it.each(["bonmf", "kmeans"] as const)("finds the nearest by angle, as brute force does: %s", async (method) => {
  const model = await fit(X, { k: 4, seed: 1, method, scale: "none" });
  const search = await neighbors(model, X, { count: 7 });
  expect(search.samples).toBe(300);
  const queries = [X[3], X[250], X[9].map((value, f) => value + f)];
  for (const [q, found] of search.find(queries).entries()) {
    const all = X.map((row) => cosine(row, queries[q])).sort((a, b) => b - a);
    expect(found).toHaveLength(7);
    found.forEach(({ index, closeness }, place) => {
      expect(closeness).toBeCloseTo(all[place], 12);
      expect(cosine(X[index], queries[q])).toBeCloseTo(closeness, 12);
    });
  }
  expect(search.find([X[3]])[0][0].index).toBe(3);
});

it("gives no more than there are, and no more than were asked for", async () => {
  const rows = [[1, 0], [0, 1], ...Array.from({ length: 5 }, () => [0, 0])];
  const model = await fit(rows, { k: 2, seed: 1, scale: "none" });
  expect((await neighbors(model, rows, { count: 50 })).find([[2, 1]])[0]).toHaveLength(7);
  expect((await neighbors(model, rows, { count: 2 })).find([[0, 0]])[0]).toHaveLength(2);
});

it("refuses bad options and samples that are not there", async () => {
  const model = await fit(X, { k: 4, seed: 1 });
  await expect(neighbors(model, X, { count: 0 })).rejects.toThrow("count must be a whole number, 1 or more, not 0");
  await expect(neighbors(model, X, { neighbors: 3 } as object)).rejects.toThrow('"neighbors"');
  await expect(neighbors(model, [])).rejects.toThrow();
});
