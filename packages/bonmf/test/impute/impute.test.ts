import { describe, expect, it } from "vitest";
import { findComponents } from "../../src/impute/components.js";
import { invert, solve } from "../../src/impute/positive.js";
import { scaleTable } from "../../src/impute/scaled-table.js";
import { Dense, impute, Sparse } from "../../src/index.js";
import { uniform } from "../../src/random.js";
import { finishSteps } from "../../src/steps.js";

const noise = (stream: number, index: number) => uniform(5, stream, index) - 0.5;

/** n × m of rank `rank` and some noise, of both signs. */
function makeLowRank(n: number, m: number, rank: number, spread = 0.02): number[][] {
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: m }, (_, f) => {
      let x = 3 + spread * noise(1, i * m + f);
      for (let r = 0; r < rank; r++) x += noise(2, i * rank + r) * noise(3, f * rank + r);
      return x;
    }),
  );
}

/** Points on a curve that no plane holds. */
function makeCurve(n: number): number[][] {
  return Array.from({ length: n }, (_, i) => {
    const t = 6 * uniform(5, 4, i);
    return [t, Math.sin(t), Math.cos(2 * t), Math.sin(3 * t), Math.abs(t - 3), (t * t) / 10].map(
      (x, f) => x + 0.02 * noise(6, 6 * i + f),
    );
  });
}

const hide = (X: number[][], share: number) =>
  X.map((row, i) =>
    row.map((x, f) => (uniform(9, 5, i * row.length + f) < share && f !== i % row.length ? Number.NaN : x)),
  );

/** The root mean squared error of hidden values, and that of feature means. */
function measure(whole: number[][], shown: number[][], filled: Dense): { error: number; byMeans: number } {
  const m = whole[0].length;
  const means = Array.from({ length: m }, (_, f) => {
    const known = shown.map((row) => row[f]).filter((x) => !Number.isNaN(x));
    return known.reduce((sum, x) => sum + x, 0) / known.length;
  });
  let [error, byMeans, count] = [0, 0, 0];
  whole.forEach((row, i) => {
    row.forEach((x, f) => {
      if (!Number.isNaN(shown[i][f])) return;
      error += (filled.at(i, f) - x) ** 2;
      byMeans += (means[f] - x) ** 2;
      count++;
    });
  });
  return { error: Math.sqrt(error / count), byMeans: Math.sqrt(byMeans / count) };
}

/** The mean of the five samples nearest in shared features, as scikit-learn's KNNImputer has it. */
function fillByNearest(shown: number[][]): Dense {
  const out = Dense.from(shown, "f64");
  shown.forEach((row, i) => {
    const distances = shown.map((other, j) => {
      const shared = row.flatMap((x, f) => (Number.isNaN(x) || Number.isNaN(other[f]) ? [] : [(x - other[f]) ** 2]));
      return i === j || shared.length === 0
        ? Number.POSITIVE_INFINITY
        : shared.reduce((sum, d) => sum + d, 0) / shared.length;
    });
    const order = [...distances.keys()].sort((a, b) => distances[a] - distances[b]);
    row.forEach((x, f) => {
      if (!Number.isNaN(x)) return;
      const asked = order.filter((j) => !Number.isNaN(shown[j][f])).slice(0, 5);
      out.data[i * row.length + f] = asked.reduce((sum, j) => sum + shown[j][f], 0) / asked.length;
    });
  });
  return out;
}

describe("impute", () => {
  it("fills a low-rank table of which most is missing", async () => {
    const whole = makeLowRank(300, 60, 3);
    const shown = hide(whole, 0.7);
    const { X } = await impute(shown);
    const { error, byMeans } = measure(whole, shown, X);
    expect(error).toBeLessThan(0.1 * byMeans);
  });

  it("fills what is not linear, better than the five nearest samples", async () => {
    const whole = makeCurve(600);
    const shown = hide(whole, 0.2);
    const { X } = await impute(shown);
    const { error, byMeans } = measure(whole, shown, X);
    expect(error).toBeLessThan(0.35 * byMeans);
    expect(error).toBeLessThan(measure(whole, shown, fillByNearest(shown)).error);
  });

  it("does not say that its error is smaller than it is", async () => {
    for (const whole of [makeLowRank(300, 12, 4, 0.5), makeCurve(500)]) {
      const shown = hide(whole, 0.25);
      const answer = await impute(shown);
      const { error, byMeans } = measure(whole, shown, answer.X);
      expect(answer.error! / (error / byMeans)).toBeGreaterThan(0.7);
      expect(answer.error! / (error / byMeans)).toBeLessThan(2.5);
    }
  });

  it("gives noise the means of its features, nearly", async () => {
    const whole = Array.from({ length: 200 }, (_, i) => Array.from({ length: 8 }, (_, f) => noise(7, 8 * i + f)));
    const shown = hide(whole, 0.2);
    const { X, error: told } = await impute(shown);
    const { error, byMeans } = measure(whole, shown, X);
    expect(error).toBeLessThan(1.1 * byMeans);
    expect(told).toBeGreaterThan(0.85);
  });

  it("leaves known values to the bit and others within the range of their feature", async () => {
    const whole = makeLowRank(90, 30, 12, 2);
    const shown = Dense.from(hide(whole, 0.6), "f64");
    const { X, filled } = await impute(shown);
    expect(filled).toBe(shown.data.filter(Number.isNaN).length);
    for (let f = 0; f < 30; f++) {
      const column = Array.from({ length: 90 }, (_, i) => shown.at(i, f));
      const known = column.filter((x) => !Number.isNaN(x));
      column.forEach((x, i) => {
        if (!Number.isNaN(x)) expect(X.at(i, f)).toBe(x);
        expect(X.at(i, f)).toBeGreaterThanOrEqual(Math.min(...known));
        expect(X.at(i, f)).toBeLessThanOrEqual(Math.max(...known));
      });
    }
  });

  it("does not depend on units, and gives the same bits again", async () => {
    const shown = hide(makeCurve(150), 0.2);
    const one = await impute(shown, { precision: "f64" });
    const again = await impute(shown, { precision: "f64" });
    expect(again.X.data).toEqual(one.X.data);
    const other = await impute(
      shown.map((row) => row.map((x, f) => x * 1024 ** (f - 2))),
      { precision: "f64" },
    );
    other.X.data.forEach((x, p) => {
      expect(x / 1024 ** ((p % 6) - 2)).toBeCloseTo(one.X.data[p], 9);
    });
  });

  it("takes sparse samples: what is not stored is missing", async () => {
    const shown = hide(makeCurve(80), 0.4);
    const pairs = shown.map((row) => row.flatMap((x, f): [number, number][] => (Number.isNaN(x) ? [] : [[f, x]])));
    expect((await impute(Sparse.from(pairs, 6))).X.data).toEqual((await impute(shown)).X.data);
  });

  it("gives a sample without values the means, leaves a feature without any, and says so", async () => {
    const gap = Number.NaN;
    const rows = makeLowRank(30, 4, 1).map((row) => [...row, gap]);
    rows[3] = [gap, gap, gap, gap, gap];
    const { X, filled, unknownSamples, unknownFeatures } = await impute(rows, { precision: "f64" });
    expect(unknownSamples).toEqual([3]);
    expect(unknownFeatures).toEqual([4]);
    expect(filled).toBe(4);
    const mean = rows.filter((_, i) => i !== 3).reduce((sum, row) => sum + row[1] / 29, 0);
    expect(X.at(3, 1)).toBeCloseTo(mean, 9);
    expect(X.at(0, 4)).toBeNaN();
  });

  it("takes whatever else is small, whole, constant or empty", async () => {
    const gap = Number.NaN;
    expect([...(await impute([[1, 2]])).X.data]).toEqual([1, 2]);
    expect([...(await impute([[1], [gap], [4]])).X.data]).toEqual([1, 2.5, 4]);
    expect([...(await impute([[7, gap]])).X.data]).toEqual([7, gap]);
    expect([...(await impute([[gap, gap]])).X.data]).toEqual([gap, gap]);
    const constant = [
      [5, 1],
      [gap, 2],
      [5, gap],
      [5, 4],
    ];
    const { X, error } = await impute(constant);
    expect(X.at(1, 0)).toBe(5);
    expect(error).toBeNull();
    expect(X.at(2, 1)).toBeGreaterThanOrEqual(1);
  });

  it("refuses what is infinite or unknown, and stops when it is told to", async () => {
    await expect(impute([[1, Number.POSITIVE_INFINITY]])).rejects.toThrow("sample 0, feature 1 is Infinity");
    await expect(impute([[1, 2]], { sed: 1 } as never)).rejects.toThrow('did you mean "seed"?');
    const abort = new AbortController();
    abort.abort();
    await expect(impute(hide(makeCurve(50), 0.2), { signal: abort.signal })).rejects.toThrow("abort");
  });
});

describe("components", () => {
  it("find the noise, and give up those that the data do not need", () => {
    const [n, m, rank, k] = [400, 20, 2, 8];
    const data = Float64Array.from({ length: n * m }, (_, p) => {
      const [i, f] = [Math.floor(p / m), p % m];
      if (uniform(3, 8, p) < 0.2) return Number.NaN;
      let x = noise(11, p);
      for (let r = 0; r < rank; r++) x += 4 * noise(12, rank * i + r) * noise(13, rank * f + r);
      return x;
    });
    const table = scaleTable(new Dense(n, m, data));
    const rows = Uint32Array.from({ length: n }, (_, i) => i);
    const { noise: found, W } = finishSteps(findComponents(table, rows, k, 0));
    // Uniform noise of width 1 has variance 1/12; features were divided by their ranges.
    let expected = 0;
    for (let f = 0; f < m; f++) expected += 1 / 12 / (table.most[f] - table.least[f]) ** 2 / m;
    expect(found / expected).toBeGreaterThan(0.75);
    expect(found / expected).toBeLessThan(1.25);
    const sizes = Array.from({ length: k }, (_, r) => {
      let sum = 0;
      for (let f = 0; f < m; f++) sum += W[f * k + r] ** 2;
      return sum;
    }).sort((a, b) => b - a);
    expect(sizes[rank]).toBeLessThan(0.1 * sizes[rank - 1]);
  });

  it("solve and invert positive matrices", () => {
    const k = 7;
    const B = Float64Array.from({ length: k * k }, (_, q) => noise(14, q));
    const A = new Float64Array(k * k);
    for (let r = 0; r < k; r++) {
      for (let s = 0; s < k; s++) {
        for (let t = 0; t < k; t++) A[r * k + s] += B[r * k + t] * B[s * k + t];
        if (r === s) A[r * k + s] += 0.1;
      }
    }
    const x = Float64Array.from({ length: k }, (_, r) => r - 2);
    const multiply = (M: Float64Array, v: Float64Array) =>
      v.map((_, r) => v.reduce((sum, value, s) => sum + M[r * k + s] * value, 0));
    const solved = multiply(A, x);
    solve(A.slice(), k, solved);
    const inverse = A.slice();
    invert(inverse, k);
    multiply(inverse, multiply(A, x)).forEach((value, r) => {
      expect(value).toBeCloseTo(x[r], 8);
      expect(solved[r]).toBeCloseTo(x[r], 8);
    });
  });
});
