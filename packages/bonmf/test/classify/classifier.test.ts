import { describe, expect, it } from "vitest";
import { type Classifier, type ClassifierOptions, classifier } from "../../src/classify/classifier.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import type { SchemeName } from "../../src/classify/scheme.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { fitScaler } from "../../src/scale/scaler.js";
import { blobRows, draws } from "../synthetic.js";
import { cosine, handmade, largest } from "./handmade.js";

const next = draws(8);
const X = blobRows(1, 80, 4, 4).map((row) => row.map((value) => Math.fround(value + next())));
const y = X.map((_, i) => ["red", "green", "blue"][(i + (i % 5 === 0 ? 1 : 0)) % 3]);
const queries = blobRows(2, 50, 4, 4);
const model = await fit(X, { k: 4, seed: 3 });
const W = Array.from({ length: 4 }, (_, j) => Array.from(model.W.row(j)));
const schemes: ClassifierOptions[] = [
  { scheme: "majority" },
  { scheme: "nearest" },
  { scheme: "vote", neighbors: 8 },
  { scheme: "vote", neighbors: 5, probes: 2 },
];

describe("explain", () => {
  it.each(schemes)("tells cluster, cosine, margin and neighbour: %o", async (options) => {
    const clf = await classifier(model, X, y, options);
    clf.explain(queries).forEach((found, q) => {
      const cosines = W.map((w) => cosine(w, queries[q]));
      const home = largest(cosines);
      expect(found.cluster).toBe(home);
      expect(found.cosine).toBeCloseTo(cosines[home], 12);
      expect(found.margin).toBeCloseTo(cosines[home] - Math.max(...cosines.filter((_, j) => j !== home)), 12);
      expect(found.margin).toBeGreaterThanOrEqual(0);
      expect(found.rejected).toBe(null);
      if (options.scheme === "majority") expect(found.neighbor).toBe(null);
      else {
        const { index, label, closeness } = found.neighbor ?? { index: -1 };
        expect({ index, label }).toEqual({ index, label: y[index] });
        expect(label).toBe(found.label);
        expect(closeness).toBeCloseTo(cosine(X[index], queries[q]), 12);
      }
    });
  });

  it.each(["bonmf", "spherical", "kmeans", "em-onmf"] as const)(
    "names the cluster that predict names: %s",
    async (method) => {
      const fitted = await fit(X, { k: 6, seed: 1, method });
      const clf = await classifier(fitted, X, y);
      expect(clf.explain(queries).map(({ cluster }) => cluster)).toEqual(Array.from(fitted.predict(queries)));
    },
  );

  it("measures the margin of a single cluster from nothing", async () => {
    const clf = await classifier(handmade([[3, 4]]), [[1, 1]], ["only"]);
    expect(clf.explain([[4, 3]])[0]).toMatchObject({ cosine: 24 / 25, margin: 24 / 25, label: "only" });
  });

  it("shows a negative margin where the nearest prototype has no samples", async () => {
    const clf = await classifier(
      handmade([
        [1, 0],
        [0, 1],
      ]),
      [[1, 0]],
      ["a"],
    );
    expect(clf.explain([[3, 4]])[0]).toMatchObject({ cluster: 0, cosine: 0.6, label: "a" });
    expect(clf.explain([[3, 4]])[0].margin).toBeCloseTo(-0.2, 12);
  });

  it("says 0 of a sample without direction", async () => {
    const clf = await classifier(model, X, y);
    expect(clf.explain([[0, 0, 0, 0]])[0]).toMatchObject({ cluster: 0, cosine: 0, margin: 0 });
  });

  it("answers nothing to nothing", async () => {
    const clf = await classifier(model, X, y);
    expect(clf.predict(Dense.zeros(0, 4))).toEqual([]);
    expect(clf.probabilities(Dense.zeros(0, 4))).toMatchObject({ samples: 0, features: 3 });
  });
});

describe("predict", () => {
  it.each(schemes)("says what explain says: %o", async (options) => {
    // Copies, zeros and what nothing is close to, dense and sparse, many and one.
    const rows = [...X, ...X.slice(0, 9), [0, 0, 0, 0], [0, 0, 0, 0]].map((row) => [...row, 0]);
    const asked = [...queries.map((row) => [...row, 0]), [0, 0, 0, 0, 0], [0, 0, 0, 0, 7], ...rows.slice(5, 99)];
    const labels = rows.map((_, i) => y[i % 80]);
    const model = await fit(rows, { k: 5, seed: 2 });
    for (const make of [(Q: Dense) => Q, Sparse.fromDense]) {
      const clf = await classifier(model, make(Dense.from(rows)), labels, options);
      const Q = make(Dense.from(asked));
      const expected = clf.explain(Q).map(({ label }) => label);
      expect(clf.predict(Q)).toEqual(expected);
      asked.forEach((_, i) => {
        expect(clf.predict(Q.slice(i, i + 1))).toEqual([expected[i]]);
      });
    }
  });
});

describe("reject", () => {
  const limits = { margin: 0.05, angle: 0.3 };

  it.each(["margin", "angle"] as const)("refuses by %s, and says so", async (limit) => {
    const free = (await classifier(model, X, y)).explain(queries);
    const clf = await classifier(model, X, y, { reject: { [limit]: limits[limit] } });
    const refused = free.map(({ margin, cosine }) =>
      limit === "margin" ? margin < limits.margin : Math.acos(Math.min(1, cosine)) > limits.angle,
    );
    expect(new Set(refused).size).toBe(2);
    expect(clf.explain(queries)).toEqual(
      free.map((found, q) => (refused[q] ? { ...found, label: null, rejected: limit } : found)),
    );
    expect(clf.predict(queries)).toEqual(free.map(({ label }, q) => (refused[q] ? null : label)));
    // A refusal takes back the answer, not the probabilities; and it counts as wrong.
    expect(clf.probabilities(queries)).toEqual((await classifier(model, X, y)).probabilities(queries));
    const truth = free.map(({ label }) => label ?? "");
    expect(clf.score(queries, truth)).toBeCloseTo(1 - refused.filter(Boolean).length / queries.length, 12);
  });

  it("names the margin first where both refuse", async () => {
    const clf = await classifier(model, X, y, { reject: { margin: 2, angle: 0 } });
    expect(new Set(clf.explain(queries).map(({ rejected }) => rejected))).toEqual(new Set(["margin"]));
  });

  it("never refuses at the mildest limits", async () => {
    const clf = await classifier(model, X, y, { reject: { margin: 0, angle: Math.PI / 2 } });
    expect(clf.predict(queries)).not.toContain(null);
  });

  it("keeps the limits it was made with", async () => {
    const reject = { margin: 0 };
    const clf = await classifier(model, X, y, { reject });
    reject.margin = 2;
    expect(clf.predict(queries)).not.toContain(null);
  });
});

describe("probabilities and score", () => {
  it.each(schemes)("rows add up to 1 and the largest is the prediction: %o", async (options) => {
    const clf = await classifier(model, X, y, options);
    const P = clf.probabilities(queries);
    expect([P.samples, P.features]).toEqual([queries.length, 3]);
    clf.explain(queries).forEach(({ label, share }, q) => {
      const row = Array.from(P.row(q));
      expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      expect(Math.max(...row)).toBe(share);
      const best = clf.classes.filter((_, c) => row[c] === share);
      expect(best).toContain(label);
    });
  });

  it("scores the share of right answers", async () => {
    const clf = await classifier(model, X, y, { scheme: "vote", neighbors: 1 });
    expect(clf.score(X, y)).toBe(1);
    const wrong = y.map((label, i) => (i < 20 ? "none of them" : label));
    expect(clf.score(X, wrong)).toBe(0.75);
  });
});

describe("labels", () => {
  it("keeps numbers and strings apart, in order", async () => {
    const mixed = y.map((_, i) => [10, "10", 9, "a"][i % 4]);
    const clf: Classifier<string | number> = await classifier(model, X, mixed, { scheme: "vote", neighbors: 1 });
    expect(clf.classes).toEqual([9, 10, "10", "a"]);
    expect(clf.predict(X)).toEqual(mixed);
  });

  it("takes typed arrays", async () => {
    const labels = Int32Array.from(X, (_, i) => (i % 3) - 1);
    const clf = await classifier(model, X, labels, { scheme: "vote", neighbors: 1 });
    expect(clf.classes).toEqual([-1, 0, 1]);
    expect(clf.predict(X.slice(0, 4))).toEqual([-1, 0, 1, -1]);
  });

  it("does not depend on what the classes are called", async () => {
    const names = { red: "1st", green: "2nd", blue: "3rd" } as Record<string, string>;
    const one = await classifier(model, X, y);
    const other = await classifier(
      model,
      X,
      y.map((label) => names[label]),
    );
    expect(other.predict(queries)).toEqual(one.predict(queries).map((label) => names[label ?? ""]));
  });

  it("may come with other samples than the fit's", async () => {
    const clf = await classifier(model, X.slice(50), y.slice(50), { scheme: "vote", neighbors: 1 });
    expect(clf.score(X.slice(50), y.slice(50))).toBe(1);
  });
});

describe("units", () => {
  const signed = X.map((row) => row.map((value, f) => (value - 5) * 10 ** f + next()));
  const fresh = queries.map((row) => row.map((value, f) => (value - 5) * 10 ** f));

  it.each(["bonmf", "spherical", "kmeans"] as const)("samples may have signs: %s", async (method) => {
    const scaler = fitScaler("standard", Dense.from(signed, "f64"));
    const [Z, Q] = [signed, fresh].map((rows) => scaler.transform(Dense.from(rows, "f64")));
    const standard = await fit(Dense.from(signed, "f64"), { k: 5, seed: 2, method, scale: "standard" });
    const plain = await fit(Z, { k: 5, seed: 2, method });
    for (const clf of [
      await classifier(standard, Dense.from(signed, "f64"), y, { scheme: "vote", neighbors: 3 }),
      await classifier(plain, Z, y, { scheme: "vote", neighbors: 3 }),
    ]) {
      const own = clf.model === plain ? Q : Dense.from(fresh, "f64");
      const nearest = clf.explain(own).map(({ neighbor, label }) => [neighbor!.closeness, label]);
      const expected = fresh.map((_, i) => {
        const ranked = signed
          .map((_, t) => ({ label: y[t], cosine: cosine([...Z.row(t)], [...Q.row(i)]) }))
          .sort((a, b) => b.cosine - a.cosine);
        const votes = ranked.slice(0, 3).map(({ label }) => label);
        const winner = votes.find((label, p) => votes.indexOf(label, p + 1) > 0) ?? votes[0];
        return [ranked.find(({ label }) => label === winner)!.cosine, winner];
      });
      nearest.forEach(([closeness, label], i) => {
        expect(label).toBe(expected[i][1]);
        expect(closeness).toBeCloseTo(expected[i][0] as number, 9);
      });
    }
    const majority = await classifier(plain, Z, y, { scheme: "majority" });
    expect(majority.explain(Q).map(({ cluster }) => cluster)).toEqual([...plain.predict(Q)]);
    const home = await classifier(plain, Z, y, { scheme: "nearest" });
    expect(home.predict(Q)).toEqual(home.explain(Q).map(({ label }) => label));
    expect((await loadClassifier(saveClassifier(home))).predict(Q)).toEqual(home.predict(Q));
  });

  it("samples may not have signs where prototypes add up", async () => {
    const parts = await fit(X, { k: 5, method: "nmf" });
    await expect(classifier(parts, signed, y)).rejects.toMatchObject({ code: "negative" });
  });

  it.each(["minmax", "split"] as const)("samples come as they are, the scaler (%s) is the model's", async (scale) => {
    const scaler = fitScaler(scale, Dense.from(signed));
    const Z = scaler.transform(Dense.from(signed));
    const inside = await fit(signed, { k: 5, seed: 2, scale });
    const outside = await fit(Z, { k: 5, seed: 2 });
    for (const options of schemes) {
      const found = (await classifier(inside, signed, y, options)).explain(fresh);
      const expected = (await classifier(outside, Z, y, options)).explain(scaler.transform(Dense.from(fresh)));
      expect(found).toEqual(expected);
    }
  });

  it("takes sparse samples where dense ones went before", async () => {
    for (const options of schemes) {
      const dense = await classifier(model, X, y, options);
      const sparse = await classifier(model, Sparse.fromDense(Dense.from(X)), y, options);
      expect(sparse.explain(Sparse.fromDense(Dense.from(queries)))).toEqual(dense.explain(queries));
    }
  });
});

describe("errors", () => {
  const make = (options: ClassifierOptions) => classifier(model, X, y, options);
  const optionError = (option: string, value: unknown, message: string) => ({
    name: "OptionError",
    option,
    value,
    message,
  });

  it.each<[ClassifierOptions, string, unknown, string]>([
    [
      { scheme: "median" as SchemeName },
      "scheme",
      "median",
      'scheme "median" is not known: choose one of "majority", "prototypes", "nearest", "vote", "coefficients", "onmf", "onmf+cos", "linear", "linear+codes"',
    ],
    [{ neighbors: 0 }, "neighbors", 0, "neighbors must be a whole number, 1 or more, not 0"],
    [{ neighbors: 1.5 }, "neighbors", 1.5, "neighbors must be a whole number, 1 or more, not 1.5"],
    [{ probes: 0 }, "probes", 0, "probes must be a whole number, 1 or more, not 0"],
    [{ probes: "all" as "exact" }, "probes", "all", 'probes must be a whole number, 1 or more, not "all"'],
    [{ reject: { margin: -0.1 } }, "reject.margin", -0.1, "reject.margin must be 0 or more, not -0.1"],
    [{ reject: { angle: Number.NaN } }, "reject.angle", Number.NaN, "reject.angle must be 0 or more, not NaN"],
  ])("refuses a bad option: %o", async (options, option, value, message) => {
    await expect(make(options)).rejects.toMatchObject(optionError(option, value, message));
  });

  it("wants one label a sample", async () => {
    await expect(classifier(model, X, y.slice(1))).rejects.toMatchObject({
      name: "DataError",
      code: "labels",
      message: "there are 80 samples but 79 labels: give one for each sample",
    });
  });

  it.each([
    [Number.NaN, "NaN"],
    [undefined, "undefined"],
    [null, "null"],
  ])("wants labels that are names (%o)", async (label, shown) => {
    const labels = y.with(7, label as unknown as string);
    await expect(classifier(model, X, labels)).rejects.toMatchObject({
      name: "DataError",
      place: { sample: 7 },
      message: `sample 7 has the label ${shown}: a label is a string or a number. Remove the sample or name its class (counting from 0)`,
    });
  });

  it("wants samples, of the model's features", async () => {
    const message = "the model was fitted on 4 features but these samples have 2";
    await expect(classifier(model, [[1, 2]], ["a"])).rejects.toThrow(message);
    const clf = await make({});
    expect(() => clf.predict([[1, 2]])).toThrow(message);
    expect(() => clf.predict([[1, 2, Number.NaN, 4]])).toThrow("sample 0, feature 2 is NaN");
    await expect(classifier(model, Dense.zeros(0, 4), [])).rejects.toMatchObject({
      code: "empty",
      message: "a classifier needs at least one labelled sample",
    });
  });
});
