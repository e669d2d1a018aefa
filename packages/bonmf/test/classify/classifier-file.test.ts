import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClassifierOptions, classifier } from "../../src/classify/classifier.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import { SCHEMES, type SchemeName } from "../../src/classify/scheme.js";
import { BonmfError, FormatError, OptionError } from "../../src/errors.js";
import type { MethodName } from "../../src/factor/settings.js";
import { Dense, type Precision } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";
import { decodeTensors, type Tensor } from "../../src/model/safetensors.js";
import { complaint, type Json, replace } from "../model/files.js";
import { blobRows, draws, wholeRows } from "../synthetic.js";

const next = draws(5);
/** Real values, then whole ones, so that some samples are exactly as close as others; the last is zero. */
const rows = [...blobRows(1, 60, 4, 4).map((row) => row.map((v) => v + next())), ...wholeRows(3, 40, 4), [0, 0, 0, 0]];
const y = rows.map((_, i) => [7, -2, "b", "ä \ud800"][(i * i + (i >> 2)) % 4]);
const queries = [...blobRows(2, 60, 4, 4), ...wholeRows(4, 60, 4), [0, 0, 0, 0]];

const KINDS = {
  "dense f32": (of: number[][]) => Dense.from(of, "f32"),
  "dense f64": (of: number[][]) => Dense.from(of, "f64"),
  "sparse f32": (of: number[][]) => Sparse.fromDense(Dense.from(of, "f32")),
  "sparse f64": (of: number[][]) => Sparse.fromDense(Dense.from(of, "f64")),
};
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];
const methodFor = (scheme: SchemeName): MethodName =>
  scheme === "coefficients" ? "nmf" : scheme === "onmf" ? "onmf" : "bonmf";

async function make(options: ClassifierOptions & { scheme: SchemeName }, X: Matrix = KINDS["dense f32"](rows)) {
  const model = await fit(X, { k: 5, seed: 2, method: methodFor(options.scheme), maxIterations: 30, tags: { a: "b" } });
  return classifier(model, X, y, options);
}

describe("a classifier that was saved and loaded", () => {
  const cases = SCHEMES.flatMap((scheme) => kinds.map((kind) => ({ scheme, kind })));

  it.each(cases)("answers the same: $scheme, $kind", async ({ scheme, kind }) => {
    const clf = await make({ scheme }, KINDS[kind](rows));
    const bytes = saveClassifier(clf);
    const loaded = await loadClassifier(bytes);
    expect(loaded).toMatchObject({ scheme, classes: clf.classes, neighbors: 5, probes: "exact", reject: {} });
    for (const asked of kinds) {
      const Q = KINDS[asked](queries);
      expect(loaded.explain(Q)).toStrictEqual(clf.explain(Q));
      expect(loaded.probabilities(Q)).toStrictEqual(clf.probabilities(Q));
    }
    expect(saveClassifier(loaded)).toStrictEqual(bytes);
  });

  it.each(cases)("is a model file too: $scheme, $kind", async ({ scheme, kind }) => {
    const clf = await make({ scheme }, KINDS[kind](rows));
    const model = loadModel(saveClassifier(clf));
    expect(saveModel(model)).toStrictEqual(saveModel(clf.model));
    expect(model.predict(queries)).toStrictEqual(clf.model.predict(queries));
    expect(model.tags).toEqual({ a: "b" });
  });

  it.each<ClassifierOptions & { scheme: SchemeName }>([
    { scheme: "vote", neighbors: 9, probes: 2, reject: { margin: 0.02 } },
    { scheme: "vote", neighbors: 500, reject: { angle: 0.3 } },
    { scheme: "nearest", reject: { margin: 0.01, angle: 0.4 } },
    { scheme: "majority", reject: { margin: Number.POSITIVE_INFINITY } },
    { scheme: "majority", reject: { angle: Number.POSITIVE_INFINITY } },
  ])("keeps its options: %o", async (options) => {
    const clf = await make(options);
    const loaded = await loadClassifier(saveClassifier(clf));
    expect({ neighbors: loaded.neighbors, probes: loaded.probes }).toEqual({
      neighbors: options.neighbors ?? 5,
      probes: options.probes ?? "exact",
    });
    expect(loaded.explain(queries)).toStrictEqual(clf.explain(queries));
  });

  it.each(["minmax", "split", "tfidf"] as const)("scales by %s, and may be trained on others", async (scale) => {
    const model = await fit(rows, { k: 6, seed: 1, scale, method: "kmeans" });
    const clf = await classifier(
      model,
      queries,
      queries.map((_, i) => i % 3),
      { scheme: "vote", neighbors: 3 },
    );
    expect((await loadClassifier(saveClassifier(clf))).explain(rows)).toStrictEqual(clf.explain(rows));
  });

  it.each<ClassifierOptions>([
    { scheme: "majority" },
    { scheme: "nearest" },
    { neighbors: 9, probes: 2 },
    { neighbors: 2, reject: { margin: 0.02 }, scheme: undefined },
  ])("can be told to answer by %o", async (change) => {
    const clf = await make({ scheme: "vote", neighbors: 3 });
    const wanted = await classifier(clf.model, rows, y, { scheme: "vote", neighbors: 3, ...defined(change) });
    const loaded = await loadClassifier(saveClassifier(clf), "a.bonmf", change);
    expect(loaded.explain(queries)).toStrictEqual(wanted.explain(queries));
  });

  it.each<[SchemeName, ClassifierOptions, RegExp]>([
    [
      "majority",
      { scheme: "vote" },
      /^scheme "vote" needs the training samples, which a classifier saved with "majority"/,
    ],
    ["coefficients", { scheme: "nearest" }, /^scheme "nearest" needs .* saved with "coefficients" does not contain$/],
    ["vote", { scheme: "onmf" }, /^scheme "onmf" compares coefficients/],
    ["vote", { neighbors: 0 }, /^neighbors must be a whole number, 1 or more, not 0$/],
  ])("cannot be told what its file does not allow: %s, %o", async (scheme, change, message) => {
    const bytes = saveClassifier(await make({ scheme }));
    const error: unknown = await loadClassifier(bytes, "a.bonmf", change).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect((error as Error).message).toMatch(message);
  });

  it("has clusters without training samples", async () => {
    const model = await fit(rows, { k: 5, seed: 2 });
    for (const scheme of ["majority", "vote"] as const) {
      const clf = await classifier(model, rows.slice(0, 2), ["x", "y"], { scheme, probes: 1 });
      expect((await loadClassifier(saveClassifier(clf))).explain(queries)).toStrictEqual(clf.explain(queries));
    }
  });

  it("keeps classes that JSON has no words for", async () => {
    const labels = [
      Number.NEGATIVE_INFINITY,
      -0,
      1e-300,
      Number.POSITIVE_INFINITY,
      "Infinity",
      "",
      '"\u0000',
      "__proto__",
    ];
    const model = await fit(rows, { k: 5 });
    const clf = await classifier(
      model,
      rows,
      rows.map((_, i) => labels[i % labels.length]),
      { scheme: "majority" },
    );
    const { classes } = await loadClassifier(saveClassifier(clf));
    expect(classes).toStrictEqual(clf.classes);
    expect(Object.is(classes[1], 0)).toBe(true);
  });

  it.each([
    [256, "U8"],
    [257, "U16"],
  ])("of %i classes has them as narrow as they can be", async (count, dtype) => {
    const X = Array.from({ length: 2 * count }, (_, i) => [1 + (i % 7), 1 + (i % 11)]);
    const clf = await classifier(
      await fit(X, { k: 2 }),
      X,
      X.map((_, i) => `class ${i % count}`),
      { scheme: "vote" },
    );
    const bytes = saveClassifier(clf);
    const { data } = decodeTensors(bytes).tensors.get("classifier.y")!;
    expect(data).toBeInstanceOf(dtype === "U8" ? Uint8Array : Uint16Array);
    expect((await loadClassifier(bytes)).predict(X)).toEqual(clf.predict(X));
  });

  it("keeps nothing of the bytes, wherever they lie, nor of the training samples", async () => {
    for (const kind of kinds) {
      const X = KINDS[kind](rows);
      const clf = await make({ scheme: "vote" }, X);
      const answers = clf.explain(queries);
      const bytes = saveClassifier(clf);
      (X.kind === "dense" ? X.data : X.values).fill(1);
      expect(saveClassifier(clf)).toStrictEqual(bytes);
      for (const offset of [0, 1, 4]) {
        const moved = new Uint8Array(new ArrayBuffer(bytes.length + offset), offset);
        moved.set(bytes);
        const loaded = await loadClassifier(moved);
        moved.fill(0xff);
        expect(loaded.explain(queries)).toStrictEqual(answers);
      }
    }
  });
});

describe("a classifier file", async () => {
  const tables = Object.fromEntries(
    await Promise.all(SCHEMES.map(async (scheme) => [scheme, saveClassifier(await make({ scheme }))] as const)),
  ) as Record<SchemeName, Uint8Array>;
  const sparse = saveClassifier(await make({ scheme: "vote" }, KINDS["sparse f32"](rows)));
  const files = { ...tables, sparse };

  const own = (bytes: Uint8Array) => [...decodeTensors(bytes).tensors.keys()].filter((name) => name.startsWith("cl"));
  const fail = async (bytes: Uint8Array) =>
    loadClassifier(bytes, "a.bonmf").then(
      () => "none",
      (error: unknown) => {
        // A flipped bit can take away the field's name.
        const none = error instanceof BonmfError && error.code === "no-classifier";
        if (error instanceof FormatError || none) return error.message;
        throw error;
      },
    );

  it("holds what its scheme needs and no more", () => {
    expect(own(files.majority)).toEqual(["classifier.counts"]);
    expect(own(files.coefficients)).toEqual(["classifier.y"]);
    for (const scheme of ["nearest", "vote", "onmf", "onmf+cos"] as const) {
      expect(own(files[scheme]).sort()).toEqual(["classifier.Z", "classifier.y"]);
    }
    const parts = ["Z.indices", "Z.offsets", "Z.values", "y"].map((name) => `classifier.${name}`);
    expect(own(sparse).sort()).toEqual(parts);
    expect(decodeTensors(files.majority).tensors.get("classifier.counts")?.shape).toEqual([5, 4]);
    expect(decodeTensors(files.vote).metadata).toMatchObject({
      classifier: '{"scheme":"vote","neighbors":5,"probes":"exact","reject":{"margin":null,"angle":null}}',
      classes: '[-2,7,"b","ä \\ud800"]',
    });
  });

  it("is asked for where there is only a model", async () => {
    const bytes = saveModel((await make({ scheme: "vote" })).model);
    const error = await loadClassifier(bytes, "a.bonmf").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "no-classifier" });
    expect(String(error)).toMatch(/^BonmfError: a\.bonmf: this is a model without a classifier: read it by loadModel/);
    await expect(loadClassifier("text" as unknown as Uint8Array)).rejects.toThrow(OptionError);
    expect(() => saveClassifier(loadModel(bytes) as never)).toThrow(/a classifier is needed, not Model/);
  });

  it.each<[keyof typeof files, string, unknown, RegExp]>([
    ["vote", "classifier", "{", /"classifier" is not JSON/],
    ["vote", "classifier", "[]", /classifier must be an object, not an array of 0/],
    ["vote", "classifier scheme", "best", /classifier: scheme "best" is not known: choose one of "majority"/],
    ["vote", "classifier scheme", undefined, /scheme must be a string, not undefined/],
    ["vote", "classifier scheme", "majority", /tensor "counts" is missing/],
    ["majority", "classifier scheme", "vote", /tensor "y" is missing/],
    ["coefficients", "classifier scheme", "vote", /tensor "Z.offsets" is missing/],
    ["vote", "classifier scheme", "onmf", /scheme "onmf" compares coefficients, which a "bonmf" model does not have/],
    ["vote", "classifier scheme", "coefficients", /scheme "coefficients" compares coefficients/],
    ["vote", "classifier neighbors", 0, /neighbors must be a whole number/],
    ["vote", "classifier probes", "all", /probes must be a whole number/],
    ["vote", "classifier reject", null, /reject must be an object, not null/],
    ["vote", "classifier reject margin", -1, /margin must be null or a finite number, 0 or more, not -1/],
    ["vote", "classifier reject angle", undefined, /angle must be null or a finite number/],
    ["vote", "metadata classes", undefined, /"classes" is missing/],
    ["vote", "metadata classes", "{", /"classes" is not JSON/],
    ["vote", "metadata classes", "[]", /classes must be an array of at least one, not an array of 0/],
    ["vote", "metadata classes", '"ab"', /classes must be an array of at least one, not "ab"/],
    ["vote", "metadata classes", '[1,null,"b","c"]', /class 1 is null: it must be a string or a number/],
    ["vote", "metadata classes", '[1,1,"b","c"]', /class 1 follows 1: classes must rise/],
    ["vote", "metadata classes", '["b","c",1,2]', /class 1 follows "c": classes must rise/],
    ["vote", "metadata classes", '["b","c","d"]', /entry \d+ of tensor "y" is 3: it must be a whole number of 0 … 2/],
    ["majority", "metadata classes", '["b"]', /tensor "counts" has shape \[5, 4\] instead of \[5, 1\]/],
    ["majority", "tensors classifier.counts data 0", 0.5, /entry 0 of tensor "counts" is 0.5/],
    ["majority", "tensors classifier.counts", zeros([5, 4]), /tensor "counts" counts no sample/],
    ["vote", "tensors classifier.y", { shape: [0], data: new Uint8Array(0) }, /tensor "y" is empty/],
    ["vote", "tensors classifier.y", zeros([101]), /tensor "y" must be of dtype U8, U16 or U32/],
    [
      "vote",
      "tensors classifier.y",
      { shape: [3], data: new Uint8Array(3) },
      /"Z" has shape \[101, 4\] instead of \[3, 4\]/,
    ],
    ["coefficients", "tensors classifier.y", { shape: [3], data: new Uint8Array(3) }, /"y" has shape \[3\] instead of/],
    ["vote", "tensors classifier.Z", zeros([101, 5]), /"Z" has shape \[101, 5\] instead of \[101, 4\]/],
    ["vote", "tensors classifier.Z data 9", Number.NaN, /entry 9 of tensor "Z" is NaN: it must be a finite number/],
    ["onmf", "tensors classifier.Z data 9", -1, /entry 9 of tensor "Z" is -1/],
    ["vote", "tensors classifier.Z", { shape: [404], data: new Uint8Array(404) }, /"Z" must be of dtype F32 or F64/],
    ["onmf", "tensors classifier.Z", zeros([101, 4]), /needs the 101 samples the model was fitted on/],
    ["sparse", "tensors classifier.Z.offsets data 3", 0, /Z: sample 2 ends before it begins/],
    ["sparse", "tensors classifier.Z.offsets data 0", 1, /Z: sparse arrays do not fit/],
    ["sparse", "tensors classifier.Z.offsets data 101", 7, /"Z.indices" has shape \[\d+\] instead of \[7\]/],
    ["sparse", "tensors classifier.Z.indices data 0", 9, /sample 0 names feature 9, but there are only 4/],
    ["sparse", "tensors classifier.Z.values data 0", Number.NaN, /entry 0 of tensor "Z.values" is NaN/],
    ["sparse", "tensors classifier.Z.values", undefined, /tensor "Z.values" is missing/],
    ["sparse", "model stopped", "x", /stopped "x" is not known/],
  ])("%s, is refused where %s is %s", async (file, place, value, message) => {
    const found = await fail(replace(files[file], { [place]: value }));
    expect(found).toMatch(/^a\.bonmf: /);
    expect(found).toMatch(message);
  });

  it("is refused at every length but its own", async () => {
    for (let end = 0; end < sparse.length; end += 7) expect(await fail(sparse.subarray(0, end))).toMatch(/^a\.bonmf: /);
  });

  it("is refused or a classifier, however it was damaged", async () => {
    const flip = fc.record({ at: fc.nat(), bit: fc.nat(7) });
    let read = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(files)),
        fc.array(flip, { maxLength: 2 }),
        async (file, flips) => {
          const bytes = file.slice();
          for (const { at, bit } of flips) bytes[at % bytes.length] ^= 1 << bit;
          if ((await fail(bytes)) !== "none") return;
          read++;
          expect((await loadClassifier(bytes)).predict(queries).length).toBe(queries.length);
        },
      ),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(20);
  });

  it("may hold more than is known here", async () => {
    const more: Json = { "tensors classifier.more": zeros([1]), "classifier more": 1, "metadata more": "x" };
    const bytes = replace(files.vote, more);
    expect(complaint(bytes)).toBe("none");
    expect(saveClassifier(await loadClassifier(bytes))).toStrictEqual(files.vote);
  });
});

function defined(change: ClassifierOptions): ClassifierOptions {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

function zeros(shape: number[], precision: Precision = "f64"): Tensor {
  const [samples, features = 1] = shape;
  return { shape, data: Dense.zeros(samples, features, precision).data };
}
