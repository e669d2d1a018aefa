import { describe, expect, it } from "vitest";
import { isQuantity as ask, numericLabels } from "../../src/index.js";
import type { Label } from "../../src/measure/labels.js";

const range = (length: number, number: (i: number) => number) => Array.from({ length }, (_, i) => number(i));

function isQuantity(classes: readonly Label[], samples: number): boolean | null {
  const numbers = numericLabels(classes, samples);
  return numbers && ask(numbers);
}

describe("isQuantity", () => {
  it("takes few numbers for classes", () => {
    expect(isQuantity([7, 8, 9], 1e6)).toBe(false);
    expect(isQuantity([0.5, 1, 1.5], 1e6)).toBe(false);
    expect(
      isQuantity(
        range(50, (i) => 3 * i),
        100,
      ),
    ).toBe(false);
  });

  it("takes many fractions for a quantity, however many samples they have", () => {
    expect(
      isQuantity(
        range(21, (i) => i / 2),
        1e6,
      ),
    ).toBe(true);
  });

  it("takes more whole numbers for classes where each has ten samples", () => {
    const grades = range(60, (i) => 3 * i);
    expect(isQuantity(grades, 599)).toBe(true);
    expect(isQuantity(grades, 600)).toBe(false);
  });

  it("takes hundreds of them for classes where they number them", () => {
    expect(
      isQuantity(
        range(1000, (i) => 999 - i),
        1e6,
      ),
    ).toBe(false);
    expect(
      isQuantity(
        range(1000, (i) => i + 1),
        1e6,
      ),
    ).toBe(false);
    for (const number of [(i: number) => i + 2, (i: number) => i - 1, (i: number) => 2 * i]) {
      expect(isQuantity(range(1000, number), 1e6)).toBe(true);
    }
    expect(
      isQuantity(
        range(1000, (i) => i + 1),
        9999,
      ),
    ).toBe(true);
  });

  it("is not asked of texts", () => {
    expect(isQuantity([...range(500, (i) => 7 * i), "other"], 1e6)).toBe(null);
  });
});
