import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../../src/errors.js";
import { METHODS, takesSigned } from "../../src/factor/methods/index.js";
import type { InitName, MethodName } from "../../src/factor/settings.js";
import { Dense } from "../../src/matrix/dense.js";
import { fit, resume } from "../../src/model/fit.js";
import { Model } from "../../src/model/model.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";
import { decodeTensors } from "../../src/model/safetensors.js";
import { SCALES, type ScaleName } from "../../src/scale/scaler.js";
import { fresh, interrupted, replace, X } from "./files.js";

const methods = Object.keys(METHODS) as MethodName[];
const inits: InitName[] = ["columns", "sample", "plusplus", "nndsvd", "random"];

/** What a model does and what it is, with bits that toEqual would not tell apart. */
function behaviour(model: Model): unknown {
  const { W, H, labels, codes, counts, settings, history, featureNames, outputNames, version, best } = model;
  const { stopped, repairs, zeroSamples, normSq, restart, scaler, tags } = model;
  return {
    bits: [W.data, codes.values, model.transform(fresh).toDense().data].map((data) => data && bytesOf(data)),
    files: saveModel(model),
    scaler: { name: scaler.name, features: scaler.features, outputs: scaler.outputs, state: scaler.state() },
    predicted: model.predict(fresh),
    ...{ H, labels, codes, counts, settings, history, featureNames, outputNames, version },
    ...{ stopped, repairs, zeroSamples, normSq, restart, tags },
    best: best && behaviour(best),
  };
}

function bytesOf(data: ArrayBufferView): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Samples without weight may be scaled beyond what can be squared. */
function allowRange(error: unknown): null {
  if (error instanceof DataError && error.code === "range") return null;
  throw error;
}

function reload(model: Model): Model {
  return loadModel(saveModel(model));
}

describe("a model that was saved and loaded", () => {
  const takes = (method: MethodName, scale: ScaleName) =>
    takesSigned(method) || (scale !== "standard" && scale !== "lift");
  const cases = methods.flatMap((method) =>
    SCALES.filter((scale) => takes(method, scale)).map((scale) => ({ method, scale })),
  );

  it.each(cases)("is the same: $method, $scale", async ({ method, scale }) => {
    const names = scale === "l2" ? undefined : ["a", "länge", "\ud800 \u0000", "__proto__"];
    const model = await fit(X, { k: 3, method, scale, featureNames: names, seed: 3 });
    const loaded = reload(model);
    expect(loaded).toBeInstanceOf(Model);
    expect(behaviour(loaded)).toStrictEqual(behaviour(model));
    expect(Object.isFrozen(loaded.featureNames ?? loaded)).toBe(true);
  });

  it.each(methods)("goes on like the one that was saved: %s", async (method) => {
    const model = await fit(X, { k: 3, method, seed: 3, scale: "minmax", maxIterations: 1 });
    expect(model.stopped).toBe("iterations");
    const on = { maxIterations: 20 };
    expect(saveModel(await resume(reload(model), X, on))).toStrictEqual(saveModel(await resume(model, X, on)));
  });

  it.each(methods)("goes on with the restarts of an interrupted fit: %s", async (method) => {
    const model = await interrupted({ method, scale: "split", maxIterations: 30 });
    const loaded = reload(model);
    expect(behaviour(loaded)).toStrictEqual(behaviour(model));
    expect(loaded.best?.restart).toBe(0);
    const whole = await fit(X, { k: 3, seed: 5, restarts: 4, method, scale: "split", maxIterations: 30 });
    expect(saveModel(await resume(loaded, X))).toStrictEqual(saveModel(whole));
  });

  it("is the same whatever the fit was", async () => {
    const number = fc.oneof(fc.constantFrom(0, 0, 1, 1e-20, 1e20), fc.double({ min: 1e-9, max: 1e6, noNaN: true }));
    const options = fc.record({
      k: fc.integer({ min: 1, max: 3 }),
      method: fc.constantFrom(...methods),
      init: fc.constantFrom(...inits, "given" as const),
      scale: fc.constantFrom(...SCALES),
      seed: fc.maxSafeNat(),
      maxIterations: fc.integer({ min: 1, max: 12 }),
      tolerance: fc.double({ min: 0, max: 1, noNaN: true }),
      alpha: fc.double({ min: 0, max: 9, noNaN: true }),
      emptyClusters: fc.constantFrom("reseed" as const, "keep" as const),
      weights: fc.constantFrom(undefined, [1, 0, 2.5, 1e-3, 7]),
    });
    const rows = fc.array(fc.tuple(number, number, number), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, options, async (rows, { init: name, scale, ...rest }) => {
        const given = name === "given";
        const init = given ? Array.from({ length: rest.k }, (_, j) => [1, j, 2]) : name;
        fc.pre(takes(rest.method, scale));
        const samples = Dense.from(rows, "f64");
        const model = await fit(samples, { ...rest, init, scale: given ? "none" : scale }).catch(allowRange);
        fc.pre(model !== null);
        const bytes = saveModel(model);
        expect(saveModel(loadModel(bytes))).toStrictEqual(bytes);
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    [256, Uint8Array],
    [257, Uint16Array],
    [65_536, Uint16Array],
    [65_537, Uint32Array],
  ])("has labels as narrow as %i clusters allow", async (k, Type) => {
    const model = await fit(X, { k: 2 });
    const labels = new Type(k).map((_, j) => j);
    const codes = { ...model.codes, k, labels };
    const settings = { ...model.settings, k };
    const wide = new Model({ ...model, settings, W: new Float64Array(k * 4).fill(1), codes, labels });
    expect(reload(wide).labels).toStrictEqual(labels);
    expect(decodeTensors(saveModel(wide)).tensors.get("labels")?.data).toStrictEqual(labels);
  });

  it("keeps nothing of the bytes, wherever they lie", async () => {
    const model = await interrupted({ method: "em-onmf", scale: "minmax" });
    const bytes = saveModel(model);
    for (let offset = 0; offset < 9; offset++) {
      const moved = Buffer.from(new ArrayBuffer(bytes.length + offset), offset);
      moved.set(bytes);
      const loaded = loadModel(moved);
      moved.fill(0xff);
      expect(saveModel(loaded)).toStrictEqual(bytes);
      expect(loaded.W.data.buffer.byteLength).toBe(loaded.W.data.byteLength);
    }
  });

  it("keeps the version of the library that fitted it", async () => {
    const bytes = replace(saveModel(await fit(X, { k: 2 })), { "model version": "0.0.7" });
    expect(loadModel(bytes).version).toBe("0.0.7");
    expect(saveModel(loadModel(bytes))).toStrictEqual(bytes);
  });
});

describe("tags", () => {
  it("can be added when a model is saved, and take the place of those it has", async () => {
    const model = await fit(X, { k: 2, tags: { source: "a.csv", author: "me" } });
    const again = loadModel(saveModel(model, { source: "b.csv", clusterNames: "[]" }));
    expect(again.tags).toStrictEqual({ source: "b.csv", author: "me", clusterNames: "[]" });
    expect(model.tags.source).toBe("a.csv");
    expect(() => saveModel(model, { source: 7 as unknown as string })).toThrow('the tag "source" is 7, not a string');
  });

  const tags = { source: "a.csv", "": "ä \ud800\u0000", recipe: '{"kind":"csv"}', "10": "" };
  Object.defineProperty(tags, "__proto__", { value: "own", enumerable: true });

  it("are kept by a model, frozen, and by its file", async () => {
    const given = { ...tags };
    const model = await fit(X, { k: 2, tags: given });
    given.source = "changed";
    expect(model.tags).toStrictEqual({ ...tags });
    expect(Object.isFrozen(model.tags)).toBe(true);
    expect(behaviour(reload(model))).toStrictEqual(behaviour(model));
    expect(decodeTensors(saveModel(model)).metadata).toMatchObject({ "tag.source": "a.csv", "tag.__proto__": "own" });
  });

  it("are none where none were given, and add nothing to the file", async () => {
    const model = await fit(X, { k: 2 });
    expect(model.tags).toStrictEqual({});
    expect(Object.keys(decodeTensors(saveModel(model)).metadata).sort()).toEqual([
      "format",
      "format_version",
      "library_version",
      "model",
    ]);
  });

  it("stay with a fit that goes on", async () => {
    const early = await fit(X, { k: 3, maxIterations: 1, tags });
    expect((await resume(early, X, { maxIterations: 20 })).tags).toStrictEqual({ ...tags });
    const model = reload(await interrupted({ tags }));
    expect(model.best?.tags).toStrictEqual({ ...tags });
    expect((await resume(model, X)).tags).toStrictEqual({ ...tags });
  });
});
