import { describe, expect, it } from "vitest";
import { encodeSamples, labelCodes, multiplySamples } from "../../../src/kernel/encode.js";
import { rowsOf } from "../../../src/kernel/plain/rows.js";
import { linear, REAL } from "../../../src/kernel/plain/rules.js";
import { allocateCodes, allocateLabels, type Step } from "../../../src/kernel/step.js";
import { gramOf } from "../../../src/matrix/prototypes.js";
import { Sparse } from "../../../src/matrix/sparse.js";
import { dot, flip, lossOf } from "../../oracle.js";
import { bits, dense, randomRows } from "../../synthetic.js";

const f64 = (...values: number[]) => Float64Array.from(values);

describe("labels", () => {
  it("cosine: the smallest angle, the lowest of equals, zero prototypes score 0", () => {
    const label = (x: number[], ...W: number[]) =>
      encodeSamples(dense([x]), "cosine", f64(...W), W.length / 2).labels![0];
    expect(label([1, 2], 2, 0, 0, 3)).toBe(1);
    expect(label([1, 2], 1, 2, 2, 4, 1, 2)).toBe(0);
    expect(label([0, 1], 0, 0, 9, 1)).toBe(1);
    expect(label([0, 1], 0, 0, 9, 0)).toBe(0);
  });

  it("distance: the nearest point, the lowest of equals", () => {
    const W = f64(2, 0, 0, 3, 2, 0);
    const X = dense([
      [1, 1],
      [1, 2],
      [2, 0],
      [0, 9],
    ]);
    expect([...encodeSamples(X, "distance", W, 3).labels!]).toEqual([0, 1, 0, 1]);
  });
});

describe("real rules by hand", () => {
  const old = new Float64Array(2);
  const step = (more: Partial<Step>): Step => ({ rule: "multiply", k: 2, W: f64(), gram: f64(2, 1, 1, 3), ...more });
  const apply = (rule: keyof typeof REAL, WtX: Float64Array, h: Float64Array, more: Partial<Step> = {}) => {
    REAL[rule]!(WtX, h, old, step(more), 0);
    return [...h];
  };

  it("multiply", () => {
    // gram·h = (4, 7): 1·8/4 and 2·7/7; with α = 1: 1·9/4 and 2·9/7.
    expect(apply("multiply", f64(8, 7), f64(1, 2))).toEqual([2, 2]);
    expect(apply("multiply", f64(8, 7), f64(1, 2), { alpha: 1 })).toEqual([9 / 4, 18 / 7]);
    expect(apply("multiply", f64(8, 7), f64(0, 0))).toEqual([0, 0]);
  });

  it("root", () => {
    expect(apply("root", f64(16, 28), f64(1, 2))).toEqual([2, 4]);
    expect(apply("root", f64(16, 28), f64(0, 0))).toEqual([0, 0]);
  });

  it("cyclic", () => {
    // h₀ = (8 − 1·2)/2 = 3, then h₁ = (7 − 1·3)/3.
    const h = apply("cyclic", f64(8, 7), f64(1, 2));
    expect(h[0]).toBe(3);
    expect(h[1]).toBeCloseTo(4 / 3, 15);
    expect(apply("cyclic", f64(1, 7), f64(1, 2))[0]).toBe(0);
    expect(apply("cyclic", f64(8, 7), f64(1, 2), { sweeps: 2 })).toEqual(apply("cyclic", f64(8, 7), f64(...h)));
    // (3, 4/3), (10/3, 11/9), …: the second sweep moves h by 0.17 of what the first did, the third by 0.03, after which it ends.
    expect(apply("cyclic", f64(8, 7), f64(1, 2), { sweeps: 9 })).toEqual(
      apply("cyclic", f64(8, 7), f64(1, 2), { sweeps: 3 }),
    );
    expect(apply("cyclic", f64(8, 7), f64(1, 2), { sweeps: 3 })).not.toEqual(
      apply("cyclic", f64(8, 7), f64(1, 2), { sweeps: 2 }),
    );
    expect(apply("cyclic", f64(1, 1), f64(5, 5), { gram: f64(0, 0, 0, 0) })).toEqual([0, 0]);
  });

  it("binary", () => {
    // r₀ = 2 − 1·1 = 1, not above ½·2; r₁ = 2 − 0 above ½·3. Then r₀ stays: the code is settled.
    expect(apply("binary", f64(2, 2), f64(1, 1))).toEqual([0, 1]);
    // From zero: r₀ = 2 > 1, then r₁ = 2 − 1 = 1 < 1½.
    expect(apply("binary", f64(2, 2), f64(0, 0))).toEqual([1, 0]);
    expect(apply("binary", f64(2, 2), f64(1, 1), { sweeps: 5 })).toEqual([0, 1]);
  });

  it("linear", () => {
    const h = new Float64Array(2);
    linear(f64(1, -1), h, old, step({}), 0);
    expect([...h]).toEqual([1, -2]);
    linear(f64(1, -1), h, old, step({ floor: 0.25 }), 0);
    expect([...h]).toEqual([1, 0.25]);
    linear(f64(1, -1), h, old, { rule: "linear", k: 2, W: f64() }, 0);
    expect([...h]).toEqual([1, -1]);
    linear(f64(0.5, 0.49), h, old, { rule: "linear", k: 2, W: f64(), round: true }, 0);
    expect([...h]).toEqual([1, 0]);
  });

  it("uniform: a function of the sample's number", () => {
    const [a, b, c] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
    REAL.uniform!(f64(), a, old, step({ seed: 1 }), 7);
    REAL.uniform!(f64(), b, old, step({ seed: 1 }), 7);
    REAL.uniform!(f64(), c, old, step({ seed: 1 }), 8);
    expect([...a]).toEqual([...b]);
    expect([...a]).not.toEqual([...c]);
    expect(a[0]).not.toBe(a[1]);
  });
});

describe("rows", () => {
  it("read dense and sparse samples alike", () => {
    const data = randomRows(1, 9, 5, 0.5);
    const W = Float64Array.from(randomRows(2, 3, 5).flat());
    const [a, b] = [rowsOf(dense(data)), rowsOf(Sparse.fromDense(dense(data)))];
    for (let i = 0; i < 9; i++) {
      const [p, q] = [new Float64Array(3), new Float64Array(3)];
      a.dots(i, W, 3, p);
      b.dots(i, W, 3, q);
      expect(bits(p)).toBe(bits(q));
      expect(p[1]).toBe(a.dot(i, W, 1));
      expect(p[1]).toBeCloseTo(dot(data[i], [...W.subarray(5, 10)]), 14);
      const [s, t] = [W.slice(), W.slice()];
      a.add(i, 0.3, s, 2);
      b.add(i, 0.3, t, 2);
      expect(bits(s)).toBe(bits(t));
      expect(s[10 + 4]).toBe(W[14] + 0.3 * data[i][4]);
      expect([a.normSq(i), a.sum(i)]).toEqual([b.normSq(i), b.sum(i)]);
      expect(a.normSq(i)).toBeCloseTo(dot(data[i], data[i]), 14);
    }
  });
});

describe("codes", () => {
  it("take as few bytes as they can", () => {
    expect([1, 256, 257, 65_536, 65_537].map((k) => allocateLabels(2, k).BYTES_PER_ELEMENT)).toEqual([1, 1, 2, 2, 4]);
    const lengths = (["labels", "rays", "real"] as const).map((form) => {
      const { labels, values } = allocateCodes(form, 5, 3);
      return [labels?.length, values?.length];
    });
    expect(lengths).toEqual([
      [5, undefined],
      [5, 5],
      [undefined, 15],
    ]);
  });

  it("are labelled by what contributes most", () => {
    const W = f64(1, 0, 0, 10);
    const real = { form: "real", k: 2, labels: null, values: f64(3, 0.5, 0, 0) } as const;
    // ½ of a prototype of length 10 is more than 3 of one of length 1.
    expect([...labelCodes(real, W, null)]).toEqual([1, 0]);
  });

  it("of several ones or none are labelled by ⟨x,w⟩/‖w‖²", () => {
    const X = dense([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    const W = f64(1, 0, 0, 4, 0, 1);
    const values = f64(1, 1, 0, 0, 0, 0, 0, 1, 1);
    // Scores 1, ½ and 2.
    expect([...labelCodes({ form: "real", k: 3, labels: null, values }, W, multiplySamples(X, W, 3))]).toEqual([
      0, 2, 2,
    ]);
  });

  it("by nnls are the best there are", () => {
    const data = randomRows(4, 10, 6);
    const W = randomRows(5, 3, 6);
    const { values } = encodeSamples(dense(data), "nnls", Float64Array.from(W.flat()), 3);
    const H = flip(Array.from({ length: 10 }, (_, i) => [...values!.subarray(3 * i, 3 * i + 3)]));
    const loss = lossOf(flip(data), { W: flip(W), H });
    for (let p = 0; p < 30; p++) {
      for (const change of [1e-3, -1e-3]) {
        const moved = H.map((row, r) => row.map((h, i) => (r * 10 + i === p ? Math.max(0, h + change) : h)));
        expect(lossOf(flip(data), { W: flip(W), H: moved })).toBeGreaterThanOrEqual(loss - 1e-12);
      }
    }
  });

  it("by binary do not depend on earlier ones", () => {
    const W = Float64Array.from(randomRows(6, 4, 5).flat());
    const codes = encodeSamples(dense(randomRows(7, 20, 5)), "binary", W, 4);
    const G = gramOf(W, 4);
    // Settled: another time through the entries changes nothing.
    for (let i = 0; i < 20; i++) {
      const h = codes.values!.slice(4 * i, 4 * i + 4);
      const WtX = new Float64Array(4);
      rowsOf(dense(randomRows(7, 20, 5))).dots(i, W, 4, WtX);
      REAL.binary!(WtX, h, new Float64Array(4), { rule: "binary", k: 4, W, gram: G }, i);
      expect([...h]).toEqual([...codes.values!.subarray(4 * i, 4 * i + 4)]);
    }
  });
});
