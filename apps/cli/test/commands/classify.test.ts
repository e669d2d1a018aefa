import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  auto,
  classifier,
  classReport,
  confusion,
  fit,
  folds,
  holdout,
  loadClassifier,
  logLoss,
  readCsv,
  readLibsvm,
} from "bonmf";
import { beforeAll, describe, expect, it } from "vitest";
import { makeFolder, runBonmf } from "../binary.js";

const cwd = makeFolder();
const at = (name: string) => join(cwd, name);
const run = (...args: string[]) => runBonmf(["classify", ...args], { cwd });
/** Three kinds of rows, one in eight of them called by another kind's name. */
const rows = Array.from({ length: 160 }, (_, i) => {
  const kind = i % 3;
  const x = [0, 1, 2].map((f) => (f === kind ? 6 : 1) + ((i * (f + 3)) % 5) / 2);
  return { x, y: ["pear", "apple", "fig"][i % 8 === 0 ? (kind + 1) % 3 : kind] };
});
const X = rows.map(({ x }) => x);
const y = rows.map((row) => row.y);

beforeAll(async () => {
  const lines = rows.map((row) => [...row.x, row.y].join(","));
  writeFileSync(at("mail.txt"), "a cake of flour\na goal in the match\n".repeat(9));
  writeFileSync(at("fruit.csv"), `a,b,c,kind\n${lines.join("\n")}\n`);
});

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect({ code, error: /error/.test(stderr) }).toEqual({ code: 0, error: false });
  return JSON.parse(stdout);
}

describe("--json of classify", () => {
  it("is this contract and nothing else", async () => {
    const number = expect.any(Number);
    const scores = { precision: number, recall: number, f1: number };
    expect(await json("fruit.csv", "--label", "kind")).toEqual({
      samples: 160,
      features: 3,
      seed: 0,
      split: 0.8,
      folds: null,
      test: null,
      trained: 128,
      tested: 32,
      accuracy: number,
      interval: { low: number, high: number },
      deviation: null,
      balanced: number,
      logLoss: number,
      brier: number,
      auc: {
        classes: ["apple", "fig", "pear"].map((label) => ({ label, auc: number, support: number })),
        macro: number,
        weighted: number,
      },
      calibration: { error: number, bins: expect.toSatisfy((bins) => bins.length === 15) },
      answered: null,
      unknown: [],
      baseline: { label: expect.any(String), accuracy: number },
      macro: scores,
      weighted: scores,
      classes: ["apple", "fig", "pear"].map((label) => ({ label, support: number, ...scores })),
      confusion: { classes: ["apple", "fig", "pear"], counts: expect.any(Array), refused: [0, 0, 0] },
      classifier: {
        scheme: expect.any(String),
        neighbors: expect.toSatisfy((n) => n === null || n > 0),
        probes: expect.toSatisfy((n) => n === null || n === "exact"),
        metric: expect.toSatisfy(
          (metric) => metric === null || ["angle", "distance", "within", "relevant"].includes(metric),
        ),
        votes: expect.toSatisfy((votes) => votes === null || ["equal", "closer"].includes(votes)),
        penalty: expect.toSatisfy((penalty) => penalty === null || penalty > 0),
        classWeights: null,
        calibrated: expect.any(Boolean),
        reject: { margin: null, angle: null, probability: null },
        method: "bonmf",
        k: number,
        scale: expect.any(String),
      },
      written: null,
      chosen: expect.objectContaining({ accuracy: number, deviation: number, scheme: expect.any(String) }),
      chosenBy: "accuracy",
      tried: expect.toSatisfy((tried) => tried.length > 5),
      seconds: { read: number, test: number, train: number, write: number },
      model: null,
      predictions: null,
      report: null,
    });
  });
});

describe("what is found on held-out samples", () => {
  it("is what the library finds, by a chosen classifier", async () => {
    const { train, test } = holdout(y, 0.7, 5);
    const part = (ids: Uint32Array) => ({ X: Array.from(ids, (i) => X[i]), y: Array.from(ids, (i) => y[i]) });
    const { classifier, chosen } = await auto(part(train).X, part(train).y, { seed: 5 });
    const given = classifier.predict(part(test).X);
    const { classes, accuracy, macro, majority } = classReport(part(test).y, given);
    const found = await json("fruit.csv", "--label", "kind", "--split", "0.7", "--seed", "5");
    expect(found).toMatchObject({ accuracy, classes, macro, chosen, confusion: confusion(part(test).y, given) });
    expect(found.baseline).toEqual({ label: majority.label, accuracy: majority.share });
  });

  it("is what the library finds, by a named scheme in folds", async () => {
    const truth: string[] = [];
    const given: (string | null)[] = [];
    for (const { train, test } of folds(y, 4, 2)) {
      const lesson = Array.from(train, (i) => X[i]);
      const model = await fit(lesson, { k: 6, seed: 2, scale: "minmax" });
      const options = { scheme: "vote", neighbors: 3, reject: { margin: 0.01 } } as const;
      const clf = await classifier(
        model,
        lesson,
        Array.from(train, (i) => y[i]),
        options,
      );
      truth.push(...Array.from(test, (i) => y[i]));
      given.push(...clf.predict(Array.from(test, (i) => X[i])));
    }
    const how = ["--scheme", "vote", "--neighbors", "3", "--k", "6", "--scale", "minmax", "--reject-margin", "0.01"];
    const found = await json("fruit.csv", "--label", "kind", "--folds", "4", "--seed", "2", ...how);
    const { accuracy, classes } = classReport(truth, given);
    expect(found).toMatchObject({ accuracy, classes, confusion: confusion(truth, given), tested: 160, chosen: null });
    expect(found.deviation).toBeGreaterThan(0);
  });

  it("is what the library finds, by votes that count more for closer samples", async () => {
    const { train, test } = holdout(y, 0.8, 3);
    const lesson = Array.from(train, (i) => X[i]);
    const model = await fit(lesson, { k: 6, seed: 3, scale: "minmax" });
    const labels = Array.from(train, (i) => y[i]);
    const options = { scheme: "vote", neighbors: 9, metric: "distance", votes: "closer" } as const;
    const clf = await classifier(model, lesson, labels, { ...options, calibrate: true });
    const how = ["--scheme", "vote", "--neighbors", "9", "--metric", "distance", "--votes", "closer"];
    const args = [
      "fruit.csv",
      "--label",
      "kind",
      "--seed",
      "3",
      "--k",
      "6",
      "--scale",
      "minmax",
      "--split",
      "0.8",
      ...how,
    ];
    const found = await json(...args);
    const asked = Array.from(test, (i) => X[i]);
    const truth = Array.from(test, (i) => y[i]);
    expect(found.logLoss).toBe(logLoss(truth, clf.probabilities(asked), clf.classes));
    expect(found.classifier).toMatchObject({ metric: "distance", votes: "closer" });
    expect((await run(...args)).stdout).toContain("vote of 9 by distance, closer ones count more, bonmf, k = 6");
  });
});

describe("--out", () => {
  it("keeps a classifier trained on all samples, with how they were read", async () => {
    const { model } = await json("fruit.csv", "--label", "kind", "--out", "fruit.st");
    expect(model).toBe("fruit.st");
    const kept = await loadClassifier(readFileSync(at("fruit.st")));
    const { classifier } = await auto(X, y, { seed: 0 });
    expect(kept.explain(X)).toEqual(classifier.explain(X));
    expect(kept.model.featureNames).toEqual(["a", "b", "c"]);
    expect(kept.model.tags.source).toBe("fruit.csv");
    expect(JSON.parse(kept.model.tags.recipe)).toMatchObject({ kind: "csv" });
  });
});

describe("for people", () => {
  it("shows accuracy beside the baseline, a table of classes and who was taken for whom", async () => {
    const { code, stdout, stderr } = await run("fruit.csv", "--label", "kind", "--folds", "4", "--out", "shown.st");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^fruit\.csv {2}160 samples × 3 features, 3 classes \(csv\), read in /);
    expect(stdout).toMatch(/\n.*the best of \d+ by cross-validation\ntested on each of 4 parts, trained on the others/);
    expect(stdout).toMatch(
      /\naccuracy \d\d\.\d\d % {2}95 % interval \d\d\.\d % to \d\d\.\d % ± \d+\.\d\d % from part to part {3}baseline \d\d\.\d\d % \(always \w+\)\n/,
    );
    expect(stdout).toMatch(
      /\nbalanced accuracy \d\d\.\d\d % {3}mean F1 \d\d\.\d\d % {3}AUC 0\.\d{4}\nlog loss \d\.\d{4} {3}Brier score 0\.\d{4} {3}calibration error 0\.\d{4}\n/,
    );
    expect(stdout).toMatch(
      /\nclass +precision +recall +f1 +samples\napple +(\d+\.\d % +){3}\d+\nfig .*\npear .*\nmean /,
    );
    expect(stdout).toMatch(/\nclass ╲ given +apple +fig +pear\napple( +[\d·]+){3}\nfig/);
    expect(stdout).toMatch(/trained on all and written to shown\.st\n(chosen on all, and written: \w.*\n)?$/);
  });

  it("says what each part chose where they differ", async () => {
    const line = ["fruit.csv", "--label", "kind", "--folds", "3", "--limit", "12", "--seed", "3"];
    const { classifier } = await json(...line);
    const [, choices] = (await run(...line)).stdout.split("\n");
    expect(choices).toMatch(/^.+ \(\d parts?\); .+ \(\d parts?\) {2}the best of 12/);
    const counts = [...choices.matchAll(/\((\d) parts?\)/g)].map(([, n]) => Number(n));
    expect(counts.reduce((a, b) => a + b)).toBe(3);
    expect(choices).toContain(`k = ${classifier.k}`);
  });

  it("describes the classifier that was tested, and the one written where all samples choose another", async () => {
    const line = ["fruit.csv", "--label", "kind", "--split", "0.1", "--out", "other.st"];
    const { classifier, written, chosen } = await json(...line);
    expect(chosen).toMatchObject({ scheme: classifier.scheme, scale: classifier.scale });
    expect([classifier.scheme, classifier.scale]).not.toEqual([written.scheme, written.scale]);
    const { stdout } = await run(...line);
    const [, first] = stdout.split("\n");
    expect(first.startsWith(classifier.scheme) && first.includes(`scale ${classifier.scale}`), first).toBe(true);
    const last = stdout.trimEnd().split("\n").at(-1)!;
    expect(last.startsWith(`chosen on all, and written: ${written.scheme}`), last).toBe(true);
    expect(last.endsWith(`scale ${written.scale}`), last).toBe(true);
  });

  it("lists the mistakes where the matrix would be too wide", async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `${1 + (i % 9)},${1 + (i % 4)},class number ${i % 40}`);
    writeFileSync(at("wide.csv"), `p,q,kind\n${lines.join("\n")}\n`);
    const { stdout } = await run("wide.csv", "--label", "kind", "--scheme", "majority", "--k", "4");
    expect(stdout).toMatch(/\nclass +taken for +samples\nclass number /);
    expect(stdout).toMatch(/… and \d+ other kinds\n$/);
  });
});

describe("what cannot be learnt", () => {
  it.each<[string, string[], RegExp, RegExp]>([
    ["no classes", ["fruit.csv", "--exclude", "kind"], /fruit\.csv has no labels to learn/, /--label COLUMN/],
    [
      "texts without folders of classes",
      ["mail.txt"],
      /mail\.txt has no labels to learn/,
      /a folder of its own .*--label folder/,
    ],
    ["an unknown column", ["fruit.csv", "--label", "kin"], /kin/, /kind/],
    ["one class", ["one.csv", "--label", "kind"], /all samples of one\.csv have the class "pear"/, /^$/],
    [
      "two ways to choose",
      ["fruit.csv", "--label", "kind", "--auto", "--scheme", "vote"],
      /--auto chooses the scheme/,
      /omit one/,
    ],
    [
      "two ways to test",
      ["fruit.csv", "--label", "kind", "--split", "0.5", "--folds", "3"],
      /--split and --folds are two ways to test/,
      /keep one/,
    ],
    [
      "no samples to test",
      ["fruit.csv", "--label", "kind", "--split", "1"],
      /--split must be between 0 and 1, not 1/,
      /0\.8/,
    ],
    ["one fold", ["fruit.csv", "--label", "kind", "--folds", "1"], /--folds must be 2 or more, not 1/, /^$/],
    [
      "more folds than samples",
      ["fruit.csv", "--label", "kind", "--folds", "161"],
      /--folds 161 is more than there are samples: 160/,
      /^$/,
    ],
    [
      "options of a scheme without one",
      ["fruit.csv", "--label", "kind", "--k", "3"],
      /--k needs --scheme/,
      /--scheme majority/,
    ],
    [
      "an option that the scheme does not use",
      ["fruit.csv", "--label", "kind", "--scheme", "linear", "--metric", "distance"],
      /--metric changes nothing with the scheme linear: it is for vote/,
      /omit --metric/,
    ],
    [
      "weights of classes where one neighbour decides",
      ["fruit.csv", "--label", "kind", "--scheme", "nearest", "--class-weights", "balanced"],
      /--class-weights changes nothing with the scheme nearest/,
      /omit --class-weights/,
    ],
    [
      "clusters to search where all are",
      ["fruit.csv", "--label", "kind", "--scheme", "vote", "--metric", "distance", "--probes", "2"],
      /--probes changes nothing with --metric distance/,
      /omit --probes/,
    ],
    [
      "a bound on the search without one",
      ["fruit.csv", "--label", "kind", "--scheme", "majority", "--limit", "3"],
      /--limit bounds the search/,
      /omit --limit/,
    ],
    [
      "more neighbours than samples",
      ["fruit.csv", "--label", "kind", "--scheme", "vote", "--neighbors", "129"],
      /--neighbors 129 is more than there are samples to train on: 128/,
      /every vote would be the same/,
    ],
    [
      "no time",
      ["fruit.csv", "--label", "kind", "--time-limit", "0"],
      /--time-limit must be above 0 seconds, not 0/,
      /--time-limit 60/,
    ],
    [
      "more clusters than samples",
      ["fruit.csv", "--label", "kind", "--scheme", "majority", "--k", "999"],
      /k is 999 but there are only 128 samples/,
      /--k/,
    ],
    [
      "a scheme the method cannot serve",
      ["fruit.csv", "--label", "kind", "--scheme", "coefficients"],
      /compares coefficients, which a "bonmf" model/,
      /--scheme/,
    ],
    [
      "an unwritable file",
      ["fruit.csv", "--label", "kind", "--out", "no/such/a.st"],
      /the folder no\/such does not exist/,
      /mkdir/,
    ],
  ])("%s", async (_, args, message, hint) => {
    writeFileSync(at("one.csv"), "a,kind\n1,pear\n2,pear\n3,pear\n");
    const { code, stdout, stderr } = await run(...args);
    const [first, second = ""] = stderr.split("\n");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(first).toMatch(message);
    expect(second).toMatch(hint);
  });

  it("negative values by parts that add up, named by their place in the file", async () => {
    const lines = rows.map(({ x: [a, b, c], y }, i) => `${a},${i === 150 ? -3 : b},${c},${y}`);
    writeFileSync(at("negative.csv"), `a,b,c,kind\n${lines.join("\n")}\n`);
    const byName = ["negative.csv", "--label", "kind", "--scheme", "majority"];
    expect((await run(...byName)).code).toBe(0);
    const { code, stderr } = await run(...byName, "--method", "nmf");
    expect(code).toBe(1);
    expect(stderr).toMatch(/negative\.csv: sample 151, column "b" is -3/);
    expect(stderr).toMatch(/--scale minmax/);
    expect((await run("negative.csv", "--label", "kind")).code).toBe(0);
  });
});

const data = process.env.BONMF_DATA_DIR ?? "";
const isReal = process.env.BONMF_DATA_REAL === "1";

describe("bounds on the search", () => {
  it("ends it after so many candidates", async () => {
    expect((await json("fruit.csv", "--label", "kind", "--limit", "2", "--time-limit", "600")).tried).toHaveLength(2);
  });
});

describe("real data", () => {
  it.each([
    ["phishing/phishing.svm.gz", ["--scheme", "majority", "--k", "40"], 0.85],
    ["diabetes/diabetes.csv.gz", ["--label", "class"], 0.68],
    ["optdigits/optdigits.csv.gz", ["--label", "class", "--scheme", "nearest", "--k", "20"], isReal ? 0.96 : 0.88],
  ])("%s is classified far better than by the commonest class", async (path, args, least) => {
    const found = await json(join(data, path), ...args);
    expect(found.accuracy).toBeGreaterThan(least);
    expect(found.accuracy).toBeGreaterThan(found.baseline.accuracy + 0.03);
    const bytes = gunzipSync(readFileSync(join(data, path)));
    const table = path.includes(".svm") ? readLibsvm(bytes) : readCsv(bytes, { label: "class" });
    expect(found).toMatchObject({ samples: table.X.samples, features: table.X.features });
    const { test } = holdout(table.labels!, 0.8, 0);
    const tested = Array.from(test, (i) => table.labels![i]);
    for (const { label, support } of found.classes) {
      expect(support).toBe(tested.filter((truth) => truth === String(label)).length);
    }
  });
});
