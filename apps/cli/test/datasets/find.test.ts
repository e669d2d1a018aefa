import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DATASETS, lookUp, nameOf } from "../../src/datasets/catalogue.js";
import { cacheFolder, dataFolders, findDataset, resolveSource } from "../../src/datasets/find.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bonmf-find-"));
  await mkdir(join(folder, "mine", "orl"), { recursive: true });
  await writeFile(join(folder, "mine", "orl", "orl.csv.gz"), "");
  for (const name of ["orl", "monkey", "openml"])
    await mkdir(join(folder, "bonmf", "datasets", name), { recursive: true });
  await writeFile(join(folder, "bonmf", "datasets", "orl", "orl.csv.gz"), "");
  await writeFile(join(folder, "bonmf", "datasets", "monkey", "monks-2.csv.gz"), "");
  await writeFile(join(folder, "bonmf", "datasets", "openml", "61.arff"), "");
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform !== "linux")("findDataset", () => {
  it("looks in BONMF_DATA_DIR first, then in the cache", () => {
    const both = { BONMF_DATA_DIR: join(folder, "mine"), XDG_CACHE_HOME: folder };
    expect(findDataset("orl", both)).toBe(join(folder, "mine", "orl", "orl.csv.gz"));
    expect(findDataset("orl", { XDG_CACHE_HOME: folder })).toBe(join(folder, "bonmf", "datasets", "orl", "orl.csv.gz"));
    expect(findDataset("monks-2", both)).toBe(join(folder, "bonmf", "datasets", "monkey", "monks-2.csv.gz"));
    expect(findDataset("openml:61", both)).toBe(join(folder, "bonmf", "datasets", "openml", "61.arff"));
    expect(findDataset("w8a", both)).toBeNull();
  });

  it("makes sources of names, and leaves other sources alone", () => {
    const env = { XDG_CACHE_HOME: folder };
    expect(resolveSource("data/*.csv", env)).toBe("data/*.csv");
    expect(resolveSource("-", env)).toBe("-");
    expect(resolveSource("@orl", env)).toBe(join(folder, "bonmf", "datasets", "orl", "orl.csv.gz"));
  });

  it("says how to get a dataset, and which was meant", () => {
    const env = { XDG_CACHE_HOME: folder };
    const failure = (source: string) => {
      try {
        resolveSource(source, env);
      } catch (error) {
        return error;
      }
      return null;
    };
    expect(failure("@w8a")).toMatchObject({
      message: "the dataset w8a is not on this machine",
      hint: "bonmf datasets get w8a",
    });
    expect(failure("@opdigits")).toMatchObject({
      message: 'there is no dataset "opdigits"',
      hint: "did you mean optdigits?",
    });
    expect(failure("@../../etc/passwd")).toMatchObject({ message: 'there is no dataset "../../etc/passwd"' });
  });
});

describe("cacheFolder", () => {
  it.each([
    [{ HOME: "/home/u" }, "linux", "/home/u/.cache/bonmf"],
    [{ HOME: "/home/u", XDG_CACHE_HOME: "/c" }, "linux", "/c/bonmf"],
    [{ HOME: "/home/u", XDG_CACHE_HOME: "relative" }, "linux", "/home/u/.cache/bonmf"],
    [{ HOME: "/Users/u" }, "darwin", "/Users/u/Library/Caches/bonmf"],
    [{ HOME: "/Users/u", XDG_CACHE_HOME: "/c" }, "darwin", "/c/bonmf"],
    [{ USERPROFILE: "C:\\Users\\u", XDG_CACHE_HOME: "D:\\c" }, "win32", "D:\\c\\bonmf"],
    [{ USERPROFILE: "C:\\Users\\u", LOCALAPPDATA: "D:\\local" }, "win32", "D:\\local\\bonmf"],
    [{ USERPROFILE: "C:\\Users\\u", HOME: "/c/Users/u" }, "win32", "C:\\Users\\u\\AppData\\Local\\bonmf"],
    [{ USERPROFILE: "\\\\server\\u" }, "win32", "\\\\server\\u\\AppData\\Local\\bonmf"],
  ])("%j on %s is %s", (env, platform, expected) => {
    expect(cacheFolder(env, platform)).toBe(expected);
  });

  it("comes after BONMF_DATA_DIR", () => {
    expect(dataFolders({ HOME: "/h", BONMF_DATA_DIR: "/d" })).toHaveLength(2);
    expect(dataFolders({ HOME: "/h", BONMF_DATA_DIR: "" })).toHaveLength(1);
  });
});

describe("the catalogue", () => {
  it("names every file once, and finds it by that name", () => {
    const files = DATASETS.flatMap((dataset) => dataset.files);
    const names = files.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    for (const file of files) expect(lookUp(nameOf(file)).files).toContain(file);
    for (const dataset of DATASETS) expect(lookUp(dataset.name).files).toBe(dataset.files);
  });

  it("has addresses that are encrypted, and the columns it promises", () => {
    for (const { files } of DATASETS) {
      for (const { origin, features } of files) {
        for (const url of origin.parts.flatMap((part) => part.urls)) expect(new URL(url).protocol).toBe("https:");
        if ("columns" in origin) expect(origin.columns).toHaveLength(features ?? -1);
      }
    }
  });
});
