import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatError, OptionError } from "../../src/errors.js";
import { METHODS } from "../../src/factor/methods/index.js";
import type { InitName, MethodName } from "../../src/factor/settings.js";
import { Dense } from "../../src/matrix/dense.js";
import { loadModel, saveModel } from "../../src/model/codec.js";
import { AbortError, fit, resume } from "../../src/model/fit.js";
import { Model } from "../../src/model/model.js";
import type { FitOptions } from "../../src/model/options.js";
import { decodeTensors, encodeTensors, type Tensor, type TensorData } from "../../src/model/safetensors.js";
import { Random } from "../../src/random.js";
import { SCALES } from "../../src/scale/scaler.js";
import { VERSION } from "../../src/version.js";

const methods = Object.keys(METHODS) as MethodName[];
const inits: InitName[] = ["columns", "sample", "plusplus", "nndsvd", "random"];

/** n × m random numbers, 0 or more. */
function samples(n: number, m: number, seed: number): Dense {
  const random = new Random(seed);
  return new Dense(
    n,
    m,
    new Float64Array(n * m).map(() => (random.next() < 0.2 ? 0 : random.next() * 9)),
  );
}

const X = samples(24, 4, 1);
const fresh = samples(50, 4, 2);

/** The model a fit had reached when it was aborted in its second run: it carries the first. */
async function interrupted(options: Partial<FitOptions>, data = X): Promise<Model> {
  const abort = new AbortController();
  const onStep: FitOptions["onStep"] = ({ restart, iteration }) => restart === 1 && iteration === 2 && abort.abort();
  try {
    await fit(data, { k: 3, seed: 5, restarts: 4, ...options, signal: abort.signal, onStep });
  } catch (error) {
    if (error instanceof AbortError && error.model?.best) return error.model;
    throw error;
  }
  throw new Error("the fit was not aborted");
}

/** What a model does and what it is, with bits that toEqual would not tell apart. */
function behaviour(model: Model): unknown {
  const { W, H, labels, codes, counts, settings, history, featureNames, outputNames, version, best } = model;
  const { stopped, repairs, zeroSamples, normSq, restart, scaler } = model;
  return {
    bits: [W.data, codes.values, model.transform(fresh).toDense().data].map((data) => data && bytesOf(data)),
    files: saveModel(model),
    scaler: { name: scaler.name, features: scaler.features, outputs: scaler.outputs, state: scaler.state() },
    predicted: model.predict(fresh),
    ...{ H, labels, codes, counts, settings, history, featureNames, outputNames, version },
    ...{ stopped, repairs, zeroSamples, normSq, restart },
    best: best && behaviour(best),
  };
}

function bytesOf(data: ArrayBufferView): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function reload(model: Model): Model {
  return loadModel(saveModel(model));
}

type Json = Record<string, unknown>;

/**
 * The file with other values in these places; undefined takes away what was there. Places are words: "tensors W",
 * "tensors W data 3", "metadata format", and for the JSON text in the metadata "model stopped", "model settings k".
 */
function replace(bytes: Uint8Array, changes: Json): Uint8Array {
  const { tensors, metadata } = decodeTensors(bytes.slice());
  const { model, ...rest } = metadata;
  const parts = { tensors: Object.fromEntries(tensors), metadata: rest, model: JSON.parse(model) };
  for (const [place, value] of Object.entries(changes)) {
    const keys = place.split(" ");
    const last = keys.pop()!;
    const holder = keys.reduce<Json>((at, key) => at[key] as Json, parts);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  const text = typeof parts.model === "string" ? parts.model : JSON.stringify(parts.model);
  return encodeTensors(parts.tensors, text === undefined ? parts.metadata : { ...parts.metadata, model: text });
}

function complaint(bytes: Uint8Array): string {
  try {
    loadModel(bytes, "a.bonmf");
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
  return "none";
}

describe("a model that was saved and loaded", () => {
  const cases = methods.flatMap((method) => SCALES.map((scale) => ({ method, scale })));

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
        const model = await fit(Dense.from(rows, "f64"), { ...rest, init, scale: given ? "none" : scale });
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

describe("the file", async () => {
  const bonmf = saveModel(await fit(X, { k: 3 }));
  const em = saveModel(await fit(X, { k: 3, method: "em-onmf", scale: "tfidf" }));
  const nmf = saveModel(await interrupted({ method: "nmf", scale: "minmax", featureNames: ["a", "b", "c", "d"] }));
  const files = { bonmf, em, nmf };
  const namesOf = (bytes: Uint8Array) => [...decodeTensors(bytes).tensors.keys()];
  const own = ["W", "history.changed", "history.fingerprint", "history.potential", "history.relativeError", "labels"];
  const empty: Tensor = { shape: [0], data: new Float64Array(0) };
  // Whoever asks this for its name or text fails.
  const hostile = { constructor: { name: { toString: 1 } }, toString: 1, valueOf: 1 };

  it("holds these tensors and fields", () => {
    expect(namesOf(bonmf).sort()).toEqual(own);
    expect(namesOf(em).sort()).toEqual([...own, "scaler.idf", "values"]);
    const all = ["H", ...own, "scaler.min", "scaler.range"];
    expect(namesOf(nmf).sort()).toEqual([...all, ...all.map((name) => `best.${name}`)].sort());
    const { tensors, metadata } = decodeTensors(nmf);
    expect(tensors.get("W")?.shape).toEqual([3, 4]);
    expect(tensors.get("H")?.shape).toEqual([24, 3]);
    expect(metadata).toMatchObject({ format: "bonmf", format_version: "1", library_version: VERSION });
  });

  it("may hold more than is known here", () => {
    const more = replace(nmf, {
      "tensors scaler.__proto__": { shape: [1, 1], data: Float32Array.of(1) },
      "tensors constructor": { shape: [], data: Int32Array.of(1) },
      "tensors best.best.W": empty,
      "metadata note": "x",
      "model extra": { deep: [1] },
      "model settings extra": null,
      "model settings signal": hostile,
    });
    expect(saveModel(loadModel(more))).toStrictEqual(nmf);
  });

  it("pollutes no prototype", () => {
    const poison = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},';
    const text = decodeTensors(nmf).metadata.model.replaceAll("{", `{${poison}`);
    const poisoned = replace(nmf, { model: text, "tensors __proto__.polluted": empty });
    expect(saveModel(loadModel(poisoned))).toStrictEqual(nmf);
    expect(({} as Json).polluted).toBeUndefined();
  });

  it("must be bytes", () => {
    for (const wrong of [bonmf.buffer, "model", null, undefined, [...bonmf]]) {
      expect(() => loadModel(wrong as unknown as Uint8Array)).toThrow(OptionError);
    }
  });

  it("of a later format says who wrote it and what to do", () => {
    const later = replace(bonmf, { "metadata format_version": "2", "metadata library_version": "7.8.9" });
    expect(complaint(later)).toMatch(/^a\.bonmf: bonmf 7\.8\.9 wrote this file in format version 2.*upgrade bonmf/);
  });

  it("is called model if nothing else is said", () => expect(() => loadModel(new Uint8Array(3))).toThrow(/^model: /));

  it.each<[keyof typeof files, string, unknown, RegExp]>([
    ["bonmf", "metadata format", "x", /no bonmf model.*"format" is "x"/],
    ["bonmf", "metadata format", undefined, /"format" is undefined/],
    ["bonmf", "metadata format_version", "0", /"format_version" is "0"/],
    ["bonmf", "metadata format_version", "1.5", /"format_version" is "1.5"/],
    ["bonmf", "metadata format_version", undefined, /"format_version" is undefined/],
    ["bonmf", "metadata library_version", undefined, /"library_version" is missing/],
    ["bonmf", "model", undefined, /"model" is missing/],
    ["bonmf", "model", "{", /"model" is not JSON/],
    ["bonmf", "model", "[".repeat(200_000), /"model" is not JSON/],
    ["bonmf", "model", "null", /model must be an object, not null/],
    ["bonmf", "model", "[]", /model must be an object, not an array of 0/],
    ["bonmf", "model settings method", "pca", /settings: method "pca" is not known/],
    ["bonmf", "model settings method", "toString", /settings: method "toString" is not known/],
    ["bonmf", "model settings method", "nmf", /form "labels" is not known/],
    ["bonmf", "model settings k", 0, /settings: k must be a whole number/],
    ["bonmf", "model settings k", 4, /"W" has shape \[3, 4\] instead of \[4, 4\]/],
    ["bonmf", "model settings k", 25, /k is 25 but there are only 24 samples/],
    ["bonmf", "model settings alpha", -1, /settings: alpha must be a number, 0 or more/],
    ["bonmf", "model settings init", "best", /settings: init "best" is not known/],
    ["em", "model settings update", "multiplicative", /settings: update/],
    ["bonmf", "model form", "rays", /form "rays" is not known/],
    ["bonmf", "model scaler", "constructor", /no scaler "constructor"/],
    ["bonmf", "model scaler", "minmax", /the "min" of a stored "minmax" scaler/],
    ["bonmf", "model features", 5, /"W" has shape \[3, 4\] instead of \[3, 5\]/],
    ["bonmf", "model features", 0, /features must be a whole number of 1 …/],
    ["nmf", "model featureNames", ["a"], /4 features but 1 feature names/],
    ["nmf", "model featureNames", [1, 2, 3, 4], /featureNames must be null or an array of strings/],
    ["bonmf", "model stopped", "bored", /stopped "bored" is not known/],
    ["bonmf", "model repairs", 0.5, /repairs must be a whole number of 0 … \d+, not 0.5/],
    ["bonmf", "model zeroSamples", 25, /zeroSamples must be a whole number of 0 … 24, not 25/],
    ["bonmf", "model normSq", -1, /normSq must be a finite number, 0 or more, not -1/],
    ["bonmf", "model restart", 1, /restart must be a whole number of 0 … 0, not 1/],
    ["nmf", "model best settings k", 0, /best: settings: k must be/],
    ["nmf", "model best best", {}, /best: best must be null/],
    ["bonmf", "tensors labels data 7", 3, /entry 7 of tensor "labels" is 3: it must be a whole number of 0 … 2/],
    ["bonmf", "tensors labels", empty, /only 0 samples/],
    ["bonmf", "tensors W data 5", -1, /entry 5 of tensor "W" is -1: it must be a finite number, 0 or more/],
    ["nmf", "tensors H data 5", -1, /entry 5 of tensor "H" is -1/],
    ["em", "tensors values data 5", -1, /entry 5 of tensor "values" is -1/],
    ["em", "tensors scaler.idf data 1", 0, /the "idf" of a stored "tfidf" scaler is 0 for feature 1/],
    ["bonmf", "tensors history.potential", empty, /the history is empty/],
    ["bonmf", "tensors history.changed", empty, /"history.changed" has shape \[0\]/],
    ["bonmf", "tensors history.changed data 0", 0.5, /"history.changed" is 0.5: it must be a whole number/],
    ["bonmf", "tensors history.fingerprint data 1", -1, /entry 1 of tensor "history.fingerprint" is -1/],
    ["bonmf", "tensors history.relativeError data 1", -1, /entry 1 of tensor "history.relativeError" is -1/],
  ])("%s, is refused where %s is %s", (file, place, value, message) => {
    const found = complaint(replace(files[file], { [place]: value }));
    expect(found).toMatch(/^a\.bonmf: /);
    expect(found).toMatch(message);
  });

  const stored = JSON.parse(decodeTensors(nmf).metadata.model) as Json;
  const fields = [...Object.keys(stored), ...Object.keys(stored.settings as Json).map((key) => `settings ${key}`)];

  it.each(fields.flatMap((field) => [field, `best ${field}`]))("is refused where %s is something else", (field) => {
    const named = new RegExp(`^a\\.bonmf: .*\\b${field.split(" ").at(-1)}\\b`);
    const place = `model ${field}`;
    for (const wrong of [undefined, true, hostile, {}]) {
      expect(complaint(replace(nmf, { [place]: wrong }))).toMatch(named);
    }
    for (const doubtful of [null, -1, 0, 0.5, 1e300, 2 ** 60, "", "x", "toString", [], [hostile]]) {
      const found = complaint(replace(nmf, { [place]: doubtful }));
      if (found !== "none") expect(found).toMatch(/^a\.bonmf: /);
    }
  });

  const places = Object.entries(files).flatMap(([file, bytes]) =>
    namesOf(bytes).map((name) => ({ file, bytes, name })),
  );

  it.each(places)("$file, is refused where the tensor $name is something else", ({ bytes, name }) => {
    const { shape, data } = decodeTensors(bytes).tensors.get(name)!;
    const place = `tensors ${name}`;
    const wrong: Json[] = [
      { [place]: undefined },
      { [place]: { shape, data: Float32Array.from(data) } },
      { [place]: { shape, data: Int32Array.from(data) } },
      { [place]: { shape: [...shape, 1], data } },
      { [place]: { shape: [1, ...shape], data } },
    ];
    if (data instanceof Float64Array) {
      wrong.push({ [`${place} data 0`]: Number.NaN }, { [`${place} data 0`]: Number.POSITIVE_INFINITY });
    }
    const named = new RegExp(`^a\\.bonmf: .*"(\\w+\\.)?${name.split(".").at(-1)}"`);
    for (const changes of wrong) expect(complaint(replace(bytes, changes))).toMatch(named);
    const [n, ...others] = shape;
    const longer = { shape: [n + 1, ...others], data: lengthen(data, data.length / n) };
    // Of one-hot codes the labels alone say how many samples there are.
    if (bytes === bonmf && name === "labels") return;
    expect(complaint(replace(bytes, { [place]: longer }))).toMatch(/^a\.bonmf: /);
  });

  it.each<[string, Partial<FitOptions>, Dense]>([
    ["method", { method: "hals" }, X],
    ["k", { k: 2 }, X],
    ["scaler", { scale: "none" }, X],
    ["number of samples", {}, X.slice(0, 20)],
    ["number of features", { featureNames: ["a", "b", "c"] }, samples(24, 3, 1)],
  ])("is refused where the best run is one of another %s", async (_, options, data) => {
    const names = { featureNames: ["a", "b", "c", "d"] };
    const other = await interrupted({ method: "nmf", scale: "minmax", ...names, ...options }, data);
    const { tensors, metadata } = decodeTensors(saveModel(other));
    const theirs = [...tensors].filter(([name]) => name.startsWith("best."));
    const changes = Object.fromEntries(theirs.map(([name, tensor]) => [`tensors ${name}`, tensor]));
    const grafted = replace(nmf, { ...changes, "model best": JSON.parse(metadata.model).best });
    expect(complaint(grafted)).toBe("a.bonmf: best must be a run of the same fit: its method, sizes or scaler differ");
  });

  it("is refused at every length but its own", () => {
    for (let end = 0; end < nmf.length; end++) expect(complaint(nmf.subarray(0, end))).toMatch(/^a\.bonmf: /);
  });

  it("is refused or a model, however it was damaged", () => {
    const flip = fc.record({ at: fc.nat(), bit: fc.nat(7) });
    const text = fc.record({ at: fc.nat(), text: fc.constantFrom("-1", "9", '"', "[]", "{", "null", "1e99", ",") });
    let read = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(nmf, em, bonmf),
        fc.array(flip, { maxLength: 3 }),
        fc.array(text, { maxLength: 1 }),
        (file, flips, texts) => {
          const bytes = file.slice();
          for (const { at, bit } of flips) bytes[at % bytes.length] ^= 1 << bit;
          for (const { at, text } of texts) bytes.set(new TextEncoder().encode(text), 8 + (at % 900));
          if (complaint(bytes) !== "none") return;
          read++;
          for (const label of loadModel(bytes).predict(fresh)) expect(label).toBeLessThan(3);
        },
      ),
      { numRuns: 4000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});

describe("a file of format version 1", () => {
  const X = [
    [5, -1, 0],
    [4, -2, 1],
    [5, -2, 0],
    [0, 3, 4],
    [1, 2, 5],
    [0, 3, 5],
  ];
  const read = (text: string) => loadModel(Buffer.from(text, "base64"));

  it.each([
    ["labels" as const, [1, 1, 1, 0, 0, 0]],
    ["real" as const, [1, 1, 1, 0, 0, 0]],
    ["rays" as const, [0, 0, 0, 1, 1, 1]],
  ])("with %s is read and predicts what it stored", (form, labels) => {
    const model = read(GOLDEN[form]);
    expect(model.codes.form).toBe(form);
    expect([...model.labels]).toEqual(labels);
    expect([...model.predict(X)]).toEqual(labels);
  });

  it("says all it said", async () => {
    const { labels, rays } = GOLDEN;
    expect(read(labels)).toMatchObject({ version: "0.1.0", method: "bonmf", k: 2, seed: 1, stopped: "fixed-point" });
    expect(read(labels)).toMatchObject({ iterations: 3, potential: 6.77909500548563, featureNames: ["a", "b", "c"] });
    expect(read(rays)).toMatchObject({ stopped: "aborted", restart: 1, best: { restart: 0, stopped: "tolerance" } });
    expect((await resume(read(rays), X)).converged).toBe(true);
  });
});

/** The same numbers and some zeros. */
function lengthen(data: TensorData, more: number): TensorData {
  const longer = new (data.constructor as new (length: number) => TensorData)(data.length + more);
  longer.set(data);
  return longer;
}

/**
 * Files that every later version must read, written in format version 1 by
 *
 *   const X = [[5, -1, 0], [4, -2, 1], [5, -2, 0], [0, 3, 4], [1, 2, 5], [0, 3, 5]];
 *   labels: await fit(X, { k: 2, seed: 1, scale: "minmax", featureNames: ["a", "b", "c"] })
 *   real: await fit(X, { k: 2, seed: 1, scale: "shift", method: "nmf", maxIterations: 3 })
 *   rays, where an abort at the first step of restart 1 left a model with a best:
 *   await fit(X, { k: 2, seed: 2, scale: "split", method: "em-onmf", restarts: 3, signal, onStep })
 *
 * and Buffer.from(saveModel(model)).toString("base64").
 */
const GOLDEN = {
  labels: `
  SAQAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJib25tZiIsImZvcm1hdF92ZXJzaW9uIjoiMSIsImxpYnJhcnlfdmVyc2lvbiI6IjAuMS4wIi
  wibW9kZWwiOiJ7XCJ2ZXJzaW9uXCI6XCIwLjEuMFwiLFwicHJlY2lzaW9uXCI6XCJmMzJcIixcInNldHRpbmdzXCI6e1wibWV0aG9kXCI6XCJib25tZlwi
  LFwia1wiOjIsXCJzZWVkXCI6MSxcImluaXRcIjpcImNvbHVtbnNcIixcIm1heEl0ZXJhdGlvbnNcIjozMDAsXCJ0b2xlcmFuY2VcIjowLFwicmVzdGFydH
  NcIjoxLFwiZW1wdHlDbHVzdGVyc1wiOlwicmVzZWVkXCIsXCJ1cGRhdGVcIjpcIm1lYW5cIixcImFscGhhXCI6MSxcInN3ZWVwc1wiOjF9LFwiZm9ybVwi
  OlwibGFiZWxzXCIsXCJzdG9wcGVkXCI6XCJmaXhlZC1wb2ludFwiLFwicmVwYWlyc1wiOjEsXCJ6ZXJvU2FtcGxlc1wiOjAsXCJub3JtU3FcIjo4LjA0MD
  AwMDA2MDc5NjczNyxcInJlc3RhcnRcIjowLFwic2NhbGVyXCI6XCJtaW5tYXhcIixcImZlYXR1cmVzXCI6MyxcImZlYXR1cmVOYW1lc1wiOltcImFcIixc
  ImJcIixcImNcIl0sXCJiZXN0XCI6bnVsbH0ifSwiVyI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbMiwzXSwiZGF0YV9vZmZzZXRzIjpbMCw0OF19LCJoaX
  N0b3J5LmNoYW5nZWQiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOls0OCw3Ml19LCJoaXN0b3J5LmZpbmdlcnByaW50Ijp7
  ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZGF0YV9vZmZzZXRzIjpbNzIsOTZdfSwiaGlzdG9yeS5wb3RlbnRpYWwiOnsiZHR5cGUiOiJGNjQiLCJzaG
  FwZSI6WzNdLCJkYXRhX29mZnNldHMiOls5NiwxMjBdfSwiaGlzdG9yeS5yZWxhdGl2ZUVycm9yIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZGF0
  YV9vZmZzZXRzIjpbMTIwLDE0NF19LCJzY2FsZXIubWluIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZGF0YV9vZmZzZXRzIjpbMTQ0LDE2OF19LC
  JzY2FsZXIucmFuZ2UiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOlsxNjgsMTkyXX0sImxhYmVscyI6eyJkdHlwZSI6IlU4
  Iiwic2hhcGUiOls2XSwiZGF0YV9vZmZzZXRzIjpbMTkyLDE5OF19fSAgVVVVFRERsT8AAADg3d3tPwAAAODd3e0/AAAA4N3d7T9VVVUVERGxP1VVVRUREb
  E/AAAAAAAAGEAAAAAAAAAIQAAAAAAAAAAAxtunwKTXJ0NTV0Fyd480Q1NXQXJ3jzRDLqH9L9zIFECgJsQUyx0bQKAmxBTLHRtAEHOsDs075T/VtiD/sLnY
  P3AOVYuNDsI/AAAAAAAAAAAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAFEAAAAAAAAAUQAAAAAAAABRAAQEBAAAA`,
  real: `
  KAQAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJib25tZiIsImZvcm1hdF92ZXJzaW9uIjoiMSIsImxpYnJhcnlfdmVyc2lvbiI6IjAuMS4wIi
  wibW9kZWwiOiJ7XCJ2ZXJzaW9uXCI6XCIwLjEuMFwiLFwicHJlY2lzaW9uXCI6XCJmMzJcIixcInNldHRpbmdzXCI6e1wibWV0aG9kXCI6XCJubWZcIixc
  ImtcIjoyLFwic2VlZFwiOjEsXCJpbml0XCI6XCJubmRzdmRcIixcIm1heEl0ZXJhdGlvbnNcIjozLFwidG9sZXJhbmNlXCI6MC4wMDAwMSxcInJlc3Rhcn
  RzXCI6MSxcImVtcHR5Q2x1c3RlcnNcIjpcInJlc2VlZFwiLFwidXBkYXRlXCI6XCJtZWFuXCIsXCJhbHBoYVwiOjEsXCJzd2VlcHNcIjoxfSxcImZvcm1c
  IjpcInJlYWxcIixcInN0b3BwZWRcIjpcIml0ZXJhdGlvbnNcIixcInJlcGFpcnNcIjowLFwiemVyb1NhbXBsZXNcIjowLFwibm9ybVNxXCI6MjAxLFwicm
  VzdGFydFwiOjAsXCJzY2FsZXJcIjpcInNoaWZ0XCIsXCJmZWF0dXJlc1wiOjMsXCJmZWF0dXJlTmFtZXNcIjpudWxsLFwiYmVzdFwiOm51bGx9In0sIkgi
  OnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzYsMl0sImRhdGFfb2Zmc2V0cyI6WzAsOTZdfSwiVyI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbMiwzXSwiZG
  F0YV9vZmZzZXRzIjpbOTYsMTQ0XX0sImhpc3RvcnkuY2hhbmdlZCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbM10sImRhdGFfb2Zmc2V0cyI6WzE0NCwx
  NjhdfSwiaGlzdG9yeS5maW5nZXJwcmludCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbM10sImRhdGFfb2Zmc2V0cyI6WzE2OCwxOTJdfSwiaGlzdG9yeS
  5wb3RlbnRpYWwiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOlsxOTIsMjE2XX0sImhpc3RvcnkucmVsYXRpdmVFcnJvciI6
  eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbM10sImRhdGFfb2Zmc2V0cyI6WzIxNiwyNDBdfSwic2NhbGVyLmxvdyI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIj
  pbM10sImRhdGFfb2Zmc2V0cyI6WzI0MCwyNjRdfSwibGFiZWxzIjp7ImR0eXBlIjoiVTgiLCJzaGFwZSI6WzZdLCJkYXRhX29mZnNldHMiOlsyNjQsMjcw
  XX19ICAgICAgIDES8VI4hMQ/SMiQIFllDUAFg/22q47GP9FLpkrRvQdACx809Afhgj/YUyol5xsMQJuraDuzshNAad3aAmqG+T+uw50HpoUSQDp+xjcMcw
  FAUPINTi/iFUD3tx8i8lv8PwW/cvx+vZc/Nb/DCkXB5T/SRI7ZsrLlP+fKQaN8se0/1s5X2rN43T9blJOlFm/dPwAAAAAAABhAAAAAAAAAGEAAAAAAAAAY
  QAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMRG5L6EjVBAhGeA6CSAR0BgfTsn9K47QE5xEwO7XeI/2pwjbcDy3j+z+mfhZMDXPwAAAAAAAAAAAAAAAAAAAM
  AAAAAAAAAAAAEBAQAAAA==`,
  rays: `
  wAgAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJib25tZiIsImZvcm1hdF92ZXJzaW9uIjoiMSIsImxpYnJhcnlfdmVyc2lvbiI6IjAuMS4wIi
  wibW9kZWwiOiJ7XCJ2ZXJzaW9uXCI6XCIwLjEuMFwiLFwicHJlY2lzaW9uXCI6XCJmMzJcIixcInNldHRpbmdzXCI6e1wibWV0aG9kXCI6XCJlbS1vbm1m
  XCIsXCJrXCI6MixcInNlZWRcIjoyLFwiaW5pdFwiOlwicGx1c3BsdXNcIixcIm1heEl0ZXJhdGlvbnNcIjo1MDAsXCJ0b2xlcmFuY2VcIjoxZS0xMCxcIn
  Jlc3RhcnRzXCI6MyxcImVtcHR5Q2x1c3RlcnNcIjpcInJlc2VlZFwiLFwidXBkYXRlXCI6XCJtZWFuXCIsXCJhbHBoYVwiOjEsXCJzd2VlcHNcIjoxfSxc
  ImZvcm1cIjpcInJheXNcIixcInN0b3BwZWRcIjpcImFib3J0ZWRcIixcInJlcGFpcnNcIjowLFwiemVyb1NhbXBsZXNcIjowLFwibm9ybVNxXCI6MTguMD
  AwMDAwNTY3NDAwNzQsXCJyZXN0YXJ0XCI6MSxcInNjYWxlclwiOlwic3BsaXRcIixcImZlYXR1cmVzXCI6MyxcImZlYXR1cmVOYW1lc1wiOm51bGwsXCJi
  ZXN0XCI6e1widmVyc2lvblwiOlwiMC4xLjBcIixcInByZWNpc2lvblwiOlwiZjMyXCIsXCJzZXR0aW5nc1wiOntcIm1ldGhvZFwiOlwiZW0tb25tZlwiLF
  wia1wiOjIsXCJzZWVkXCI6MixcImluaXRcIjpcInBsdXNwbHVzXCIsXCJtYXhJdGVyYXRpb25zXCI6NTAwLFwidG9sZXJhbmNlXCI6MWUtMTAsXCJyZXN0
  YXJ0c1wiOjMsXCJlbXB0eUNsdXN0ZXJzXCI6XCJyZXNlZWRcIixcInVwZGF0ZVwiOlwibWVhblwiLFwiYWxwaGFcIjoxLFwic3dlZXBzXCI6MX0sXCJmb3
  JtXCI6XCJyYXlzXCIsXCJzdG9wcGVkXCI6XCJ0b2xlcmFuY2VcIixcInJlcGFpcnNcIjowLFwiemVyb1NhbXBsZXNcIjowLFwibm9ybVNxXCI6MTguMDAw
  MDAwNTY3NDAwNzQsXCJyZXN0YXJ0XCI6MCxcInNjYWxlclwiOlwic3BsaXRcIixcImZlYXR1cmVzXCI6MyxcImZlYXR1cmVOYW1lc1wiOm51bGwsXCJiZX
  N0XCI6bnVsbH19In0sIlciOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzIsNl0sImRhdGFfb2Zmc2V0cyI6WzAsOTZdfSwiYmVzdC5XIjp7ImR0eXBlIjoi
  RjY0Iiwic2hhcGUiOlsyLDZdLCJkYXRhX29mZnNldHMiOls5NiwxOTJdfSwiYmVzdC5oaXN0b3J5LmNoYW5nZWQiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZS
  I6WzZdLCJkYXRhX29mZnNldHMiOlsxOTIsMjQwXX0sImJlc3QuaGlzdG9yeS5maW5nZXJwcmludCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbNl0sImRh
  dGFfb2Zmc2V0cyI6WzI0MCwyODhdfSwiYmVzdC5oaXN0b3J5LnBvdGVudGlhbCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbNl0sImRhdGFfb2Zmc2V0cy
  I6WzI4OCwzMzZdfSwiYmVzdC5oaXN0b3J5LnJlbGF0aXZlRXJyb3IiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzZdLCJkYXRhX29mZnNldHMiOlszMzYs
  Mzg0XX0sImJlc3Quc2NhbGVyLm1lYW4iOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOlszODQsNDA4XX0sImJlc3Quc2NhbG
  VyLnNkIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZGF0YV9vZmZzZXRzIjpbNDA4LDQzMl19LCJiZXN0LnZhbHVlcyI6eyJkdHlwZSI6IkY2NCIs
  InNoYXBlIjpbNl0sImRhdGFfb2Zmc2V0cyI6WzQzMiw0ODBdfSwiaGlzdG9yeS5jaGFuZ2VkIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlsxXSwiZGF0YV
  9vZmZzZXRzIjpbNDgwLDQ4OF19LCJoaXN0b3J5LmZpbmdlcnByaW50Ijp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlsxXSwiZGF0YV9vZmZzZXRzIjpbNDg4
  LDQ5Nl19LCJoaXN0b3J5LnBvdGVudGlhbCI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbMV0sImRhdGFfb2Zmc2V0cyI6WzQ5Niw1MDRdfSwiaGlzdG9yeS
  5yZWxhdGl2ZUVycm9yIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlsxXSwiZGF0YV9vZmZzZXRzIjpbNTA0LDUxMl19LCJzY2FsZXIubWVhbiI6eyJkdHlw
  ZSI6IkY2NCIsInNoYXBlIjpbM10sImRhdGFfb2Zmc2V0cyI6WzUxMiw1MzZdfSwic2NhbGVyLnNkIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOlszXSwiZG
  F0YV9vZmZzZXRzIjpbNTM2LDU2MF19LCJ2YWx1ZXMiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzZdLCJkYXRhX29mZnNldHMiOls1NjAsNjA4XX0sImJl
  c3QubGFiZWxzIjp7ImR0eXBlIjoiVTgiLCJzaGFwZSI6WzZdLCJkYXRhX29mZnNldHMiOls2MDgsNjE0XX0sImxhYmVscyI6eyJkdHlwZSI6IlU4Iiwic2
  hhcGUiOls2XSwiZGF0YV9vZmZzZXRzIjpbNjE0LDYyMF19fQAAAAAdCvI/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB0K8j8AAAAAHQryPwAAAAAA
  AAAAAAAAAB0K8j8AAABgvKXlPwAAAAAdCvI/AAAAAAAAAAAAAAAAAAAAADV2il5Bn+I/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlvMhwYkt4j81dopeQZ
  /iPwAAAAAAAAAA/sf2XEGf4j+3Cl3EiS3iP/7H9lxBn+I/AAAAAAAAAAAAAAAAAAAAAAAAAAAAABhAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
  AAAAAAAAAAAAAIjtwcUXhhlDiO3BxReGGUOI7cHFF4YZQ4jtwcUXhhlDiO3BxReGGUOI7cHFF4YZQ6DMWwtdz/E/gKKjfCFO4T+AVpReUUnhP8ArnjBQSe
  E/QCxUMFBJ4T9AGlQwUEnhP2GgjBen1M8/P9LHfrgvxj9i6txzoizGP7+3MLKhLMY/u0EBsqEsxj8vNgGyoSzGPwAAAAAAAARAAAAAAAAA4D8AAAAAAAAE
  QNMxTwclvQFA0zFPByW9AUDTMU8HJb0BQE1ca+/yJPs/tnGM31HY9j+KodEESz7/P5X6u+7yJPs/BZ9N4FHY9j/JwNwESz7/PwAAAAAAAAAAiO3BxReGGU
  NABpX/TlDsPwsBZRcGYcw/AAAAAAAABEAAAAAAAADgPwAAAAAAAARA0zFPByW9AUDTMU8HJb0BQNMxTwclvQFANljXubu76z9ssK5zd3fnP////////+8/
  ////////7z8cETmxImjoPwQhVtmKoPE/AAAAAQEBAAAAAQEB`,
};
