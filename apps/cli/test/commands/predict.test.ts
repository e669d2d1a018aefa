import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Dense, loadClassifier, loadModel, readCsv, readLibsvm } from "bonmf";
import { beforeAll, describe, expect, it } from "vitest";
import { makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
const at = (name: string) => join(cwd, name);
const run = (...args: string[]) => runBonmf(["predict", ...args], { cwd });
const blobs = () => readCsv(readFileSync(at("blobs.csv")), { label: "class" });

beforeAll(async () => {
  writeBlobs(at("blobs.csv"), 300, 6, 3);
  for (const args of [
    ["fit", "blobs.csv", "--k", "4", "--label", "class", "--out", "model.st"],
    ["classify", "blobs.csv", "--label", "class", "--scheme", "vote", "--k", "4", "--out", "vote.st"],
    ["classify", "blobs.csv", "--label", "class", "--scheme", "majority", "--k", "4", "--out", "majority.st"],
  ]) {
    expect(await runBonmf(args, { cwd })).toMatchObject({ code: 0 });
  }
});

/** The rows of a CSV text without quotes, by the names of its columns. */
function parse(text: string): Record<string, string>[] {
  const [head, ...lines] = text.trimEnd().split("\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, c) => [names[c], cell])));
}

async function succeed(...args: string[]) {
  const ended = await run(...args);
  expect(ended.stderr).not.toContain("error");
  expect(ended.code).toBe(0);
  return ended;
}

async function failure(...args: string[]) {
  const { code, stdout, stderr } = await run(...args);
  const [message, hint = ""] = stderr.split("\n");
  return { code, stdout, message, hint };
}

describe("the answers", () => {
  it("are CSV on standard output, with the library's clusters", async () => {
    const { stdout, stderr } = await succeed("model.st", "blobs.csv", "--columns", "none");
    const clusters = loadModel(readFileSync(at("model.st"))).predict(blobs().X);
    const lines = Array.from(clusters, (cluster, i) => `${i},${cluster}`);
    expect(stdout).toBe(`sample,cluster\n${lines.join("\n")}\n`);
    expect(stderr).toMatch(/^300 samples in \d clusters$/m);
  });

  it("stand beside the table's own columns, as they are in the file", async () => {
    const { stdout } = await succeed("model.st", "blobs.csv");
    const found = loadModel(readFileSync(at("model.st"))).explain(blobs().X);
    const [head, ...rows] = readFileSync(at("blobs.csv"), "utf8").trimEnd().split("\n");
    const lines = rows.map((row, i) => `${row},${found[i].cluster},${found[i].cosine},${found[i].margin}`);
    expect(stdout).toBe(`${head},cluster,cosine,margin\n${lines.join("\n")}\n`);
  });

  it("have the library's classes and reasons", async () => {
    const clf = await loadClassifier(readFileSync(at("vote.st")));
    const rows = parse(
      (await succeed("vote.st", "blobs.csv", "--why", "--label", "class", "--columns", "none")).stdout,
    );
    const found = clf.explain(blobs().X);
    expect(rows).toEqual(
      found.map(({ cluster, label, cosine, margin, share, neighbor }, i) => ({
        sample: String(i),
        cluster: String(cluster),
        class: label,
        label: `c${i % 3}`,
        cosine: String(cosine),
        margin: String(margin),
        share: String(share),
        neighbor: String(neighbor?.index),
        closeness: String(neighbor?.closeness),
      })),
    );
  });

  it("of a model say how clearly a sample belongs to its cluster", async () => {
    const rows = parse((await succeed("model.st", "blobs.csv", "--why")).stdout);
    const found = loadModel(readFileSync(at("model.st"))).explain(blobs().X);
    expect(rows.map(({ cosine, margin }) => [Number(cosine), Number(margin)])).toEqual(
      found.map(({ cosine, margin }) => [cosine, margin]),
    );
  });

  it("go by names: columns may stand in another order, with an id and without a class", async () => {
    const [head, ...lines] = readFileSync(at("blobs.csv"), "utf8").trimEnd().split("\n");
    const turn = (line: string, i: number) =>
      [i < 0 ? "who" : `"n, ${i}"`, ...line.split(",").slice(0, 6).reverse()].join(",");
    writeFileSync(at("turned.csv"), `${[turn(head, -1), ...lines.map(turn)].join("\n")}\n`);
    const args = ["--id", "who", "--columns", "who", "--out", "turned.jsonl", "--json"];
    const { stdout } = await succeed("vote.st", "turned.csv", ...args);
    expect(JSON.parse(stdout)).toMatchObject({ samples: 300, accuracy: null, out: "turned.jsonl" });
    const rows = readFileSync(at("turned.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const straight = parse((await succeed("vote.st", "blobs.csv", "--columns", "none")).stdout);
    expect(rows).toMatchObject(
      straight.map((row, i) => ({ who: `n, ${i}`, cluster: Number(row.cluster), class: row.class })),
    );
    const shares = ["probability", "probability_c0", "probability_c1", "probability_c2"];
    expect(Object.keys(rows[0])).toEqual(["who", "cluster", "class", ...shares, "cosine", "margin"]);
  });

  it("can be asked of standard input", async () => {
    const { stdout } = await runBonmf(["predict", "vote.st", "-"], {
      cwd,
      input: readFileSync(at("blobs.csv"), "utf8"),
    });
    expect(stdout).toBe((await succeed("vote.st", "blobs.csv")).stdout);
  });

  it("are the same as Parquet", async () => {
    await succeed("vote.st", "blobs.csv", "--why", "--label", "class", "--out", "answers.parquet");
    const rows = parse((await succeed("vote.st", "blobs.csv", "--why", "--label", "class")).stdout);
    for (const row of rows) for (let f = 0; f < 6; f++) row[`x${f}`] = String(Number(row[`x${f}`]));
    const database = await (await DuckDBInstance.create()).connect();
    const found = await database.runAndReadAll(`from '${at("answers.parquet")}'`);
    expect(
      found.getRowObjects().map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, String(v)]))),
    ).toEqual(rows);
    expect(readdirSync(cwd).filter((name) => name.includes(".part"))).toEqual([]);
  });

  it("are refused where that was asked for", async () => {
    const { stdout } = await succeed("vote.st", "blobs.csv", "--reject-margin", "0.3", "--why", "--json");
    const { predictions, refused } = JSON.parse(stdout);
    const clf = await loadClassifier(readFileSync(at("vote.st")), "vote.st", { reject: { margin: 0.3 } });
    expect(predictions.map((row: { class: unknown }) => row.class)).toEqual(clf.predict(blobs().X));
    expect(refused).toBe(predictions.filter((row: { rejected: unknown }) => row.rejected === "margin").length);
    expect(refused).toBeGreaterThan(0);
  });
});

describe("--json of predict", () => {
  it("is this contract and nothing else", async () => {
    const answer = JSON.parse((await succeed("vote.st", "blobs.csv", "--label", "class", "--json")).stdout);
    expect(answer).toEqual({
      model: "vote.st",
      scheme: "vote",
      method: "bonmf",
      k: 4,
      samples: 300,
      counts: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
      classes: ["c0", "c1", "c2"].map((label) => ({ label, count: 100 })),
      refused: 0,
      accuracy: 1,
      labelAccuracy: expect.any(Number),
      seconds: { total: expect.any(Number), predict: expect.any(Number) },
      out: null,
      predictions: expect.any(Array),
    });
    expect(answer.predictions.length).toBe(300);
    expect(answer.predictions[7]).toEqual({
      probability: expect.any(Number),
      probability_c0: expect.any(Number),
      probability_c1: answer.predictions[7].probability,
      probability_c2: expect.any(Number),
      sample: 7,
      cluster: expect.any(Number),
      class: "c1",
      label: "c1",
    });
    // All 240 samples that were left out were right, which leaves a doubt.
    expect(answer.predictions[7].probability).toBeGreaterThan(0.99);
    expect(answer.predictions[7].probability_c0).toBeGreaterThan(1e-4);
  });

  it("of a model has no classes", async () => {
    const answer = JSON.parse(
      (await succeed("model.st", "blobs.csv", "--label", "class", "--json", "--out", "a.csv")).stdout,
    );
    expect(answer).toMatchObject({ scheme: null, classes: null, refused: null, accuracy: null, out: "a.csv" });
    expect(answer.labelAccuracy).toBeGreaterThan(0.9);
    expect(answer).not.toHaveProperty("predictions");
  });
});

describe("many samples", () => {
  it("are answered part by part as if they were one", async () => {
    const lines = Array.from(
      { length: 70_000 },
      (_, i) => `${i % 2} 1:${1 + (i % 7)} 2:${1 + (i % 11)} 3:${1 + (i % 13)}`,
    );
    writeFileSync(at("many.svm"), `${lines.join("\n")}\n`);
    writeFileSync(at("few.svm"), `${lines.slice(0, 500).join("\n")}\n`);
    expect(
      (await runBonmf(["classify", "few.svm", "--scheme", "majority", "--k", "9", "--out", "few.st"], { cwd })).code,
    ).toBe(0);
    await succeed("few.st", "many.svm", "--out", "many.csv");
    const rows = parse(readFileSync(at("many.csv"), "utf8"));
    const clf = await loadClassifier(readFileSync(at("few.st")));
    const { X } = readLibsvm(lines.join("\n"));
    expect(rows.map(({ sample }) => Number(sample))).toEqual(lines.map((_, i) => i));
    expect(rows.map((row) => Number(row.class))).toEqual(clf.predict(X));
  });

  it("leave nothing behind where one of the last is bad", async () => {
    const lines = Array.from({ length: 70_000 }, (_, i) => `0 1:${i === 69_990 ? -5 : 1 + (i % 7)} 2:2 3:1`);
    writeFileSync(at("bad.svm"), `${lines.join("\n")}\n`);
    // The one-hot methods take negative values, nmf does not.
    const fit = ["fit", "few.svm", "--k", "3", "--method", "nmf", "--scale", "none", "--max-iterations", "3"];
    expect((await runBonmf([...fit, "--out", "real.st"], { cwd })).code).toBe(0);
    expect(await failure("real.st", "bad.svm", "--out", "never.csv")).toMatchObject({
      code: 1,
      message:
        "error: bad.svm: sample 69991, feature 1 is -5, but the model was fitted without a scaler and takes values of 0 or more",
      hint: "hint: fit it again with --scale minmax, shift or split, which take negative values",
    });
    expect(readdirSync(cwd).filter((name) => name === "never.csv" || name.includes(".part"))).toEqual([]);
  });
});

describe("what cannot be answered", () => {
  it.each<[string, string[], RegExp, RegExp]>([
    ["a model that is not there", ["no.st", "blobs.csv"], /there is no model file no\.st/, /bonmf fit … --out/],
    [
      "a scheme without classes",
      ["model.st", "blobs.csv", "--scheme", "vote"],
      /model\.st is a model without classes/,
      /bonmf classify/,
    ],
    [
      "a scheme without its samples",
      ["majority.st", "blobs.csv", "--scheme", "nearest"],
      /"nearest" needs the training samples/,
      /--scheme/,
    ],
    [
      "a scheme that there is not",
      ["vote.st", "blobs.csv", "--scheme", "votes"],
      /--scheme "votes" is not known/,
      /vote/,
    ],
    [
      "odd probes",
      ["vote.st", "blobs.csv", "--probes", "some"],
      /--probes needs a whole number or "exact", not "some"/,
      /^$/,
    ],
    ["an answer file of no known kind", ["vote.st", "blobs.csv", "--out", "a.doc"], /a\.doc/, /\.csv/],
    [
      "a folder that is not there",
      ["vote.st", "blobs.csv", "--out", "no/a.csv"],
      /the folder no does not exist/,
      /mkdir/,
    ],
    ["data as a model", ["blobs.csv", "blobs.csv"], /^error: blobs\.csv is not a model file$/m, /--out/],
  ])("%s", async (_, args, message, hint) => {
    const found = await failure(...args);
    expect(found).toMatchObject({ code: 1, stdout: "" });
    expect(found.message).toMatch(message);
    expect(found.hint).toMatch(hint);
  });

  it("a truncated classifier", async () => {
    writeFileSync(at("cut.st"), readFileSync(at("vote.st")).subarray(0, -40));
    expect((await failure("cut.st", "blobs.csv")).message).toMatch(
      /^error: cut\.st: tensor .* but the file holds only \d+ bytes/,
    );
  });

  it("samples of other features, and which they are", async () => {
    const text = readFileSync(at("blobs.csv"), "utf8").replace("x0,x1", "x0,width");
    writeFileSync(at("other.csv"), text);
    const { code, message } = await failure("vote.st", "other.csv");
    expect(code).toBe(1);
    expect(message).toContain("x1");
    expect(existsSync(at("never.csv"))).toBe(false);
  });
});

const data = process.env.BONMF_DATA_DIR ?? "";

describe("real data", () => {
  it("digits are given the library's classes", async () => {
    const path = join(data, "optdigits/optdigits.csv.gz");
    const trained = await runBonmf(
      ["classify", path, "--label", "class", "--scheme", "vote", "--neighbors", "3", "--out", "digits.st", "--json"],
      { cwd },
    );
    expect(JSON.parse(trained.stdout).accuracy).toBeGreaterThan(process.env.BONMF_DATA_REAL === "1" ? 0.97 : 0.93);
    await succeed("digits.st", path, "--label", "class", "--out", "digits.csv");
    const { X, labels } = readCsv(gunzipSync(readFileSync(path)), { label: "class" });
    const clf = await loadClassifier(readFileSync(at("digits.st")));
    const rows = parse(readFileSync(at("digits.csv"), "utf8"));
    expect((X as Dense).samples).toBe(5620);
    // The file has a column called class.
    expect(rows.map((row) => Number(row.class_2))).toEqual(clf.predict(X));
    expect(rows.map((row) => row.class)).toEqual(labels);
  });
});
