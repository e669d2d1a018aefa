import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { Dense, loadModel, readNpy, writeNpy } from "bonmf";
import { beforeAll, describe, expect, it } from "vitest";
import { bonmf, makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
const at = (name: string) => join(cwd, name);
const FIT = ["fit", "blobs.csv", "--label", "class", "--k", "3", "--seed", "2"];
const run = (...args: string[]) => runBonmf([...FIT, ...args], { cwd });

async function succeed(...args: string[]) {
  const ended = await run(...args);
  expect(ended.stderr).not.toContain("error");
  expect(ended.code).toBe(0);
  return ended;
}

async function failure(...args: string[]) {
  const { code, stderr } = await run(...args);
  expect(code).toBe(1);
  return stderr.trimEnd();
}

beforeAll(() => writeBlobs(at("blobs.csv"), 90, 4, 3));

describe("--prototypes", () => {
  it.each(["none", "minmax", "split", "shift"])("writes W in the units of the samples: --scale %s", async (scale) => {
    await succeed("--scale", scale, "--method", "kmeans", "--restarts", "5", "--out", "m.st", "--prototypes", "p.csv");
    const { labels, counts } = loadModel(readFileSync(at("m.st")));
    const [head, ...lines] = readFileSync(at("p.csv"), "utf8").trimEnd().split("\n");
    expect(head).toBe("cluster,size,x0,x1,x2,x3");
    const rows = lines.map((line) => line.split(",").map(Number));
    expect(rows.map((row) => row.slice(0, 2))).toEqual(Array.from(counts, (size, j) => [j, size]));
    const samples = readFileSync(at("blobs.csv"), "utf8").trimEnd().split("\n").slice(1);
    const values = samples.map((line) => line.split(",").slice(0, 4).map(Number));
    for (let f = 0; f < 4; f++) {
      const mean = values.reduce((sum, row, i) => sum + (labels[i] === 0 ? row[f] / counts[0] : 0), 0);
      expect(rows[0][2 + f]).toBeCloseTo(mean, 4);
    }
  });

  it("writes Parquet, JSON and NPY", async () => {
    for (const name of ["p.parquet", "p.json", "p.npy", "p.csv"]) await succeed("--prototypes", name, "--out", "m.st");
    const model = loadModel(readFileSync(at("m.st")));
    const W = model.scaler.inverse(model.W);
    const database = await (await DuckDBInstance.create()).connect();
    const found = await database.runAndReadAll(`select x1 from '${at("p.parquet")}'`);
    expect(found.getColumns()[0]).toEqual([0, 1, 2].map((j) => W.row(j)[1]));
    const objects = JSON.parse(readFileSync(at("p.json"), "utf8"));
    expect(objects[2]).toEqual({
      cluster: 2,
      size: model.counts[2],
      ...Object.fromEntries(Array.from(W.row(2), (value, f) => [`x${f}`, value])),
    });
    expect(readNpy(readFileSync(at("p.npy"))).X).toEqual(W);
  });

  it("goes to standard output", () => {
    const { stdout } = bonmf([...FIT, "--prototypes", "-"], { cwd });
    expect(stdout).toBe(readFileSync(at("p.csv"), "utf8"));
  });

  it("refuses other endings before the fit", async () => {
    expect(await failure("--prototypes", "p.png")).toContain("p.png: the ending of the name is not one of a known");
  });
});

describe("--init FILE", () => {
  it.each(["none", "minmax", "split", "shift"])("starts where an earlier fit ended: --scale %s", async (scale) => {
    const how = ["--scale", scale, "--method", "kmeans"];
    await succeed(...how, "--out", "m.st", "--prototypes", "p.csv");
    writeFileSync(
      at("p.npy"),
      writeNpy(loadModel(readFileSync(at("m.st"))).scaler.inverse(loadModel(readFileSync(at("m.st"))).W)),
    );
    for (const file of ["p.csv", "p.npy", "m.st"]) {
      await succeed(...how, "--init", file, "--out", "again.st");
      const [first, again] = ["m.st", "again.st"].map((name) => loadModel(readFileSync(at(name))));
      expect(again.labels).toEqual(first.labels);
      expect(again.iterations).toBeLessThanOrEqual(2);
      expect(again.settings.init).toBe("given");
    }
  });

  it("goes by the names of the features", async () => {
    writeFileSync(at("turned.csv"), "x3,x2,x1,x0\n1,2,3,4\n4,3,2,1\n9,9,9,9\n");
    writeFileSync(at("straight.npy"), writeNpy(Dense.from([[4, 3, 2, 1], [1, 2, 3, 4], [9, 9, 9, 9]], "f64"))); // biome-ignore format: rows
    const labels = [];
    for (const file of ["turned.csv", "straight.npy"]) {
      await succeed("--scale", "none", "--init", file, "--max-iterations", "1", "--out", "t.st");
      labels.push(loadModel(readFileSync(at("t.st"))).labels);
    }
    expect(labels[0]).toEqual(labels[1]);
  });

  it.each([
    ["another number", "x0,x1,x2,x3\n1,2,3,4\n", "f.csv has 1 prototypes, but --k is 3\nhint: write --k 1"],
    ["a missing feature", "x0,x1,x2,x9\n1,2,3,4\n1,1,1,1\n2,2,2,2\n", 'f.csv have no column "x3", which is a feature'],
  ])("refuses %s", async (_, text, message) => {
    writeFileSync(at("f.csv"), text);
    expect(await failure("--scale", "none", "--init", "f.csv")).toContain(message);
  });

  it("refuses what is neither a file nor a name", async () => {
    expect(await failure("--init", "plusplsu")).toBe(
      "error: --init plusplsu is neither a file nor one of columns, sample, plusplus, nndsvd, random\n" +
        "hint: did you mean plusplus?",
    );
  });
});
