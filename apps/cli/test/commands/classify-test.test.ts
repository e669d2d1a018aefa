import { readFileSync, writeFileSync } from "node:fs";
import { accuracyInterval, auto, balancedAccuracy, brierScore, calibration, classReport, logLoss, rocAuc } from "bonmf";
import { describe, expect, it } from "vitest";
import { HOSTILE_NAMES } from "../../../../packages/data/test/fixtures/hostile-names.js";
import { type Row, useVerdicts, writeRows } from "./verdicts.js";

const { at, run, json, train, test } = useVerdicts();

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
    writeRows(at("strange.csv"), strange);
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
    writeRows(at("numbers.csv"), numbered(train, "0"));
    writeRows(at("texts.csv"), numbered(test, "nought"));
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
    writeRows(
      at("alien.csv"),
      test.map((row) => ({ ...row, y: "alien" })),
    );
    const { code, stdout, stderr } = await run("classify", "train.csv", "--label", "verdict", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(hint);
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

  it("are refused with the column where too few samples of each are left to train on, and taken as texts", async () => {
    const lines = Array.from({ length: 720 }, (_, i) => `${i % 60},${(i % 60) + ((i * 7) % 10) / 20},${i % 60}`);
    writeFileSync(at("parts.csv"), `p,q,part\n${lines.join("\n")}\n`);
    const args = ["classify", "parts.csv", "--label", "part", "--scheme", "nearest"];
    const { code, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /parts\.csv: the label "part" has 60 different numbers from 0 to 59: a quantity, not classes/,
    );
    const sql = /make them texts: --sql "(.*)"/.exec(stderr)![1];
    expect((await run(...args, "--sql", sql)).code).toBe(0);
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
    writeRows(at("singles.csv"), [
      ...train,
      { x: [1, 1], colour: "red", y: "rare" },
      { x: [1, 2], colour: "red", y: "odd" },
    ]);
    const { code, stderr } = await run("classify", "singles.csv", "--label", "verdict");
    expect(code).toBe(0);
    expect(stderr).toMatch(/note: 2 classes have a single sample, too few .*: "rare", "odd"/);
  });

  it("are named where classes differ only by spaces or capitals", async () => {
    writeRows(
      at("twins.csv"),
      train.map((row, i) => ({ ...row, y: i % 3 ? row.y : `${row.y.toUpperCase()} ` })),
    );
    const { code, stderr } = await run("classify", "twins.csv", "--label", "verdict", "--scheme", "nearest");
    expect(code).toBe(0);
    expect(stderr).toMatch(/classes that differ only by spaces or capitals: ("(yes|YES |no|NO )"(, )?){4}\n/);
  });
});

describe("--class-weights balanced without --scheme", () => {
  const rare = [...train, ...test].filter(({ y }, i) => y !== train[0].y || i % 12 === 0);
  const args = ["rare.csv", "--label", "verdict", "--class-weights", "balanced"];

  it("chooses by balanced accuracy, and says so", async () => {
    writeRows(at("rare.csv"), rare);
    const found = await json(...args, "--out", "alike.st");
    expect(found.chosenBy).toBe("balanced");
    expect([found.classifier.classWeights, found.written.classWeights]).toEqual(["balanced", "balanced"]);
    const whole = found.tried.filter(({ folds }: { folds: number }) => folds === found.chosen.folds);
    for (let t = 1; t < whole.length; t++) expect(whole[t - 1].balanced).toBeGreaterThanOrEqual(whole[t].balanced);
    const { stdout } = await run("classify", ...args);
    expect(stdout).toMatch(/, classes count alike {2}the best of \d+ by cross-validated balanced accuracy\n/);
    expect(stdout).toContain("every class counts alike: always answering one class has a balanced accuracy of 50.00 %");
    expect(stdout).not.toContain("by accuracy it may be no better");
    const plain = await json(...args.slice(0, 3));
    expect([plain.chosenBy, plain.classifier.classWeights]).toEqual(["accuracy", null]);
    expect((await json(...args, "--scheme", "linear")).chosenBy).toBeNull();
  });

  it("is named where a common class hides the others", async () => {
    const noise = Array.from({ length: 120 }, (_, i) => ({
      x: [(i * 37) % 11, (i * 53) % 7],
      colour: "red",
      y: i % 12 === 0 ? "rare" : "common",
    }));
    writeRows(at("noise.csv"), noise);
    const line = ["classify", "noise.csv", "--label", "verdict", "--limit", "9"];
    const hint = "always answering common; --class-weights balanced looks for rarer classes too";
    expect((await run(...line)).stdout).toContain(hint);
    expect((await run(...line, "--class-weights", "balanced")).stdout).not.toContain("looks for rarer classes");
  });

  it("writes a page that goes by it", async () => {
    await json(...args, "--report", "alike.html");
    const page = readFileSync(at("alike.html"), "utf8");
    const [, text] = /<script type="application\/json" id="findings">([\s\S]*?)<\/script>/.exec(page)!;
    const findings = JSON.parse(text);
    expect(findings.measures.chance).toMatchObject({ share: 0.5 });
    expect(findings.repeat.command).toContain("--class-weights balanced");
    const scores = findings.tried.map(({ balanced, folds }: { balanced: number; folds: number }) => [folds, balanced]);
    expect(scores).toEqual([...scores].sort((a, b) => b[0] - a[0] || b[1] - a[1]));
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
