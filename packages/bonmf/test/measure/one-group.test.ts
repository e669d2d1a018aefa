import { describe, expect, it } from "vitest";
import { OptionError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import { drawOneGroup } from "../../src/measure/index.js";
import { Random } from "../../src/random.js";

const random = new Random(5, 0);
/** About Gaussian, from + − × ÷ alone. */
const bell = () => Array.from({ length: 12 }, () => random.next()).reduce((sum, u) => sum + u, -6);

/** Two groups 10 apart in the first feature, a second that follows it, one of two values. */
const X = Dense.from(
  Array.from({ length: 400 }, (_, i) => {
    const a = bell() + (i % 2 === 0 ? 0 : 10);
    return [a, a + bell(), i % 5 === 0 ? 1 : 0];
  }),
  "f64",
);

function column(Y: Dense, f: number): number[] {
  return Array.from({ length: Y.samples }, (_, i) => Y.at(i, f));
}

function momentsOf(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, sd: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [p, q] = [momentsOf(a), momentsOf(b)];
  return a.reduce((sum, x, i) => sum + ((x - p.mean) / p.sd) * ((b[i] - q.mean) / q.sd), 0) / a.length;
}

/** The share of values in the valley between the groups. */
const valley = (Y: Dense) => column(Y, 0).filter((x) => x > 3.5 && x < 6.5).length / Y.samples;

describe("one group", () => {
  const features = drawOneGroup(X, "features", 1);
  const covariance = drawOneGroup(X, "covariance", 1);

  it("has no gap where the groups had one", () => {
    expect(valley(X)).toBeLessThan(0.01);
    expect(valley(features)).toBeGreaterThan(0.1);
    expect(valley(covariance)).toBeGreaterThan(0.1);
  });

  it("keeps means and deviations", () => {
    for (const Y of [features, covariance]) {
      for (let f = 0; f < 2; f++) {
        const [own, drawn] = [momentsOf(column(X, f)), momentsOf(column(Y, f))];
        expect(Math.abs(own.mean - drawn.mean)).toBeLessThan(0.15 * own.sd);
        expect(drawn.sd / own.sd).toBeCloseTo(1, 0);
      }
    }
  });

  it("of features has no correlation, of components has theirs", () => {
    expect(Math.abs(correlation(column(features, 0), column(features, 1)))).toBeLessThan(0.15);
    expect(correlation(column(covariance, 0), column(covariance, 1))).toBeGreaterThan(0.9);
  });

  it("shuffles a feature of few values", () => {
    expect(column(features, 2).sort()).toEqual(column(X, 2).sort());
  });

  it("keeps tails: a feature with a long one still has it", () => {
    const skewed = Dense.from(
      Array.from({ length: 300 }, () => [1 / (0.02 + random.next())]),
      "f64",
    );
    const most = Math.max(...column(skewed, 0));
    expect(Math.max(...column(drawOneGroup(skewed, "features", 2), 0))).toBeGreaterThan(0.7 * most);
  });

  it("has no negative value where the samples have none", () => {
    const positive = Dense.from(Array.from({ length: 50 }, () => [random.next() ** 4, random.next() ** 4]));
    for (const keep of ["features", "covariance"] as const) {
      expect(Math.min(...drawOneGroup(positive, keep, 3).data)).toBeGreaterThanOrEqual(0);
    }
  });

  it("is a function of the seed", () => {
    for (const keep of ["features", "covariance"] as const) {
      expect(drawOneGroup(X, keep, 4).data).toEqual(drawOneGroup(X, keep, 4).data);
      expect(drawOneGroup(X, keep, 4).data).not.toEqual(drawOneGroup(X, keep, 5).data);
    }
  });

  it("keeps the leading components of many features", () => {
    const factor = Array.from({ length: 200 }, () => bell());
    const wide = Dense.from(
      factor.map((a) => Array.from({ length: 50 }, () => 5 * a + bell())),
      "f64",
    );
    const drawn = drawOneGroup(wide, "covariance", 1);
    expect(correlation(column(drawn, 0), column(drawn, 49))).toBeGreaterThan(0.85);
  });

  it("refuses what it does not know, and gives back what is too little to redraw", () => {
    expect(() => drawOneGroup(X, "all" as "features", 1)).toThrow(OptionError);
    expect(() => drawOneGroup(X, "features", -1)).toThrow(OptionError);
    expect(drawOneGroup(Dense.from([[1, 2]]), "covariance", 1).row(0)).toEqual(Float32Array.of(1, 2));
    expect([...drawOneGroup(Dense.from([[3], [3], [3]]), "covariance", 1).data]).toEqual([3, 3, 3]);
  });
});
