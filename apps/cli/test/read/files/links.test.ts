import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { findFiles } from "../../../src/read/files/sources.js";
import { makeFolder } from "../../binary.js";

let top: string;
let folder: string;
beforeEach(() => {
  top = makeFolder();
  folder = join(top, "texts");
  mkdirSync(join(folder, "a"), { recursive: true });
  mkdirSync(join(top, "texts-of-others"));
  writeFileSync(join(folder, "a", "one.txt"), "one");
  writeFileSync(join(top, "secret.txt"), "secret");
  writeFileSync(join(top, "texts-of-others", "more.txt"), "more");
});
const names = async (path: string) => (await findFiles([path])).map(({ inside }) => inside);

it("links within a folder are followed, those to folders passed over", async () => {
  symlinkSync(join("a", "one.txt"), join(folder, "two.txt"));
  symlinkSync("a", join(folder, "again"));
  expect(await names(folder)).toEqual(["a/one.txt", "two.txt"]);
  symlinkSync(folder, join(top, "link"));
  expect(await names(join(top, "link"))).toEqual(["a/one.txt", "two.txt"]);
});

it.each([
  ["by a relative path", () => join("..", "secret.txt")],
  ["by an absolute path", () => join(top, "secret.txt")],
  ["to a folder whose name begins alike", () => join("..", "texts-of-others", "more.txt")],
  ["to a folder", () => ".."],
])("links that lead out of it are refused, %s", async (_, target) => {
  symlinkSync(target(), join(folder, "out.txt"));
  await expect(names(folder)).rejects.toThrow(/out\.txt is a link that leads out of .*texts/);
});

it("links that lead nowhere are refused; hidden ones are passed over", async () => {
  symlinkSync(join(top, "secret.txt"), join(folder, ".hidden"));
  expect(await names(folder)).toEqual(["a/one.txt"]);
  symlinkSync("none.txt", join(folder, "broken.txt"));
  await expect(names(folder)).rejects.toThrow("leads nowhere");
});

it("a file that is named itself is read wherever it leads", async () => {
  symlinkSync(join(top, "secret.txt"), join(folder, "out.txt"));
  expect(await findFiles([join(folder, "out.txt")])).toHaveLength(1);
  expect(await findFiles([join(folder, "*.txt")])).toHaveLength(1);
});
