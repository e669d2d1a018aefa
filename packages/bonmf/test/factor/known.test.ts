import { describe, expect, it } from "vitest";
import {
  AbortError,
  Dense,
  type FitOptions,
  fit,
  loadModel,
  type Model,
  resume,
  Sparse,
  saveModel,
} from "../../src/index.js";
import { uniform } from "../../src/random.js";
import {
  divergenceOf,
  type Factors,
  iterateBinary,
  iterateDivergence,
  iterateHals,
  iterateLabels,
  iterateNmf,
  lossOf,
} from "./known-oracle.js";

const rowsOf = (X: Pick<Dense, "samples" | "row">) => Array.from({ length: X.samples }, (_, i) => [...X.row(i)]);

/** n × m of rank 3 and some noise, of which `share` is missing. */
function makeGaps(n: number, m: number, share: number, seed = 5): Dense {
  const X = Dense.zeros(n, m, "f64");
  for (let i = 0; i < n; i++) {
    for (let f = 0; f < m; f++) {
      let x = 0.1 * uniform(seed, 1, i * m + f);
      for (let r = 0; r < 3; r++) x += uniform(seed, 2 + r, i) ** 3 * uniform(seed, 10 + r, f) ** 2;
      const missing = uniform(seed, 20, i * m + f) < share && (i + f) % m !== 0;
      X.data[i * m + f] = missing ? Number.NaN : x;
    }
  }
  return X;
}

const factorsOf = ({ W, H }: Model): Factors => ({ W: rowsOf(W), H: rowsOf(H.toDense()) });

const largestGap = (a: number[][], b: number[][]) =>
  Math.max(...a.flatMap((row, i) => row.map((value, j) => Math.abs(value - b[i][j]))));

const REAL = {
  nmf: iterateNmf,
  divergence: iterateDivergence,
  hals: iterateHals,
  "semi-binary": iterateBinary,
} as const;
const METHODS = ["nmf", "divergence", "hals", "semi-binary", "kmeans", "bonmf", "spherical"] as const;

/** `divergence` is `nmf` with that loss. */
function asked(name: (typeof METHODS)[number]): Pick<FitOptions, "method" | "loss" | "missing"> {
  if (name === "divergence") return { method: "nmf", loss: "kullback-leibler", missing: "mask" };
  return { method: name, missing: "mask" };
}

describe("missing values are left out", () => {
  for (const method of ["nmf", "divergence", "hals", "semi-binary"] as const) {
    for (const share of [0.02, 0.3, 0.8]) {
      it(`${method}, ${100 * share} % missing: fifty iterations of the formulas`, async () => {
        const X = makeGaps(60, 12, share);
        const options = { k: 3, ...asked(method), tolerance: 0, seed: 2 };
        const first = await fit(X, { ...options, maxIterations: 1 });
        const last = await fit(X, { ...options, maxIterations: 51 });
        const rows = rowsOf(X);
        let factors = factorsOf(first);
        for (let iteration = 0; iteration < 50; iteration++) factors = REAL[method](rows, factors);
        const scale = Math.max(...factors.W.flat());
        expect(largestGap(rowsOf(last.W), factors.W) / scale).toBeLessThan(1e-6);
        const norm = rows.flat().reduce((sum, x) => sum + (Number.isNaN(x) ? 0 : x * x), 0);
        expect(last.relativeError).toBeCloseTo(Math.sqrt(lossOf(rows, factors) / norm), 8);
        if (method === "divergence") expect(last.potential / divergenceOf(rows, factors)).toBeCloseTo(1, 8);
      });
    }
  }

  for (const method of ["kmeans", "bonmf", "spherical"] as const) {
    // By angle, a sample of one known value fits every prototype alike.
    for (const share of [0.02, 0.3, method === "kmeans" ? 0.8 : 0.6]) {
      it(`${method}, ${100 * share} % missing: labels and means of known values`, async () => {
        const X = makeGaps(300, 16, share);
        const rule = method === "kmeans" ? "distance" : "cosine";
        const init = [0, 100, 200].map((i) => [...X.row(i)].map((x) => (Number.isNaN(x) ? 0.5 : x)));
        const rows = rowsOf(X);
        let W = init;
        let labels: number[] = [];
        const options = { k: 3, method, missing: "mask", init } as const;
        const model = await fit(X, options);
        for (let iteration = 0; iteration < model.iterations; iteration++) {
          ({ labels, W } = iterateLabels(rows, W, rule, method === "spherical"));
        }
        expect([...model.labels]).toEqual(labels);
        if (model.stopped === "fixed-point") expect(largestGap(rowsOf(model.W), W)).toBeLessThan(1e-9);
        expect([...model.predict(X)]).toEqual(labels);
      });
    }
  }
});

describe("a fit of samples with gaps", () => {
  const X = makeGaps(700, 9, 0.2);
  const options = (method: (typeof METHODS)[number]): FitOptions => ({
    k: 4,
    ...asked(method),
    seed: 3,
    maxIterations: 12,
  });

  for (const method of METHODS) {
    it(`${method}: the same bits on two threads, dense or sparse`, async () => {
      const one = await fit(X, { ...options(method), threads: 1 });
      const two = await fit(X, { ...options(method), threads: 2 });
      expect(saveModel(two)).toEqual(saveModel(one));
      const pairs = rowsOf(X).map((row) =>
        row.flatMap((x, f): [number, number][] => (Number.isNaN(x) ? [] : [[f, x]])),
      );
      const sparse = await fit(Sparse.from(pairs, 9, "f64"), { ...options(method), threads: 1 });
      expect(sparse.W.data).toEqual(one.W.data);
    });

    it(`${method}: the same bits after an interruption and a file`, async () => {
      const whole = await fit(X, options(method));
      const stop = new AbortController();
      const onStep = ({ iteration }: { iteration: number }) => iteration === 3 && stop.abort();
      const error = await fit(X, { ...options(method), signal: stop.signal, onStep }).catch((reason) => reason);
      expect(error).toBeInstanceOf(AbortError);
      const resumed = await resume(loadModel(saveModel(error.model)), X);
      expect(resumed.W.data).toEqual(whole.W.data);
      expect(resumed.history).toEqual(whole.history);
    });

    it(`${method}: without gaps, what a fit without the option gives`, async () => {
      const full = makeGaps(300, 9, 0);
      const masked = await fit(full, options(method));
      const plain = await fit(full, { ...options(method), missing: "error" });
      expect(masked.W.data).toEqual(plain.W.data);
      expect(masked.labels).toEqual(plain.labels);
      expect(masked.singleError).toBe(plain.singleError);
    });

    it(`${method}: weight 2 counts as two copies`, async () => {
      const part = X.slice(0, 200);
      const doubled = new Dense(400, 9, Float64Array.from([...part.data, ...part.data]));
      const init = [0, 1, 2, 3].map((i) => [...part.row(i)].map((x) => (Number.isNaN(x) ? 0.4 : x)));
      const weighted = await fit(part, { ...options(method), init, weights: new Float64Array(200).fill(2) });
      const copied = await fit(doubled, { ...options(method), init });
      expect(largestGap(rowsOf(weighted.W), rowsOf(copied.W))).toBeLessThan(1e-7);
    });
  }

  it("a value that is missing does not matter", async () => {
    const sparse = (value: number) =>
      Sparse.from(
        rowsOf(X).map((row) => row.flatMap((x, f): [number, number][] => (Number.isNaN(x) ? [[f, value]] : [[f, x]]))),
        9,
        "f64",
      );
    const model = await fit(X, { ...options("hals") });
    const stored = await fit(sparse(Number.NaN), { ...options("hals") });
    expect(stored.W.data).toEqual(model.W.data);
  });
});
