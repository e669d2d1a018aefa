/** Fits from disk against fits in memory: the same file to the byte, whatever was read. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readCsv, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf, writeBlobs } from "../binary.js";
import { makeCache } from "./store.js";

const cwd = makeFolder();
const cache = makeCache();
const data = process.env.BONMF_DATA_DIR ?? "";
const dataset = (...path: string[]) => join(data, ...path);
const digits = dataset("optdigits", "optdigits.csv.gz");

/** Runs a fit both ways and compares all that it writes and prints. */
async function compare(
  args: readonly string[],
  input?: string,
): Promise<{ disk: Record<string, unknown>; stderr: string }> {
  const run = async (engine: "memory" | "disk") => {
    const line = [
      "fit",
      ...args,
      "--out",
      `${engine}.st`,
      "--assignments",
      `${engine}.csv`,
      // What can be read once has no rows to stand beside.
      ...(input !== undefined || args.includes("--sql") ? ["--columns", "none"] : []),
      "--json",
    ];
    // The bound on memory is one on the whole process.
    const { code, stdout, stderr } =
      engine === "disk"
        ? cache.run([...line, "--memory", "400MB"], cwd, input)
        : await runBonmf(line, { cwd, env: cache.env, ...(input !== undefined && { input }) });
    expect(code, stderr).toBe(0);
    const { seconds: _, threads: __, model: ___, assignments: ____, kernel: _____, ...rest } = JSON.parse(stdout);
    expect(rest.engine).toBe(engine);
    // Effects are measured in memory alone.
    const { clusters, ...same } = rest;
    expect(clusters).toHaveLength(rest.k);
    return { rest: { ...same, engine: "" }, stderr };
  };
  const outputs = [await run("memory"), await run("disk")];
  expect(outputs[1].rest).toEqual(outputs[0].rest);
  for (const ending of ["st", "csv"]) {
    expect(readFileSync(join(cwd, `disk.${ending}`)).equals(readFileSync(join(cwd, `memory.${ending}`)))).toBe(true);
  }
  return { disk: outputs[1].rest, stderr: outputs[1].stderr };
}

describe("the same model", () => {
  it.each([
    ["none", "bonmf"],
    ["minmax", "nmf"],
    ["shift", "hals"],
    ["l2", "kmeans"],
    ["tfidf", "em-onmf"],
    ["split", "spherical"],
  ])("of digits, scaled by %s, by %s", async (scale, method) => {
    await compare([
      digits,
      "--k",
      "10",
      "--label",
      "class",
      "--scale",
      scale,
      "--method",
      method,
      "--max-iterations",
      "12",
    ]);
  });

  it("with restarts, weights and names, of a query", async () => {
    const sql = `select * exclude (class), class + 0.5 as w, 'no ' || class as name from '${digits}'`;
    await compare(["--sql", sql, "--id", "name", "--weight", "w", "--k", "6", "--restarts", "3", "--threads", "2"]);
    expect(readFileSync(join(cwd, "disk.csv"), "utf8")).toMatch(/^id,cluster\nno \d,/);
  });

  it("of sparse samples", async () => {
    await compare([dataset("w8a", "w8a.svm.gz"), "--k", "6", "--max-iterations", "15"]);
    await compare([dataset("mushrooms", "mushrooms.svm.gz"), "--k", "4", "--scale", "minmax"]);
  });

  it("of words, which are counted in memory", async () => {
    await compare([dataset("r8", "r8-docs.csv.gz"), "--text", "text", "--label", "class", "--k", "8"]);
  });

  it("of an array, of 64 bits too", async () => {
    const X = readCsv(gunzipSync(readFileSync(digits)), { label: "class" }).X.toDense();
    const wide = Float64Array.from(X.data, (x) => x + 0.1);
    writeFileSync(join(cwd, "digits.npy"), writeNpy(X));
    const head = Buffer.from(readFileSync(join(cwd, "digits.npy")).subarray(0, 128));
    head.write("<f8", head.indexOf("<f4"));
    writeFileSync(join(cwd, "wide.npy"), Buffer.concat([head, Buffer.from(wide.buffer)]));
    await compare(["digits.npy", "--k", "10", "--threads", "2"]);
    await compare(["wide.npy", "wide.npy", "--k", "10"]);
  });
});

describe("the same model of other sources", () => {
  writeBlobs(join(cwd, "blobs.csv"), 5000, 12, 4);
  const table = readFileSync(join(cwd, "blobs.csv"), "utf8");

  it("from standard input, of which nothing is kept", async () => {
    await compare(["-", "--label", "class", "--k", "4"], table);
    const packs = cache.list(".pack").length;
    await compare(["-", "--label", "class", "--k", "4"], table);
    expect(cache.list(".pack").length).toBe(packs);
  });

  it("with missing values", async () => {
    writeFileSync(
      join(cwd, "holes.csv"),
      table.replaceAll(/\n[\d.]+,/g, (cell, at) => (at % 7 === 0 ? "\n," : cell)),
    );
    for (const how of ["zero", "mean", "drop"]) {
      await compare(["holes.csv", "--label", "class", "--k", "4", "--missing", how]);
    }
  });

  it("going on with a model that was stopped early", async () => {
    const early = ["fit", "blobs.csv", "--label", "class", "--k", "7", "--scale", "minmax", "--method", "hals"];
    cache.run([...early, "--max-iterations", "3", "--memory", "400MB", "--out", "early.st"], cwd);
    await compare(["blobs.csv", "--label", "class", "--resume", "early.st", "--max-iterations", "9"]);
  });

  it("whose negative values are named as in memory", async () => {
    writeFileSync(join(cwd, "negative.csv"), `a,b\n${"1,2\n".repeat(2500)}3,-4\n`);
    const [here, there] = [[], ["--memory", "400MB"]].map((more) =>
      cache.run(["fit", "negative.csv", "--k", "2", "--method", "nmf", "--scale", "none", ...more], cwd),
    );
    expect(there).toEqual(here);
    expect(there.stderr).toContain('negative.csv: sample 2501, column "b" is -4');
  });
});

describe("the number of clusters", () => {
  it("is chosen by some of the samples", async () => {
    const args = ["blobs.csv", "--label", "class", "--memory", "400MB", "--json"];
    const chosen = cache.run(["choose", ...args, "--k", "2-6", "--out", "chosen.st"], cwd);
    expect(chosen.stderr).toContain("note: k is chosen from 5000 of 5,000 samples, drawn by the seed");
    expect(JSON.parse(chosen.stdout)).toMatchObject({ suggested: 4, structure: true, samples: 5000, sampled: 5000 });
    const fitted = JSON.parse(cache.run(["fit", ...args, "--k", "auto"], cwd).stdout);
    expect(fitted).toMatchObject({ engine: "disk", k: 4, choice: { suggested: 4, structure: true } });
  });
});

describe("refusals", () => {
  it.each([
    [["--memory", "plenty"], '--memory "plenty" is not an amount of memory'],
    [["--memory", "120%"], '--memory "120%" is not an amount of memory'],
    [["--memory", "20MB"], "is too little: the program itself needs"],
    [["--memory", "400MB", "--report", "page.html"], "--report needs the samples in memory, but they stay on disk"],
    [["--memory", "400MB", "--features", "nothing"], "nothing"],
    [
      ["--memory", "400MB", "--sql", "from 'blobs.csv'", "--assignments", "a.csv", "--columns", "class"],
      "--columns needs rows that can be read again, but a query is read once",
    ],
  ])("%s", async (flags, message) => {
    const { code, stderr } = cache.run(["fit", "blobs.csv", "--k", "2", "--label", "class", ...flags], cwd);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("bug");
  });
});
