import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
writeBlobs(join(cwd, "blobs.csv"), 30, 2, 3);

describe("the file of a model is not named like a table or a page", () => {
  it.each([
    [
      ["fit", "--k", "3", "--out", "t.csv"],
      "t.csv",
      "t.safetensors; --assignments FILE writes the cluster of each row",
    ],
    [["topics", "--out", "t.json"], "t.json", "t.safetensors; --assignments FILE writes the topic of each document"],
    [["classify", "--out", "a.b.csv.gz"], "a.b.csv.gz", "a.b.safetensors; --predictions FILE writes the answers"],
    [["choose", "--out", "page.html"], "page.html", "page.safetensors"],
  ])("%j", async ([command, ...options], name, remedy) => {
    const { code, stderr } = await runBonmf([command, "blobs.csv", ...options], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain(`${name}: --out writes a model, which is a safetensors file`);
    expect(stderr).toContain(`name it ${remedy}`);
    expect(existsSync(join(cwd, name))).toBe(false);
  });
});
