import { expect, it } from "vitest";
import { describeClusters, readNumber } from "../../src/views/format.js";

it("reads numbers, and says what is wrong with others", () => {
  expect(readNumber(" 3.5 ")).toBe(3.5);
  expect(readNumber("-2e3")).toBe(-2000);
  expect(readNumber("")).toBe("A number is missing.");
  expect(readNumber("abc")).toBe('"abc" is no number: write it like 3.5.');
  expect(readNumber("1,5")).toBe('"1,5" is no number: write it like 3.5.');
  expect(readNumber("1e39")).toBe("1e39 is too large.");
  expect(readNumber("Infinity")).toBe("Infinity is too large.");
});

it("tells how many clusters there are, and were", () => {
  expect(describeClusters([0, 1, 2])).toBe("3 clusters");
  expect(describeClusters([0, 1, 1])).toBe("3 clusters, merged into 2");
});
