import { describe, expect, it } from "vitest";
import { BonmfError, DataError, OptionError, type Place } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit, resume } from "../../src/model/fit.js";
import type { FitOptions } from "../../src/model/options.js";

const X = [
  [5, 0, 1],
  [4, 1, 0],
  [0, 3, 3],
  [1, 4, 5],
];

async function failure(work: Promise<unknown>): Promise<BonmfError> {
  const error = await work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(BonmfError);
  return error as BonmfError;
}

async function dataError(work: Promise<unknown>, code: string, message: RegExp, place: Place = {}): Promise<void> {
  const error = await failure(work);
  expect(error).toBeInstanceOf(DataError);
  expect([error.name, error.code]).toEqual(["DataError", code]);
  expect(error.message).toMatch(message);
  expect((error as DataError).place).toEqual(place);
}

async function optionError(work: Promise<unknown>, option: string, value: unknown, message: RegExp): Promise<void> {
  const error = await failure(work);
  expect(error).toBeInstanceOf(OptionError);
  expect([error.name, error.code, (error as OptionError).option]).toEqual(["OptionError", "option", option]);
  expect((error as OptionError).value).toEqual(value);
  expect(error.message).toMatch(message);
}

/** Options as a JavaScript caller may hand them in. */
const loose = (options: Record<string, unknown>) => options as unknown as FitOptions;

describe("data", () => {
  const spoilt = (sample: number, feature: number, value: unknown): number[][] =>
    X.map((row, i) => row.map((x, f) => (i === sample && f === feature ? (value as number) : x)));

  it("negative", async () => {
    const message =
      /^sample 2, feature 1 is -3: .* needs values of 0 or more\..*"split", "minmax" or "shift" \(counting from 0\)$/;
    await dataError(fit(spoilt(2, 1, -3), { k: 2, method: "nmf" }), "negative", message, {
      sample: 2,
      feature: 1,
      value: -3,
    });
    const sparse = Sparse.fromDense(Dense.from(spoilt(2, 1, -3)));
    await dataError(fit(sparse, { k: 2, method: "em-onmf" }), "negative", message, {
      sample: 2,
      feature: 1,
      value: -3,
    });
  });

  it("negative, with the feature's name", async () => {
    const work = fit(spoilt(2, 1, -3), { k: 2, method: "nmf", featureNames: ["width", "height", "depth"] });
    const place = { sample: 2, feature: 1, featureName: "height", value: -3 };
    await dataError(work, "negative", /^sample 2, feature 1 \("height"\) is -3: /, place);
  });

  it.each([NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("%d", async (value) => {
    const place = { sample: 3, feature: 0, value };
    const message = new RegExp(`^sample 3, feature 0 is ${value}: values must be finite numbers\\. Replace or drop it`);
    await dataError(fit(spoilt(3, 0, value), { k: 2 }), "not-finite", message, place);
    await dataError(fit(spoilt(3, 0, value), { k: 2, scale: "minmax" }), "not-finite", message, place);
    const sparse = Sparse.fromDense(Dense.from(spoilt(3, 0, value)));
    await dataError(fit(sparse, { k: 2 }), "not-finite", message, place);
  });

  it("signed with a scaler is none", async () => {
    for (const scale of ["minmax", "shift", "split"] as const) {
      expect((await fit(spoilt(2, 1, -3), { k: 2, scale })).labels.length).toBe(4);
    }
    for (const scale of ["l2", "tfidf"] as const) {
      expect((await failure(fit(spoilt(2, 1, -3), { k: 2, scale, method: "nmf" }))).code).toBe("negative");
    }
  });

  it("signed is none for cosines and distances of means", async () => {
    for (const method of ["bonmf", "spherical", "kmeans"] as const) {
      expect((await fit(spoilt(2, 1, -3), { k: 2, method })).labels.length).toBe(4);
    }
    const literal = fit(spoilt(2, 1, -3), { k: 2, update: "multiplicative" });
    expect((await failure(literal)).code).toBe("negative");
  });

  it("standardised for a method without signs", async () => {
    const message = /"standard" gives negative values, which method "nmf" cannot take: choose "split" or "minmax"/;
    await optionError(fit(X, { k: 2, method: "nmf", scale: "standard" }), "scale", "standard", message);
  });

  it("ragged rows", async () => {
    const work = fit([[1, 2], [3]], { k: 1 });
    await dataError(work, "ragged", /^sample 1 has 1 values but sample 0 has 2/, { sample: 1, value: 1 });
  });

  it.each([
    ["text", "7", /^sample 1, feature 2 is "7", not a number \(counting from 0\)$/],
    ["null", null, /^sample 1, feature 2 is null, not a number \(counting from 0\)$/],
    ["nothing", undefined, /^sample 1, feature 2 is undefined, not a number \(counting from 0\)$/],
  ])("a cell that is %s", async (_, value, message) => {
    await dataError(fit(spoilt(1, 2, value), { k: 2 }), "type", message, { sample: 1, feature: 2, value });
  });

  it("no samples, no features", async () => {
    await dataError(fit([], { k: 1 }), "empty", /^there are no samples: at least one is needed$/);
    await dataError(fit(Dense.zeros(0, 3), { k: 1 }), "empty", /^there are no samples/);
    await dataError(fit([[], []], { k: 1 }), "empty", /^the samples have no features/);
  });

  it("values whose squares 32 bits cannot hold, where they are squared", async () => {
    const rows = [
      [5, 0],
      [4, 1],
      [0, 3],
      [1, 4],
    ].map((row) => row.map((x) => 2e25 * x));
    const tiny = rows.map((row) => row.map((x) => 1e-45 * x));
    const kmeans = { k: 2, method: "kmeans", seed: 1 } as const;
    const asked = { ...kmeans, scale: "none" } as const;
    const large =
      /^sample 0, feature 0: the largest value is 1\.00e\+26, too large .* in 32 bits: add scale: "exponent"/;
    const at = (value: number) => ({ sample: 0, feature: 0, value: Math.fround(value) });
    await dataError(fit(rows, asked), "range", large, at(5 * 2e25));
    await dataError(fit(rows, { ...asked, restarts: 3 }), "range", large, at(5 * 2e25));
    await dataError(fit(tiny, asked), "range", /the largest value is 1\.00e-19, too small/, at(1e-45 * 5 * 2e25));
    for (const data of [rows, tiny]) {
      const labels = (await fit(data, { ...kmeans, precision: "f64" })).labels;
      expect(labels[0] === labels[1] && labels[2] === labels[3] && labels[0] !== labels[2]).toBe(true);
      expect((await fit(data, { k: 2, seed: 1 })).converged).toBe(true);
      expect((await fit(data, kmeans)).labels).toEqual(labels);
    }
  });

  it("no matrix at all", async () => {
    const flat = [1, 2, 3] as unknown as number[][];
    await optionError(
      fit(flat, { k: 1 }),
      "X",
      1,
      /one array of numbers per sample, but entry 0 is 1; wrap a flat typed/,
    );
    const nothing = null as unknown as number[][];
    await optionError(fit(nothing, { k: 1 }), "X", null, /must be a Dense or Sparse matrix or an array of arrays/);
  });

  it("a Dense or Sparse matrix that is not one", () => {
    expect(() => new Dense(2, 2, new Float64Array(3))).toThrow(/2 samples × 2 features need 4 values, .* holds 3/);
  });
});

describe("weights", () => {
  it("too few", async () => {
    await dataError(fit(X, { k: 2, weights: [1, 2] }), "weights", /^there are 4 samples but 2 weights/);
  });

  it.each([-1, NaN, Number.POSITIVE_INFINITY])("%d", async (value) => {
    const work = fit(X, { k: 2, weights: [1, 1, value, 1] });
    const message = new RegExp(`^the weight of sample 2 is ${value}: it must be 0 or more \\(counting from 0\\)$`);
    await dataError(work, "weights", message, { sample: 2, value });
  });

  it("all zero", async () => {
    await dataError(fit(X, { k: 2, weights: [0, 0, 0, 0] }), "weights", /^all weights are 0/);
  });
});

describe("options", () => {
  it.each([0, -1, 1.5, NaN, "3", null])("k = %s", async (k) => {
    await optionError(fit(X, loose({ k })), "k", k, /^k must be a whole number, 1 or more, not /);
  });

  it("k > n", async () => {
    await optionError(fit(X, { k: 5 }), "k", 5, /^k is 5 but there are only 4 samples: choose a k of 1 … 4$/);
    await optionError(fit([[1, 2]], { k: 2 }), "k", 2, /^k is 2 but there is only 1 sample$/);
  });

  it("k = n is fine", async () => {
    expect((await fit(X, { k: 4, seed: 1 })).counts.length).toBe(4);
  });

  it.each([
    ["method", "pca", /^method "pca" is not known: choose one of "bonmf", "spherical", .* "semi-binary"$/],
    ["method", "toString", /^method "toString" is not known/],
    ["init", "zeros", /^init "zeros" is not known: choose one of "columns", "sample", "plusplus", "nndsvd", "random"$/],
    [
      "scale",
      "log",
      /^scale "log" is not known: choose one of "none", "minmax", "shift", "l2", "tfidf", "sqrt-tfidf", "split", "standard", "lift", "exponent", "auto"$/,
    ],
    ["update", "sum", /^update "sum" is not known: choose one of "mean", "multiplicative"$/],
    ["emptyClusters", "drop", /^emptyClusters "drop" is not known: choose one of "reseed", "keep"$/],
  ])("unknown %s %s", async (option, value, message) => {
    await optionError(fit(X, loose({ k: 2, [option]: value })), option, value, message);
  });

  it.each([
    ["seed", -1, 0],
    ["seed", 0.5, 0],
    ["seed", 2 ** 53, 0],
    ["maxIterations", 0, 1],
    ["maxIterations", 2.5, 1],
    ["restarts", 0, 1],
    ["sweeps", 0, 1],
  ])("%s = %d", async (option, value, least) => {
    const message = new RegExp(`^${option} must be a whole number, ${least} or more, not ${value}$`);
    await optionError(fit(X, loose({ k: 2, [option]: value })), option, value, message);
  });

  it.each(["tolerance", "alpha"])("%s below 0 or not a number", async (option) => {
    for (const value of [-1e-9, NaN, Number.POSITIVE_INFINITY]) {
      const message = new RegExp(`^${option} must be a number, 0 or more, not ${value}$`);
      await optionError(fit(X, loose({ k: 2, [option]: value })), option, value, message);
    }
  });

  it("the multiplicative update of another method", async () => {
    const work = fit(X, { k: 2, method: "kmeans", update: "multiplicative" });
    await optionError(work, "update", "multiplicative", /belongs to method "bonmf", not "kmeans"$/);
  });

  it("a given W of the wrong shape", async () => {
    const init = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    const message = /^the given prototypes are 2 × 3, but k = 3 of 3 features are needed$/;
    await optionError(fit(X, { k: 3, init }), "init", init, message);
    const narrow = init.map((row) => row.slice(1));
    await optionError(fit(X, { k: 2, init: narrow }), "init", narrow, /2 × 2, but k = 2 of 3 features/);
    const wide = init.map((row) => [...row, ...row]);
    const split = fit(X, { k: 2, init: wide, scale: "split" });
    await optionError(split, "init", wide, /2 × 6, but k = 2 of 3 features/);
  });

  it("restarts from a given W", async () => {
    const work = fit(X, { k: 2, init: X.slice(0, 2), restarts: 3 });
    await optionError(work, "restarts", 3, /^all runs from given prototypes are the same: omit restarts$/);
  });

  it("a given W with a bad value", async () => {
    const bad = (value: number) => [
      [1, 2, 3],
      [4, value, 6],
    ];
    await dataError(fit(X, { k: 2, method: "em-onmf", init: bad(-1) }), "negative", /feature 1 is -1/, {
      sample: 1,
      feature: 1,
      value: -1,
    });
    await dataError(fit(X, { k: 2, init: bad(NaN) }), "not-finite", /is NaN/, { sample: 1, feature: 1, value: NaN });
  });

  it("a given W that is no matrix", async () => {
    expect((await failure(fit(X, loose({ k: 2, init: null })))).code).toBe("option");
    expect((await failure(fit(X, loose({ k: 2, init: 5 })))).code).toBe("option");
  });

  it("the wrong number of feature names", async () => {
    const featureNames = ["a", "b"];
    const message = /^there are 3 features but 2 feature names: give one for each feature$/;
    await optionError(fit(X, { k: 2, featureNames }), "featureNames", featureNames, message);
  });

  it.each([
    ["text", /^tags must be an object of strings, not "text"$/],
    [null, /^tags must be an object of strings, not null$/],
    [["a"], /^tags must be an object of strings, not an array of 1$/],
  ])("tags that are %o", async (tags, message) => {
    await optionError(fit(X, loose({ k: 2, tags })), "tags", tags, message);
  });

  it("a tag that is no text", async () => {
    const work = fit(X, loose({ k: 2, tags: { source: "a.csv", rows: 7 } }));
    await optionError(work, "tags", 7, /^the tag "rows" is 7, not a string: convert it first$/);
  });

  it("of resume", async () => {
    const model = await fit(X, { k: 2, maxIterations: 1 });
    await optionError(resume(model, X, { maxIterations: 0 }), "maxIterations", 0, /1 or more, not 0$/);
    await optionError(resume(model, X, { tolerance: -1 }), "tolerance", -1, /0 or more, not -1$/);
  });
});

describe("a model given other samples", () => {
  it("with the wrong number of features", async () => {
    const model = await fit(X, { k: 2 });
    const message = /^the model was fitted on 3 features but these samples have 2$/;
    for (const ask of ["predict", "transform", "score", "reconstruct"] as const) {
      await dataError(
        Promise.resolve().then(() => model[ask]([[1, 2]])),
        "features",
        message,
      );
    }
  });

  it("with a value that is not allowed, named as in the fit", async () => {
    const model = await fit(X, { k: 2, method: "em-onmf", featureNames: ["a", "b", "c"] });
    const ask = Promise.resolve().then(() =>
      model.predict([
        [1, 2, 3],
        [1, -2, 3],
      ]),
    );
    const place = { sample: 1, feature: 1, featureName: "b", value: -2 };
    await dataError(ask, "negative", /^sample 1, feature 1 \("b"\) is -2/, place);
  });
});

describe("a bad value in large data, which the engine finds", () => {
  const large = () => new Dense(2100, 512, new Float32Array(2100 * 512).fill(1));

  it.each([
    [-2, "negative"],
    [Number.NaN, "not-finite"],
    [Number.POSITIVE_INFINITY, "not-finite"],
  ])("%d is named with its sample, its feature and the feature's name", async (value, code) => {
    for (const threads of [1, 3]) {
      const X = large();
      X.data[2000 * 512 + 37] = value;
      const featureNames = Array.from({ length: 512 }, (_, f) => `f${f}`);
      const error = await fit(X, { k: 2, method: "nmf", threads, featureNames }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(DataError);
      expect(error).toMatchObject({ code, place: { sample: 2000, feature: 37, featureName: "f37", value } });
    }
  });
});
