import { expect, it } from "vitest";
import { nameTopics } from "../../src/topics/topic-words.js";

const none = (k: number): null[] => Array.from({ length: k }, () => null);

it("a topic without words has the number that stands beside it", () => {
  expect(nameTopics([["goal"], [], ["tax"], []], none(4))).toEqual(["goal", "topic 1", "tax", "topic 3"]);
});
