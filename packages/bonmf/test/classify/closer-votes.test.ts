import { describe, expect, it } from "vitest";
import { auto } from "../../src/classify/auto.js";
import { classifier } from "../../src/classify/classifier.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import { FormatError } from "../../src/errors.js";
import { fit } from "../../src/model/fit.js";
import { draws, randomRows } from "../synthetic.js";

const METRICS = ["angle", "distance", "within", "relevant"] as const;

/** Distances 1, 3 and 4 from (10, 10). */
const X = [
  [11, 10],
  [10, 13],
  [6, 10],
];
const y = ["a", "b", "b"];
const closer = { scheme: "vote", neighbors: 3, metric: "distance", votes: "closer" } as const;

describe("votes of closer neighbours", () => {
  it("count by 1 / distance", async () => {
    const model = await fit(X, { k: 1 });
    const query = [[10, 10]];
    const equal = await classifier(model, X, y, { ...closer, votes: "equal" });
    expect([equal.predict(query), [...equal.probabilities(query).data]]).toEqual([["b"], [1 / 3, 2 / 3]]);
    // 1 against 1/3 + 1/4.
    const clf = await classifier(model, X, y, closer);
    expect(clf.predict(query)).toEqual(["a"]);
    expect(clf.probabilities(query).data[0]).toBeCloseTo(12 / 19, 14);
    expect(clf.explain(query)[0]).toMatchObject({ label: "a", neighbor: { index: 0 } });
    // A vote of a counts 3/2, one of b 3/4.
    const balanced = await classifier(model, X, y, { ...closer, classWeights: "balanced" });
    expect(balanced.probabilities(query).data[0]).toBeCloseTo(24 / 31, 14);
  });

  it("leave the answer to samples at distance 0, however many others there are", async () => {
    const rows = [...X, X[1]];
    const clf = await classifier(await fit(rows, { k: 1 }), rows, [...y, "c"], { ...closer, neighbors: 4 });
    expect([...clf.probabilities([rows[0], rows[1]]).data]).toEqual([1, 0, 0, 0, 0.5, 0.5]);
  });

  it.each(METRICS.slice(1))("know their own samples in spite of rounding: %s", async (metric) => {
    const rows = randomRows(3, 120, 33).map((row) => row.map((value) => 1000 + value));
    const labels = rows.map((_, i) => i % 3);
    const clf = await classifier(await fit(rows, { k: 1 }), rows, labels, { ...closer, neighbors: 9, metric });
    expect(clf.explain(rows).map(({ share, label, neighbor }) => [share, label, neighbor!.closeness + 0])).toEqual(
      labels.map((label) => [1, label, 0]),
    );
  });

  it("leave the answer to samples of the same direction, where near is by angle", async () => {
    const rows = [
      [0.1, 0.7, 0.3],
      [0.1, 0.7, 0.31],
      [0.1, 0.7, 0.32],
    ];
    const clf = await classifier(await fit(rows, { k: 1 }), rows, y, { ...closer, metric: "angle" });
    for (const factor of [1, 3, 1 / 7]) {
      const query = [rows[0].map((value) => factor * value)];
      expect([...clf.probabilities(query).data]).toEqual([1, 0]);
      expect(clf.predict(query)).toEqual(["a"]);
    }
    // The chords from (1, 0) to these are √(2 − 2·0.8) and √(2 − 2·0.6).
    const wide = [
      [4, 3],
      [3, 4],
    ];
    const two = await classifier(await fit(wide, { k: 1 }), wide, ["a", "b"], { ...closer, metric: "angle" });
    expect(two.probabilities([[5, 0]]).data[0]).toBeCloseTo(1 / (1 + Math.sqrt(0.5)), 14);
  });

  it.each(METRICS)("explain their answers and come back from a file: %s", async (metric) => {
    const rows = randomRows(1, 200, 5, 0.2);
    const queries = randomRows(2, 40, 5, 0.2);
    const labels = rows.map(([a, b], i) => (a > b !== (i % 4 === 0) ? "more" : "less"));
    const model = await fit(rows, { k: 4, scale: "standard" });
    const clf = await classifier(model, rows, labels, { ...closer, neighbors: 9, metric, calibrate: true });
    const said = clf.explain(queries);
    expect(said.map(({ label }) => label)).toEqual(clf.predict(queries));
    const again = await loadClassifier(saveClassifier(clf));
    expect(again.votes).toBe("closer");
    expect(again.explain(queries)).toEqual(said);
    // The shares of equal votes were not calibrated.
    const equal = await loadClassifier(saveClassifier(clf), "votes", { votes: "equal" });
    expect(equal.calibration).toBeNull();
    const built = await classifier(model, rows, labels, { ...closer, neighbors: 9, metric, votes: "equal" });
    expect(equal.explain(queries)).toEqual(built.explain(queries));
    expect(equal.explain(queries).map(({ share }) => share)).not.toEqual(said.map(({ share }) => share));
  });

  it("are refused by another name, also in a file", async () => {
    const model = await fit(X, { k: 1 });
    const far = classifier(model, X, y, { ...closer, votes: "farther" as "closer" });
    await expect(far).rejects.toThrow(/votes "farther"/);
    const text = Buffer.from(saveClassifier(await classifier(model, X, y, closer))).toString("latin1");
    const changed = Buffer.from(text.replace('votes\\":\\"closer', 'votes\\":\\"cloxer'), "latin1");
    await expect(loadClassifier(changed)).rejects.toThrow(FormatError);
  });

  it("are chosen where some samples are known and others need many neighbours", async () => {
    const next = draws(5);
    const sites = Array.from({ length: 40 }, () => [20 + 10 * next(), 20 + 10 * next()]);
    const known = Array.from({ length: 240 }, (_, i) => sites[i % 40]);
    const noisy = Array.from({ length: 260 }, () => [10 * next(), 10 * next()]);
    // A site's class says nothing about those beside it; the others' goes by the side, four times in five.
    const labels = [
      ...known.map((_, i) => ((i % 40) % 2 ? "x" : "o")),
      ...noisy.map(([a]) => (a > 5 === next() < 0.8 ? "x" : "o")),
    ];
    const { classifier: clf, chosen, tried } = await auto([...known, ...noisy], labels, { schemes: ["vote"] });
    expect(chosen.votes).toBe("closer");
    expect(clf.votes).toBe("closer");
    const equal = tried.filter(({ votes, folds }) => votes === "equal" && folds === chosen.folds);
    expect(chosen.accuracy).toBeGreaterThan(Math.max(...equal.map(({ accuracy }) => accuracy)) + 0.02);
  });
});
