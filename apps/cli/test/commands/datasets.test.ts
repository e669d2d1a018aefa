import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DATASETS } from "../../src/datasets/catalogue.js";
import { bonmf, makeFolder } from "../binary.js";

const folder = makeFolder();
const data = process.env.BONMF_DATA_DIR ?? "";
/** No dataset is here, and none can be had. */
const bare = { env: { BONMF_DATA_DIR: "", XDG_CACHE_HOME: join(folder, "none"), HOME: folder, LOCALAPPDATA: folder } };

describe("bonmf datasets", () => {
  it("lists what there is", () => {
    const { code, stdout, stderr } = bonmf(["datasets"], bare);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name +samples +features +classes +size +here +what\n/);
    expect(stdout).toMatch(/^optdigits +5,620 +64 +10 +161 kB +– +Handwritten digits, 8 × 8 \(UCI\) · paper$/m);
    expect(stdout.trim().split("\n")).toHaveLength(DATASETS.length + 1);
    expect(stderr).toContain("bonmf datasets get NAME");
  });

  it("lists the same for programs", () => {
    const { datasets } = JSON.parse(bonmf(["datasets", "list", "--json"], bare).stdout);
    expect(datasets.map((dataset: { name: string }) => dataset.name)).toEqual(DATASETS.map(({ name }) => name));
    expect(datasets[1].files[0]).toMatchObject({
      name: "optdigits",
      rows: 5620,
      features: 64,
      classes: 10,
      path: null,
    });
  });

  it("says how to get what is not here", () => {
    const { code, stdout, stderr } = bonmf(["datasets", "path", "orl"], bare);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe("error: the dataset orl is not on this machine\nhint: bonmf datasets get orl\n");
    expect(bonmf(["convert", "@orl", join(folder, "orl.npy")], bare).stderr).toBe(stderr);
  });

  it.each([
    [["get", "opdigits"], 'there is no dataset "opdigits"', "did you mean optdigits?"],
    [["get"], "get needs a name", "bonmf datasets lists them"],
    [["optdigits"], 'bonmf datasets has no "optdigits"', "bonmf datasets get NAME fetches one"],
    [["clear", "orl"], "clear takes no names", ""],
    [["path", "../x"], 'there is no dataset "../x"', ""],
  ])("refuses %j", (args, message, hint) => {
    const { code, stderr } = bonmf(["datasets", ...args], bare);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it.skipIf(process.platform !== "linux")("clears the cache and nothing else", () => {
    const env = { BONMF_DATA_DIR: join(folder, "mine"), XDG_CACHE_HOME: join(folder, "cache") };
    const place = join(folder, "cache", "bonmf");
    mkdirSync(join(place, "datasets", "orl"), { recursive: true });
    mkdirSync(join(folder, "mine", "orl"), { recursive: true });
    writeFileSync(join(place, "datasets", "orl", "orl.csv.gz"), "");
    writeFileSync(join(folder, "mine", "orl", "orl.csv.gz"), "");
    expect(bonmf(["datasets", "clear"], { env })).toEqual({
      code: 0,
      stdout: `cleared ${place}/datasets\n`,
      stderr: "",
    });
    expect(readdirSync(place)).toEqual([]);
    expect(readdirSync(join(folder, "mine", "orl"))).toEqual(["orl.csv.gz"]);
  });
});

describe.skipIf(process.env.BONMF_DATA_REAL !== "1")("bonmf datasets with real files (need BONMF_DATA_DIR)", () => {
  it("gets what is here without a network", () => {
    const { code, stdout, stderr } = bonmf(["datasets", "get", "diabetes", "monks-2"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`${join(data, "diabetes", "diabetes.csv.gz")}\n${join(data, "monkey", "monks-2.csv.gz")}\n`);
    expect(stderr).toContain("diabetes was here already");
    expect(stderr).toContain("licence: public domain");
  });

  it("says for programs what was found", () => {
    const { datasets } = JSON.parse(bonmf(["datasets", "get", "diabetes", "--json"]).stdout);
    const path = join(data, "diabetes", "diabetes.csv.gz");
    expect(datasets).toEqual([{ name: "diabetes", files: [{ path, cached: true, verified: "content" }] }]);
  });

  it("prints a path that others can use", () => {
    expect(bonmf(["datasets", "path", "w8a"]).stdout).toBe(`${join(data, "w8a", "w8a.svm.gz")}\n`);
  });
});
