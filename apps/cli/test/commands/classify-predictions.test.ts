import { readFileSync, writeFileSync } from "node:fs";
import { holdout } from "bonmf";
import { describe, expect, it } from "vitest";
import { HOSTILE_NAMES } from "../../../../packages/data/test/fixtures/hostile-names.js";
import { useVerdicts } from "./verdicts.js";

const { at, run, json, train, test } = useVerdicts();

describe("--predictions", () => {
  it("writes every sample that was tested, with the probability of every class", async () => {
    const truth = train.map(({ y }) => y);
    const { test: left } = holdout(truth, 0.8, 0);
    await json("train.csv", "--label", "verdict", "--predictions", "answers.csv");
    const [header, ...lines] = readFileSync(at("answers.csv"), "utf8").trim().split("\n");
    expect(header).toBe("sample,label,class,right,probability,probability_no,probability_yes");
    const cells = lines.map((line) => line.split(","));
    expect(cells.map(([sample]) => Number(sample))).toEqual([...left].sort((a, b) => a - b));
    for (const [sample, label, given, right, probability, no, yes] of cells) {
      expect(label).toBe(truth[Number(sample)]);
      expect(Number(right)).toBe(Number(label === given));
      expect(Number(no) + Number(yes)).toBeCloseTo(1, 9);
      expect(probability).toBe(given === "no" ? no : yes);
    }
  });

  it("writes all samples of folds once, in order", async () => {
    await json("train.csv", "--label", "verdict", "--folds", "4", "--predictions", "folds.csv");
    const [, ...lines] = readFileSync(at("folds.csv"), "utf8").trim().split("\n");
    expect(lines.map((line) => line.split(",").slice(0, 2))).toEqual(train.map(({ y }, i) => [String(i), y]));
  });

  it("has no column twice, whatever the classes are called", async () => {
    const names = Object.values(HOSTILE_NAMES).slice(0, 12);
    const lines = Array.from({ length: names.length * 6 }, (_, i) =>
      JSON.stringify({ a: i % names.length, b: (i * 7) % 5, verdict: names[i % names.length] }),
    );
    writeFileSync(at("hostile.jsonl"), `${lines.join("\n")}\n`);
    await json("hostile.jsonl", "--label", "verdict", "--predictions", "hostile-out.jsonl", "--scheme", "vote");
    for (const line of readFileSync(at("hostile-out.jsonl"), "utf8").trim().split("\n")) {
      const columns = Object.keys(JSON.parse(line));
      const classes = new Set(names.map((name) => name.toLowerCase())).size;
      expect(columns.filter((name) => name.startsWith("probability_")).length).toBeGreaterThanOrEqual(classes);
      expect(new Set(columns.map((name) => name.toLowerCase())).size).toBe(columns.length);
    }
  });

  it.each([
    ["answer", "sample,label,class,right,probability"],
    ["none", "sample,label,class,right"],
  ])("has the columns that --probabilities %s asks for", async (which, header) => {
    await json("train.csv", "--label", "verdict", "--predictions", "some.csv", "--probabilities", which);
    expect(readFileSync(at("some.csv"), "utf8").split("\n")[0]).toBe(header);
  });

  it("has one column of many classes", async () => {
    const lines = Array.from({ length: 126 }, (_, i) => `${i % 21},${(i * 3) % 8},c${i % 21}`);
    writeFileSync(at("many.csv"), `p,q,kind\n${lines.join("\n")}\n`);
    await json("many.csv", "--label", "kind", "--scheme", "vote", "--predictions", "many-out.csv");
    expect(readFileSync(at("many-out.csv"), "utf8").split("\n")[0]).toBe("sample,label,class,right,probability");
  });

  it("refuses a name that is no table before it reads", async () => {
    const { code, stderr } = await run("classify", "train.csv", "--label", "verdict", "--predictions", "a.docx");
    expect(code).toBe(1);
    expect(stderr).toMatch(/a\.docx/);
  });
});

describe("--reject-probability", () => {
  it("is kept in the classifier's file: predict and inspect know it", async () => {
    const args = ["train.csv", "--label", "verdict", "--test", "test.csv", "--out", "careful.st", "--scheme", "vote"];
    const { answered } = await json(...args, "--reject-probability", "0.9");
    const { stdout } = await run("predict", "careful.st", "test.csv", "--json");
    const { predictions, refused } = JSON.parse(stdout);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBe(Math.round((1 - answered.share) * test.length));
    for (const { class: given, probability } of predictions) expect(given === null).toBe(probability < 0.9);
    expect((await run("inspect", "careful.st")).stdout).toMatch(/refuses +probability below 0\.9/);
    const all = JSON.parse(
      (await run("predict", "careful.st", "test.csv", "--json", "--reject-probability", "0.01")).stdout,
    );
    expect(all.refused).toBe(0);
  });

  it("gives no class below it, and tells how many are answered", async () => {
    const args = ["train.csv", "--label", "verdict", "--test", "test.csv", "--scheme", "vote", "--neighbors", "9"];
    const all = await json(...args);
    const some = await json(...args, "--reject-probability", "0.88", "--predictions", "careful.csv");
    const lines = readFileSync(at("careful.csv"), "utf8").trim().split("\n").slice(1);
    const cells = lines.map((line) => line.split(","));
    const refused = cells.filter(([, , given]) => given === "");
    expect(refused.length).toBeGreaterThan(0);
    for (const [, , given, , probability, , , rejected] of cells) {
      expect(given === "").toBe(Number(probability) < 0.88);
      expect(rejected).toBe(given === "" ? "probability" : "");
    }
    expect(some.answered.share).toBe(1 - refused.length / 50);
    expect(some.answered.accuracy).toBeGreaterThan(all.accuracy);
    expect(some.classifier.reject.probability).toBe(0.88);
    expect(some.logLoss).toBe(all.logLoss);
    const { stdout } = await run("classify", ...args, "--reject-probability", "0.88");
    expect(stdout).toMatch(
      /\nanswered \d\d\.\d\d %, \d+\.\d\d % of those right; refused answers count as wrong above\n/,
    );
  });

  it("works with predict, beside probabilities", async () => {
    await json("train.csv", "--label", "verdict", "--scheme", "vote", "--neighbors", "9", "--out", "vote.st");
    const args = ["predict", "vote.st", "test.csv", "--reject-probability", "0.9", "--why", "--columns", "verdict"];
    const { stdout, code } = await run(...args);
    expect(code).toBe(0);
    const [header, ...lines] = stdout.trim().split("\n");
    expect(header).toBe(
      "verdict,cluster,class,probability,probability_no,probability_yes,cosine,margin,share,neighbor,closeness,rejected",
    );
    const cells = lines.map((line) => line.split(","));
    expect(cells.some((row) => row[2] === "")).toBe(true);
    for (const row of cells) expect(row[2] === "").toBe(Number(row[3]) < 0.9);
  });

  it.each(["0", "1.5", "-1"])("refuses %s", async (limit) => {
    const { code, stderr } = await run("classify", "train.csv", "--label", "verdict", `--reject-probability=${limit}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/--reject-probability must be above 0 and at most 1/);
  });
});

describe("probabilities of predict", () => {
  it("are absent with --columns none unless asked for, and need classes", async () => {
    await json("train.csv", "--label", "verdict", "--scheme", "vote", "--out", "plain.st");
    const header = async (...args: string[]) => (await run("predict", ...args)).stdout.split("\n")[0];
    expect(await header("plain.st", "test.csv", "--columns", "none")).toBe("sample,cluster,class");
    expect(await header("plain.st", "test.csv", "--columns", "none", "--probabilities", "all")).toBe(
      "sample,cluster,class,probability,probability_no,probability_yes",
    );
    await run("fit", "train.csv", "--k", "2", "--out", "clusters.st");
    const { code, stderr } = await run("predict", "clusters.st", "test.csv", "--probabilities", "all");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/a model without classes has no prob/) });
  });

  it("do not take the name of a column of the table", async () => {
    const lines = test.map(({ x, colour }, i) => [...x, colour, i, i].join(","));
    writeFileSync(at("taken.csv"), `a,b,colour,probability,Probability_no\n${lines.join("\n")}\n`);
    await json("train.csv", "--label", "verdict", "--scheme", "vote", "--out", "taken.st");
    const { stdout } = await run("predict", "taken.st", "taken.csv");
    expect(stdout.split("\n")[0]).toBe(
      "a,b,colour,probability,Probability_no,cluster,class,probability_2,probability_no_2,probability_yes,cosine,margin",
    );
  });
});
