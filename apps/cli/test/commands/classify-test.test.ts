import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  accuracyInterval,
  auto,
  balancedAccuracy,
  brierScore,
  calibration,
  classReport,
  holdout,
  logLoss,
  rocAuc,
} from "bonmf";
import { beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_NAMES } from "../../../../packages/data/test/fixtures/hostile-names.js";
import { makeFolder, runBonmf } from "../binary.js";

const cwd = makeFolder();
const at = (name: string) => join(cwd, name);
const run = (...args: string[]) => runBonmf(args, { cwd });

interface Row {
  readonly x: readonly number[];
  readonly colour: string;
  readonly y: string;
}
/** Rows of two numbers and a category; one in seven is called by the other kind's name. */
const makeRows = (length: number, from: number): Row[] =>
  Array.from({ length }, (_, n) => {
    const i = n + from;
    const kind = i % 2;
    const x = [kind === 0 ? 5 : 1, kind === 0 ? 1 : 5].map((value, f) => value + ((i * (f + 3)) % 7) / 2);
    return { x, colour: ["red", "green", "blue"][i % 3], y: ["no", "yes"][i % 7 === 0 ? 1 - kind : kind] };
  });
const train = makeRows(120, 0);
const test = makeRows(50, 1000);
const write = (name: string, rows: readonly Row[], header = "a,b,colour,verdict") =>
  writeFileSync(at(name), `${header}\n${rows.map(({ x, colour, y }) => [...x, colour, y].join(",")).join("\n")}\n`);

beforeAll(() => {
  write("train.csv", train);
  write("test.csv", test);
});

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run("classify", ...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("error") });
  return JSON.parse(stdout);
}

const toSample = ({ x, colour }: Row) => [...x, ...["blue", "green", "red"].map((name) => Number(name === colour))];

describe("--test", () => {
  it("trains on all samples and measures as the library does on the others", async () => {
    const { classifier, tried } = await auto(
      train.map(toSample),
      train.map(({ y }) => y),
      { seed: 0 },
    );
    const X = test.map(toSample);
    const truth = test.map(({ y }) => y);
    const P = classifier.probabilities(X);
    const given = classifier.predict(X);
    const found = await json("train.csv", "--label", "verdict", "--test", "test.csv");
    const right = given.filter((label, i) => label === truth[i]).length;
    expect(found).toMatchObject({
      test: "test.csv",
      split: null,
      folds: null,
      trained: 120,
      tested: 50,
      accuracy: right / 50,
      interval: accuracyInterval(right, 50),
      balanced: balancedAccuracy(truth, given),
      macro: classReport(truth, given).macro,
      logLoss: logLoss(truth, P, classifier.classes),
      brier: brierScore(truth, P, classifier.classes),
      auc: rocAuc(truth, P, classifier.classes),
      calibration: calibration(truth, P, classifier.classes),
      tried,
      unknown: [],
    });
    expect(found.accuracy).toBeGreaterThan(0.7);
  });

  it("finds columns by name, and ignores categories that training did not see", async () => {
    const lines = test.map(({ x: [a, b], colour, y }) =>
      [y, colour === "red" ? "violet" : colour, b, "x", a].join(","),
    );
    writeFileSync(at("other.csv"), `verdict,colour,b,more,a\n${lines.join("\n")}\n`);
    const found = await json("train.csv", "--label", "verdict", "--test", "other.csv");
    expect(found.tested).toBe(50);
    expect(found.accuracy).toBeGreaterThan(0.7);
  });

  it("names classes that training did not see and counts them as wrong", async () => {
    const strange = test.map((row, i) => (i < 3 ? { ...row, y: "maybe" } : i === 3 ? { ...row, y: "never" } : row));
    write("strange.csv", strange);
    const found = await json("train.csv", "--label", "verdict", "--test", "strange.csv");
    expect(found.unknown).toEqual([
      { label: "maybe", count: 3 },
      { label: "never", count: 1 },
    ]);
    expect(found.confusion.classes).toEqual(["maybe", "never", "no", "yes"]);
    expect(found.auc.classes.map(({ label }: { label: string }) => label)).toEqual(["no", "yes"]);
    const { stdout } = await run("classify", "train.csv", "--label", "verdict", "--test", "strange.csv");
    expect(stdout).toMatch(/\nnot among the training classes, so counted as wrong: maybe \(3\), never \(1\)\n/);
    expect(stdout).toMatch(/\ntrained on 120, tested on 50 of strange\.csv, in /);
    expect(stdout).toMatch(/, 2 classes \(csv\)/);
  });

  it("takes 1 and the text 1 for one class", async () => {
    const numbered = (rows: readonly Row[], zero: string) =>
      rows.map((row, i) => ({ ...row, y: row.y === "yes" ? "1" : i === 1 ? zero : "0" }));
    write("numbers.csv", numbered(train, "0"));
    write("texts.csv", numbered(test, "nought"));
    const found = await json("numbers.csv", "--label", "verdict", "--test", "texts.csv");
    expect(found.unknown).toEqual([{ label: "nought", count: 1 }]);
    expect(found.accuracy).toBeGreaterThan(0.6);
  });

  it("keeps the classifier that was tested", async () => {
    await json("train.csv", "--label", "verdict", "--test", "test.csv", "--out", "kept.st");
    const { stdout, code } = await run("predict", "kept.st", "test.csv", "--label", "verdict", "--json");
    expect(code).toBe(0);
    const { accuracy } = await json("train.csv", "--label", "verdict", "--test", "test.csv");
    expect(JSON.parse(stdout).accuracy).toBe(accuracy);
  });

  it.each<[string, string[], RegExp, RegExp]>([
    ["a file without labels", ["--test", "bare.csv"], /bare\.csv/, /--label COLUMN|verdict/],
    ["a file of other columns", ["--test", "short.csv"], /short\.csv/, /./],
    [
      "a file of other classes",
      ["--test", "alien.csv"],
      /alien\.csv: no sample has a class of the training samples/,
      /--label/,
    ],
    ["no file", ["--test", "nowhere.csv"], /nowhere\.csv/, /./],
    ["two ways to test", ["--test", "test.csv", "--folds", "3"], /--folds and --test are two ways to test/, /keep one/],
  ])("refuses %s", async (_, args, message, hint) => {
    writeFileSync(at("bare.csv"), "a,b,colour\n1,2,red\n");
    writeFileSync(at("short.csv"), "a,verdict\n1,yes\n2,no\n");
    write(
      "alien.csv",
      test.map((row) => ({ ...row, y: "alien" })),
    );
    const { code, stdout, stderr } = await run("classify", "train.csv", "--label", "verdict", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(hint);
  });
});

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

describe("--scheme linear", () => {
  it("takes its options, and predict says which features spoke", async () => {
    const args = ["train.csv", "--label", "verdict", "--test", "test.csv", "--scheme", "linear", "--scale", "standard"];
    const plain = await json(...args, "--out", "linear.st");
    const held = await json(...args, "--penalty", "1000", "--class-weights", "balanced");
    expect(plain.accuracy).toBeGreaterThan(0.7);
    expect(held.logLoss).not.toBe(plain.logLoss);
    const { stdout } = await run("predict", "linear.st", "test.csv", "--why", "--columns", "verdict");
    const [header, first] = stdout.split("\n");
    expect(header).toBe("verdict,cluster,class,probability,probability_no,probability_yes,cosine,margin,share,because");
    expect(first).toMatch(/,"[ab] [+−]\d+\.\d\d, (\S+ [+−]\d+\.\d\d(, )?){2}"$/);
  });

  it("needs to be named", async () => {
    const { code, stderr } = await run("classify", "train.csv", "--label", "verdict", "--penalty", "3");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/--penalty needs --scheme[\s\S]*--scheme linear/),
    });
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

describe("labels that are no classes", () => {
  it("are refused where they are hundreds of numbers, with what to do", async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `${((i * 7.31) % 300).toFixed(2)} 1:${i % 7} 2:${i % 5}`);
    writeFileSync(at("price.svm"), `${lines.join("\n")}\n`);
    const { code, stderr } = await run("classify", "price.svm");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /price\.svm: the label has \d+ different numbers from 0 to 299\.\d+: a quantity, not classes/,
    );
    expect(stderr).toMatch(/hint: write classes in place of the numbers/);
  });

  it("are taken where there are many samples of each, or few numbers", async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${i % 15} 1:${i % 15} 2:${i % 5}`);
    writeFileSync(at("fifteen.svm"), `${lines.join("\n")}\n`);
    expect((await json("fifteen.svm", "--scheme", "vote")).classes).toHaveLength(15);
  });

  it("are refused where every sample has its own", async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `name ${i},${i % 7},${i % 5}`);
    writeFileSync(at("names.csv"), `who,p,q\n${lines.join("\n")}\n`);
    const { code, stderr } = await run("classify", "names.csv", "--label", "who");
    expect(code).toBe(1);
    expect(stderr).toMatch(/names\.csv: the label "who" is different for every sample/);
  });

  it("are named where a class has one sample", async () => {
    write("singles.csv", [...train, { x: [1, 1], colour: "red", y: "rare" }, { x: [1, 2], colour: "red", y: "odd" }]);
    const { code, stderr } = await run("classify", "singles.csv", "--label", "verdict");
    expect(code).toBe(0);
    expect(stderr).toMatch(/note: 2 classes have a single sample, too few .*: "rare", "odd"/);
  });
});

describe("--report", () => {
  const findingsOf = (name: string) => {
    const page = readFileSync(at(name), "utf8");
    const [, text] = /<script type="application\/json" id="findings">([\s\S]*?)<\/script>/.exec(page)!;
    return { page, findings: JSON.parse(text) };
  };

  it("writes a page about the test, with the command that repeats it", async () => {
    const args = ["train.csv", "--label", "verdict", "--test", "test.csv"];
    const found = await json(...args, "--report", "page.html", "--out", "unnamed.st");
    expect(found.report).toBe("page.html");
    const { page, findings } = findingsOf("page.html");
    expect(page).toContain("default-src 'none'");
    expect(findings.repeat.command).toBe("bonmf classify train.csv --test test.csv --label verdict");
    expect(findings.measures).toMatchObject({ accuracy: found.accuracy, interval: found.interval, brier: found.brier });
    expect(findings.tried).toHaveLength(found.tried.length);
    expect(findings.tried.filter(({ chosen }: { chosen: boolean }) => chosen)).toHaveLength(1);
    expect(findings.bins).toEqual(found.calibration.bins);
    const wrong = found.confusion.counts.flat().reduce((a: number, b: number) => a + b) - found.accuracy * 50;
    expect(findings.mistakes).toHaveLength(Math.min(12, Math.round(wrong)));
    const { stdout } = await run("classify", ...args, "--report", "page.html");
    expect(stdout).toMatch(/\nreport written to page\.html\n$/);
  });

  it("names the row of a mistake, and the training row that decided, whatever was held out", async () => {
    await json("train.csv", "--label", "verdict", "--folds", "3", "--scheme", "vote", "--report", "folds.html");
    const { findings } = findingsOf("folds.html");
    expect(findings.mistakes.length).toBeGreaterThan(0);
    for (const { id, truth, given, neighbor } of findings.mistakes) {
      const row = (name: string) => train[Number(name.replace("sample ", "")) - 1];
      expect(row(id).y).toBe(truth);
      expect(row(neighbor.id).y).toBe(given);
    }
  });

  it("holds hostile names as data", async () => {
    const { html, script, closing, prototype } = HOSTILE_NAMES;
    const names = [html, script, closing, prototype];
    const lines = Array.from({ length: 64 }, (_, i) =>
      JSON.stringify({ [closing]: i % 4, [script]: (i * 7) % 5, verdict: names[(i + Number(i % 9 === 0)) % 4] }),
    );
    writeFileSync(at("names.jsonl"), `${lines.join("\n")}\n`);
    await json("names.jsonl", "--label", "verdict", "--scheme", "linear", "--report", "names.html");
    const { page, findings } = findingsOf("names.html");
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(findings.classes.map(({ label }: { label: string }) => label).sort()).toEqual([...names].sort());
  });

  it("refuses a name that is no page before it reads", async () => {
    const { code, stderr } = await run("classify", "nowhere.csv", "--report", "a.docx");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/a\.docx: a report is a page or a PDF/),
    });
  });
});
