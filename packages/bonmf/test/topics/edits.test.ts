import { describe, expect, it } from "vitest";
import { BonmfError, DataError, FormatError, OptionError } from "../../src/errors.js";
import type { Loss, MethodName } from "../../src/factor/settings.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { AbortError } from "../../src/model/abort.js";
import { fit } from "../../src/model/fit.js";
import { saveModel } from "../../src/model/model-file.js";
import { countWords } from "../../src/text/word-counts.js";
import { topics } from "../../src/topics/find-topics.js";
import { loadTopics, saveTopics } from "../../src/topics/topics-file.js";
import { topicsOf } from "../../src/topics/topics-of.js";
import { thrown } from "../io/thrown.js";

function refuses(run: () => unknown, kind: new (...args: never[]) => Error, message: RegExp): void {
  const error = thrown(run);
  expect(error).toBeInstanceOf(kind);
  expect((error as Error).message).toMatch(message);
}

/** Three subjects of eight documents each. */
const SUBJECTS = [
  "match team goal striker keeper",
  "election minister taxes voters parliament",
  "doctor patient fever hospital medicine",
].map((words) => words.split(" "));
const documents = Array.from({ length: 24 }, (_, i) => {
  const words = SUBJECTS[i % 3];
  const pick = (at: number) => words[(Math.floor(i / 3) + at) % words.length];
  return `${pick(0)} ${pick(1)} ${pick(0)} with ${pick(2)}.`;
});
const found = await topics(documents, { k: 3 });
const idOf = (subject: number) => found.labels[subject];

describe("edits of topics", () => {
  it("merge keeps all other documents where they are, and split takes it back", async () => {
    const merged = found.merge([idOf(0), idOf(1)]);
    expect(merged.list.map(({ size }) => size).sort()).toEqual([16, 8]);
    const kept = Math.min(idOf(0), idOf(1));
    expect([...merged.labels]).toEqual(Array.from(found.labels, (id) => (id === idOf(2) ? id : kept)));
    expect(merged.predict(documents).map(({ topic }) => topic)).toEqual([...merged.labels]);
    expect(merged.weights().features).toBe(2);
    const again = await merged.split(kept);
    expect(again.list).toHaveLength(3);
    expect(again.list.map(({ id }) => id)).toContain(3);
    expect(
      loadTopics(saveTopics(merged))
        .predict(documents)
        .map(({ topic }) => topic),
    ).toEqual([...merged.labels]);
  });

  it("reduce merges along the tree", () => {
    expect(found.reduce(2).list).toHaveLength(2);
    expect(found.reduce(3)).toBe(found);
    expect(found.hierarchy().cut(2).flat().sort()).toEqual([0, 1, 2]);
  });

  it("split finds parts, and new topics have new ids", async () => {
    const one = await topics(documents, { k: 1 });
    const parts = await one.split(0, 3);
    expect(parts.list.map(({ id }) => id)).toEqual([0, 1, 2]);
    const agree = documents.every((_, i) => parts.labels[i] === parts.labels[i % 3]);
    expect(agree).toBe(true);
    expect(parts.predict(documents).map(({ topic }) => topic)).toEqual([...parts.labels]);
  });

  it("split leaves the id to the largest part", async () => {
    const uneven = documents.filter((_, i) => i % 3 === 0 || (i % 3 === 1 && i < documents.length / 2));
    for (const list of [uneven, [...uneven].reverse()]) {
      for (const seed of [0, 1, 2]) {
        const parts = await (await topics(list, { k: 1, seed })).split(0);
        const [first, second] = parts.list.map(({ size }) => size);
        expect(first).toBeGreaterThan(second);
      }
    }
  });

  it("names are unique, and yours to change", async () => {
    const named = found.rename(idOf(0), "sport");
    expect(named.topic(idOf(0)).name).toBe("sport");
    expect(loadTopics(saveTopics(named)).topic(idOf(0)).name).toBe("sport");
    // A name that a person gave stays with the largest part, whether it comes apart or is divided.
    const one = named.merge([idOf(0), idOf(1)]);
    const joined = one.list.map(({ id }) => id).find((id) => id === idOf(0) || id === idOf(1))!;
    const parts = await one.rename(joined, "both").split(joined);
    expect(parts.list.map(({ name }) => name).filter((name) => name === "both")).toHaveLength(1);
    expect((await named.split(idOf(0))).topic(idOf(0)).name).toBe("sport");
    refuses(() => named.rename(idOf(1), "sport"), OptionError, /has the name "sport" already/);
    refuses(() => found.topic(9), OptionError, /there is no topic 9: choose one of 0, 1, 2/);
    refuses(() => found.merge([0]), OptionError, /at least two/);
  });
});

describe("topics within groups", () => {
  it("count documents over time", () => {
    const dates = documents.map((_, i) => (i === 23 ? null : new Date(Date.UTC(2024, 0, 1 + i))));
    const { edges, totals, topics: over, undated } = found.overTime(dates, 2);
    expect(edges).toHaveLength(3);
    expect(totals).toEqual([11, 12]);
    expect(undated).toBe(1);
    expect(over.map(({ counts }) => counts.reduce((a, b) => a + b)).sort()).toEqual([7, 8, 8]);
    expect(over.every(({ words }) => words.every((list) => list.length > 0))).toBe(true);
    expect(found.overTime(documents.map(() => 5)).totals).toEqual([24]);
    expect(found.overTime(dates).names.slice(0, 2)).toEqual(["2024-01-01", "2024-01-02"]);
    const yearly = found.overTime(documents.map((_, i) => Date.UTC(1990 + (i % 12))));
    expect(yearly.names).toEqual(Array.from({ length: 12 }, (_, b) => String(1990 + b)));
    expect(yearly.totals).toEqual(new Array(12).fill(2));
    refuses(() => found.overTime(["soon", ...dates.slice(1)]), DataError, /date of document 0 is "soon"/);
    refuses(() => found.overTime(documents.map(() => null)), DataError, /no document has a date/);
    refuses(() => found.overTime([1]), DataError, /24 documents but 1 date/);
    refuses(() => found.overTime(dates, 0), OptionError, /bins/);
  });

  it("count classes", () => {
    const { classes, topics: per } = found.perClass(documents.map((_, i) => ["b", "a", "c"][i % 3]));
    expect(classes).toEqual(["a", "b", "c"]);
    expect(per.find(({ id }) => id === idOf(0))?.counts).toEqual([0, 8, 0]);
    // A file has no documents: counts, but no words.
    const alone = loadTopics(saveTopics(found)).perClass(documents.map((_, i) => i % 3));
    expect(alone.topics.map(({ counts }) => [...counts].sort())).toEqual([
      [0, 0, 8],
      [0, 0, 8],
      [0, 0, 8],
    ]);
    expect(alone.topics[0].words).toEqual([[], [], []]);
  });
});

describe("weights, reasons and outliers", () => {
  it("divide a document among topics", () => {
    const weights = found.weights(["match team goal election minister taxes", "nothing known"]);
    const place = (id: number) => found.list.findIndex((topic) => topic.id === id);
    expect(weights.at(0, place(idOf(0)))).toBeGreaterThan(0.3);
    expect(weights.at(0, place(idOf(1)))).toBeGreaterThan(0.3);
    expect([...weights.row(0)].reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
    expect([...weights.row(1)]).toEqual([0, 0, 0]);
    const [sentences] = found.sentenceWeights(["The match. A doctor! Nothing."]);
    expect(sentences.map(({ text }) => text)).toEqual(["The match.", "A doctor!", "Nothing."]);
    expect(sentences[0].weights[place(idOf(0))]).toBeCloseTo(1, 12);
    expect([...sentences[2].weights]).toEqual([0, 0, 0]);
  });

  it("score what fits badly", () => {
    const [near, far, none] = found.outliers([documents[0], "match doctor election", "xyz"]);
    expect(near).toBeLessThan(1);
    expect(far).toBeGreaterThan(near);
    expect(none).toBe(1);
    expect(Math.max(...found.outliers())).toBeLessThanOrEqual(1);
    expect(found.outliers()).toHaveLength(24);
  });

  it("leave documents without words out", async () => {
    const some = await topics([...documents, "...", "!"], { k: 3 });
    expect([...some.labels.slice(24)]).toEqual([-1, -1]);
    expect(some.empty).toBe(2);
    expect(some.list.map(({ size }) => size)).toEqual([8, 8, 8]);
    expect(some.predict(["?"])[0]).toMatchObject({ topic: null, name: null, words: [] });
    expect(some.model.predict(some.state.documents!.X)).toEqual(some.model.labels);
  });
});

describe("other ways to find topics", () => {
  it.each<[MethodName, Loss?]>([
    ["nmf"],
    ["nmf", "kullback-leibler"],
    ["hals"],
    ["spherical"],
    ["kmeans"],
    ["em-onmf"],
  ])("by %s %s", async (method, loss) => {
    const other = await topics(documents, { k: 3, method, loss });
    expect(other.model.settings.loss).toBe(loss ?? "frobenius");
    expect(documents.every((_, i) => other.labels[i] === other.labels[i % 3])).toBe(true);
    expect(other.predict(documents).map(({ topic }) => topic)).toEqual([...other.labels]);
    expect(loadTopics(saveTopics(other)).labels).toEqual(other.labels);
    expect(other.merge([0, 1]).list).toHaveLength(2);
  });

  it("on vectors, told by words", async () => {
    const vectors = Dense.from(documents.map((_, i) => [0, 1, 2].map((f) => (i % 3 === f ? 1 : -0.1) + (i % 5) / 50)));
    const by = await topics({ documents, vectors }, { k: 3 });
    expect(by.model.method).toBe("spherical");
    expect(documents.every((_, i) => by.labels[i] === by.labels[i % 3])).toBe(true);
    expect(SUBJECTS[0]).toContain(by.topic(by.labels[0]).telling[0].word);
    const [one] = by.predict({ documents: ["a match"], vectors: Dense.from([[1, 0, 0]]) });
    expect(one.topic).toBe(by.labels[0]);
    expect(one.words.map(({ word }) => word)).toEqual(["match"]);
    refuses(() => by.predict(["a match"]), OptionError, /found on vectors/);
    expect(loadTopics(saveTopics(by)).list.map(({ name }) => name)).toEqual(by.list.map(({ name }) => name));
    const grown = await by.partialFit({ documents: ["team goal match"], vectors: Dense.from([[1, 0.1, 0]]) });
    expect(grown.labels[24]).toBe(by.labels[0]);
    await expect(topics({ documents, vectors: vectors.take([0]) })).rejects.toThrow(/24 documents but 1 vectors/);
  });

  it("of a model that fit made", async () => {
    const { X, words } = countWords(documents);
    const model = await fit(X, { k: 3, scale: "tfidf", init: "plusplus", restarts: 5, featureNames: words });
    const told = topicsOf(model, documents, { names: ["one", "", ""] });
    expect(told.labels).toEqual(Int32Array.from(model.labels));
    expect(told.list[0].name).toBe("one");
    expect(topicsOf(model, documents, { groups: [0, 0, 2] }).list.map(({ id }) => id)).toEqual([0, 2]);
    const nameless = await fit(X, { k: 2 });
    refuses(() => topicsOf(nameless, documents), OptionError, /no names/);
    refuses(() => topicsOf(model, documents, { names: ["one"] }), OptionError, /each of 3 clusters/);
  });

  it("with k chosen, or said to be one", async () => {
    const chosen = await topics(documents);
    expect(chosen.choice?.k).toBe(chosen.list.length);
    expect((await topics(["one document"])).list).toHaveLength(1);
  });

  it("with more topics than before", async () => {
    const old = await topics(
      documents.filter((_, i) => i % 3 < 2),
      { k: 2 },
    );
    const more = await topics(documents, { k: 3, previous: old });
    expect(more.list.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(documents.every((_, i) => more.labels[i] === more.labels[i % 3])).toBe(true);
    expect(more.labels[2]).toBe(2);
    const fewer = await topics(documents, { k: 2, previous: more });
    expect(fewer.list).toHaveLength(2);
  });
});

it("seed words that are not counted are named, through edits", async () => {
  const seedWords = [
    ["Match", "unicorn"],
    ["doctor", "the", "unicorn"],
  ];
  const found = await topics(documents, { k: 3, seedWords });
  expect(found.unknownSeeds).toEqual(["unicorn", "the"]);
  expect(found.rename(0, "sport").unknownSeeds).toEqual(["unicorn", "the"]);
  expect((await topics(documents, { k: 3 })).unknownSeeds).toEqual([]);
});

describe("topics that go on", () => {
  it("without their documents, from a file", async () => {
    const stored = loadTopics(saveTopics(found));
    const grown = await stored.partialFit(["match team goal offside", "goal offside team", "xyz", "fever"]);
    expect([...grown.labels.slice(24)]).toEqual([idOf(0), idOf(0), -1, idOf(2)]);
    expect(grown.words).toContain("offside");
    expect(grown.topic(idOf(0)).size).toBe(10);
    expect(grown.empty).toBe(1);
    expect(loadTopics(saveTopics(grown)).labels).toEqual(grown.labels);
    expect(grown.model.potential).toBeGreaterThan(found.model.potential);
  });

  it("not for methods that mix", async () => {
    const mixed = await topics(documents, { k: 3, method: "nmf" });
    await expect(mixed.partialFit(["match"])).rejects.toThrow(/fit all documents again with the option previous/);
  });

  it("until they are stopped", async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(topics(documents, { k: 3, signal: stop.signal })).rejects.toThrow();
    const later = new AbortController();
    const watched = topics(documents, { k: 3, signal: later.signal, onStep: () => later.abort() });
    await expect(watched).rejects.toBeInstanceOf(AbortError);
  });
});

describe("counted words", () => {
  const counted = {
    counts: Sparse.from(
      [
        [
          [0, 2],
          [1, 1],
        ],
        [
          [0, 1],
          [2, 1],
        ],
        [
          [0, 2],
          [1, 1],
        ],
        [
          [0, 1],
          [2, 2],
          [3, 1],
        ],
      ],
      4,
    ),
    vocabulary: ["the", "zoo", "bank", "age"],
  };

  it.each([
    [{}, ["age", "bank", "the", "zoo"]],
    [{ minDocuments: 2 }, ["bank", "the"]],
    [{ maxShare: 0.9 }, ["age", "bank", "zoo"]],
    [{ maxWords: 2 }, ["bank", "the"]],
    [{ stopWords: true }, ["age", "bank", "zoo"]],
    [{ stopWords: ["zoo", "age"] }, ["bank", "the"]],
  ])("are left out by %j among different documents", async (limits, words) => {
    const found = await topics(counted, { k: 2, ...limits });
    expect(found.words).toEqual(words);
    expect(found.predict(counted).map(({ topic }) => topic)).toEqual([...found.labels]);
  });
});

describe("what cannot be topics", () => {
  const counted = { counts: Sparse.from([[[0, 1]], [[1, 1]], [[2, 1]]], 3), vocabulary: ["a", "b", "c"] };
  const vectors = Dense.from([
    [1, 0],
    [0, 1],
    [1, -1],
  ]);

  it.each([
    [() => topics([]), /no documents/],
    [() => topics(["a", 3 as unknown as string]), /document 1 is 3, not a text/],
    [() => topics(3 as unknown as string[]), /must be an array of texts/],
    [() => topics({} as { documents: string[] }), /\{ documents \}/],
    [() => topics(documents, { k: 3, kk: 4 } as object), /did you mean "k"/],
    [() => topics(documents, { k: 3, seedWords: [["nowhere"]] }), /none of the seed words "nowhere"/],
    [() => topics(documents, { k: 1, seedWords: [["match"], ["doctor"]] }), /seed words for 2 topics but k is 1/],
    [() => topics(documents, { k: 2, seedWords: [] }), /lists of words/],
    [
      async () => topics(documents, { previous: await topics(documents, { k: 2 }), seedWords: [["match"]] }),
      /previous ones take no seedWords/,
    ],
    [() => topics(documents, { k: 2, previous: {} as never }), /what topics or loadTopics returned/],
    [() => topics({ counts: Sparse.from([[[0, 1]]], 2), vocabulary: ["a", "a"] }), /2 different words/],
    [() => topics({ counts: [[1]] as never, vocabulary: ["a"] }), /Sparse matrix/],
    [
      () => topics([...documents, ...documents], { k: 16 }),
      /only 15 different documents with words: choose a k of 1 … 15/,
    ],
    [() => topics(["cat dog", "cat dog"], { k: 2, maxShare: 1 }), /only 1 different document with words:/],
    [() => topics(["cat dog", "Dog; cat!", "the", "fish"], { k: 3 }), /only 2 different documents with words:/],
    [
      () =>
        topics(
          {
            documents: ["cat", "dog", "a"],
            vectors: Dense.from([
              [1, 0],
              [0, 1],
              [0, 0],
            ]),
          },
          { k: 3, vectorWeight: 1 },
        ),
      /only 2 different documents: choose/,
    ],
    [() => topics(counted, { k: 2, minDocuments: 9 }), /none of the 3 words in 3 texts is left/],
    [() => topics(counted, { k: 2, minDocuments: 0 }), /minDocuments must be a whole number/],
    [
      () => topics({ documents: ["cat dog", "dog cow", "cow hen"], vectors }, { k: 2, method: "nmf", maxShare: 1 }),
      /the vectors have negative/,
    ],
  ])("is refused: %s", async (call, message) => {
    await expect(call()).rejects.toThrow(message);
  });

  it("in a file is refused", async () => {
    const model = await fit(
      [
        [1, 2],
        [2, 1],
      ],
      { k: 1 },
    );
    refuses(() => loadTopics(saveModel(model)), BonmfError, /holds a model but no topics/);
    refuses(() => loadTopics(saveTopics(found), ["one"]), OptionError, /those of 24 documents, not of these 1/);
    refuses(() => saveTopics(model as never), OptionError, /what topics returns/);
    const text = new TextDecoder("latin1").decode(saveTopics(found));
    const damaged = Uint8Array.from(text.replace('\\"nextId\\":3', '\\"nextId\\":1'), (letter) => letter.charCodeAt(0));
    refuses(() => loadTopics(damaged, undefined, "t.st"), FormatError, /t\.st: nextId must be/);
    const stored = loadTopics(saveTopics(found));
    refuses(() => stored.merge([0, 1]), DataError, /needs the documents/);
    refuses(() => found.list[0].relevance(2), OptionError, /lambda/);
    await expect(found.split(0, 1)).rejects.toThrow(OptionError);
  });
});
