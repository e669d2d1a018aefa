import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { classifier, fit, loadModel, saveClassifier, saveModel } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
writeBlobs(join(cwd, "blobs.csv"), 300, 6, 3);
await runBonmf(["fit", "blobs.csv", "--k", "3", "--label", "class", "--out", "m.st"], { cwd });
const model = loadModel(readFileSync(join(cwd, "m.st")));
const run = (...args: string[]) => runBonmf(["inspect", ...args], { cwd });

describe("inspect", () => {
  it("tells what the model is, how it was made and what its clusters mean", async () => {
    const { code, stdout, stderr } = await run("m.st");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^m\.st {2}model of bonmf \d+\.\d+\.\d+, [\d.]+ kB$/m);
    expect(stdout).toMatch(/^source +blobs\.csv \(csv\)$/m);
    expect(stdout).toMatch(/^samples +300 × 6 features$/m);
    expect(stdout).toMatch(
      /^method +bonmf, k = 3, seed 0, scale lift, best of 10 starts \(number \d+\), init plusplus$/m,
    );
    expect(stdout).toMatch(/^ended +\d+ iterations, converged: no label changed$/m);
    expect(stdout.match(/^ +\d +\d+ +\d+\.\d % +x\d/gm)).toHaveLength(3);
  });

  it("says the same with --json", async () => {
    const answer = JSON.parse((await run("m.st", "--json", "--top", "2")).stdout);
    expect(answer).toMatchObject({
      method: "bonmf",
      k: 3,
      seed: 0,
      scale: "lift",
      samples: 300,
      features: 6,
      iterations: model.iterations,
      converged: true,
      stopped: "fixed-point",
      objective: model.potential,
      explained: model.explained,
      relativeError: model.relativeError,
      source: "blobs.csv",
      recipe: { kind: "csv" },
      classifier: null,
    });
    expect(answer.clusters.map(({ size }: { size: number }) => size)).toEqual([...model.counts]);
    for (const { features } of answer.clusters) {
      expect(features.length).toBeLessThanOrEqual(2);
      for (const { direction, value, mean } of features) expect(value > mean).toBe(direction === "high");
    }
  });

  it("shows the names that clusters were given", async () => {
    writeFileSync(join(cwd, "named.st"), saveModel(model, { clusterNames: '["left","","a\\u001b[31m"]' }));
    const { stdout } = await run("named.st");
    expect(stdout).toMatch(/^cluster +size +share +name +most distinctive$/m);
    expect(stdout).toMatch(/^ +0 +\d+ +\d+\.\d % +left +x\d/m);
    expect(stdout).toMatch(/^ +1 +\d+ +\d+\.\d % +– +x\d/m);
    expect(stdout).not.toContain("\u001b[31m");
    const { clusters } = JSON.parse((await run("named.st", "--json")).stdout);
    expect(clusters.map(({ name }: { name: string | null }) => name)).toEqual(["left", null, "a\u001b[31m"]);
  });

  it("shows the clusters that were asked for", async () => {
    const clusters = async (which: string) =>
      JSON.parse((await run("m.st", "--json", "--clusters", which)).stdout).clusters.map(
        (c: { cluster: number }) => c.cluster,
      );
    expect(await clusters("2,0")).toEqual([2, 0]);
    expect(await clusters("0-1")).toEqual([0, 1]);
    for (const wrong of ["3", "1-9", "2-1", "x", ""]) {
      const { code, stderr } = await run("m.st", `--clusters=${wrong}`);
      expect(code).toBe(1);
      expect(stderr).toContain("which are 0 … 2");
    }
  });

  it("draws pictures", async () => {
    const { stdout } = await run("m.st", "--size", "3x2");
    expect(stdout).toMatch(new RegExp(`^0 \\(${model.counts[0]}\\) +1 \\(${model.counts[1]}\\)`, "m"));
    expect(stdout).toMatch(/[░▒▓█]/);
    expect(stdout).not.toContain("most distinctive");
    const coloured = (await runBonmf(["inspect", "m.st", "--size", "3x2"], { cwd, env: { FORCE_COLOR: "1" } })).stdout;
    expect(coloured).toMatch(/38;5;2\d\d;48;5;2\d\dm▀/);
    expect(await run("m.st", "--size", "4x4")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("16 pixels, but the model has 6 features"),
    });
  });

  it("knows models of the library's own and classifiers", async () => {
    const X = [
      [5, 0, 1],
      [4, 1, 0],
      [0, 3, 3],
      [1, 4, 5],
    ];
    const bare = await fit(X, { k: 2, seed: 7 });
    writeFileSync(join(cwd, "bare.st"), saveModel(bare));
    expect((await run("bare.st")).stdout).toMatch(/^ +\d +2 +50\.0 % +#/m);
    const clf = await classifier(bare, X, ["tea", "tea", "coffee", "coffee"], { scheme: "majority" });
    writeFileSync(join(cwd, "clf.st"), saveClassifier(clf));
    const { stdout } = await run("clf.st");
    expect(stdout).toContain("clf.st  classifier of bonmf");
    expect(stdout).toMatch(/^scheme +majority\nclasses +2: coffee, tea$/m);
    expect(JSON.parse((await run("clf.st", "--json")).stdout).classifier).toEqual({
      scheme: "majority",
      classes: ["coffee", "tea"],
      classWeights: null,
      calibrated: false,
      reject: {},
    });
    const balanced = { scheme: "majority", classWeights: "balanced" } as const;
    writeFileSync(
      join(cwd, "alike.st"),
      saveClassifier(await classifier(bare, X, ["tea", "tea", "coffee", "coffee"], balanced)),
    );
    expect((await run("alike.st")).stdout).toMatch(/^weights +every class counts alike$/m);
    expect(JSON.parse((await run("alike.st", "--json")).stdout).classifier.classWeights).toBe("balanced");
  });

  it("does not let names in a file rewrite the screen", async () => {
    const featureNames = ["\x1b[2Jevil\r", "b\nc"];
    const hostile = await fit(
      [
        [5, 0],
        [0, 5],
      ],
      { k: 2, featureNames, tags: { source: "\x1b]0;pwned\x07" } },
    );
    writeFileSync(join(cwd, "hostile.st"), saveModel(hostile));
    const { code, stdout } = await run("hostile.st");
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
    expect(stdout).toContain("evil");
  });
});
