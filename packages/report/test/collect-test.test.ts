import {
  accuracyInterval,
  brierScore,
  calibration,
  classifier,
  classReport,
  confusion,
  Dense,
  fit,
  type Label,
  logLoss,
  rocAuc,
  type SchemeName,
} from "bonmf";
import { describe, expect, it } from "vitest";
import { collectTest, type TestData } from "../src/collect-test.js";

/** Teas have leaves, coffees beans; of the samples tested, one is called by the other's name and one is unknown. */
const training = {
  X: Dense.from([
    [4, 0, 1],
    [5, 1, 1],
    [6, 0, 2],
    [0, 5, 1],
    [1, 4, 2],
    [0, 6, 1],
  ]),
  labels: ["tea", "tea", "tea", "coffee", "coffee", "coffee"] as Label[],
  ids: ["t1", "t2", "t3", "c1", "c2", "c3"],
};
const X = Dense.from([
  [5, 0, 1],
  [0, 5, 2],
  [6, 1, 1],
  [1, 5, 1],
  [3, 3, 1],
]);
const truth: Label[] = ["tea", "coffee", "coffee", "coffee", "cocoa"];
const features = ["leaf", "bean", "water"];

async function collect(scheme: SchemeName, more: Partial<TestData> = {}, tested = truth) {
  const model = await fit(training.X, { k: 2, seed: 1, featureNames: features });
  const clf = await classifier(model, training.X, training.labels as string[], { scheme, neighbors: 1 });
  const P = clf.probabilities(X);
  const predictions = clf.explain(X);
  const given = predictions.map(({ label }) => label);
  const classes = clf.classes;
  return collectTest({
    classifier: clf,
    training,
    samples: { X, labels: tested, ids: ["a", "b", "c", "d", "e"] },
    answers: { rows: [0, 1, 2, 3, 4], truth: tested, predictions, classes, probabilities: P },
    report: classReport(tested, given),
    confusion: confusion(tested, given),
    interval: accuracyInterval(3, 5),
    logLoss: logLoss(tested, P, classes),
    brier: brierScore(tested, P, classes),
    auc: rocAuc(tested, P, classes),
    calibration: calibration(tested, P, classes),
    answered: null,
    unknown: [{ label: "cocoa", count: 1 }],
    chance: null,
    tried: [],
    source: "drinks.csv",
    words: { classifier: scheme, tested: "on five" },
    ...more,
  });
}

describe("findings of a test", () => {
  it("hold the measures as they are, labels as texts", async () => {
    const found = await collect("vote");
    expect(found).toMatchObject({ kind: "test", form: "table", samples: 5, source: "drinks.csv", classifier: "vote" });
    expect(found.measures).toMatchObject({
      accuracy: 3 / 5,
      baseline: { label: "coffee", share: 3 / 5 },
      interval: accuracyInterval(3, 5),
      unknown: [{ label: "cocoa", count: 1 }],
    });
    expect(found.classes.map(({ label, samples, auc }) => [label, samples, auc !== null])).toEqual([
      ["cocoa", 1, false],
      ["coffee", 3, true],
      ["tea", 1, true],
    ]);
    expect(found.confusion?.counts.flat().reduce((a, b) => a + b)).toBe(5);
    expect(found.confused[0]).toMatchObject({ truth: "cocoa", count: 1 });
  });

  it("hold the ROC curve of the second of two classes, from (0, 0) to (1, 1), with its area", async () => {
    const { curves, classes } = await collect("vote");
    expect(curves.map(({ label, auc }) => ({ label, auc }))).toEqual([
      { label: "tea", auc: classes.find(({ label }) => label === "tea")?.auc },
    ]);
    const { points } = curves[0];
    expect([points[0], points.at(-1)]).toEqual([
      [0, 0],
      [1, 1],
    ]);
    const area = points.slice(1).reduce((sum, [x, y], p) => sum + ((x - points[p][0]) * (y + points[p][1])) / 2, 0);
    expect(area).toBeCloseTo(curves[0].auc, 12);
  });

  it("show wrong answers, the surest first, with the training sample that decided", async () => {
    const { mistakes } = await collect("vote");
    expect(mistakes.map(({ id }) => id).sort()).toEqual(["c", "e"]);
    const wrong = mistakes.find(({ id }) => id === "c")!;
    expect(wrong).toMatchObject({ truth: "coffee", given: "tea", probability: 1, truthProbability: 0, reasons: [] });
    expect(wrong.neighbor?.id).toMatch(/^t\d$/);
    // Leaf and bean tell teas from coffees; water does not.
    expect(
      wrong.preview.values
        .slice(0, 2)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["bean", "leaf"]);
    expect(wrong.preview.values.find(({ name }) => name === "leaf")?.value).toBe(6);
  });

  it("rank by probability", async () => {
    const { mistakes } = await collect("linear");
    expect(mistakes.map(({ probability }) => probability)).toEqual(
      mistakes.map(({ probability }) => probability).sort((a, b) => b - a),
    );
    expect(mistakes[0].probability + mistakes[0].truthProbability).toBeLessThanOrEqual(1 + 1e-12);
  });

  it("tell what spoke for each class: by the scheme itself, or by how its samples differ", async () => {
    const linear = await collect("linear");
    const tea = linear.grounds.find(({ label }) => label === "tea")!;
    expect(tea.reasons[0]).toMatchObject({ name: "leaf" });
    expect(tea.reasons[0].amount).toBeGreaterThan(0);
    expect(linear.mistakes[0].reasons.length).toBeGreaterThan(0);
    const vote = await collect("vote");
    const reasons = new Map(vote.grounds.find(({ label }) => label === "tea")!.reasons.map((r) => [r.name, r.amount]));
    expect(reasons.get("leaf")).toBeGreaterThan(0);
    expect(reasons.get("bean")).toBeLessThan(0);
    expect(vote.grounds.reduce((sum, { answers }) => sum + answers, 0)).toBe(5);
  });

  it("draw pictures, of samples, neighbours and prototypes", async () => {
    const found = await collect("vote", { recipe: { kind: "csv", image: { width: 3, height: 1 } } });
    expect(found.form).toBe("picture");
    expect(found.mistakes[0].preview.pixels).toHaveLength(3);
    expect(found.mistakes[0].neighbor?.preview.pixels).toHaveLength(3);
    expect(found.grounds.map(({ picture }) => picture?.length)).toEqual([3, 3]);
    expect(found.mistakes[0].preview.values).toEqual([]);
  });

  it("quote documents, and mark the words that spoke", async () => {
    const texts = ["leaf", "bean", "a leaf of tea", "bean bean", "leaf and bean"];
    const samples = { X, labels: truth, texts };
    const found = await collect("linear", { recipe: { kind: "text" }, samples, features });
    expect(found.form).toBe("text");
    const wrong = found.mistakes.find(({ truth: own }) => own === "coffee")!;
    expect(wrong.preview.passage).toContainEqual({ text: "leaf", marked: true });
  });

  it("have neither mistakes nor a list of them where all is right", async () => {
    const right: Label[] = ["tea", "coffee", "tea", "coffee", "tea"];
    const { mistakes, confused } = await collect("majority", {}, right);
    expect(mistakes.length).toBe(confused.reduce((sum, { count }) => sum + count, 0));
  });

  it("leave out the matrix of many classes", async () => {
    const names: Label[] = Array.from({ length: 31 }, (_, c) => c);
    const many = confusion(names, [...names].reverse());
    const found = await collect("vote", { confusion: many });
    expect(found.confusion).toBeNull();
    expect(found.confused).toHaveLength(20);
    expect(found.confused[0]).toEqual({ truth: "0", given: "30", count: 1 });
  });
});
