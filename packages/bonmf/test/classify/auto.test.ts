import { describe, expect, it } from "vitest";
import { type AutoOptions, auto, type SearchStep } from "../../src/classify/auto.js";
import { classifier } from "../../src/classify/classifier.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import { holdout } from "../../src/classify/folds.js";
import { AbortError } from "../../src/model/abort.js";
import { fit } from "../../src/model/fit.js";
import { isReal, loadDataset } from "../datasets.js";
import { blobRows, draws } from "../synthetic.js";
import type { Grid } from "./handmade.js";

const X = blobRows(1, 120, 4, 3);
const y = X.map((_, i) => "abc"[(i + (i % 6 === 0 ? 1 : 0)) % 3]);

/** Points about (±1, ±1); the class is whether the signs agree. */
function signs(seed: number, n: number): { X: Grid; y: string[] } {
  const next = draws(seed);
  const X = Array.from({ length: n }, (_, i) => [i & 1, i & 2].map((sign) => (sign ? 1 : -1) + next() - 0.5));
  return { X, y: X.map(([a, b]) => (a * b > 0 ? "same" : "different")) };
}

describe("what it chooses", () => {
  it("takes a scaler for signed data where that is what tells the classes apart", async () => {
    const { X, y } = signs(1, 200);
    const { classifier, chosen, tried } = await auto(X, y);
    expect(chosen).toMatchObject({ scale: "split", accuracy: 1, deviation: 0 });
    expect(new Set(tried.map(({ scale }) => scale))).toEqual(new Set(["minmax", "split", "standard", "none"]));
    const fresh = signs(2, 100);
    expect(classifier.score(fresh.X, fresh.y)).toBe(1);
  });

  it("takes the simplest way where that is enough", async () => {
    const next = draws(3);
    const X = Array.from({ length: 100 }, (_, i) => (i % 2 ? [5 + next(), next()] : [next(), 5 + next()]));
    const y = X.map((_, i) => i % 2);
    const { classifier, chosen, tried } = await auto(X, y);
    expect(chosen).toEqual({
      scale: "none",
      scheme: "majority",
      clustersPerClass: 1,
      neighbors: 0,
      metric: null,
      votes: null,
      penalty: 0,
      sharpness: 0,
      accuracy: 1,
      balanced: 1,
      deviation: 0,
      loss: 0,
      folds: 20,
    });
    expect(tried.filter(({ accuracy }) => accuracy === 1).length).toBeGreaterThan(20);
    expect([classifier.scheme, classifier.model.k]).toEqual(["majority", 2]);
  });

  it("tries nothing further once a simple way was right hundreds of times", async () => {
    const sure = Array.from({ length: 2500 }, (_, i) => (i % 2 ? [9, 1 + (i % 3), 1] : [1, 1 + (i % 3), 9]));
    const labels = sure.map((_, i) => (i % 2 ? "day" : "night"));
    const many = await auto(sure, labels, { seed: 1 });
    expect(many.tried.map(({ scheme }) => scheme)).toEqual(many.tried.map(() => "majority"));
    expect(many.chosen.folds).toBe(5);
    // A hundred samples prove less.
    const few = await auto(sure.slice(0, 100), labels.slice(0, 100), { seed: 1, folds: 2 });
    expect(new Set(few.tried.map(({ scheme }) => scheme))).toContain("vote");
  });

  it("tries a simpler scheme to the end where it is within one standard error of the best", async () => {
    // Linear classes with many wrong labels: by chance, several votes are ahead after some folds.
    let met = 0;
    for (const seed of [15, 17, 18]) {
      const next = draws(40 + seed);
      const noisy = Array.from({ length: 600 }, () => [next(), next(), next(), next()]);
      const labels = noisy.map(([a, b, c]) => (a + b - c > 0.5 !== next() < 0.25 ? "yes" : "no"));
      const { chosen, tried } = await auto(noisy, labels, { seed, schemes: ["linear", "vote"] });
      const [best] = tried;
      // Surely less than one standard error of a difference.
      const little = Math.sqrt((best.accuracy * (1 - best.accuracy)) / 600) / 2;
      const close = tried.filter(({ scheme, accuracy }) => scheme === "linear" && accuracy > best.accuracy - little);
      if (close.length === 0) continue;
      met++;
      expect(Math.max(...close.map(({ folds }) => folds))).toBe(best.folds);
      expect(chosen.scheme).toBe("linear");
    }
    expect(met).toBe(3);
  });

  it("votes where classes mix, by many neighbours where they mix a lot", async () => {
    const next = draws(4);
    const X = Array.from({ length: 300 }, () => [1 + next(), 1 + next(), 1 + next()]);
    // The class goes by the angle, four times in five.
    const y = X.map(([a, b]) => a > b === next() < 0.8);
    const { classifier, chosen } = await auto(
      X,
      y.map((yes) => (yes ? "yes" : "no")),
      { clustersPerClass: [], scales: ["none"], schemes: ["majority", "vote"] },
    );
    expect(chosen).toMatchObject({ scheme: "vote", clustersPerClass: 0, scale: "none" });
    expect(chosen.neighbors).toBeGreaterThan(5);
    expect([classifier.scheme, classifier.model.k]).toEqual(["vote", Math.ceil(Math.sqrt(300) / 2)]);
  });

  it("lists all it tried: those on all folds first, best first", async () => {
    const steps: SearchStep[] = [];
    const { chosen, tried } = await auto(X, y, { onStep: (step) => steps.push(step) });
    // Not 9 clusters a class: 27 of them would have 3 or 4 members each.
    const [majority, prototypes, linear, angle, distance, codes] = [3 * 2, 3 * 2, 5, 3 * 13, 5 * 13, 2 * 4];
    expect(tried).toHaveLength(majority + prototypes + linear + angle + distance + codes);
    expect(tried).toContain(chosen);
    // 120 samples are split four times.
    expect(chosen.folds).toBe(20);
    for (let t = 1; t < tried.length; t++) {
      const [a, b] = [tried[t - 1], tried[t]];
      expect(a.folds).toBeGreaterThanOrEqual(b.folds);
      if (a.folds > b.folds) continue;
      expect(a.accuracy).toBeGreaterThanOrEqual(b.accuracy);
      if (a.accuracy === b.accuracy) expect(a.loss).toBeLessThanOrEqual(b.loss);
    }
    expect(steps.map(({ done }) => done)).toEqual(steps.map((_, s) => s + 1));
    expect(steps.length).toBeLessThan(steps[0].total);
    expect(steps.at(-1)!.accuracy).toBeGreaterThan(0.5);
    const order = ["majority", "prototypes", "linear", "vote", "linear+codes"];
    const better = tried.filter(({ folds, accuracy }) => folds === chosen.folds && accuracy > chosen.accuracy);
    for (const { scheme, accuracy } of better) {
      expect(order.indexOf(scheme)).toBeGreaterThanOrEqual(order.indexOf(chosen.scheme));
      // One standard error of a difference is at most that of all answers differing.
      expect(accuracy - chosen.accuracy).toBeLessThan(1 / Math.sqrt(480));
    }
  });

  it("tries what it is told, as far as the samples allow", async () => {
    const { tried } = await auto(X, y, {
      scales: ["l2"],
      clustersPerClass: [2, 3, 4],
      neighbors: [2, 96, 97],
      schemes: ["majority", "vote"],
    });
    const names = tried.map(({ scale, scheme, metric, votes, clustersPerClass, neighbors }) =>
      [scale, scheme, metric, votes, clustersPerClass, neighbors].join(" "),
    );
    // 96 samples remain when a fifth is left out: 96 neighbours at most, and 9 clusters of 10.
    const votes = ["angle", "distance", "within", "relevant"].flatMap((metric) =>
      ["equal", "closer"].flatMap((rule) => [`l2 vote ${metric} ${rule} 0 2`, `l2 vote ${metric} ${rule} 0 96`]),
    );
    expect(names.sort()).toEqual(["l2 majority   2 0", "l2 majority   3 0", ...votes].sort());
    const linear = await auto(X, y, { schemes: ["linear"], penalties: [1, 3] });
    expect(linear.tried.map(({ penalty }) => penalty).sort()).toEqual([1, 3]);
    expect(linear.classifier.scheme).toBe("linear");
  });

  it("stops at a limit", async () => {
    const { tried } = await auto(X, y, { limit: 7 });
    expect(tried).toHaveLength(7);
    const short = await auto(X, y, { timeLimit: 0 });
    expect(new Set(short.tried.map(({ scheme, scale }) => `${scheme} ${scale}`)).size).toBe(1);
  });

  it("is never worse than the commonest class by more than noise", async () => {
    const next = draws(8);
    const noise = Array.from({ length: 300 }, () => [next(), next(), next()]);
    const labels = noise.map(() => (next() < 0.8 ? "common" : "rare"));
    const { classifier } = await auto(noise, labels);
    const fresh = Array.from({ length: 500 }, () => [next(), next(), next()]);
    const common = classifier.predict(fresh).filter((label) => label === "common").length;
    expect(common).toBeGreaterThan(450);
  });

  it("names classes with one sample, and refuses quantities", async () => {
    const { singles } = await auto(X, y.with(50, "rare"), { limit: 3 });
    expect(singles).toEqual(["rare"]);
    const many = Array.from({ length: 400 }, (_, i) => [i % 7, i % 11]);
    const quantity = auto(
      many,
      many.map((_, i) => i / 4),
    );
    await expect(quantity).rejects.toMatchObject({ code: "continuous" });
    const values = Array.from({ length: 400 }, (_, i) => [1 + (i % 7), 2]);
    const numbers = values.map((_, i) => i / 4);
    const direct = classifier(await fit(values, { k: 2 }), values, numbers, { scheme: "majority" });
    await expect(direct).rejects.toMatchObject({ code: "continuous" });
    await expect(quantity).rejects.toThrow("the labels are 400 different numbers, such as 0 and 0.25: a quantity");
  });
});

describe("probabilities", () => {
  const noisy = (seed: number, n: number) => {
    const next = draws(seed);
    const X = Array.from({ length: n }, () => [next(), next()]);
    return { X, y: X.map(([a]) => (next() < a ? "high" : "low")) };
  };

  it.each([
    ["what the search left out", 3000],
    ["more samples than the search looks at", 300],
  ])("are calibrated on %s", async (_what, sample) => {
    const { X, y } = noisy(5, 1500);
    const { classifier } = await auto(X, y, { sample, schemes: ["vote"], neighbors: [5], scales: ["none"] });
    expect(classifier.calibration).not.toBeNull();
    const fresh = noisy(6, 2000);
    const P = classifier.probabilities(fresh.X);
    const { classes } = classifier;
    let [sure, right] = [0, 0];
    fresh.y.forEach((label, i) => {
      const row = Array.from(P.row(i));
      const most = Math.max(...row);
      sure += most;
      if (classes[row.indexOf(most)] === label) right++;
    });
    expect(Math.abs(sure - right) / 2000).toBeLessThan(0.06);
    const again = await loadClassifier(saveClassifier(classifier));
    expect(again.calibration).toEqual(classifier.calibration);
    expect([...again.probabilities(fresh.X).data]).toEqual([...P.data]);
    const other = await loadClassifier(saveClassifier(classifier), "noisy", { neighbors: 3 });
    expect(other.calibration).toBeNull();
  });
});

describe("awkward data", () => {
  it("chooses scalers by all samples, also those that are not drawn", async () => {
    const signed = X.map((row) => [...row]);
    signed[77][2] = -1;
    for (const seed of [1, 2, 3]) {
      const { tried } = await auto(signed, y, { sample: 20, seed });
      expect(new Set(tried.map(({ scale }) => scale))).toEqual(new Set(["minmax", "split", "standard", "none"]));
    }
  });

  it.each([
    [
      "two samples",
      [
        [1, 0],
        [0, 1],
      ],
      [1, 2],
    ],
    ["one class", X.slice(0, 30), Array(30).fill("only")],
    ["as many classes as samples", X.slice(0, 12), X.slice(0, 12).map((_, i) => i)],
    ["the same sample again and again", Array(50).fill([1, 2]), y.slice(0, 50)],
    ["nothing but zeros", Array(50).fill([0, 0]), y.slice(0, 50)],
  ] as [string, Grid, (string | number)[]][])("copes with %s", async (_name, rows, labels) => {
    const { classifier, chosen } = await auto(rows, labels);
    expect(chosen.accuracy).toBeGreaterThanOrEqual(0);
    for (const label of classifier.predict(rows)) expect(labels).toContain(label);
  });
});

describe("signal", () => {
  it("ends it before it begins", async () => {
    const reason = new Error("enough");
    await expect(auto(X, y, { signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      name: "AbortError",
      model: null,
      cause: reason,
    });
  });

  it("ends it on the way, and leaves no model of a fold behind", async () => {
    const many = blobRows(7, 2000, 20, 10);
    const labels = many.map((_, i) => i % 10);
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    const error = await auto(many, labels, { signal: stop.signal }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ model: null, cause: stop.signal.reason });
  });
});

describe("errors", () => {
  it.each<[AutoOptions, string, string]>([
    [{ seed: -1 }, "seed", "seed must be a whole number, 0 or more, not -1"],
    [{ sample: 1 }, "sample", "sample must be a whole number, 2 or more, not 1"],
    [{ folds: 1 }, "folds", "folds must be a whole number, 2 or more, not 1"],
    [{ clustersPerClass: [1, 0] }, "clustersPerClass", "clustersPerClass must be a whole number, 1 or more, not 0"],
    [{ neighbors: [2.5] }, "neighbors", "neighbors must be a whole number, 1 or more, not 2.5"],
    [{ scales: [] }, "scales", "there is nothing to try: give at least one scaler"],
    [
      { clustersPerClass: [99], neighbors: [97], schemes: ["majority", "vote"] },
      "neighbors",
      "a number of neighbours of at most 96",
    ],
    [{ penalties: [0] }, "penalties", "penalties must be a positive number, not 0"],
    [{ limit: 0 }, "limit", "limit must be a whole number, 1 or more, not 0"],
  ])("refuses %o", async (options, option, message) => {
    const run = auto(X, y, options);
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toMatchObject({ name: "OptionError", option });
  });

  it("names the sample that is at fault by its place in all of them", async () => {
    const bad = X.map((row) => [...row]);
    bad[101][3] = Number.NaN;
    await expect(auto(bad, y)).rejects.toMatchObject({ code: "not-finite", place: { sample: 101, feature: 3 } });
    bad[101][3] = -2;
    await expect(auto(bad, y, { scales: ["split", "tfidf"] })).rejects.toMatchObject({
      code: "negative",
      place: { sample: 101, feature: 3 },
    });
    await expect(auto(X, y.with(9, Number.NaN as unknown as string))).rejects.toMatchObject({ place: { sample: 9 } });
  });

  it("wants at least two samples and one label each", async () => {
    await expect(auto([[1, 2]], ["a"])).rejects.toThrow(
      "cross-validation needs at least 2 samples, but there is only 1",
    );
    await expect(auto([], [])).rejects.toMatchObject({ name: "DataError", code: "empty" });
    await expect(auto(X, y.slice(2))).rejects.toThrow("there are 120 samples but 118 labels: give one for each sample");
  });
});

describe.skipIf(!isReal)("real data (needs the paper's datasets)", () => {
  it.each([
    ["monkey", 80.95],
    ["diabetes", 68.96],
    ["svmguide", 80.17],
  ])("%s: at least the paper's %f %% on held-out samples", async (name, paper) => {
    const { X, labels = [] } = await loadDataset(name);
    const { train, test } = holdout(X.samples, 0.8, 0);
    const pick = (ids: Uint32Array) => Array.from(ids, (i) => labels[i]);
    const { classifier } = await auto(X.take(train), pick(train));
    expect(100 * classifier.score(X.take(test), pick(test))).toBeGreaterThanOrEqual(paper);
  });
});
