import { expect, it } from "vitest";
import { type Recipe, readRecipe, writeRecipe } from "../src/recipe.js";

it.each<Recipe>([
  { kind: "csv" },
  { kind: "csv", categories: { size: ["big", "small"] }, fills: { a: 2.5 } },
  { kind: "csv", label: "y", id: "n", weight: "w", decimals: { a: "," }, fills: { k: "x" }, leftOut: { d: "date" } },
  { kind: "csv", typical: { a: 1, k: "x" } },
  { kind: "images", image: { width: 28, height: 20 } },
  { kind: "text", text: { stopWords: true, minDocuments: 2, maxShare: 0.5, maxWords: 20_000, column: "note" } },
  { kind: "libsvm", zeroBased: true },
])("comes back as it was: %j", (recipe) => {
  expect(writeRecipe(recipe)).toBe(JSON.stringify(recipe));
  expect(readRecipe(writeRecipe(recipe))).toEqual(recipe);
});

it.each([
  "",
  "null",
  "[]",
  "{}",
  '{"kind": "csvx"}',
  '{"kind": "csv", "categories": {"a": "b"}}',
  '{"kind": "csv", "fills": {"a": true}}',
  '{"kind": "csv", "typical": {"a": null}}',
  '{"kind": "csv", "decimals": {"a": ";"}}',
  '{"kind": "csv", "label": 1}',
  '{"kind": "csv", "leftOut": {"a": 1}}',
  '{"kind": "images", "image": {"width": 0, "height": 2}}',
  '{"kind": "text", "text": {"stopWords": true}}',
  '{"kind": "libsvm", "zeroBased": 1}',
])("refuses %s", (text) => expect(readRecipe(text)).toBeUndefined());
