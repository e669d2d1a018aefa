import { readCsv } from "bonmf-data";
import { expect, it } from "vitest";
import { buildData } from "../../src/data/build.js";
import { suggestChoice } from "../../src/data/choice.js";
import { makeExample } from "../../src/data/example.js";
import { nameTable } from "../../src/data/open.js";

const table = (text: string) => nameTable("t.csv", "csv", readCsv(new TextEncoder().encode(text), "t.csv"));
const rows = async (source: ReturnType<typeof table>, change = {}) => {
  const data = await buildData(source, { ...suggestChoice(source), ...change });
  return { ...data, rows: Array.from({ length: data.X.samples }, (_, i) => Array.from(data.X.row(i))) };
};

const drinks = table("cup,hot,milk,size,kind\na,1,0,big,tea\nb,2,,small,tea\nc,3,4,big,coffee\nd,4,8,,coffee\n");

it("suggests label, names, what to leave out and to fill", async () => {
  expect(suggestChoice(drinks)).toMatchObject({ label: "kind", id: "cup", exclude: ["size"], missing: "mean" });
  const data = await rows(drinks);
  expect(data.features).toEqual(["hot", "milk"]);
  expect(data.rows[1]).toEqual([2, 4]);
  expect(data.labels).toEqual(["tea", "tea", "coffee", "coffee"]);
  expect(data.recipe).toEqual({ kind: "csv", label: "kind", id: "cup", fills: { hot: 2.5, milk: 4 } });
});

it("spreads categories in order, and drops what is not whole", async () => {
  const data = await rows(drinks, { oneHot: ["size"], exclude: [], missing: "drop" });
  expect(data.features).toEqual(["hot", "milk", "size=big", "size=small"]);
  expect(data.rows).toEqual([
    [1, 0, 1, 0],
    [3, 4, 1, 0],
  ]);
  expect(data.ids).toEqual(["a", "c"]);
  expect(data.notes).toEqual(["2 samples with missing values were dropped"]);
  expect(data.recipe.categories).toEqual({ size: ["big", "small"] });
});

it("will not guess what a hole is worth", async () => {
  await expect(rows(drinks, { missing: null })).rejects.toThrow('line 3, column "milk": the value is missing');
  await expect(rows(drinks, { exclude: ["hot", "milk", "size"] })).rejects.toThrow("no column is left");
});

it("takes numbered columns that make a square for pixels", async () => {
  const shapes = makeExample("shapes");
  expect(suggestChoice(shapes)).toMatchObject({ label: "shape", image: { width: 12, height: 12 }, text: null });
  expect((await buildData(shapes, suggestChoice(shapes))).X.features).toBe(144);
});

it("counts the words of a column of texts", async () => {
  const notes = makeExample("notes");
  const choice = suggestChoice(notes);
  expect(choice).toMatchObject({ label: "theme", text: "note" });
  const { X, features, recipe } = await buildData(notes, choice);
  expect(X.kind).toBe("sparse");
  expect(features).toContain("garlic");
  expect(recipe).toMatchObject({ kind: "text", text: { column: "note", minDocuments: 2 } });
});
