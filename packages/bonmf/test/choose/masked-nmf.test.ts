import { describe, expect, it } from "vitest";
import { type Factors, growFactors, maskSamples, sweepFactors } from "../../src/choose/masked-nmf.js";
import { Dense } from "../../src/matrix/dense.js";
import { Random, uniform } from "../../src/random.js";
import { drawMixtures } from "./data.js";

const [n, m] = [30, 7];
const X = Dense.from(drawMixtures(n, m, 3, 0.2), "f64");
const isHidden = (p: number) => uniform(3, 1, p) < 0.2;
const weights = new Float64Array(n).map((_, i) => 0.25 + (i % 4) / 2);

function fitMasked(samples: Dense, k: number, sweeps: number, given: Float64Array | null = weights): Factors {
  const masked = maskSamples(samples, given, isHidden);
  let factors: Factors | null = null;
  for (let j = 0; j < k; j++) {
    factors = growFactors(masked, factors);
    for (let sweep = 0; sweep < sweeps; sweep++) sweepFactors(masked, factors);
  }
  return factors!;
}

/** Σ ω (x − Σ h w)² over the known entries, straight from the definition. */
function lossOf({ k, H, W }: Factors, samples = X): number {
  let loss = 0;
  for (let i = 0; i < n; i++) {
    for (let f = 0; f < m; f++) {
      let rest = samples.at(i, f);
      for (let j = 0; j < k; j++) rest -= H[j * n + i] * W[j * m + f];
      if (!isHidden(i * m + f)) loss += weights[i] * rest * rest;
    }
  }
  return loss;
}

/** One sweep, each entry from sums over the known entries alone. */
function sweepNaively({ k, H, W }: Factors): void {
  const sweepSide = (
    own: Float64Array,
    rows: number,
    columns: number,
    place: (r: number, c: number) => [number, number],
  ) => {
    for (let r = 0; r < rows; r++) {
      for (const j of [...Array(k).keys(), ...Array(k).keys()]) {
        const at = j * rows + r;
        let [above, below] = [0, 0];
        // With 1 in its place, the products h w of the entry are the other factor.
        own[at] = 1;
        for (let c = 0; c < columns; c++) {
          const [i, f] = place(r, c);
          if (isHidden(i * m + f)) continue;
          const products = Array.from({ length: k }, (_, l) => H[l * n + i] * W[l * m + f]);
          const others = products.reduce((sum, product, l) => (l === j ? sum : sum + product), 0);
          above += weights[i] * products[j] * (X.at(i, f) - others);
          below += weights[i] * products[j] ** 2;
        }
        own[at] = below > 0 ? Math.max(0, above / below) : 0;
      }
    }
  };
  sweepSide(H, n, m, (i, f) => [i, f]);
  sweepSide(W, m, n, (f, i) => [i, f]);
}

describe("a factorisation of the known entries", () => {
  it.each([1, 2, 5])("with k = %i equals one from the definition", (k) => {
    const fast = fitMasked(X, k, 3);
    const naive = { k, H: fast.H.slice(), W: fast.W.slice() };
    const masked = maskSamples(X, weights, isHidden);
    for (let sweep = 0; sweep < 50; sweep++) {
      sweepFactors(masked, fast);
      sweepNaively(naive);
    }
    for (const factor of ["H", "W"] as const) {
      fast[factor].forEach((value, p) => {
        expect(value).toBeCloseTo(naive[factor][p], 6);
      });
    }
  });

  it("lowers the error in every sweep", () => {
    const masked = maskSamples(X, weights, isHidden);
    const factors = fitMasked(X, 3, 1);
    for (let sweep = 0, before = lossOf(factors); sweep < 20; sweep++) {
      sweepFactors(masked, factors);
      const loss = lossOf(factors);
      expect(loss).toBeLessThanOrEqual(before * (1 + 1e-12));
      before = loss;
    }
  });

  it("does not depend on hidden entries, to the bit", () => {
    const random = new Random(8);
    const other = new Dense(
      n,
      m,
      Float64Array.from(X.data, (x, p) => (isHidden(p) ? 1e6 * random.next() : x)),
    );
    expect(other.data).not.toEqual(X.data);
    expect(fitMasked(other, 4, 10)).toEqual(fitMasked(X, 4, 10));
  });

  it("counts a sample twice where its weight is 2", () => {
    const rows = [...Array(n).keys(), 4];
    const twice = X.take(Uint32Array.from(rows));
    const hidden = (p: number) => isHidden(rows[Math.floor(p / m)] * m + (p % m));
    const more = weights.slice();
    more[4] *= 2;
    const masked = [
      maskSamples(
        twice,
        Float64Array.from(rows, (i) => weights[i]),
        hidden,
      ),
      maskSamples(X, more, isHidden),
    ];
    const [a, b] = masked.map((each) => {
      const factors = {
        k: 2,
        H: new Float64Array(2 * each.samples.rows),
        W: Float64Array.from({ length: 2 * m }, (_, p) => 1 + (p % 3)),
      };
      for (let sweep = 0; sweep < 5; sweep++) sweepFactors(each, factors);
      return factors.W;
    });
    a.forEach((value, p) => {
      expect(value).toBeCloseTo(b[p], 10);
    });
  });

  it("takes samples and features of which nothing is known", () => {
    const masked = maskSamples(X, null, (p) => p < m || p % m === 2);
    const factors = growFactors(masked, growFactors(masked, null));
    for (let sweep = 0; sweep < 5; sweep++) sweepFactors(masked, factors);
    expect([...factors.H, ...factors.W].every((value) => value >= 0 && Number.isFinite(value))).toBe(true);
    expect([0, 1].map((j) => [factors.H[j * n], factors.W[j * m + 2]])).toEqual([[0, 0], [0, 0]]); // biome-ignore format: a table
  });
});
