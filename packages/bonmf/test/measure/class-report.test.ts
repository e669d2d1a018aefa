import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { DataError } from "../../src/errors.js";
import { accuracy, balancedAccuracy, classReport, confusion } from "../../src/measure/index.js";
import { classified, toTriple } from "./fixture.js";

function expectNear(got: number[], want: number[]): void {
  expect(got.length).toBe(want.length);
  got.forEach((value, i) => {
    expect(Math.abs(value - want[i])).toBeLessThan(1e-9);
  });
}

describe.each(classified)("scikit-learn on $name", (labeling) => {
  const { truth, other } = labeling;
  test("accuracy", () => {
    expectNear([accuracy(truth, other)], [labeling.accuracy]);
  });
  test("balancedAccuracy", () => {
    const recalls = labeling.counts.flatMap((row, t) => {
      const support = row.reduce((sum, count) => sum + count, 0);
      return support === 0 ? [] : [row[t] / support];
    });
    expectNear([balancedAccuracy(truth, other)], [recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length]);
  });
  test("confusion", () => {
    const { classes, counts, refused } = confusion(truth, other);
    expect(classes).toEqual(labeling.classes);
    expect(counts).toEqual(labeling.counts);
    expect(refused).toEqual(classes.map(() => 0));
  });
  test("classReport", () => {
    const report = classReport(truth, other);
    expect(report.classes.map(({ label }) => label)).toEqual(labeling.classes);
    expectNear(report.classes.flatMap(toTriple), labeling.scores.flat());
    expectNear(toTriple(report.macro), labeling.macro);
    expectNear(toTriple(report.weighted), labeling.weighted);
    expectNear([report.accuracy], [labeling.accuracy]);
    expect(report.classes.map(({ support }) => support)).toEqual(
      labeling.counts.map((row) => row.reduce((sum, count) => sum + count, 0)),
    );
  });
});

test("the fixture holds classified labelings", () => {
  expect(classified.length).toBeGreaterThan(15);
});

describe("worked by hand", () => {
  const truth = ["cat", "cat", "cat", "dog", "dog", "eel"];
  const predicted = ["cat", "dog", null, "dog", "dog", "cat"];

  it("counts a refusal as wrong", () => {
    expect(accuracy(truth, predicted)).toBe(0.5);
    expect(accuracy([1, 2], [null, null])).toBe(0);
  });

  it("shows who was taken for whom", () => {
    expect(confusion(truth, predicted)).toEqual({
      classes: ["cat", "dog", "eel"],
      counts: [
        [1, 1, 0],
        [0, 2, 0],
        [1, 0, 0],
      ],
      refused: [1, 0, 0],
    });
  });

  it("reports every class, the averages and the baseline", () => {
    const report = classReport(truth, predicted);
    expect(report.classes).toEqual([
      { label: "cat", precision: 1 / 2, recall: 1 / 3, f1: 2 / 5, support: 3 },
      { label: "dog", precision: 2 / 3, recall: 1, f1: 4 / 5, support: 2 },
      { label: "eel", precision: 0, recall: 0, f1: 0, support: 1 },
    ]);
    expect(report.accuracy).toBe(0.5);
    expect(report.balanced).toBeCloseTo((1 / 3 + 1 + 0) / 3, 15);
    expectNear(toTriple(report.macro), [7 / 18, 4 / 9, 2 / 5]);
    expectNear(toTriple(report.weighted), [17 / 36, 1 / 2, 7 / 15]);
    expect(report.majority).toEqual({ label: "cat", share: 0.5 });
  });

  it("balances the classes that occur, not those that are only given", () => {
    expect(balancedAccuracy(["cat", "cat", "dog", "dog"], ["cat", "eel", "dog", "dog"])).toBe(0.75);
    expect(balancedAccuracy(["cat", "cat", "cat", "dog"], ["cat", "cat", "cat", "cat"])).toBe(0.5);
  });

  it("takes the first class in order for the baseline among equals", () => {
    expect(classReport([10, 9, 9, 10], [10, 10, 10, 10]).majority).toEqual({ label: 9, share: 0.5 });
  });

  it("orders numbers by value before strings by code point", () => {
    const labels = ["\u{1f600}", "\uffee", "b", 10, 9, "B", "", -1, "ba", "10"];
    expect(confusion(labels, labels).classes).toEqual([-1, 9, 10, "", "10", "B", "b", "ba", "\uffee", "\u{1f600}"]);
  });

  it("keeps 1 and its spelling apart", () => {
    expect(accuracy([1, 1], ["1", 1])).toBe(0.5);
  });
});

test("truth predicts itself, and the report agrees with the accuracy", () => {
  const labels = fc.array(fc.tuple(fc.nat(3), fc.option(fc.nat(4))), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(labels, (pairs) => {
      const truth = pairs.map(([label]) => label);
      const predicted = pairs.map(([, label]) => label);
      expect(accuracy(truth, truth)).toBe(1);
      const report = classReport(truth, predicted);
      expect(report.accuracy).toBe(accuracy(truth, predicted));
      expect(report.weighted.recall).toBeCloseTo(report.accuracy, 12);
      const { counts, refused } = confusion(truth, predicted);
      expect(counts.map((row, t) => row.reduce((sum, count) => sum + count, refused[t]))).toEqual(
        report.classes.map(({ support }) => support),
      );
    }),
  );
});

test("the majority need not be the first class; of equal ones it is", () => {
  expect(classReport(["a", "b", "b"], ["a", "a", "a"]).majority).toEqual({ label: "b", share: 2 / 3 });
  expect(classReport(["b", "a"], ["a", "a"]).majority).toEqual({ label: "a", share: 0.5 });
});

test("errors name lengths and bad labels", () => {
  for (const measure of [accuracy, confusion, classReport]) {
    expect(() => measure([1], [1, 2])).toThrow(DataError);
    expect(() => measure([1], [1, 2])).toThrow(/1 true labels but 2 others/);
    expect(() => measure([], [])).toThrow(/no labels/);
    expect(() => measure([null as unknown as string], [null])).toThrow(/sample 0 has the label null/);
    expect(() => measure([1, 2], [1, undefined as unknown as null])).toThrow(/sample 1 has the label undefined/);
  }
});
