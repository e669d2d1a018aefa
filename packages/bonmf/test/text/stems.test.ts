import { describe, expect, it } from "vitest";
import { countedAs, countWords, loadTopics, saveTopics, splitWords, topics } from "../../src/index.js";

/** Good enough for these words. */
const stem = (word: string) => word.replace(/(?:ing|ed|s)$/, "");
const TEXTS = ["goals scored", "a goal, scoring goals", "taxes rose", "the tax; taxes rising", "score"];

describe("countWords with stem", () => {
  it("counts forms of a word as one, named by its commonest form", () => {
    const { X, words } = countWords(["goal goals goals", "goals scored", "goal score scored"], { stem, maxShare: 1 });
    expect(words).toEqual(["goals", "score", "scored"]);
    expect(X.row(0)).toEqual(Float32Array.of(3, 0, 0));
    expect(countWords(["bb bbs", "bbs bb"], { stem, maxShare: 1 }).words).toEqual(["bb"]);
  });

  it("does not depend on the order of texts", () => {
    const forward = countWords(TEXTS, { stem, maxShare: 1 });
    const back = countWords([...TEXTS].reverse(), { stem, maxShare: 1 });
    expect(back.words).toEqual(forward.words);
    for (let i = 0; i < TEXTS.length; i++) expect(back.X.row(TEXTS.length - 1 - i)).toEqual(forward.X.row(i));
  });

  it("counts known words as it counted new ones, stop words apart", () => {
    // "does" is a stop word; its stem is that of a deer.
    const texts = ["doe and deer", "does she see two doe", "a deer hunts nothing", "the doe hunted"];
    const own = { stem: (word: string) => (word === "does" ? "doe" : stem(word)), maxShare: 1 };
    const found = countWords(texts, own);
    expect(found.words).toContain("doe");
    const known = countWords(texts, { ...own, vocabulary: found.words });
    for (let i = 0; i < texts.length; i++) expect(known.X.row(i)).toEqual(found.X.row(i));
    expect(countWords(["doe does"], own).X.row(0)).toEqual(Float32Array.of(1));
  });

  it("takes phrases of stems, named by the forms of their words", () => {
    const texts = Array.from({ length: 30 }, (_, i) =>
      i % 2 === 0 ? "solar panels work" : "a solar panel, solar panels",
    );
    const options = { stem, longest: 2, maxShare: 1 };
    const { words, X } = countWords(texts, options);
    expect(words).toContain("solar panels");
    const place = words.indexOf("solar panels");
    expect([X.at(0, place), X.at(1, place)]).toEqual([1, 2]);
    const known = countWords(texts, { ...options, vocabulary: words }).X;
    for (let i = 0; i < texts.length; i++) expect(known.row(i)).toEqual(X.row(i));
  });

  it("gives a word of the vocabulary to itself, and a form of several to the first", () => {
    const name = countedAs(["goal", "goals"], { stem });
    expect(["goal", "goals", "goaled", "tax"].map(name)).toEqual(["goal", "goals", "goal", "tax"]);
    expect(splitWords("goal").map(countedAs(["goals"], {}))).toEqual(["goal"]);
  });

  it("refuses what is no function", () => {
    expect(() => countWords(["a text"], { stem: "german" as never })).toThrow(/stem must be a function/);
  });
});

describe("topics with stem", () => {
  const documents = [
    ...["the goals of this match", "a goal in the matches", "matches without goals", "goal after goal, match"],
    ...["the taxes and voters", "a voter pays tax", "taxed voters", "voters, taxes"],
  ];
  const options = { k: 2, stem, maxShare: 1 };

  it("predicts forms that the fit never saw, and says which word they are", async () => {
    const found = await topics(documents, options);
    expect([...found.words].filter((word) => /^(?:goal|voter)/.test(word))).toEqual(["goal", "voters"]);
    const [{ topic, words }] = found.predict(["matching goaled"]);
    expect(topic).toBe(found.labels[0]);
    expect(words.map(({ word }) => word).sort()).toEqual(["goal", "match"]);
    expect(found.predict(documents).map(({ topic }) => topic)).toEqual([...found.labels]);
    expect(found.coherence().every((value) => value > 0.5)).toBe(true);
  });

  it("takes seed words in any form and finds topics again under other names of their words", async () => {
    const guided = await topics(documents, { ...options, seedWords: [["voter", "taxing"]] });
    expect(guided.list[0].telling.map(({ word }) => word)).toContain("voters");
    const named = guided.rename(guided.list[0].id, "money");
    const others = documents.map((text) => text.replace("voters", "voter").replace("goals", "goal"));
    const again = await topics(others, { ...options, previous: named });
    expect(again.words).toContain("voter");
    expect(again.list.map(({ id }) => id)).toEqual([0, 1]);
    expect(again.topic(guided.list[0].id).name).toBe("money");
  });

  it("needs the function again after a file, where it counts texts", async () => {
    const found = await topics(documents, options);
    const bytes = saveTopics(found);
    expect(() => loadTopics(bytes).predict(["goaled"])).toThrow(/give loadTopics the function stem/);
    const again = loadTopics(bytes, documents, "topics", stem);
    expect(again.predict(["goaled"])[0].topic).toBe(found.labels[0]);
    const plain = saveTopics(await topics(documents, { k: 2, maxShare: 1 }));
    expect(() => loadTopics(plain, undefined, "topics", stem)).toThrow(/without stemming/);
  });

  it("takes new documents in by their stems", async () => {
    const grown = await (await topics(documents, options)).partialFit([
      "goaled matches",
      "goaled penalty",
      "penalties penalty",
    ]);
    expect(grown.words.filter((word) => word.startsWith("goal"))).toEqual(["goal"]);
    expect(grown.labels[8]).toBe(grown.labels[0]);
  });
});
