import { expect, it } from "vitest";
import { clusteringAccuracy, nmi } from "../../src/measure/index.js";
import { compareLabels } from "../../src/measure/labels.js";

it.each([
  [1, 2],
  [-1, 0],
  [9, "1"],
  ["aa", "ab"],
  ["a", "ab"],
  // By code point: UTF-16 has other units for the highest.
  ["\ud7ff", "\ue000"],
  ["\ue000", "\ue001"],
  ["\uffff", "\u{10000}"],
])("%j comes before %j", (first, second) => {
  expect(compareLabels(first, second)).toBeLessThan(0);
  expect(compareLabels(second, first)).toBeGreaterThan(0);
  expect(compareLabels(first, first)).toBe(0);
});

it("errors have a code and a place for programs", () => {
  const labels = [1, null] as number[];
  expect(() => nmi([1], [1, 2])).toThrow(expect.objectContaining({ code: "length" }));
  expect(() => nmi([], [])).toThrow(expect.objectContaining({ code: "empty" }));
  const place = { sample: 1, value: null };
  expect(() => nmi(labels, [1, 2])).toThrow(expect.objectContaining({ code: "label", place }));
  const rows = Uint32Array.from({ length: 12_000 }, (_, i) => i);
  expect(() => clusteringAccuracy(rows, rows)).toThrow(
    expect.objectContaining({
      code: "size",
      message: expect.stringMatching(
        /use nmi, ari or purity, or check that the labels are classes and not row numbers$/,
      ),
    }),
  );
});
