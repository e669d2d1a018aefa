import { beforeAll, describe, expect, it } from "vitest";
import { type Classifier, classifier } from "../../src/classify/classifier.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import type { SchemeName } from "../../src/classify/scheme.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { decodeTensors, encodeTensors } from "../../src/model/safetensors.js";
import { bits, draws } from "../synthetic.js";

/** Two rings: no straight line parts them. */
function rings(n: number): { X: number[][]; y: string[] } {
  const next = draws(5);
  const X: number[][] = [];
  const y: string[] = [];
  for (let i = 0; i < n; i++) {
    const radius = i % 2 === 0 ? 1 + next() / 2 : 2.5 + next() / 2;
    const angle = 2 * Math.PI * next();
    X.push([4 + radius * Math.cos(angle), 4 + radius * Math.sin(angle)]);
    y.push(i % 2 === 0 ? "inner" : "outer");
  }
  return { X, y };
}

const { X, y } = rings(400);
const SCHEMES = ["linear", "linear+codes"] as const satisfies SchemeName[];

async function build(scheme: SchemeName, options = {}): Promise<Classifier<string>> {
  const model = await fit(X, { k: 20, scale: "standard", method: "kmeans", featureNames: ["across", "up"] });
  return classifier(model, X, y, { scheme, penalty: 0.1, ...options });
}

describe("samples that are mostly zero", () => {
  it("give the same bits dense and sparse, on any number of threads", async () => {
    const next = draws(11);
    const rows = Array.from({ length: 900 }, (_, i) =>
      Array.from({ length: 40 }, (_, f) => (next() < (f % 3 === i % 3 ? 0.3 : 0.1) ? 1 + next() : 0)),
    );
    const X = Dense.from(rows, "f32");
    const classes = rows.map((_, i) => i % 3);
    const model = await fit(X, { k: 3, method: "kmeans", maxIterations: 1 });
    const train = async (Z: Matrix, threads: number) => {
      const { W, bias } = (await classifier(model, Z, classes, { scheme: "linear", threads })).state().linear!;
      return [bits(W), bits(bias)];
    };
    const one = await train(X, 1);
    expect(await train(Sparse.fromDense(X), 1)).toEqual(one);
    expect(await train(Sparse.fromDense(X), 2)).toEqual(one);
    expect(await train(X, 3)).toEqual(one);
  });
});

describe("linear schemes", () => {
  let linear: Classifier<string>;
  let coded: Classifier<string>;
  beforeAll(async () => {
    linear = await build("linear");
    coded = await build("linear+codes");
  });

  it("needs codes for a curved border", () => {
    expect(linear.score(X, y)).toBeLessThan(0.7);
    expect(coded.score(X, y)).toBeGreaterThan(0.99);
  });

  it("gives probabilities that add up to 1 and whose largest is the answer", () => {
    const P = coded.probabilities(X);
    coded.predict(X).forEach((label, i) => {
      const [a, b] = P.row(i);
      expect(a + b).toBeCloseTo(1, 12);
      expect(label).toBe(a >= b ? "inner" : "outer");
    });
  });

  it("says what spoke for and against, and it adds up to the log odds", () => {
    const [{ evidence, share }] = linear.explain([X[0]]);
    expect(evidence!.map(({ name }) => name).sort()).toEqual(["across", "up"]);
    const bias = linear.state().linear!.bias[0] * (linear.predict([X[0]])[0] === "outer" ? 1 : -1);
    const odds = evidence!.reduce((sum, { amount }) => sum + amount, bias);
    expect(odds).toBeCloseTo(Math.log(share / (1 - share)), 10);
    const near = coded.explain([X[0]])[0].evidence!;
    expect(near).toHaveLength(10);
    const told = near.filter(({ prototype }) => prototype !== null);
    expect(told.length).toBeGreaterThan(0);
    for (const { prototype, name } of told) {
      expect(name).toMatch(new RegExp(`^prototype ${prototype} \\([↑↓] (across|up), [↑↓] (across|up)\\)$`));
      const [x] = coded.model.W.row(prototype!);
      const mean = coded.model.counts.reduce((sum, size, j) => sum + size * coded.model.W.row(j)[0], 0) / X.length;
      expect(name).toContain(x > mean ? "↑ across" : "↓ across");
    }
  });

  it("answers alike after a file, alone or among others", async () => {
    for (const clf of [linear, coded]) {
      const again = await loadClassifier(saveClassifier(clf));
      expect(bits(again.probabilities(X).data)).toBe(bits(clf.probabilities(X).data));
      const alone = clf.probabilities([X[7]]).row(0);
      expect([...alone]).toEqual([...clf.probabilities(X).row(7)]);
    }
  });

  it("needs training samples for another scheme, which its file does not have", async () => {
    const load = loadClassifier(saveClassifier(linear), "rings", { scheme: "vote" });
    await expect(load).rejects.toThrow(/saved with "linear" does not contain/);
    const other = loadClassifier(saveClassifier(coded), "rings", { scheme: "linear" });
    await expect(other).rejects.toThrow(/saved with "linear\+codes"/);
  });

  it("refuses damaged coefficients", async () => {
    const bytes = saveClassifier(linear);
    const { tensors, metadata } = decodeTensors(bytes);
    const changed = Object.fromEntries(tensors);
    changed["classifier.intercepts"] = { shape: [1], data: Float64Array.of(Number.NaN) };
    const damaged = loadClassifier(encodeTensors(changed, metadata), "rings");
    await expect(damaged).rejects.toThrow(/rings: classifier: entry 0 of tensor "intercepts" is NaN/);
  });

  it.each(SCHEMES)("weighs classes alike if asked: %s", async (scheme) => {
    const rare = y.map((label, i) => (label === "inner" && i % 8 !== 0 ? "outer" : label));
    const model = await fit(X, { k: 20, scale: "standard", method: "kmeans" });
    const count = async (classWeights: "balanced" | null) => {
      const clf = await classifier(model, X, rare, { scheme, classWeights });
      return clf.predict(X).filter((label) => label === "inner").length;
    };
    expect(await count("balanced")).toBeGreaterThan(await count(null));
  });

  it("counts weight 2 as two copies", async () => {
    const model = await fit(X, { k: 5, scale: "standard", method: "kmeans" });
    const twice = [...X, ...X.slice(0, 50)];
    const copies = await classifier(model, twice, [...y, ...y.slice(0, 50)], { scheme: "linear" });
    const weights = X.map((_, i) => (i < 50 ? 2 : 1));
    const weighed = await classifier(model, X, y, { scheme: "linear", weights });
    copies.state().linear!.W.forEach((w, p) => {
      expect(w).toBeCloseTo(weighed.state().linear!.W[p], 3);
    });
  });

  it("answers with the only class where there is one", async () => {
    const model = await fit(X, { k: 2 });
    const clf = await classifier(
      model,
      X,
      X.map(() => "all"),
      { scheme: "linear" },
    );
    expect(clf.predict([X[0]])).toEqual(["all"]);
    expect([...clf.probabilities([X[0]]).row(0)]).toEqual([1]);
  });

  it("refuses options that mean nothing", async () => {
    await expect(build("linear", { penalty: 0 })).rejects.toThrow(/penalty must be a positive number, not 0/);
    await expect(build("linear", { sharpness: -1 })).rejects.toThrow(/sharpness must be a positive number, not -1/);
    await expect(build("linear", { classWeights: "balance" })).rejects.toThrow(/balanced/);
    await expect(build("linear", { weights: [1] })).rejects.toThrow(/400 samples but 1 weights/);
  });
});
