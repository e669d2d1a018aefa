import { describe, expect, it } from "vitest";
import { memorySource } from "../../src/engine/in-memory.js";
import type { MakeSource } from "../../src/engine/source.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { AbortError } from "../../src/model/abort.js";
import { fit } from "../../src/model/fit.js";
import { predict, predictInParts } from "../../src/model/predict.js";
import { blobRows, dense } from "../synthetic.js";

const X = dense(blobRows(3, 300, 5, 4), "f32");
// More than two blocks.
const Z = dense(blobRows(5, 9000, 5, 4), "f32");

describe("predict", () => {
  it.each([
    ["bonmf", {}],
    ["spherical", { scale: "minmax" }],
    ["kmeans", {}],
    ["nmf", {}],
    ["em-onmf", {}],
    ["semi-binary", {}],
  ] as const)("answers what the model does: %s %o", async (method, options) => {
    const model = await fit(X, { k: 4, method, ...options });
    const expected = [...model.predict(Z)];
    expect(new Set(expected).size).toBe(4);
    for (const threads of [1, 3]) expect([...(await predict(model, Z, { threads }))]).toEqual(expected);
    expect([...(await predict(model, Sparse.fromDense(Z)))]).toEqual(expected);
    expect((await predict(model, Dense.zeros(0, 5))).length).toBe(0);
  });

  it("answers what the model does for values that are tiny, and for one sample", async () => {
    const model = await fit(X, { k: 4 });
    const tiny = dense(
      blobRows(5, 900, 5, 4).map((row) => row.map((value) => value * 1e-30)),
      "f32",
    );
    expect([...(await predict(model, tiny))]).toEqual([...model.predict(tiny)]);
    expect([...(await predict(model, [[1, 2, 3, 4, 5]]))]).toEqual([...model.predict([[1, 2, 3, 4, 5]])]);
  });

  it("answers what the model does where values are missing", async () => {
    const model = await fit(X, { k: 4, method: "kmeans", missing: "mask" });
    const gaps = blobRows(5, 900, 5, 4).map((row, i) =>
      row.map((value, f) => ((i + f) % 7 === 0 ? Number.NaN : value)),
    );
    const some = dense(gaps, "f32");
    expect([...(await predictInParts(model, some, {}, 700))]).toEqual([...model.predict(some)]);
    expect([...(await predict(model, some))]).toEqual([...model.predict(some)]);
  });

  it("opens an engine for some samples after the other where they are many", async () => {
    const model = await fit(X, { k: 4 });
    const sizes: number[] = [];
    const engine: MakeSource = (part, { weights, gaps }) => {
      sizes.push(part.samples);
      return memorySource(part, weights, false, gaps);
    };
    const labels = await predictInParts(model, Z, { engine }, 20_000);
    expect([...labels]).toEqual([...model.predict(Z)]);
    expect(sizes).toEqual([4000, 4000, 1000]);
  });

  it("takes an engine of one's own, which gets the scaled samples", async () => {
    const model = await fit(X, { k: 4, scale: "minmax" });
    const notes: string[] = [];
    const engine: MakeSource = (scaled, { onNote, weights, gaps }) => {
      onNote?.(`${scaled.samples} samples`);
      return memorySource(scaled, weights, false, gaps);
    };
    const labels = await predict(model, Z, { engine, onNote: (note) => notes.push(note) });
    expect([...labels]).toEqual([...model.predict(Z)]);
    expect(notes).toEqual(["9000 samples"]);
  });

  it("checks what it is given, and ends when it is aborted", async () => {
    const model = await fit(X, { k: 4 });
    await expect(predict({} as never, Z)).rejects.toThrow("predict needs a model");
    await expect(predict(model, Z, { engine: "tpu" as never })).rejects.toThrow('engine "tpu" is not known');
    await expect(predict(model, Z, { threads: 0 })).rejects.toThrow("threads");
    await expect(predict(model, [[1, 2]])).rejects.toThrow("fitted on 5 features");
    for (const [bad, code] of [
      [Number.NaN, "not-finite"],
      [Number.POSITIVE_INFINITY, "not-finite"],
      [1e37, "range"],
    ] as const) {
      const some = dense(blobRows(5, 9000, 5, 4), "f32");
      some.data[5 * 8000 + 2] = bad;
      const place = { sample: 8000, feature: 2 };
      for (const threads of [1, 2]) {
        const failed = predict(await fit(X, { k: 4, method: "kmeans" }), some, { threads });
        await expect(failed).rejects.toMatchObject({ code, place });
      }
    }
    await expect(predict(model, Z, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(AbortError);
  });
});
