import { expect, it } from "vitest";
import { openItems } from "../../src/data/open.js";
import { writeCommand } from "../../src/session/snippet.js";
import { FIRST_ORDER } from "../../src/state/store.js";

const order = { ...FIRST_ORDER, k: 3 };
const pictures = { form: "matrix", kind: "images", name: "faces" } as const;
const prose = (path: string) => ({ name: path.split("/").at(-1)!, path, blob: new Blob(["some words here"]) });

it("names the folder that was opened, not its first file", async () => {
  const items = ["my notes/a/1.txt", "my notes/b/2.txt"].map(prose);
  const source = await openItems(items);
  expect(source.files).toEqual(["my notes"]);
  expect(source.name).toBe("my notes");
  expect(writeCommand(order, {}, source)).toMatch(/^bonmf fit 'my notes' --k 3 --out /);
});

it("lists files that were opened together, and many of one kind as a pattern", () => {
  const few = ["one.png", "it's two.png"];
  expect(writeCommand(order, {}, { ...pictures, files: few })).toMatch(
    /^bonmf fit one\.png 'it'\\''s two\.png' --k 3 /,
  );
  const many = Array.from({ length: 40 }, (_, i) => `${i}.png`);
  expect(writeCommand(order, {}, { ...pictures, files: many })).toMatch(/^bonmf fit \*\.png --k 3 /);
  expect(writeCommand(order, {}, { ...pictures, files: [...many, "x.jpg"] })).toContain(" 39.png x.jpg --k 3 ");
});

it("counts the files while they are read", async () => {
  const seen: [number, number][] = [];
  await openItems(["n/1.txt", "n/2.txt", "n/3.txt"].map(prose), undefined, (read, total) => seen.push([read, total]));
  expect(seen).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

it("repeats topics on vectors with the command that finds them", () => {
  const table = { form: "table", kind: "csv", name: "news.csv" } as const;
  const choice = { text: "body", label: "kind", vectors: "my news.npy", vectorWeight: 0.3, exclude: ["x"] };
  expect(writeCommand({ ...order, method: "spherical", scale: "none", init: "random" }, choice, table, true)).toBe(
    "bonmf topics news.csv --k 3 --vectors 'my news.npy' --vector-weight 0.3 --label kind --text body --out model.safetensors --assignments clusters.csv",
  );
  expect(writeCommand(order, { ...choice, vectorWeight: 0 }, table, true)).toBe(
    "bonmf topics news.csv --k 3 --label kind --text body --out model.safetensors --assignments clusters.csv",
  );
});
