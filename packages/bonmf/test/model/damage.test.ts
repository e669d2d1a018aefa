import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import type { Dense } from "../../src/matrix/dense.js";
import { fit } from "../../src/model/fit.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";
import type { FitOptions } from "../../src/model/options.js";
import { decodeTensors, type Tensor, type TensorData } from "../../src/model/safetensors.js";
import { VERSION } from "../../src/version.js";
import { complaint, fresh, interrupted, type Json, replace, samples, X } from "./files.js";

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
    expect(namesOf(nmf).sort()).toEqual([...all, "potentials", ...all.map((name) => `best.${name}`)].sort());
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
    ["bonmf", "metadata format", "x", /not a bonmf model.*"format" is "x"/],
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
    ["bonmf", "tensors labels", empty, /tensor "counts" is missing/],
    ["nmf", "tensors W data 5", -1, /entry 5 of tensor "W" is -1: it must be a finite number, 0 or more/],
    ["bonmf", "tensors W data 5", Number.NaN, /entry 5 of tensor "W" is NaN: it must be a finite number/],
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
    // Earlier versions did not write them.
    const missing = /singleError|missing|loss|l[12][WH]/.test(field) ? [] : [undefined];
    for (const wrong of [...missing, true, hostile, {}]) {
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
      // Older files do not have the potentials.
      ...(name === "potentials" ? [] : [{ [place]: undefined }]),
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
          for (const label of predictIfInRange(bytes)) expect(label).toBeLessThan(3);
        },
      ),
      { numRuns: 4000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});

/** Labels of samples; none where a damaged scaler takes them beyond what can be computed, and the model says so. */
function predictIfInRange(bytes: Uint8Array): ArrayLike<number> & Iterable<number> {
  try {
    return loadModel(bytes).predict(fresh);
  } catch (error) {
    if (error instanceof DataError && error.code === "range") return [];
    throw error;
  }
}

/** The same numbers and some zeros. */
function lengthen(data: TensorData, more: number): TensorData {
  const longer = new (data.constructor as new (length: number) => TensorData)(data.length + more);
  longer.set(data);
  return longer;
}
