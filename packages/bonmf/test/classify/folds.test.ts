import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folds, holdout, type Split } from "../../src/classify/folds.js";
import { OptionError } from "../../src/errors.js";

const isRising = (ids: Uint32Array) => ids.every((id, p) => p === 0 || id > ids[p - 1]);

function expectPartition({ train, test }: Split, samples: number): void {
  expect(isRising(train) && isRising(test)).toBe(true);
  expect([...train, ...test].sort((a, b) => a - b)).toEqual(Array.from({ length: samples }, (_, i) => i));
}

describe("holdout", () => {
  it("cuts samples into two parts of the sizes asked for", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 300 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.nat(),
        (samples, share, seed) => {
          const split = holdout(samples, share, seed);
          expectPartition(split, samples);
          const wanted = Math.round(samples * share);
          expect(split.train.length).toBe(wanted === 0 ? 1 : wanted === samples ? samples - 1 : wanted);
        },
      ),
    );
  });

  it("keeps four fifths for training by default", () => expect(holdout(768).train.length).toBe(614));

  it("of labels gives every class its share of both parts", () => {
    const label = fc.constantFrom("a", "b", 3, "rare");
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 2, maxLength: 200 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.nat(),
        (labels, share, seed) => {
          const split = holdout(labels, share, seed);
          expectPartition(split, labels.length);
          expect(split.train.length).toBe(holdout(labels.length, share, seed).train.length);
          for (const name of new Set(labels)) {
            const [all, left] = [labels, Array.from(split.test, (i) => labels[i])].map(
              (list) => list.filter((found) => found === name).length,
            );
            const wanted = (all * split.test.length) / labels.length;
            expect(Math.abs(left - wanted)).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  it("of labels shuffles within a class", () => {
    const labels = Array.from({ length: 40 }, (_, i) => i % 2);
    const times = new Float64Array(40);
    for (let seed = 0; seed < 1000; seed++) for (const i of holdout(labels, 0.8, seed).test) times[i]++;
    for (const count of times) expect(Math.abs(count - 200)).toBeLessThan(60);
  });

  it("depends on the seed and on nothing else", () => {
    expect(holdout(100, 0.5, 3)).toEqual(holdout(100, 0.5, 3));
    expect(holdout(100, 0.5, 3)).not.toEqual(holdout(100, 0.5, 4));
  });

  it("shuffles: every sample is a test sample about as often", () => {
    const times = new Float64Array(10);
    for (let seed = 0; seed < 1000; seed++) for (const i of holdout(10, 0.8, seed).test) times[i]++;
    for (const count of times) expect(Math.abs(count - 200)).toBeLessThan(60);
  });

  it.each([
    [() => holdout(1), "samples", 1, "samples must be a whole number, 2 or more, not 1"],
    [() => holdout(2.5), "samples", 2.5, "samples must be a whole number, 2 or more, not 2.5"],
    [() => holdout(10, 0), "share", 0, "share must be between 0 and 1, not 0"],
    [() => holdout(10, 1), "share", 1, "share must be between 0 and 1, not 1"],
    [() => holdout(10, Number.NaN), "share", Number.NaN, "share must be between 0 and 1, not NaN"],
    [() => holdout(10, 0.5, -1), "seed", -1, "seed must be a whole number, 0 or more, not -1"],
  ])("refuses what makes no sense (%#)", (run, option, value, message) =>
    expect(run).toThrow(new OptionError(option, value, message)),
  );
});

describe("folds", () => {
  const labels = fc.array(fc.constantFrom("a", "b", "c", 1, 2), { minLength: 2, maxLength: 200 });

  it("leaves every sample out exactly once, and gives every fold its share of every class", () => {
    fc.assert(
      fc.property(labels, fc.integer({ min: 2, max: 7 }), fc.nat(), (y, count, seed) => {
        fc.pre(count <= y.length);
        const parts = folds(y, count, seed);
        expect(parts).toHaveLength(count);
        for (const part of parts) expectPartition(part, y.length);
        expect(parts.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual(y.map((_, i) => i));
        const spread = (sizes: number[]) => Math.max(...sizes) - Math.min(...sizes);
        expect(spread(parts.map(({ test }) => test.length))).toBeLessThanOrEqual(1);
        for (const name of new Set(y)) {
          const sizes = parts.map(({ test }) => [...test].filter((i) => y[i] === name).length);
          expect(spread(sizes)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it("makes five folds by default, from the seed", () => {
    const y = Array.from({ length: 40 }, (_, i) => i % 3);
    expect(folds(y)).toHaveLength(5);
    expect(folds(y, 5, 1)).toEqual(folds(y, 5, 1));
    expect(folds(y, 5, 1)).not.toEqual(folds(y, 5, 2));
  });

  it.each([
    [() => folds(["a", "b"], 1), "folds", 1, "folds must be a whole number, 2 or more, not 1"],
    [() => folds(["a", "b"], 3), "folds", 3, "3 folds need at least 3 samples, but there are 2"],
    [() => folds(["a", "b"], 2, 0.5), "seed", 0.5, "seed must be a whole number, 0 or more, not 0.5"],
  ])("refuses what makes no sense (%#)", (run, option, value, message) =>
    expect(run).toThrow(new OptionError(option, value, message)),
  );
});
