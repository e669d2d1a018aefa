import { expect, it } from "vitest";
import type { KChoice } from "../../src/choose/choice.js";
import { Dense } from "../../src/matrix/dense.js";
import { Random } from "../../src/random.js";
import { countWords } from "../../src/text/word-counts.js";
import { chooseTopics } from "../../src/topics/choose-topics.js";
import { topics } from "../../src/topics/find-topics.js";

const SUBJECTS = [
  "match team goal striker keeper referee season league coach stadium",
  "taxes minister election voters law party budget reform cabinet senate",
  "guitar concert singer album stage band melody rhythm chorus drummer",
  "harbour vessel captain sailor anchor cargo voyage tide deck sail",
].map((words) => words.split(" "));
const SHARED = "people year long new city plan world story place time".split(" ");

/** @param noise how many words of 14 are of any subject */
function makeTexts(count: number, noise: number): string[] {
  const random = new Random(11);
  const draw = (list: readonly string[]) => list[Math.floor(random.next() * list.length)];
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: 14 }, (_, w) =>
      draw(w < noise ? SUBJECTS.flat() : w < 9 ? SUBJECTS[i % SUBJECTS.length] : SHARED),
    ).join(" "),
  );
}

const withoutOrder = ({ samples: _, ...choice }: KChoice) => choice;
const texts = makeTexts(160, 2);
const order = new Random(3).permutation(texts.length);
const shuffled = Array.from(order, (i) => texts[i]);

it("is what topics takes, and speaks of documents and topics", async () => {
  const choice = await chooseTopics(texts, { fits: false, seed: 2 });
  expect(choice).toMatchObject({ k: 4, structure: true, trials: [], samples: 160 });
  expect(choice.reason).toMatch(/topics/);
  expect(choice.reason).not.toMatch(/cluster|sample|group/);
  const found = await topics(texts, { seed: 2 });
  expect(found.list).toHaveLength(4);
  expect(found.choice).toEqual(choice);
});

it.each([
  ["few", texts.slice(0, 9), /^No topics can be told from 9 different documents: that is too few/],
  ["one", texts.slice(0, 1), /^No topics can be told from 1 different document: that is too few/],
  ["all alike", Array.from({ length: 40 }, () => texts[0]), /^No topics can be told from 1 different document:/],
  [
    "unstructured",
    makeTexts(160, 14),
    /^No topics: for no k are the documents clearly sparser between topics, or nearer to centres, than those of one topic/,
  ],
])("is none for %s documents, and says so", async (_, documents, reason) => {
  const choice = await chooseTopics(documents, { fits: false });
  expect(choice).toMatchObject({ k: 1, structure: false, reason: expect.stringMatching(reason) });
});

it.each([
  ["texts", (documents: readonly string[]) => documents],
  [
    "counts",
    (documents: readonly string[]) => {
      const { X: counts, words: vocabulary } = countWords(documents);
      return { counts, vocabulary };
    },
  ],
  [
    "texts and vectors",
    (documents: readonly string[]) => ({
      documents,
      vectors: Dense.from(
        documents.map((text) => SUBJECTS.map((words) => words.filter((w) => text.includes(w)).length)),
      ),
    }),
  ],
])("does not depend on the order of %s, nor on copies of all", async (_, see) => {
  const choice = await chooseTopics(see(texts), { ks: [2, 3, 4, 5, 6] });
  expect(choice.trials.map(({ k }) => k)).toEqual([2, 3, 4, 5, 6]);
  expect(await chooseTopics(see(shuffled), { ks: [2, 3, 4, 5, 6] })).toEqual(choice);
  const twice = await chooseTopics(see([...texts, ...texts]), { ks: [2, 3, 4, 5, 6] });
  expect(withoutOrder(twice)).toEqual(withoutOrder(choice));
});

it("goes on where it was stopped", async () => {
  const options = { ks: [2, 3, 4, 5], seed: 1 };
  const whole = await chooseTopics(texts, options);
  const stop = new AbortController();
  const early = await chooseTopics(texts, {
    ...options,
    signal: stop.signal,
    onProgress: ({ done }) => done === 2 && stop.abort(),
  });
  expect(early).toMatchObject({ complete: false, k: whole.k });
  expect(await chooseTopics(shuffled, { ...options, from: JSON.parse(JSON.stringify(early)) })).toEqual(whole);
});

it("refuses what only a fit needs", async () => {
  await expect(chooseTopics(texts, { k: 3 } as object)).rejects.toThrow("chooseTopics");
  await expect(chooseTopics([])).rejects.toThrow("there are no documents");
});
