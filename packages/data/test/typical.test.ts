import { Dense } from "bonmf";
import { expect, it } from "vitest";
import { completeRecipe, RowSample, readCsv, readTable, type TableOptions } from "../src/index.js";

const read = (text: string, options: TableOptions = {}) =>
  readTable({ ...readCsv(new TextEncoder().encode(text), "t.csv"), name: "t.csv", kind: "csv" }, options);

const fitted = await read("a,b,k,__proto__\n1,5,x,0.1\n2,,y,0.2\n9,7,y,0.3\n4,6,y,0.4\n", { oneHot: ["k"] });
const recipe = completeRecipe(fitted);
const like = { features: fitted.features, recipe, count: fitted.X.features };
const later = "a,b,k,__proto__\n,,,\n3,3,x,3\n";

it("knows what stands in for values of columns that missed none", () => {
  expect(recipe.fills).toEqual({ b: 6 });
  expect(Object.entries(recipe.typical ?? {})).toEqual([
    ["a", 2],
    ["k", "y"],
    ["__proto__", 0.2],
  ]);
});

it("fills them with a note and their number", async () => {
  const { X, notes } = await read(later, { like });
  expect(Array.from(X.row(0))).toEqual([2, 6, 0, 1, Math.fround(0.2)]);
  expect(notes).toEqual(["4 missing values were set to what the model says"]);
});

it.each<TableOptions>([{ strict: true }, { missing: "error" }])("refuses them with %j", async (options) => {
  await expect(read(later, { like, ...options })).rejects.toThrow('line 2, column "a": the value is missing');
});

it("leaves models of older versions as they were", async () => {
  const { typical: _, ...older } = recipe;
  await expect(read(later, { like: { ...like, recipe: older } })).rejects.toThrow('column "a": the value is missing');
});

it("takes the same rows whether samples come at once or in parts", () => {
  const n = 70_000;
  const X = new Dense(
    n,
    2,
    Float32Array.from({ length: 2 * n }, (_, p) => ((p >> 1) * 7919) % n),
  );
  const whole = new RowSample();
  whole.add(X);
  const parts = new RowSample();
  for (let from = 0; from < n; from += 999) parts.add(X.slice(from, Math.min(n, from + 999)));
  const found = whole.complete({ kind: "csv" }, ["a", "b"]);
  expect(parts.complete({ kind: "csv" }, ["a", "b"])).toEqual(found);
  expect(Math.abs(Number(found.typical?.a) - n / 2)).toBeLessThan(n / 50);
});
