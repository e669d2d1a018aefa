import { describe, expect, it } from "vitest";
import { fitWithinClasses } from "../../src/classify/class-prototypes.js";
import { classifier } from "../../src/classify/classifier.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import { Dense } from "../../src/matrix/dense.js";
import { fit } from "../../src/model/fit.js";
import { bits, draws } from "../synthetic.js";

const next = draws(4);
/** Two directions for each of two classes, side by side: no single prototype a class can tell them. */
const angles = [0.15, 0.6, 1, 1.4];
const X = Array.from({ length: 120 }, (_, i) => {
  const angle = angles[i % 4] + 0.05 * next();
  return [Math.cos(angle), Math.sin(angle)].map((x) => x * (1 + next()));
});
const y = X.map((_, i) => (i % 2 === 0 ? "even" : "odd"));

describe("prototypes within classes", () => {
  it("are those that each class has by itself, in the order of the classes", async () => {
    const model = await fit(X, { k: 4, seed: 3 });
    const clf = await classifier(model, X, y, { scheme: "prototypes" });
    const own = await fit(
      X.filter((_, i) => i % 2 === 1),
      { k: 2, seed: 3, init: "plusplus" },
    );
    expect(clf.model.k).toBe(4);
    expect(bits(clf.model.W.data.subarray(4))).toEqual(bits(own.W.data));
    expect(clf.score(X, y)).toBeGreaterThanOrEqual(0.95);
    for (const { cluster, label } of clf.explain(X)) expect(label).toBe(cluster < 2 ? "even" : "odd");
  });

  it("come back from a file, and from no other scheme's file", async () => {
    const model = await fit(X, { k: 4, scale: "standard", method: "kmeans" });
    const clf = await classifier(model, X, y, { scheme: "prototypes" });
    const again = await loadClassifier(saveClassifier(clf));
    expect(again.scheme).toBe("prototypes");
    expect(again.explain(X)).toEqual(clf.explain(X));
    const other = saveClassifier(await classifier(model, X, y, { scheme: "vote" }));
    await expect(loadClassifier(other, "votes", { scheme: "prototypes" })).rejects.toThrow(/prototypes of its own/);
  });

  it("are as many as a class has samples at most, and one at least; other methods fit bonmf", async () => {
    const few = Dense.from([
      [1, 0],
      [0, 1],
      [0.1, 1],
      [0.2, 1],
      [1, 1],
    ]);
    const model = await fit(few, { k: 2, method: "nmf" });
    const labels = Uint32Array.of(0, 1, 1, 1, 3);
    const found = await fitWithinClasses(model, 8, few, labels, 4);
    expect([found.k, found.method]).toEqual([4, "bonmf"]);
    expect((await fitWithinClasses(model, 1, few, labels, 4)).k).toBe(3);
  });

  it("count weights as copies", async () => {
    const model = await fit(X, { k: 2 });
    const weights = X.map((_, i) => (i < 60 ? 2 : 0));
    const clf = await classifier(model, X, y, { scheme: "prototypes", weights });
    const half = await classifier(model, X.slice(0, 60), y.slice(0, 60), { scheme: "prototypes" });
    clf.model.W.data.forEach((w, p) => {
      expect(w).toBeCloseTo(half.model.W.data[p], 6);
    });
  });
});
