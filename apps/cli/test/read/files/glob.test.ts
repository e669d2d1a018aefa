import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type Disk, expandGlob } from "../../../src/read/files/glob.js";
import { failure, makeFolder } from "../fixture.js";

const folder = makeFolder();
for (const name of ["b.csv", "a.csv", "a1.csv", "a.txt", "x/c.csv", "x/y/d.csv", ".hidden.csv", "odd (1)+.csv"]) {
  folder.put(name, "");
}
const expand = async (pattern: string) =>
  (await expandGlob(`${folder.path}/${pattern}`)).map((path) => relative(folder.path, path));

describe("globs", () => {
  it.each([
    ["*.csv", ["a.csv", "a1.csv", "b.csv", "odd (1)+.csv"]],
    ["?.csv", ["a.csv", "b.csv"]],
    ["[ab].csv", ["a.csv", "b.csv"]],
    ["[!a].csv", ["b.csv"]],
    ["a[0-9].csv", ["a1.csv"]],
    ["{a,b}.{csv,txt}", ["a.csv", "a.txt", "b.csv"]],
    ["*/*.csv", ["x/c.csv"]],
    ["**/*.csv", ["a.csv", "a1.csv", "b.csv", "odd (1)+.csv", "x/c.csv", "x/y/d.csv"]],
    ["x/**", ["x/c.csv", "x/y/d.csv"]],
    ["odd (1)*", ["odd (1)+.csv"]],
    [".*.csv", [".hidden.csv"]],
    ["nothing*", []],
  ])("%s", async (pattern, paths) => expect(await expand(pattern)).toEqual(paths));

  it("stop at patterns that are none", async () => {
    expect(await failure(expand("[z-a]*"))).toMatchObject({ name: "UserError" });
  });
});

describe("globs on Windows", () => {
  const FOLDERS: Readonly<Record<string, readonly string[]>> = {
    ".": ["a.csv", "B.CSV", "sub/"],
    sub: ["c.csv"],
    "C:\\": ["data/"],
    "C:\\data": ["a.csv", "b.csv", "deep/"],
    "C:\\data\\deep": ["d.csv"],
    "\\\\server\\share\\": ["e.csv"],
    "..": ["f.csv"],
  };
  const disk: Disk = {
    platform: "win32",
    list: async (folder) =>
      (FOLDERS[folder] ?? []).map((name) => ({
        name: name.replace("/", ""),
        isDirectory: () => name.endsWith("/"),
        isSymbolicLink: () => false,
      })),
  };

  it.each([
    ["*.csv", ["B.CSV", "a.csv"]],
    ["sub\\*.csv", ["sub\\c.csv"]],
    ["sub/*.csv", ["sub\\c.csv"]],
    ["..\\*.csv", ["..\\f.csv"]],
    ["C:\\data\\*.csv", ["C:\\data\\a.csv", "C:\\data\\b.csv"]],
    ["C:/data/{a,x}.csv", ["C:\\data\\a.csv"]],
    ["C:\\**\\d*", ["C:\\data\\deep\\d.csv"]],
    ["\\\\server\\share\\*.csv", ["\\\\server\\share\\e.csv"]],
  ])("%s", async (pattern, paths) => expect(await expandGlob(pattern, disk)).toEqual(paths));
});
