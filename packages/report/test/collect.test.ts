import { Dense, fit, type Model, Sparse } from "bonmf";
import { describe, expect, it } from "vitest";
import { collectFindings } from "../src/collect.js";

/** Teas and coffees: prototypes at the means, everything worked out by hand. */
const X = Dense.from([
  [4, 0],
  [2, 0],
  [3, 1],
  [0, 5],
  [0, 3],
  [1, 4],
]);
const labels = ["tea", "tea", "coffee", "coffee", "coffee", "coffee"];
const ids = ["a", "b", "c", "d", "e", "f"];
const init = [
  [1, 0],
  [0, 1],
];
const model = await fit(X, { k: 2, init, featureNames: ["leaf", "bean"] });
const findings = await collectFindings(model, {
  X,
  labels,
  ids,
  source: "drinks.csv",
  command: "bonmf fit drinks.csv",
});

describe("findings of six drinks", () => {
  const [teas, coffees] = findings.clusters;

  it("count", () => {
    expect(findings).toMatchObject({ form: "table", samples: 6, features: 2, pictures: null, source: "drinks.csv" });
    expect(findings.clusters.map(({ size, share }) => [size, share])).toEqual([
      [3, 0.5],
      [3, 0.5],
    ]);
    expect(findings.run).toMatchObject({ same: true, trained: 6, k: 2, stopped: "fixed-point", apart: 0 });
    expect(findings.run.history).toHaveLength(model.iterations);
    expect(findings.run.relativeError).toBe(model.relativeError);
  });

  it("tell how k was chosen, with what is shown alone", async () => {
    const trial = {
      k: 2,
      relativeError: 0.1,
      separation: 0.9,
      reference: 0,
      contrast: 2,
      stability: 1,
      heldOut: null,
      silhouette: 0.8,
    };
    const choice = { k: 2, structure: true, runnerUp: 3, reason: "Gaps.", sampled: 6, trials: [trial] };
    const more = { ...choice, path: [], trials: [{ ...trial, seconds: 3 }] };
    expect(findings.choice).toBeNull();
    expect((await collectFindings(model, { X, choice: more })).choice).toEqual(choice);
  });

  it("name what tells a cluster from the rest, in the samples' own units", () => {
    const [leaf] = teas.distinctive.filter(({ name }) => name === "leaf");
    expect(leaf).toMatchObject({ direction: "high", value: 3, effect: { average: 3, binary: false } });
    expect(leaf.mean).toBeCloseTo(1 / 3, 12);
    const told = (of: typeof teas) => of.distinctive.map(({ name, direction }) => [name, direction]).sort();
    expect(told(teas)).toEqual([
      ["bean", "low"],
      ["leaf", "high"],
    ]);
    expect(told(coffees)).toEqual([
      ["bean", "high"],
      ["leaf", "low"],
    ]);
  });

  it("call clusters what people call them, and by their number where they have no name", async () => {
    expect(findings.clusters.map(({ name }) => name)).toEqual([null, null]);
    const named = await collectFindings(model, { X, clusterNames: ["teas", ""] });
    expect(named.clusters.map(({ name }) => name)).toEqual(["teas", null]);
    await expect(collectFindings(model, { X, clusterNames: ["teas"] })).rejects.toThrow(
      'there are 2 clusters but 1 names: give one each, "" where there is none',
    );
  });

  it("put the closest members first, and those that could be elsewhere", () => {
    const cosines = model.explain(X).map(({ cosine }) => cosine);
    expect(teas.typical.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(teas.typical[0].cosine).toBe(cosines[0]);
    expect(teas.typical[0]).toMatchObject({ sample: 0, label: "tea", rival: 1 });
    expect(teas.typical[2].preview.values).toContainEqual({ name: "leaf", value: 3 });
    expect(teas.cosine).toBeCloseTo((cosines[0] + cosines[1] + cosines[2]) / 3, 14);
    expect(teas.borderline).toEqual([]);
  });

  it("compare clusters with classes", () => {
    expect(findings.agreement).toMatchObject({
      classes: ["coffee", "tea"],
      counts: [
        [1, 3],
        [2, 0],
      ],
      order: [1, 0],
      labelAccuracy: 5 / 6,
      clusteringAccuracy: 5 / 6,
      baseline: { label: "coffee", share: 4 / 6 },
    });
    const [coffee, tea] = findings.agreement!.table;
    expect(coffee).toMatchObject({ label: "coffee", samples: 4, precision: 1, recall: 3 / 4, clusters: [1] });
    expect(tea).toMatchObject({ label: "tea", samples: 2, precision: 2 / 3, recall: 1, clusters: [0] });
    expect(teas.majority).toEqual({ label: "tea", share: 2 / 3 });
  });

  it("place every sample on the map", () => {
    const { map } = findings;
    expect([...map.samples]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...map.clusters]).toEqual([0, 0, 0, 1, 1, 1]);
    expect([...map.classes!]).toEqual([1, 1, 0, 0, 0, 0]);
    expect(map.ids).toEqual(ids);
    expect([...map.values!.numbers.subarray(0, 4)]).toEqual([0, 4, Number.NaN, Number.NaN]);
    // a and b point the same way, and everybody else is farther off.
    expect([map.x[0], map.y[0]]).toEqual([map.x[1], map.y[1]]);
    for (const p of [2, 3, 4, 5]) expect(Math.abs(map.x[p] - map.x[0])).toBeGreaterThan(0);
  });

  it("say how to repeat it, in code that gives the same settings", async () => {
    expect(findings.repeat).toMatchObject({ version: model.version, command: "bonmf fit drinks.csv" });
    const topical = await collectFindings(model, { X, command: "bonmf topics news.csv --k 2" });
    expect(topical.repeat.code).toContain("const found = await topics({ counts, vocabulary }, {\n  k: 2,");
    expect(topical.repeat.code).not.toContain("restarts");
    const tried = await collectFindings(model, { X, command: "bonmf topics news.csv --k 2 --restarts 9", starts: 9 });
    expect(tried.repeat.code).toContain("restarts: 9,");
    const { code } = (await collectFindings(model, { X })).repeat;
    expect(code).toContain("k: 2,");
    expect(code).toContain("init: prototypes,");
  });

  it("are the same each time", async () => {
    expect(
      await collectFindings(model, { X, labels, ids, source: "drinks.csv", command: "bonmf fit drinks.csv" }),
    ).toEqual(findings);
  });
});

describe("what there is to see depends on the samples", () => {
  const pixels = Dense.from([
    [9, 0, 0, 0],
    [6, 0, 0, 3],
    [0, 0, 9, 9],
    [0, 0, 6, 6],
  ]);
  const image = { width: 2, height: 2 };

  it("pixels become pictures", async () => {
    const seen = await collectFindings(await fit(pixels, { k: 2, init: pixels.take([0, 2]) }), {
      X: pixels,
      recipe: { image },
    });
    expect(seen.form).toBe("picture");
    expect(seen.pictures).toEqual({ ...image, thumb: image, dot: image, ink: true });
    expect([...seen.clusters[0].picture!]).toEqual([255, 0, 0, Math.round((255 * 1.5) / 7.5)]);
    expect([...seen.clusters[1].typical[0].preview.pixels!]).toEqual([0, 0, 255, 255]);
    expect([...seen.map.pixels!.subarray(4, 8)]).toEqual([170, 0, 0, 85]);
    expect(seen.clusters[0].distinctive).toEqual([]);
  });

  it("photographs are no ink", async () => {
    const light = Dense.from([
      [9, 8, 7, 6],
      [2, 3, 4, 5],
    ]);
    const seen = await collectFindings(await fit(light, { k: 1 }), { X: light, recipe: { image } });
    expect(seen.pictures!.ink).toBe(false);
    // Picture files are shown as they are, however dark.
    const files = { X: pixels, recipe: { kind: "images", image } };
    expect((await collectFindings(await fit(pixels, { k: 2 }), files)).pictures!.ink).toBe(false);
    expect(seen.map.x).toHaveLength(2);
  });

  it("words stay words", async () => {
    const texts = Sparse.from(
      [
        [
          [0, 3],
          [1, 1],
        ],
        [[0, 2]],
        [
          [2, 2],
          [3, 5],
        ],
        [[2, 1]],
      ],
      4,
    );
    const words = ["goal", "match", "tax", "vote"];
    const topics = await fit(texts, { k: 2, init: texts.take([0, 2]).toDense(), featureNames: words });
    const seen = await collectFindings(topics, { X: texts, recipe: { kind: "text" } });
    expect(seen.form).toBe("text");
    expect(seen.clusters[0].typical.flatMap(({ preview }) => [preview.words])).toContainEqual(["goal", "match"]);
    const { vocabulary, places, each } = seen.map.words!;
    expect(vocabulary).toEqual(words);
    expect([...places.subarray(2 * each, 2 * each + 3)]).toEqual([3, 2, 4]);
  });

  it("features of a split scaler are read from the column they came from", async () => {
    const signed = Dense.from([
      [5, -1],
      [6, -2],
      [-5, 1],
      [-6, 2],
    ]);
    const halves = await fit(signed, { k: 2, seed: 1, scale: "split", init: "plusplus", featureNames: ["u", "v"] });
    const seen = await collectFindings(halves, { X: signed });
    const first = seen.clusters[halves.labels[0]];
    expect(first.distinctive.every(({ effect }) => effect !== null)).toBe(true);
    const { name, value } = first.typical[0].preview.values[0];
    expect(value).toBe(signed.at(first.typical[0].sample, name.startsWith("u") ? 0 : 1));
  });
});

it("labels that are all different make no matrix", async () => {
  const line = Dense.from(Array.from({ length: 101 }, (_, i) => [i + 1, 101 - i]));
  const many = await fit(line, { k: 2, seed: 1 });
  const seen = await collectFindings(many, { X: line, labels: Array.from({ length: 101 }, (_, i) => i) });
  expect(seen.agreement!.counts).toBeNull();
  expect(seen.agreement!.table).toHaveLength(101);
  expect((await collectFindings(many, { X: line, labels: new Array(101).fill("one") })).agreement!.counts).toEqual([
    [...many.counts],
  ]);
});

describe("a signal", () => {
  const reason = new Error("enough");

  it("ends the work before it begins", async () => {
    await expect(collectFindings(model, { X }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it.each([
    ["assigning samples", {}],
    ["comparing classes", { labels: Array.from({ length: 60_000 }, (_, i) => i % 3) }],
    ["measuring errors", { groups: [0, 0] }],
  ])("is heard while %s", async (_, more) => {
    const many = Dense.from(Array.from({ length: 60_000 }, (_, i) => [i % 7, i % 11]));
    const stop = new AbortController();
    // Work that never paused would be done before this.
    setImmediate(() => stop.abort(reason));
    await expect(collectFindings(model, { X: many, ...more }, stop.signal)).rejects.toBe(reason);
  });
});

describe("samples the model was not fitted on", () => {
  it("are told apart, with an error of their own", async () => {
    const others = Dense.from([
      [2, 1],
      [0, 0],
    ]);
    const seen = await collectFindings(model, { X: others });
    expect(seen.run).toMatchObject({ same: false, trained: 6, apart: 1 });
    expect(seen.run.relativeError).toBeCloseTo(Math.sqrt(1 - model.score(others)), 12);
    expect(seen.agreement).toBeNull();
    expect(seen.clusters[1]).toMatchObject({ size: 0, cosine: null, majority: null, typical: [] });
  });

  it("must have its features", async () => {
    await expect(collectFindings(model as Model, { X: Dense.from([[1, 2, 3]]) })).rejects.toThrow(
      "fitted on 2 features",
    );
  });
});
