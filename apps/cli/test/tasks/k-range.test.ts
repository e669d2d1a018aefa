import { describe, expect, it } from "vitest";
import { parseRange } from "../../src/tasks/k-range.js";

describe("a range of k", () => {
  it.each([
    ["2-5", [2, 3, 4, 5]],
    ["2,4,8", [2, 4, 8]],
    ["5-50:15", [5, 20, 35, 50]],
    ["5-19:5", [5, 10, 15]],
    ["8, 2-3, 3", [2, 3, 8]],
    ["1-2", [1, 2]],
  ])("%s", (text, ks) => expect(parseRange(text)).toEqual(ks));

  it.each([
    ["", '"" is neither a number of clusters nor a range'],
    ["2-", '"2-" is neither'],
    ["2,x", '"x" is neither'],
    ["2..5", '"2..5" is neither'],
    ["9-3", '"9-3" is neither'],
    ["0-3", '"0-3" is neither'],
    ["2-5:0", '"2-5:0" is neither'],
    ["2.5,3", '"2.5" is neither'],
    ["4", "--k 4 is a single number"],
    ["4,4-4", "is a single number"],
    ["2-9007199254740991", "more than 1000 fits"],
    ["1-5000,2", "more than 1000 fits"],
  ])("refuses %s", (text, message) => expect(() => parseRange(text)).toThrow(message));
});
