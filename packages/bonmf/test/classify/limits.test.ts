import { describe, expect, it } from "vitest";
import { auto } from "../../src/classify/auto.js";
import { classifier } from "../../src/classify/classifier.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import type { SchemeName } from "../../src/classify/scheme.js";
import { logLoss } from "../../src/measure/probabilities.js";
import { fit } from "../../src/model/fit.js";
import { blobRows, draws } from "../synthetic.js";

const next = draws(5);
const rows = blobRows(1, 240, 4, 3).map((row) => row.map((value) => Math.fround(value + 2 * next())));
/** One label of six is another class's. */
const labels = rows.map((_, i) => ["red", "green", "blue"][(i + (next() < 1 / 6 ? 1 : 0)) % 3]);
const [X, y] = [rows.slice(0, 160), labels.slice(0, 160)];
const [Q, truth] = [rows.slice(160), labels.slice(160)];
const model = await fit(X, { k: 6, seed: 3 });

describe("reject.probability", () => {
  it.each<SchemeName>(["majority", "vote", "linear", "linear+codes"])(
    "refuses answers with a lower probability: %s",
    async (scheme) => {
      const options = { scheme, calibrate: true } as const;
      const plain = await classifier(model, X, y, options);
      const P = plain.probabilities(Q);
      const probability = Q.map((_, i) => Math.max(...P.row(i))).sort((a, b) => a - b)[60];
      const careful = await classifier(model, X, y, { ...options, reject: { probability } });
      const expected = plain.predict(Q).map((label, i) => (Math.max(...P.row(i)) < probability ? null : label));
      expect(new Set(expected).has(null)).toBe(true);
      expect(expected.some((label) => label !== null)).toBe(true);
      expect(careful.predict(Q)).toEqual(expected);
      careful.explain(Q).forEach(({ label, rejected, ...found }, i) => {
        expect(label).toBe(expected[i]);
        expect(rejected).toBe(expected[i] === null ? "probability" : null);
        expect(found.probability).toBe(Math.max(...P.row(i)));
      });
    },
  );

  it("is kept in the file, beside limits that are given when it is read", async () => {
    const clf = await classifier(model, X, y, { scheme: "vote", reject: { probability: 0.9 }, calibrate: true });
    const bytes = saveClassifier(clf);
    const again = await loadClassifier(bytes);
    expect(again.reject).toEqual({ probability: 0.9 });
    expect(again.predict(Q)).toEqual(clf.predict(Q));
    const both = await loadClassifier(bytes, "both", { reject: { margin: 0.2 } });
    expect(both.reject).toEqual({ probability: 0.9, margin: 0.2 });
    const none = await loadClassifier(bytes, "none", { reject: { probability: 0 } });
    expect(none.predict(Q)).not.toContain(null);
  });

  it("is a setting of auto too, which refuses nothing in its search", async () => {
    const settings = { schemes: ["linear"], penalties: [1] } as const;
    const plain = await auto(X, y, settings);
    const careful = await auto(X, y, { ...settings, reject: { probability: 0.8 } });
    expect(careful.chosen).toEqual(plain.chosen);
    const P = plain.classifier.probabilities(Q);
    expect(careful.classifier.predict(Q)).toEqual(
      plain.classifier.predict(Q).map((label, i) => (Math.max(...P.row(i)) < 0.8 ? null : label)),
    );
  });

  it.each([-0.1, 1.5, Number.NaN])("is from 0 to 1, not %d", async (probability) => {
    const refused = "reject.probability must be from 0 to 1";
    await expect(classifier(model, X, y, { reject: { probability } })).rejects.toThrow(refused);
    await expect(auto(X, y, { reject: { probability } })).rejects.toThrow(refused);
  });
});

describe("calibrate", () => {
  it.each<SchemeName>(["majority", "prototypes", "nearest", "vote", "linear", "linear+codes"])(
    "measures on samples left out what shares are worth: %s",
    async (scheme) => {
      const plain = await classifier(model, X, y, { scheme });
      const measured = await classifier(model, X, y, { scheme, calibrate: true });
      expect(plain.calibration).toBe(null);
      expect(measured.calibration).not.toBe(null);
      expect(measured.predict(Q)).toEqual(plain.predict(Q));
      const loss = (clf: typeof plain) => logLoss(truth, clf.probabilities(Q), clf.classes);
      expect(loss(measured)).toBeLessThan(loss(plain) + 0.01);
      // One neighbour is always sure of itself, and wrong once in six times.
      if (scheme === "nearest") expect(loss(measured)).toBeLessThan(loss(plain) / 2);
    },
  );

  it("is not possible for the codes of the model's own samples", async () => {
    const codes = await fit(X, { k: 3, method: "nmf", maxIterations: 20 });
    const clf = await classifier(codes, X, y, { scheme: "coefficients", calibrate: true });
    expect(clf.calibration).toBe(null);
  });
});

describe("class weights", () => {
  const unequal = {
    X: [
      [10, 1],
      [10, 2],
      [10, 3],
      [10, 2.1],
      [1, 10],
    ],
    y: ["common", "common", "common", "rare", "common"],
  };

  it.each(["angle", "distance", "within"] as const)("let a rare class win a vote by %s", async (metric) => {
    const one = await fit(unequal.X, { k: 1 });
    const options = { scheme: "vote", neighbors: 4, metric } as const;
    const plain = await classifier(one, unequal.X, unequal.y, options);
    const balanced = await classifier(one, unequal.X, unequal.y, { ...options, classWeights: "balanced" });
    expect(plain.predict([[10, 2]])).toEqual(["common"]);
    expect(balanced.predict([[10, 2]])).toEqual(["rare"]);
    // Of 5 samples, a vote of the common class counts 5/8, one of the rare class 5/2.
    expect(balanced.probabilities([[10, 2]]).row(0)).toEqual(Float64Array.of(15 / 35, 20 / 35));
    const again = await loadClassifier(saveClassifier(balanced));
    expect(again.predict([[10, 2]])).toEqual(["rare"]);
    expect(again.classWeights).toBe("balanced");
  });

  it("let a rare class win a cluster, also from the file", async () => {
    const two = await fit(unequal.X, { k: 2, seed: 1 });
    const plain = await classifier(two, unequal.X, unequal.y, { scheme: "majority" });
    const balanced = await classifier(two, unequal.X, unequal.y, { scheme: "majority", classWeights: "balanced" });
    expect(plain.predict([[10, 2]])).toEqual(["common"]);
    for (const clf of [balanced, await loadClassifier(saveClassifier(balanced))]) {
      expect(
        clf.predict([
          [10, 2],
          [1, 9],
        ]),
      ).toEqual(["rare", "common"]);
    }
  });
});

describe("a linear classifier that is read", () => {
  it("cannot be trained otherwise afterwards", async () => {
    const bytes = saveClassifier(await classifier(model, X, y, { scheme: "linear", penalty: 2 }));
    const change = (options: object) => loadClassifier(bytes, "colours", options);
    await expect(change({ penalty: 3 })).rejects.toThrow("was trained with penalty 2: train it again for 3");
    await expect(change({ classWeights: "balanced" })).rejects.toThrow("train it again");
    expect((await change({ penalty: 2 })).penalty).toBe(2);
  });
});

describe("labels drawn by chance", () => {
  it.each([1, 2, 3])("are answered no worse than by the commonest class, but for noise: seed %i", async (seed) => {
    const draw = draws(40 + seed);
    const noise = Array.from({ length: 400 }, () => Array.from({ length: 6 }, draw));
    const drawn = noise.map(() => (draw() < 0.7 ? "common" : "rare"));
    const { classifier: clf } = await auto(noise.slice(0, 200), drawn.slice(0, 200), { seed });
    const test = drawn.slice(200);
    const share = test.filter((label) => label === "common").length / test.length;
    // Two standard errors of a share of 200 samples.
    expect(clf.score(noise.slice(200), test)).toBeGreaterThan(share - 2 * Math.sqrt((share * (1 - share)) / 200));
  });
});
