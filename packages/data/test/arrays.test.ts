import { Dense, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import {
  decodeText,
  finishLoaded,
  isUnlabelled,
  joinLoaded,
  loadArff,
  loadLibsvm,
  loadMarket,
  loadNpy,
  namePixels,
  shrinkSize,
} from "../src/index.js";

const encoder = new TextEncoder();
const rowsOf = ({ X }: Pick<ReturnType<typeof loadNpy>, "X">) =>
  Array.from({ length: X.samples }, (_, i) => Array.from(X.row(i)));
const libsvm = (...texts: string[]) =>
  loadLibsvm(texts.map((text, i) => ({ name: `${i}.svm`, bytes: encoder.encode(text) })));

describe("files that are a matrix", () => {
  it("have pictures in NumPy arrays of three dimensions", () => {
    const flat = writeNpy(Dense.from([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])); // biome-ignore format: rows
    const text = String.fromCharCode(...flat).replace("(2, 6), }   ", "(2, 2, 3), }");
    const loaded = loadNpy(
      Uint8Array.from(text, (c) => c.charCodeAt(0)),
      "a.npy",
    );
    expect(loaded.recipe).toEqual({ image: { width: 3, height: 2 } });
    expect(rowsOf(loaded)[1]).toEqual([6, 7, 8, 9, 10, 11]);
  });

  it("are refused where a value is infinite, or too large for 32 bits", () => {
    for (const value of [Number.NEGATIVE_INFINITY, 1e78]) {
      const bytes = writeNpy(Dense.from([[1, 2], [value, 3]], "f64")); // biome-ignore format: rows
      expect(() => finishLoaded("npy", loadNpy(bytes, "a.npy"), "a.npy", {})).toThrow(
        "a.npy, sample 2, feature 1: the value is infinite",
      );
    }
    const [sparse] = libsvm("1 2:1e78\n");
    expect(() => finishLoaded("libsvm", sparse, "a.svm", { missing: "zero" })).toThrow(
      "a.svm, sample 1, feature 2: the value is infinite",
    );
  });

  it("count LIBSVM indices from 0 in all files where one has index 0", () => {
    const [first, second] = libsvm("1 1:5\n2 2:6\n", "1 0:7\n");
    expect(rowsOf(first)).toEqual([
      [0, 5, 0],
      [0, 0, 6],
    ]);
    expect(second.recipe).toEqual({ zeroBased: true });
    expect(() => libsvm("1 x:5\n")).toThrow("is not index:value");
  });

  it("know that LIBSVM labels of 0 throughout are none", () => {
    expect(libsvm("0 1:1\n0 1:2\n").every(isUnlabelled)).toBe(true);
    expect(libsvm("0 1:1\n1 1:2\n").some(isUnlabelled)).toBe(false);
  });

  it("have numbers for labels where all are", () => {
    const arff = (values: string) => `@relation r\n@attribute a numeric\n@attribute c {${values}}\n@data\n1,1\n2,2\n`;
    expect(loadArff(encoder.encode(arff("1,2")), "a.arff")).toMatchObject({ features: ["a"], labels: [1, 2] });
    const market = "%%MatrixMarket matrix array real general\n2 1\n1\n2\n";
    expect(rowsOf(loadMarket(encoder.encode(market), "a.mtx"))).toEqual([[1], [2]]);
  });

  it("are joined where their features agree", () => {
    const [a, b] = libsvm("1 2:5\n", "2 2:6\n");
    expect(rowsOf(joinLoaded([a, b], ["a", "b"]))).toEqual([
      [0, 5],
      [0, 6],
    ]);
    const [c] = libsvm("1 3:5\n");
    expect(() => joinLoaded([a, c], ["a", "c"])).toThrow("a has 2 features but c has 3");
  });
});

describe("the user's wishes", () => {
  const holes = () => ({
    X: Dense.from([[1, Number.NaN], [3, 4], [Number.NaN, 8]]), // biome-ignore format: rows
    features: ["a", "b"],
    labels: [1, 2, 3],
  });

  it("fill missing values, and the recipe knows by what", () => {
    const data = finishLoaded("npy", holes(), "a.npy", { missing: "mean" });
    expect(rowsOf(data)).toEqual([[1, 6], [3, 4], [2, 8]]); // biome-ignore format: rows
    expect(data.recipe).toEqual({ kind: "npy", fills: { a: 2, b: 6 } });
    expect(data.notes).toEqual(["2 missing values were set to the mean of their feature"]);
    const like = { features: ["a", "b"], recipe: data.recipe, count: 2 };
    expect(rowsOf(finishLoaded("npy", holes(), "b.npy", { missing: "mean", like }))[0]).toEqual([1, 6]);
  });

  it("by default fill with the median", () => {
    const data = finishLoaded("npy", holes(), "a.npy", {});
    expect(rowsOf(data)).toEqual([[1, 4], [3, 4], [1, 8]]); // biome-ignore format: rows
    expect(data.recipe).toEqual({ kind: "npy", fills: { a: 1, b: 4 } });
    expect(data.notes).toEqual(["2 missing values were set to the median of their feature"]);
  });

  it("drop samples with missing values, and their labels", () => {
    const data = finishLoaded("npy", holes(), "a.npy", { missing: "drop" });
    expect([rowsOf(data), data.labels]).toEqual([[[3, 4]], [2]]);
    expect(data.notes).toEqual(["2 samples with missing values were dropped"]);
    expect(() => finishLoaded("npy", holes(), "a.npy", { strict: true })).toThrow(
      'a.npy, sample 1, feature "b": the value is missing',
    );
  });

  it("bring samples to the features of a model", () => {
    const loaded = { X: Dense.from([[1, 2, 3]]), features: ["c", "a", "b"], labels: null };
    const like = { features: ["a", "c"], recipe: { kind: "npy" as const }, count: 2 };
    const data = finishLoaded("npy", loaded, "a.npy", { like });
    expect([rowsOf(data), data.notes]).toEqual([[[2, 1]], ['the model does not use "b"']]);
    const other = { ...like, features: ["a", "d"] };
    expect(() => finishLoaded("npy", loaded, "a.npy", { like: other })).toThrow(
      'it lacks "d"; it has besides "c", "b"',
    );
    expect(() => finishLoaded("npy", { ...loaded, features: null }, "a.npy", { like })).toThrow("has 3 features");
  });
});

it("decodes UTF-8, and else Latin 1", () => {
  expect(decodeText(encoder.encode("naïve"))).toEqual({ text: "naïve", old: false });
  expect(decodeText(Uint8Array.of(0xe9, 0x80))).toEqual({ text: "\u00e9\u0080", old: true });
});

it("shrinks pictures to 64 pixels, and names pixels row by row", () => {
  expect(shrinkSize({ width: 640, height: 100 })).toEqual({ width: 64, height: 10 });
  expect(shrinkSize({ width: 3, height: 2 })).toEqual({ width: 3, height: 2 });
  expect(namePixels({ width: 2, height: 2 })).toEqual(["p0_0", "p0_1", "p1_0", "p1_1"]);
});
