import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import type { Sparse } from "../../src/matrix/sparse.js";
import { Random } from "../../src/random.js";
import { countWords } from "../../src/text/word-counts.js";
import { blendVectors } from "../../src/topics/blend.js";
import { topics } from "../../src/topics/find-topics.js";
import { loadTopics, saveTopics } from "../../src/topics/topics-file.js";

const SUBJECTS = [
  ["match", "team", "goal", "striker", "keeper"],
  ["taxes", "minister", "election", "voters", "law"],
];
/** Two subjects by their words, and two others, by turns of two, by their vectors. */
const documents = Array.from({ length: 24 }, (_, i) => {
  const words = SUBJECTS[i % 2];
  return [0, 1, 2].map((at) => words[(i + at) % words.length]).join(" ");
});
const rows = documents.map((_, i) => [i % 4 < 2 ? 1 : -1, (i % 5) / 10, (i % 3) / 10 - 0.1]);
const vectors = Dense.from(rows, "f64");
const input = { documents, vectors };
const sameAs = (labels: Int32Array, truth: (i: number) => number) =>
  labels.every((label, i) => (label === labels[0]) === (truth(i) === truth(0)));

describe("words and vectors together", () => {
  it("are weighed between words alone and vectors alone", async () => {
    const words = await topics(input, { k: 2, vectorWeight: 0 });
    expect(words.labels).toEqual((await topics(documents, { k: 2 })).labels);
    expect(words.model.featureNames).toEqual(words.words);
    expect(sameAs(words.labels, (i) => i % 2)).toBe(true);
    const alone = await topics(input, { k: 2, vectorWeight: 1 });
    expect(alone.model.W.features).toBe(3);
    expect([words.vectorWeight, alone.vectorWeight]).toEqual([0, 1]);
    expect(sameAs(alone.labels, (i) => Number(i % 4 < 2))).toBe(true);
    expect(sameAs((await topics(input, { k: 2, vectorWeight: 0.05 })).labels, (i) => i % 2)).toBe(true);
    expect(sameAs((await topics(input, { k: 2, vectorWeight: 0.95 })).labels, (i) => Number(i % 4 < 2))).toBe(true);
    // Both tell four groups.
    const both = await topics(input, { k: 4 });
    expect(new Set(both.labels.slice(0, 4)).size).toBe(4);
    expect(both.labels.every((label, i) => label === both.labels[i % 4])).toBe(true);
  });

  it("are words alone by weight 0, whatever the vectors of equal documents", async () => {
    const texts = [...documents, ...documents.slice(3, 9), "law team"];
    const { X: counts, words: vocabulary } = countWords(texts);
    const random = new Random(3);
    const noise = Dense.from(Array.from(texts, () => [random.next(), random.next()]));
    for (const plain of [{ documents: texts }, { counts, vocabulary }]) {
      const alone = await topics(plain, { k: 3 });
      const weighed = await topics({ ...plain, vectors: noise }, { k: 3, vectorWeight: 0 });
      expect(weighed.labels).toEqual(alone.labels);
      expect(weighed.model.W).toEqual(alone.model.W);
      expect(weighed.model.history).toEqual(alone.model.history);
    }
  });

  it("are as alike as the weighted mean of their cosines says", async () => {
    const weight = 0.3;
    const words = await topics(input, { k: 2, vectorWeight: 0 });
    const both = await topics(input, { k: 2, vectorWeight: weight });
    const Z = words.model.prepare(words.seen!);
    const cosine = (X: Dense | Sparse, i: number, j: number) => {
      const [a, b] = [X.row(i), X.row(j)];
      const dot = (u: ArrayLike<number>, v: ArrayLike<number>) =>
        Array.from(u, (x, f) => x * v[f]).reduce((s, x) => s + x);
      return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    };
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [3, 7],
      [5, 16],
    ]) {
      const mean = (1 - weight) * cosine(Z, i, j) + weight * cosine(vectors, i, j);
      expect(cosine(both.seen!, i, j)).toBeCloseTo(mean, 6);
    }
  });

  it("are joined for others as the topics see them, whatever is repeated", async () => {
    for (const copies of [1, 2]) {
      const texts = Array.from({ length: copies }, () => [...documents, documents[0]]).flat();
      const all = vectors.take(texts.map((_, i) => (i % 25) % 24));
      const { X: counts, words } = countWords(texts);
      const found = await topics({ counts, vocabulary: words, vectors: all }, { k: 2, vectorWeight: 0.3 });
      expect(blendVectors(counts, all, 0.3)).toEqual(found.seen);
      expect(blendVectors(counts, all, 0)).toBe(counts);
      expect(blendVectors(counts, all, 1)).toBe(all);
      expect(() => blendVectors(counts, vectors.take([0]))).toThrow(/rows of counts but 1 vectors/);
      expect(() => blendVectors(counts, all, 2)).toThrow(/vectorWeight must be from 0 to 1/);
    }
  });

  it("are kept in the file, and new documents are seen in the same way", async () => {
    const found = await topics(input, { k: 4, vectorWeight: 0.4 });
    const again = loadTopics(saveTopics(found));
    expect([found, again].map(({ vectorWeight }) => vectorWeight)).toEqual([0.4, 0.4]);
    expect(again.predict(input)).toEqual(found.predict(input));
    expect(again.predict(input).map(({ topic }) => topic)).toEqual([...found.labels]);
    expect(again.seen).toBeNull();
    expect(loadTopics(saveTopics(found), input).seen).toEqual(found.seen);
    expect(() => again.predict(documents)).toThrow(/found on vectors/);
    expect(() => loadTopics(saveTopics(found), documents)).toThrow(/found on vectors/);
    const short = Dense.zeros(24, 2);
    expect(() => again.predict({ documents, vectors: short })).toThrow(
      /2 numbers each, but those of the topics have 3/,
    );
    expect(() => again.sentenceWeights(["A match."])).toThrow(/vector of each sentence/);
  });

  it("do not depend on order or copies", async () => {
    const found = await topics(input, { k: 4 });
    const order = [...new Random(3).permutation(24), ...new Random(4).permutation(24)];
    const other = await topics({ documents: order.map((i) => documents[i]), vectors: vectors.take(order) }, { k: 4 });
    expect([...other.labels]).toEqual(order.map((i) => found.labels[i]));
    expect(other.list.map(({ telling }) => telling)).toEqual(found.list.map(({ telling }) => telling));
  });

  it("grow, and keep ids when words change", async () => {
    const found = await topics(input, { k: 4, maxShare: 1 });
    const added = [
      [1, 0.1, 0],
      [1, 0, 0.1],
    ];
    const more = { documents: ["match team referee", "match goal referee"], vectors: Dense.from(added, "f64") };
    const grown = await found.partialFit(more);
    expect(grown.words).toContain("referee");
    expect([...grown.labels.slice(24)]).toEqual([found.labels[0], found.labels[0]]);
    const again = loadTopics(saveTopics(grown)).predict(more);
    expect(again.map(({ topic }) => topic)).toEqual([...grown.labels.slice(24)]);
    const all = { documents: [...documents, ...more.documents], vectors: Dense.from([...rows, ...added], "f64") };
    const refitted = await topics(all, { previous: found });
    expect([...refitted.labels.slice(0, 24)]).toEqual([...found.labels]);
    expect(refitted.words).toContain("referee");
    // Topics that see something else are no beginning, and get ids of their own.
    const alone = await topics(input, { previous: found, vectorWeight: 1 });
    expect(alone.list.every(({ id }) => id >= 4)).toBe(true);
  });

  it("leave out documents that have neither", async () => {
    const some = { documents: [...documents, "…"], vectors: Dense.from([...rows, [0, 0, 0]], "f64") };
    for (const vectorWeight of [0.5, 1]) {
      const found = await topics(some, { k: 4, vectorWeight });
      expect(found.labels[24]).toBe(-1);
      expect(found.empty).toBe(1);
      expect(found.predict(some)[24]).toMatchObject({ topic: null, words: [] });
      expect(found.outliers()[24]).toBe(1);
    }
  });

  it.each([
    [{ vectorWeight: 1.5 }, /from 0 to 1, not 1.5/],
    [{ seedWords: [["match"]] }, /no seed words/],
  ])("refuse %j", async (options, message) => {
    await expect(topics(input, { k: 2, ...options })).rejects.toThrow(message);
  });

  it("refuse a weight without vectors", async () => {
    await expect(topics(documents, { k: 2, vectorWeight: 0.5 })).rejects.toThrow(/needs vectors/);
  });

  it("refuse a damaged weight", async () => {
    const bytes = saveTopics(await topics(input, { k: 2 }));
    const text = new TextDecoder("latin1").decode(bytes).replace('\\"vectorWeight\\":0.5', '\\"vectorWeight\\":1.5');
    const damaged = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    expect(() => loadTopics(damaged, undefined, "t.st")).toThrow(/vectorWeight.*between 0 and 1/);
  });
});
