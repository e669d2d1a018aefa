import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { nmi } from "../../src/measure/information.js";
import { loadModel } from "../../src/model/model-file.js";
import { Random } from "../../src/random.js";
import { topics } from "../../src/topics/find-topics.js";
import type { Topics } from "../../src/topics/topics.js";
import { loadTopics, saveTopics } from "../../src/topics/topics-file.js";
import { isReal } from "../datasets.js";
import { loadBbcTexts, SCRIPTS } from "./corpora.js";

/** What topics say, without the order of documents. */
function factsOf({ list, similarity, diversity }: Topics) {
  return {
    topics: list.map(({ id, name, likely, telling, npmi }) => ({ id, name, likely, telling, npmi })),
    similarity: [...similarity.data],
    diversity,
  };
}

describe.each(Object.entries(SCRIPTS))("topics of %s texts", (_, [sea, bread]) => {
  const documents = [...sea, ...bread];

  it("are the two subjects", async () => {
    const found = await topics(documents, { k: 2, maxShare: 0.6 });
    const truth = documents.map((_, i) => (i < sea.length ? "sea" : "bread"));
    expect(nmi(truth, found.labels)).toBe(1);
    expect(found.list.map(({ size }) => size)).toEqual([sea.length, bread.length]);
    expect(found.predict(documents).map(({ topic }) => topic)).toEqual([...found.labels]);
  });
});

describe.runIf(isReal)("topics of news", () => {
  const { texts, classes } = loadBbcTexts();
  const random = new Random(5);

  it("are the sections", async () => {
    const found = await topics(texts, { k: 5, seed: 1 });
    expect(nmi(classes, found.labels)).toBeGreaterThan(0.75);
    expect(new Set(found.list.map(({ name }) => name)).size).toBe(5);
    for (const { npmi } of found.list) expect(npmi).toBeGreaterThan(0.1);
    for (const score of found.coherence()) expect(score).toBeGreaterThan(0.5);
    expect(found.diversity).toBeGreaterThan(0.9);
    expect(found.predict(texts).map(({ topic }) => topic)).toEqual([...found.labels]);
    const again = loadTopics(saveTopics(found));
    expect(factsOf(again)).toEqual(factsOf(found));
    expect(again.predict(texts.slice(0, 50))).toEqual(found.predict(texts.slice(0, 50)));
    expect(loadModel(saveTopics(found)).labels).toEqual(found.model.labels);
  });

  it("depend neither on the order of documents nor on copies of all", async () => {
    const some = texts.slice(0, 400);
    const found = await topics(some, { k: 5 });
    const order = random.permutation(some.length);
    const shuffled = await topics(
      Array.from(order, (i) => some[i]),
      { k: 5 },
    );
    expect(factsOf(shuffled)).toEqual(factsOf(found));
    expect([...shuffled.labels]).toEqual(Array.from(order, (i) => found.labels[i]));
    const doubled = await topics([...some, ...some, ...some], { k: 5 });
    expect(factsOf(doubled)).toEqual(factsOf(found));
    expect([...doubled.labels]).toEqual([...found.labels, ...found.labels, ...found.labels]);
  });

  it("do not depend on the order of counted words", async () => {
    const found = await topics(texts.slice(0, 300), { k: 4 });
    const { X } = found.state.documents!;
    const order = random.permutation(found.words.length);
    const place = new Uint32Array(order.length);
    order.forEach((old, now) => {
      place[old] = now;
    });
    const rows = Array.from({ length: X.samples }, (_, i) => {
      const row: [number, number][] = [];
      X.each(i, (f, count) => row.push([place[f], count]));
      return row;
    });
    const vocabulary = Array.from(order, (f) => found.words[f]);
    const moved = await topics({ counts: Sparse.from(rows, order.length), vocabulary }, { k: 4 });
    const plain = await topics({ counts: X, vocabulary: found.words }, { k: 4 });
    expect(factsOf(moved)).toEqual(factsOf(plain));
    expect(moved.labels).toEqual(plain.labels);
  });

  it("keep their ids when a fifth of the documents is replaced", async () => {
    const order = random.permutation(texts.length);
    const n = 1500;
    const changed = Math.round(0.2 * n);
    const pick = (from: number) => Array.from(order.subarray(from, from + n), (i) => texts[i]);
    const first = await topics(pick(0), { k: 20 });
    const renamed = first.rename(3, "my topic");
    const second = await topics(pick(changed), { previous: renamed });
    const kept = second.list.filter(({ id }) => id < 20);
    expect(kept.length).toBeGreaterThanOrEqual(18);
    expect(second.topic(3).name).toBe("my topic");
    // The documents of both agree: an id means the same documents.
    const shared = n - changed;
    let same = 0;
    for (let i = 0; i < shared; i++) if (first.labels[i + changed] === second.labels[i]) same++;
    expect(same / shared).toBeGreaterThan(0.85);
  });

  it("reach the objective of one fit when documents come in ten parts", async () => {
    const whole = await topics(texts, { k: 5, seed: 1 });
    const order = new Random(9).permutation(texts.length);
    const size = Math.ceil(texts.length / 10);
    const part = (p: number) => Array.from(order.subarray(p * size, (p + 1) * size), (i) => texts[i]);
    let grown = await topics(part(0), { k: 5, seed: 1 });
    for (let p = 1; p < 10; p++) grown = await grown.partialFit(part(p));
    expect(grown.labels).toHaveLength(texts.length);
    const labels = new Array<number>(texts.length);
    order.forEach((i, at) => {
      labels[i] = grown.labels[at];
    });
    const reached = objectiveOf(whole, labels);
    expect(objectiveOf(whole, whole.labels)).toBeCloseTo(whole.model.potential, 6);
    expect(reached).toBeGreaterThan(0.98 * whole.model.potential);
    expect(grown.list.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  });

  it("propose a subject that is new", async () => {
    const known = texts.filter((_, i) => classes[i] !== "sport");
    const sport = texts.filter((_, i) => classes[i] === "sport").slice(0, 150);
    const others = known.slice(0, 50);
    const before = await topics(known.slice(50), { k: 4, seed: 1 });
    const after = await before.partialFit([...others, ...sport]);
    const first = before.labels.length + others.length;
    expect(after.proposals.length).toBeGreaterThan(0);
    const proposed = after.proposals.flatMap(({ documents }) => documents);
    expect(proposed.filter((i) => i >= first).length / proposed.length).toBeGreaterThan(0.9);
    const accepted = after.accept(after.proposals[0]);
    expect(accepted.list).toHaveLength(5);
    const ids = accepted.predict(sport).map(({ topic }) => topic);
    expect(ids.filter((id) => id === accepted.list[4].id).length).toBeGreaterThan(75);
    // Nothing is proposed where nothing is new.
    expect((await before.partialFit(others)).proposals).toEqual([]);
  });

  it("follow seed words", async () => {
    const guided = await topics(texts, {
      k: 5,
      seedWords: [
        ["election", "vote"],
        ["film", "actor"],
      ],
    });
    const top = (j: number) => guided.list[j].telling.map(({ word }) => word);
    expect(top(0)).toContain("election");
    expect(top(1)).toContain("film");
    const politics = classes.filter((name, i) => guided.labels[i] === 0 && name === "politics").length;
    expect(politics / guided.list[0].size).toBeGreaterThan(0.5);
  });
});

/** Σ ‖s_j‖ of a division of the documents, in the units of a model of them. */
function objectiveOf({ model, state }: Topics, labels: ArrayLike<number>): number {
  const Z = model.prepare(state.documents!.X);
  const sums = Dense.zeros(64, Z.features, "f64");
  for (let i = 0; i < Z.samples; i++) {
    Z.each(i, (f, value) => {
      sums.data[labels[i] * Z.features + f] += value;
    });
  }
  let total = 0;
  for (let j = 0; j < 64; j++) total += Math.hypot(...sums.row(j));
  return total;
}
