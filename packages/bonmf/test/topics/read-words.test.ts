import { expect, it } from "vitest";
import { cv } from "../../src/measure/coherence.js";
import { topics } from "../../src/topics/find-topics.js";
import { WordReader } from "../../src/topics/read-words.js";

function read(texts: readonly string[], wanted: readonly string[], name = (word: string) => word): string[][] {
  const reader = new WordReader(texts, wanted, name);
  return Array.from(reader, (numbers) => Array.from(numbers, reader.nameOf));
}

it("reads words that the dictionary divides, where they are wanted", () => {
  const texts = ["网络犇的犇骉", "plain words", "犇 骉、网络 犇"];
  expect(read(texts, ["网络犇", "犇骉"])).toEqual([
    ["网络", "犇", "网络犇", "的", "犇", "骉", "犇骉"],
    ["plain", "words"],
    ["犇", "骉", "网络", "犇"],
  ]);
  expect(read(texts, ["网络"])[0]).toEqual(["网络", "犇", "的", "犇", "骉"]);
});

it("reads phrases, of stems too", () => {
  const stem = (word: string) => word.replace(/s$/, "");
  expect(read(["the bills of rights", "a bill"], ["bill of right", "bill"], stem)).toEqual([
    ["the", "bill", "of", "right", "bill of right"],
    ["bill"],
  ]);
});

it("tells the coherence of topics by the words that they are told by", async () => {
  const subjects = ["网络犇 机器犇 路线 地址", "bill of rights, court of law, judge, jury"];
  const documents = Array.from({ length: 40 }, (_, i) => {
    const words = subjects[i % 2].split(i % 2 === 0 ? " " : ", ");
    return [0, 1, 2].map((w) => words[(i + w * (1 + (i % 3))) % words.length]).join(i % 2 === 0 ? "的" : "; ");
  });
  const found = await topics(documents, { k: 2, stopWords: ["的", "of"], longest: 3, maxShare: 0.9 });
  const [chinese, english] = ["网络犇", "court of law"].map((word) =>
    found.list.findIndex(({ telling }) => telling.some((each) => each.word === word)),
  );
  expect(chinese).not.toBe(english);
  const lists = found.list.map(({ telling }) => telling.slice(0, 10).map(({ word }) => word));
  const seen = Array.from(new WordReader(documents, lists.flat(), (word) => word), (numbers) => Array.from(numbers));
  expect(seen.every((numbers) => numbers.length > 0)).toBe(true);
  const reader = new WordReader(documents, lists.flat(), (word) => word);
  expect(found.coherence()).toEqual(
    cv(
      lists,
      Array.from(reader, (numbers) => Array.from(numbers, reader.nameOf)),
    ),
  );
  // Words that no document has would make it much less.
  for (const score of found.coherence()) expect(score).toBeGreaterThan(0.5);
});
