import { describe, expect, it } from "vitest";
import { auto } from "../../src/classify/auto.js";
import { fitCalibration } from "../../src/classify/calibration.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import { folds } from "../../src/classify/folds.js";
import { chooseByClass } from "../../src/classify/search-sample.js";
import { Dense } from "../../src/matrix/dense.js";
import { balancedAccuracy } from "../../src/measure/class-report.js";
import { deriveSeed } from "../../src/random.js";
import { fitScaler } from "../../src/scale/scaler.js";
import { draws } from "../synthetic.js";
import { type Grid, rank } from "./handmade.js";

/** Two clouds that overlap; one sample of `every` is of the rare one. */
function clouds(seed: number, n: number, every: number): { X: Grid; y: string[] } {
  const next = draws(seed);
  const noise = () => next() + next() + next() - 1.5;
  const y = Array.from({ length: n }, (_, i) => (i % every === 0 ? "rare" : "common"));
  return { X: y.map((label) => [4 + noise() + (label === "rare" ? 0.8 : 0), 4 + noise(), 4 + noise()]), y };
}

const train = clouds(1, 600, 20);
const test = clouds(2, 4000, 20);
const SCHEMES = ["majority", "prototypes", "vote", "linear", "linear+codes"] as const;

describe("auto with class weights", () => {
  it.each(SCHEMES)("finds the rare class by %s", async (scheme) => {
    const score = async (classWeights: "balanced" | null) => {
      const { classifier, chosen, measure } = await auto(train.X, train.y, { classWeights, schemes: [scheme] });
      expect(measure).toBe(classWeights === null ? "accuracy" : "balanced");
      expect(classifier.classWeights).toBe(classWeights);
      expect(chosen.scheme).toBe(scheme);
      return balancedAccuracy(test.y, classifier.predict(test.X));
    };
    expect(await score("balanced")).toBeGreaterThan((await score(null)) + 0.05);
  });

  it("takes what is best by balanced accuracy, and simple within one standard error", async () => {
    const { chosen, tried } = await auto(train.X, train.y, { classWeights: "balanced", seed: 3 });
    const whole = tried.filter((one) => one.folds === chosen.folds);
    for (let t = 1; t < whole.length; t++) expect(whole[t - 1].balanced).toBeGreaterThanOrEqual(whole[t].balanced);
    // By accuracy always answering the common class would be best.
    expect(Math.max(...tried.map(({ accuracy }) => accuracy))).toBeGreaterThan(chosen.accuracy);
    expect(whole[0].balanced - chosen.balanced).toBeLessThan(0.05);
  });

  it("compares by what leaving folds out by hand gives", async () => {
    const { X, y } = clouds(4, 160, 8);
    const { tried } = await auto(X, y, { classWeights: "balanced", scales: ["standard"], seed: 5, schemes: ["vote"] });
    const splits = [0, 1, 2, 3].flatMap((repeat) => folds(y, 5, deriveSeed(5, repeat)));
    const near = tried.filter(({ metric, votes }) => metric === "distance" && votes === "equal");
    expect(near).toHaveLength(7);
    const recalls = splits.map((part) => leaveOut(X, y, part));
    for (const { neighbors, balanced, accuracy, deviation, folds } of near) {
      const found = recalls.slice(0, folds).map((answer) => answer(neighbors));
      const sum = (of: (one: (typeof found)[number]) => number) => found.reduce((total, one) => total + of(one), 0);
      // A rare sample is worth 160 / (2 × 20), a common one 160 / (2 × 140).
      const worth = [140, 20].map((size) => 160 / (2 * size));
      const score = (one: { right: number[]; all: number[] }) => ({
        right: one.right[0] * worth[0] + one.right[1] * worth[1],
        all: one.all[0] * worth[0] + one.all[1] * worth[1],
      });
      const share = sum((one) => score(one).right) / sum((one) => score(one).all);
      expect(balanced).toBeCloseTo(share, 12);
      expect(accuracy).toBeCloseTo(sum(({ right }) => right[0] + right[1]) / sum(({ all }) => all[0] + all[1]), 12);
      const gaps = found.map((one) => (score(one).right / score(one).all - share) ** 2);
      const variance = gaps.reduce((a, b) => a + b) / Math.max(1, folds - 1);
      expect(deviation).toBeCloseTo(Math.sqrt(variance), 12);
    }
  });

  it("is never worse than the commonest class by more than noise", async () => {
    const next = draws(8);
    const cells = (n: number) => Array.from({ length: n }, () => [next(), next(), next()]);
    const X = cells(400);
    const y = X.map(() => (next() < 0.9 ? "common" : "rare"));
    const fresh = cells(2000);
    const truth = fresh.map(() => (next() < 0.9 ? "common" : "rare"));
    const { classifier } = await auto(X, y, { classWeights: "balanced" });
    // Three standard errors of the recall of 200 rare samples, halved by the mean.
    expect(balancedAccuracy(truth, classifier.predict(fresh))).toBeGreaterThan(0.5 - (3 * 0.5) / Math.sqrt(200) / 2);
  });

  it("gives probabilities of classes that are equally common", async () => {
    const { classifier } = await auto(train.X, train.y, { classWeights: "balanced" });
    const P = classifier.probabilities(test.X);
    let [sure, right] = [0, 0];
    const sizes = { common: 3800, rare: 200 };
    test.y.forEach((label, i) => {
      const row = Array.from(P.row(i));
      const weight = 1 / sizes[label as keyof typeof sizes];
      sure += weight * Math.max(...row);
      if (classifier.classes[row.indexOf(Math.max(...row))] === label) right += weight;
    });
    expect(Math.abs(sure - right) / 2).toBeLessThan(0.06);
    const again = await loadClassifier(saveClassifier(classifier));
    expect(again.classWeights).toBe("balanced");
    expect(again.calibration).toEqual(classifier.calibration);
  });

  it("is decided by the seed alone, on any number of threads", async () => {
    const run = (threads: number) => auto(train.X, train.y, { classWeights: "balanced", limit: 40, threads });
    const [one, two] = [await run(1), await run(2)];
    expect(two.tried).toEqual(one.tried);
    expect([...two.classifier.probabilities(test.X).data]).toEqual([...one.classifier.probabilities(test.X).data]);
  });

  it("changes nothing where classes are equally common", async () => {
    const { X } = clouds(6, 200, 20);
    const y = X.map(([a], i) => (i % 2 === 0 ? "even" : "odd") + (a > 0 ? "" : "!"));
    const plain = await auto(X, y, { seed: 2, schemes: ["majority", "linear"] });
    const balanced = await auto(X, y, { seed: 2, schemes: ["majority", "linear"], classWeights: "balanced" });
    expect(balanced.chosen).toEqual(plain.chosen);
    expect(balanced.tried).toEqual(plain.tried);
  });

  it("refuses other weights", async () => {
    const run = auto(train.X, train.y, { classWeights: "even" as "balanced" });
    await expect(run).rejects.toMatchObject({ name: "OptionError", option: "classWeights" });
  });
});

describe("the samples of a search with class weights", () => {
  it("are at least a fifth of an even share of every class, as far as there are so many", () => {
    const sizes = [9000, 900, 80, 20];
    const y = Uint32Array.from(sizes.flatMap((size, c) => new Array(size).fill(c)));
    const ids = chooseByClass(y, 4, 2000, 7);
    const counts = [0, 0, 0, 0];
    for (const i of ids) counts[y[i]]++;
    expect(counts[2]).toBe(80);
    expect(counts[3]).toBe(20);
    expect(counts[1]).toBe(Math.floor((1900 * 900) / 9900));
    expect(ids.length).toBeGreaterThanOrEqual(1998);
    expect(ids.length).toBeLessThanOrEqual(2000);
    expect(Array.from(ids)).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(chooseByClass(y, 4, 2000, 7)).toEqual(ids);
    expect(chooseByClass(y, 4, 2000, 8)).not.toEqual(ids);
  });

  it("are one of each class at least", () => {
    const y = Uint32Array.from({ length: 100 }, (_, i) => i % 10);
    expect(new Set(Array.from(chooseByClass(y, 10, 2, 1), (i) => y[i])).size).toBe(10);
    expect(chooseByClass(y, 10, 100, 1)).toHaveLength(100);
  });
});

describe("calibration with the worth of classes", () => {
  it("is that of copies of the samples", () => {
    const next = draws(9);
    const truth = Array.from({ length: 300 }, (_, i) => (i % 5 === 0 ? 1 : 0));
    const shares = truth.map((label) => ((label === 1) === next() < 0.7 ? next() / 2 : 1 - next() / 2));
    const flat = (ids: number[]) => Float64Array.from(ids.flatMap((i) => [shares[i], 1 - shares[i]]));
    const once = truth.map((_, i) => i);
    const copied = once.flatMap((i) => (truth[i] === 1 ? [i, i, i, i] : [i]));
    const weighed = fitCalibration(flat(once), truth, 2, Float64Array.of(1, 4));
    const repeated = fitCalibration(
      flat(copied),
      copied.map((i) => truth[i]),
      2,
    );
    expect(weighed.floor).toBe(repeated.floor);
    // The doubt about samples that are all right is that of their number.
    expect(Math.abs(Math.log(weighed.power / repeated.power))).toBeLessThan(0.2);
    expect(weighed).not.toEqual(fitCalibration(flat(once), truth, 2));
  });
});

/** The answers of votes by distance, where the votes of a class count by its share of the training: right ones and all, by class. */
function leaveOut(X: Grid, y: readonly string[], part: { train: Uint32Array; test: Uint32Array }) {
  const scaler = fitScaler("standard", Dense.from(X).take(part.train));
  const Z = scaler.transform(Dense.from(X)) as Dense;
  const sizes = [0, 0];
  for (const i of part.train) sizes[y[i] === "rare" ? 1 : 0]++;
  return (neighbors: number) => {
    const [right, all] = [
      [0, 0],
      [0, 0],
    ];
    for (const i of part.test) {
      const distances = Array.from(
        part.train,
        (t) => -Array.from(Z.row(i), (x, f) => (x - Z.row(t)[f]) ** 2).reduce((a, b) => a + b),
      );
      const voters = rank(distances).slice(0, neighbors);
      const labels = voters.map((v) => (y[part.train[v]] === "rare" ? 1 : 0));
      const votes = [0, 1].map((c) => labels.filter((label) => label === c).length / sizes[c]);
      const winner = votes[0] === votes[1] ? labels[0] : votes[1] > votes[0] ? 1 : 0;
      const truth = y[i] === "rare" ? 1 : 0;
      all[truth]++;
      if (winner === truth) right[truth]++;
    }
    return { right, all };
  };
}
