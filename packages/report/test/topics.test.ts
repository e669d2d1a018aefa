import { countWords, Dense, fit } from "bonmf";
import { describe, expect, it } from "vitest";
import { collectFindings } from "../src/collect.js";

const texts = [
  "the striker scored and the team won the match",
  "the keeper saved the match for the team",
  "a late goal won the match for the team",
  "the minister promised lower taxes before the election",
  "voters doubt the taxes of the minister",
  "the election will decide on taxes",
];
const { X, words } = countWords(texts);
const model = await fit(X, { k: 2, scale: "tfidf", init: "plusplus", featureNames: words });
const recipe = { kind: "text" };
const day = (month: number) => Date.UTC(2024, month, 1);
const dates = [day(0), day(1), day(2), day(6), null, day(10)];

describe("findings of topics", async () => {
  const { topics, clusters } = await collectFindings(model, { X, texts, recipe, dates });
  const sport = model.labels[0];

  it("have words whose relevance a slider computes", () => {
    const all = topics!.words[sport];
    const match = all.find(({ word }) => word === "match")!;
    const counts = countWords(texts, { vocabulary: words }).X;
    let [own, total] = [0, 0];
    for (let i = 0; i < 6; i++) {
      counts.each(i, (_, value) => {
        total += value;
        if (model.labels[i] === sport) own += value;
      });
    }
    expect(match.share).toBeCloseTo(Math.log(3 / own), 12);
    expect(match.lift).toBeCloseTo(Math.log(3 / own / (3 / total)), 12);
    expect(topics!.names).toHaveLength(2);
    expect(topics!.names[sport]).toContain("match");
    expect(clusters[sport].name).toBeNull();
  });

  it("have similarities, coherence and times", () => {
    expect(topics!.similarity?.map((row) => row.length)).toEqual([2, 2]);
    expect(topics!.similarity?.[0][0]).toBeCloseTo(1, 12);
    expect(topics!.npmi[sport]).toBeLessThanOrEqual(1);
    expect(topics!.cv[sport]).toBeGreaterThan(0);
    expect(topics!.cv[sport]).toBeLessThanOrEqual(1);
    expect(topics!.diversity).toBe(1);
    const { time } = topics!;
    expect(time?.totals.reduce((sum, total) => sum + total)).toBe(5);
    expect(time?.topics[sport].counts.reduce((sum, total) => sum + total)).toBe(3);
    expect(time?.topics[sport].words[0]).toContain("match");
  });

  it("are those of merged clusters, with the names given", async () => {
    const one = await collectFindings(model, { X, texts, recipe, groups: [0, 0], clusterNames: ["news", ""] });
    expect(one.topics?.names).toEqual(["news"]);
    expect(one.topics?.time).toBeNull();
  });

  it("are of texts alone", async () => {
    const table = await fit(
      [
        [1, 2],
        [2, 1],
        [5, 6],
      ],
      { k: 2, featureNames: ["a", "b"] },
    );
    const rows = Dense.from([
      [1, 2],
      [2, 1],
      [5, 6],
    ]);
    expect((await collectFindings(table, { X: rows })).topics).toBeNull();
  });
});

it("leave out documents without any of the words, which are in no topic", async () => {
  const more = ["", ...texts, "42"];
  const counted = countWords(more, { vocabulary: words }).X;
  const whole = await fit(counted, { k: 2, scale: "tfidf", init: "plusplus", featureNames: words });
  const labels = ["none", ...[0, 0, 0, 1, 1, 1].map(String), "none"];
  const seen = await collectFindings(whole, { X: counted, texts: more, recipe, labels });
  expect([seen.samples, seen.wordless]).toEqual([8, 2]);
  expect(seen.clusters.map(({ size, share }) => [size, share])).toEqual([
    [3, 3 / 8],
    [3, 3 / 8],
  ]);
  expect(seen.agreement?.labelAccuracy).toBe(1);
  expect(seen.run).toMatchObject({ same: true, apart: 0 });
  expect([...seen.map.samples]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(seen.map.ids[0]).toBe("document 2");
  expect(seen.map.texts?.[0]).toBe(texts[0]);
  const shown = seen.clusters.flatMap(({ typical }) => typical);
  for (const { sample, id } of shown) expect(id).toBe(`document ${sample + 1}`);
  expect(shown.map(({ sample }) => sample)).not.toContain(0);
});
