import { describe, expect, it } from "vitest";
import {
  classifier,
  Dense,
  fit,
  fitScaler,
  loadModel,
  type Model,
  type ScaleName,
  Sparse,
  saveModel,
} from "../../src/index.js";
import { uniform } from "../../src/random.js";
import { learnSteps } from "../../src/scale/scaler.js";
import { finishSteps } from "../../src/steps.js";

/** n × m of rank 2: a product of two random factors, with signs if asked for. */
function makeRankTwo(n: number, m: number, signed = false): number[][] {
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: m }, (_, f) => {
      const x = uniform(1, 1, i) * uniform(1, 2, f) + uniform(1, 3, i) * uniform(1, 4, f);
      return signed ? 10 * x - 5 : x;
    }),
  );
}

const hide = (X: number[][], share: number) =>
  X.map((row, i) =>
    row.map((x, f) => (uniform(9, 5, i * row.length + f) < share && f !== i % row.length ? Number.NaN : x)),
  );

describe("impute", () => {
  it("finds the hidden entries of a low-rank matrix", async () => {
    const whole = makeRankTwo(120, 20);
    const X = hide(whole, 0.3);
    for (const method of ["hals", "nmf"] as const) {
      const model = await fit(X, {
        k: 2,
        method,
        missing: "mask",
        precision: "f64",
        tolerance: 1e-12,
        maxIterations: 3000,
      });
      const filled = model.impute(X);
      const errors = whole.flatMap((row, i) => row.map((x, f) => Math.abs(x - filled.at(i, f))));
      expect(Math.max(...errors), method).toBeLessThan(method === "hals" ? 1e-3 : 0.05);
    }
  });

  it("leaves known values as they are, to the bit, in the units of the samples", async () => {
    const whole = makeRankTwo(80, 12, true);
    const X = Dense.from(hide(whole, 0.2), "f64");
    const scales: ScaleName[] = ["minmax", "shift", "split", "standard", "lift", "exponent"];
    for (const scale of scales) {
      const signed = scale === "standard" || scale === "lift" || scale === "exponent";
      const method = signed ? "kmeans" : "hals";
      const model = await fit(X, { k: signed ? 20 : 4, method, scale, missing: "mask" });
      const filled = model.impute(X);
      let squares = 0;
      let byMeans = 0;
      const { gaps } = await fit(X, { k: 1, method: "kmeans", missing: "mask" }).then((mean) => mean.separate(X));
      X.data.forEach((x, p) => {
        if (!Number.isNaN(x)) expect(filled.data[p]).toBe(x);
        else {
          const hidden = whole[Math.floor(p / 12)][p % 12];
          squares += (filled.data[p] - hidden) ** 2;
          byMeans += (gaps!.means[p % 12] - hidden) ** 2;
        }
      });
      expect(squares, scale).toBeLessThan(0.6 * byMeans);
    }
  });

  it("fills new samples, and sparse ones", async () => {
    const whole = makeRankTwo(150, 20);
    const model = await fit(hide(whole.slice(0, 100), 0.2), {
      k: 2,
      method: "hals",
      missing: "mask",
      maxIterations: 2000,
      tolerance: 1e-10,
    });
    const later = hide(whole.slice(100), 0.4);
    const pairs = later.map((row) => row.flatMap((x, f): [number, number][] => (Number.isNaN(x) ? [] : [[f, x]])));
    const filled = model.impute(Sparse.from(pairs, 20));
    expect(filled.data).toEqual(model.impute(later).data);
    filled.data.forEach((x, p) => {
      expect(Math.abs(x - whole[100 + Math.floor(p / 20)][p % 20])).toBeLessThan(0.05);
    });
  });

  it("has a bound where components are far too many for what is known", async () => {
    const whole = makeRankTwo(150, 16).map((row, i) => row.map((x, f) => x + uniform(2, 6, 16 * i + f)));
    const X = hide(whole, 0.4);
    const most = Math.max(...X.flat().filter((x) => !Number.isNaN(x)));
    for (const scale of ["none", "minmax"] as const) {
      const model = await fit(X, {
        k: 12,
        method: "hals",
        missing: "mask",
        scale,
        maxIterations: 500,
        tolerance: 1e-9,
      });
      const filled = model.impute(X);
      expect(Math.max(...filled.data), scale).toBeLessThan(scale === "none" ? 10 * most : most * (1 + 1e-6));
    }
  });

  it("needs a model that knows missing values", async () => {
    const model = await fit(makeRankTwo(10, 4), { k: 2 });
    expect(() => model.impute([[1, Number.NaN, 2, 3]])).toThrow('fit it with missing: "mask" to impute them');
    expect(() => model.predict([[1, Number.NaN, 2, 3]])).toThrow('or fit with missing: "mask"');
  });
});

describe("scalers", () => {
  it("learn from known values alone and leave the others missing", () => {
    const X = Dense.from(
      [
        [1, 10],
        [Number.NaN, 20],
        [3, Number.NaN],
        [8, 60],
      ],
      "f64",
    );
    for (const name of ["minmax", "shift", "standard", "exponent"] as const) {
      const scaler = finishSteps(learnSteps(name, X));
      [0, 1].forEach((f) => {
        const column = [0, 1, 2, 3].map((i) => X.at(i, f));
        const known = column.filter((x) => !Number.isNaN(x));
        const own = fitScaler(
          name,
          Dense.from(
            known.map((x) => [x]),
            "f64",
          ),
        );
        if (name !== "exponent")
          expect(Object.values(scaler.state()).map((values) => values[f])).toEqual(
            Object.values(own.state()).map(([value]) => value),
          );
        const scaled = scaler.transform(X);
        column.forEach((x, i) => {
          expect(Number.isNaN(scaled.at(i, f))).toBe(Number.isNaN(x));
        });
      });
    }
  });

  it("splits a missing value into two missing ones", async () => {
    const model = await fit(
      [
        [1, -1],
        [2, Number.NaN],
        [-3, 4],
      ],
      { k: 1, method: "hals", scale: "split", missing: "mask" },
    );
    const { Z, gaps } = model.separate([
      [2, Number.NaN],
      [1, 1],
    ]);
    expect([Z.samples, Z.features]).toEqual([2, 4]);
    expect([...gaps!.features]).toEqual([1, 3]);
  });
});

describe("a model of samples with gaps", () => {
  const whole = makeRankTwo(200, 10);
  const X = hide(whole, 0.2);
  const fitted: Promise<Model[]> = Promise.all(
    [
      ...(["bonmf", "kmeans", "spherical", "hals", "semi-binary"] as const).map((method) => ({ method })),
      { method: "nmf", loss: "kullback-leibler" } as const,
    ].map((asked) => fit(X, { k: 3, ...asked, missing: "mask", seed: 4, maxIterations: 500 })),
  );

  it("has the same labels for the training samples, and after a file", async () => {
    for (const model of await fitted) {
      if (model.method === "bonmf" && !model.converged) continue;
      expect([...model.predict(X)], model.method).toEqual([...model.labels]);
      const again = loadModel(saveModel(model));
      expect(again.settings.missing).toBe("mask");
      expect(again.impute(X).data).toEqual(model.impute(X).data);
    }
  });

  it("measures errors over known entries, as the fit does", async () => {
    for (const model of await fitted) {
      const { relativeError, singleError } = model.measureErrors(X);
      expect(singleError, model.method).toBeCloseTo(model.singleError!, 5);
      if (model.method !== "semi-binary") expect(relativeError, model.method).toBeCloseTo(model.relativeError, 2);
    }
  });

  it("explains and prepares samples with gaps", async () => {
    for (const model of await fitted) {
      expect(model.explain(X).map(({ cluster }) => cluster)).toEqual([...model.predict(X)]);
      expect(model.prepare(X).toDense().data.every(Number.isFinite)).toBe(true);
    }
  });

  it("classifies samples with gaps", async () => {
    const classes = whole.map((row) => (row[0] > row[5] ? "a" : "b"));
    const [model] = await fitted;
    const trained = await classifier(model, X, classes);
    const right = trained.predict(X).filter((answer, i) => answer === classes[i]).length;
    expect(right).toBeGreaterThan(160);
  });
});

describe("bad gaps", () => {
  const options = { k: 1, missing: "mask" } as const;
  it("names a sample without a known value", async () => {
    const rows = [
      [1, 2],
      [Number.NaN, Number.NaN],
      [3, 4],
    ];
    await expect(fit(rows, options)).rejects.toThrow("sample 1 has no known value: drop the sample");
    const model = await fit(
      [
        [1, 2],
        [3, 4],
      ],
      options,
    );
    expect(() => model.predict(rows)).toThrow("sample 1 has no known value");
  });

  it("names a feature without a known value", async () => {
    const rows = [
      [1, Number.NaN],
      [2, Number.NaN],
    ];
    const message = 'feature 1 ("height") has no known value in any sample: drop the feature';
    await expect(fit(rows, { ...options, featureNames: ["width", "height"] })).rejects.toThrow(message);
    await expect(fit(rows, { ...options, method: "kmeans", scale: "standard" })).rejects.toThrow(
      "feature 1 has no known value",
    );
  });

  it("still refuses infinite and negative values", async () => {
    await expect(
      fit(
        [
          [1, Number.NaN],
          [Number.POSITIVE_INFINITY, 2],
        ],
        options,
      ),
    ).rejects.toThrow("sample 1, feature 0 is Infinity");
    await expect(
      fit(
        [
          [1, Number.NaN],
          [-1, 2],
        ],
        { ...options, method: "nmf" },
      ),
    ).rejects.toThrow("sample 1, feature 0 is -1");
  });

  it("refuses methods, updates and scalers that need every value", async () => {
    const rows = [
      [1, 2],
      [3, Number.NaN],
    ];
    await expect(fit(rows, { ...options, method: "em-onmf" })).rejects.toThrow(
      'missing: "mask" is not for method "em-onmf"',
    );
    await expect(fit(rows, { ...options, update: "multiplicative" })).rejects.toThrow("omit update");
    await expect(fit(rows, { ...options, scale: "l2" })).rejects.toThrow("choose another scaler");
    await expect(fit(rows, { ...options, missing: "zero" as never })).rejects.toThrow('missing "zero" is not known');
  });
});
