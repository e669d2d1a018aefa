import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { FILE, openStore, type WriteFile } from "../src/store.js";
import { makeCell } from "./table.js";

const root = mkdtempSync(join(tmpdir(), "bonmf-reproduce-"));
afterAll(() => rmSync(root, { recursive: true }));
const makeFolder = () => mkdtempSync(join(root, "store-"));
const write: WriteFile = async (path, text) => writeFileSync(path, text);
const stamp = { version: "1.0.0", seed: 0 };
const cells = [makeCell("monkey", "nearest", 0, 0.5), makeCell("monkey", "auto", 0, 0.75)];

it("gives back what it was given, and makes the folder", async () => {
  const folder = join(makeFolder(), "new", "folder");
  const store = await openStore(folder, stamp, write);
  expect(store.has("monkey", "nearest", 0)).toBe(false);
  store.add(cells);
  const again = await openStore(folder, stamp, write);
  expect([...again.cells]).toEqual(cells);
  expect(again.has("monkey", "nearest", 0)).toBe(true);
  expect(again.has("monkey", "nearest", 1)).toBe(false);
});

it("keeps but does not use what another version or seed left", async () => {
  const folder = makeFolder();
  (await openStore(folder, stamp, write)).add(cells);
  for (const other of [
    { version: "1.0.1", seed: 0 },
    { version: "1.0.0", seed: 1 },
  ]) {
    expect([...(await openStore(folder, other, write)).cells]).toEqual([]);
  }
  expect([...(await openStore(folder, stamp, write)).cells]).toEqual(cells);
});

it("does without a line that was cut off, and continues after it", async () => {
  const folder = makeFolder();
  (await openStore(folder, stamp, write)).add(cells);
  appendFileSync(join(folder, FILE), '{"version":"1.0.0","seed":0,"dataset":"mon');
  const store = await openStore(folder, stamp, write);
  expect([...store.cells]).toEqual(cells);
  store.add([makeCell("orl", "auto", 2, 1)]);
  expect([...(await openStore(folder, stamp, write)).cells]).toHaveLength(3);
  expect(readFileSync(join(folder, FILE), "utf8").trimEnd().split("\n")).toHaveLength(3);
});

it("without a folder keeps cells in memory", async () => {
  const store = await openStore(undefined, stamp, write);
  store.add(cells);
  expect([...store.cells]).toEqual(cells);
});

it("fails where the folder cannot be made", async () => {
  const file = join(makeFolder(), "file");
  writeFileSync(file, "");
  await expect(openStore(join(file, "under"), stamp, write)).rejects.toThrow(/not a directory|ENOTDIR|ENOENT|EEXIST/);
});
