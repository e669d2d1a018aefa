import { describe, expect, it } from "vitest";
import { addLogDensities, compareDensities, TERMS } from "../../src/choose/likelihood.js";
import { Random } from "../../src/random.js";

const STEP = 1 / 512;

describe("densities of distances from a boundary", () => {
  it.each(Array.from({ length: TERMS }, (_, term) => term))(
    "number %i has the integral 1, and a mean of about 1",
    (term) => {
      let [integral, mean] = [0, 0];
      for (let r = STEP / 2; r < 30; r += STEP) {
        const sums = new Float64Array(TERMS);
        addLogDensities(r, 1, sums, 0);
        // Far out they are limited from below.
        const density = sums[term] > -12 ? Math.exp(sums[term]) : 0;
        integral += STEP * density;
        mean += STEP * density * r;
      }
      expect(integral).toBeCloseTo(1, 3);
      expect(mean).toBeGreaterThan(0.99);
      expect(mean).toBeLessThan(1.06);
    },
  );
});

describe("their comparison", () => {
  const compare = (draw: (random: Random) => number, weight = 1) => {
    const random = new Random(6);
    const sums = new Float64Array(TERMS);
    for (let i = 0; i < 400; i++) addLogDensities(draw(random), weight, sums, 0);
    return compareDensities(sums, 0);
  };
  const bell = (random: Random) => random.next() + random.next() + random.next() - 1.5;

  it.each([
    ["a core far from the boundary", (random: Random) => Math.abs(1 + 0.5 * bell(random))],
    ["a core that touches it", (random: Random) => Math.abs(1 + bell(random))],
  ])("sees a gap before %s", (_, draw) => expect(compare(draw)).toBeGreaterThan(10));

  it.each([
    ["uniform", (random: Random) => 2 * random.next()],
    ["triangular", (random: Random) => 3 * (1 - Math.sqrt(random.next()))],
    ["half-normal", (random: Random) => 2.5 * Math.abs(bell(random))],
  ])("sees none in a %s density", (_, draw) => expect(compare(draw)).toBeLessThan(-10));

  it("counts weights", () => {
    const draw = (random: Random) => 2 * random.next();
    expect(compare(draw, 2)).toBeCloseTo(2 * compare(draw), 8);
  });
});
