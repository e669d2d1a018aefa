import { expect, it } from "vitest";
import { nameTopics } from "../../src/topics/topic-words.js";

const none = (k: number): null[] => Array.from({ length: k }, () => null);

it("a topic without words has the number that stands beside it", () => {
  expect(nameTopics([["goal"], [], ["tax"], []], none(4))).toEqual(["goal", "topic 1", "tax", "topic 3"]);
});

it("words with letters come before numbers, which stay where there is nothing else", () => {
  const lists = [
    ["10", "falcot", "2,5", "1998", "public", "٣", "key"],
    ["2024", "tax"],
    ["10", "20"],
    ["tax", "1998"],
  ];
  const names = nameTopics(lists, none(4));
  expect(names).toEqual(["falcot, public, key", "tax, 2024", "10, 20", "tax, 1998"]);
  expect(nameTopics([["10 years", "1998", "covid-19", "年"]], [null])).toEqual(["10 years, covid-19, 年"]);
  // Of two topics with the same words the second takes a number too.
  expect(
    nameTopics(
      [
        ["7", "a1", "b", "c"],
        ["8", "a1", "b", "c"],
      ],
      none(2),
    ),
  ).toEqual(["a1, b, c", "a1, b, c, 8"]);
});
