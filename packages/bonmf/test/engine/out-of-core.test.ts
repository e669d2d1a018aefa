/** Samples that stay where they are stored: the same bits as in memory, and no more read than must be. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { estimateNeed, type StreamOptions, streamSource } from "../../src/engine/out-of-core.js";
import type { Source } from "../../src/engine/source.js";
import { blockSize } from "../../src/engine/stats.js";
import type { Stored } from "../../src/engine/stored.js";
import { OptionError } from "../../src/errors.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { AbortError } from "../../src/model/abort.js";
import { fit, resume } from "../../src/model/fit.js";
import type { Model } from "../../src/model/model.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";
import type { FitOptions } from "../../src/model/options.js";
import { ALL, blobRows, dense } from "../synthetic.js";
import { storeFile, storeHere } from "./stored.js";

const N = 3000;
const rows = blobRows(5, N, 40, 30);
rows[7].fill(0);
const X = dense(rows, "f32");
const FORMS: Record<string, Matrix> = {
  "dense, 32 bits": X,
  "sparse, 32 bits": Sparse.fromDense(X),
  "dense, 64 bits": dense(rows, "f64"),
  "sparse, 64 bits": Sparse.fromDense(dense(rows, "f64")),
};
const weights = Float64Array.from(rows, (_, i) => (i % 6 === 0 ? 0 : 1 + (i % 4) / 3));

/** @param room bytes of samples that stay in memory */
function source(stored: Stored, room = 0, options: Partial<StreamOptions> = {}): Source {
  const sourceFor = (memory: number) => streamSource(stored, { memory, window: 1, ...options });
  return {
    ...sourceFor(0),
    open: (plan) => sourceFor(estimateNeed(stored, plan, plan.threads ?? 1) + room).open(plan),
  };
}

const bytes = (model: Model) => Buffer.from(saveModel(model)).toString("base64");

afterEach(() => void vi.unstubAllGlobals());

it("the data is more than two blocks and many windows", () => expect(N / blockSize(N)).toBeGreaterThan(10));

describe.each(Object.entries(FORMS))("%s", (_, own) => {
  it.each(ALL.flatMap((method) => [4, 30].map((k) => ({ method, k }))))("$method, k = $k", async ({ method, k }) => {
    const options: FitOptions = { k, method, seed: 2, maxIterations: 6 };
    const expected = bytes(await fit(own, { ...options, threads: 1 }));
    expect(bytes(await fit(source(storeHere(own)), { ...options, threads: 1 }))).toBe(expected);
    expect(bytes(await fit(source(storeFile(own), 100_000), { ...options, threads: 2 }))).toBe(expected);
  });

  it.each(["bonmf", "spherical", "kmeans", "nmf"] as const)("%s with weights, seeded by a race", async (method) => {
    const options: FitOptions = { k: 14, method, init: "plusplus", maxIterations: 8, restarts: 2 };
    const expected = bytes(await fit(own, { ...options, weights }));
    expect(bytes(await fit(source(storeHere(own), 0, { weights }), options))).toBe(expected);
    expect(bytes(await fit(source(storeFile(own), 0, { weights }), { ...options, threads: 3 }))).toBe(expected);
  });
});

describe("long samples, with bounds by group", () => {
  const long = dense(blobRows(8, 1300, 260, 30), "f32");
  const options = { k: 30, seed: 1 };

  it.each([long, Sparse.fromDense(long)])("$kind", async (own) => {
    const expected = bytes(await fit(own, options));
    expect(bytes(await fit(source(storeHere(own)), { ...options, threads: 1 }))).toBe(expected);
    expect(bytes(await fit(source(storeFile(own), 99_000), { ...options, threads: 2 }))).toBe(expected);
  });

  it("without them where memory is short", async () => {
    const stored = storeHere(long);
    const plan = { k: 30, form: "labels", threads: 1, effort: 1 } as const;
    const memory = estimateNeed(stored, plan, 1, 1);
    expect(memory).toBeLessThan(estimateNeed(stored, plan, 1));
    expect(bytes(await fit(streamSource(stored, { memory }), options))).toBe(bytes(await fit(long, options)));
  });
});

it("needs no WebAssembly", async () => {
  const expected = bytes(await fit(X, { k: 5, maxIterations: 5 }));
  vi.stubGlobal("WebAssembly", undefined);
  expect(bytes(await fit(source(storeHere(X)), { k: 5, maxIterations: 5 }))).toBe(expected);
});

describe("a fit that is stopped", () => {
  it.each(["bonmf", "kmeans", "em-onmf", "hals", "semi-binary"] as const)(
    "by an abort, %s, goes on",
    async (method) => {
      const options: FitOptions = { k: 12, method, maxIterations: 9, restarts: 2 };
      const expected = bytes(await fit(X, options));
      for (const at of [1, 4]) {
        const stop = new AbortController();
        const watch = {
          signal: stop.signal,
          onStep: ({ iteration }: { iteration: number }) => void (iteration === at && stop.abort()),
        };
        const error = await fit(source(storeHere(X)), { ...options, ...watch }).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(AbortError);
        const { model } = error as AbortError;
        expect(bytes(await resume(model!, source(storeFile(X)), { threads: 2 }))).toBe(expected);
      }
    },
  );

  it.each(["bonmf", "spherical", "em-onmf", "nmf", "semi-binary"] as const)(
    "by a kill, %s, goes on from what was kept",
    async (method) => {
      const options: FitOptions = { k: 12, method, maxIterations: 5, restarts: 2 };
      const kept: Uint8Array[] = [];
      const onCheckpoint = async (model: Model) => void kept.push(saveModel(model));
      const expected = bytes(await fit(source(storeHere(X)), { ...options, onCheckpoint }));
      expect(expected).toBe(bytes(await fit(X, options)));
      expect(kept.length).toBeGreaterThan(0);
      for (const file of kept) {
        const reached = loadModel(file);
        expect(reached.stopped).toBe("aborted");
        expect(bytes(await resume(reached, source(storeHere(X))))).toBe(expected);
      }
    },
  );
});

describe("what is read", () => {
  // Long samples: what lies between short ones is read along.
  const wide = dense(blobRows(5, 700, 1500, 30), "f32");

  it.each([wide, Sparse.fromDense(wide)])("of $kind samples gets less as labels settle", async (own) => {
    const stored = storeHere(own);
    const size = own.kind === "dense" ? own.data.byteLength : own.values.byteLength + own.indices.byteLength;
    const asked: number[] = [];
    let before = 0;
    const onStep = () => {
      asked.push(stored.reader.asked - before);
      before = stored.reader.asked;
    };
    await fit(source(stored), { k: 4, seed: 1, onStep });
    // At first all are looked at, and then labelled.
    expect(asked[0]).toBeGreaterThan(1.9 * size);
    expect(asked.at(-1)).toBeLessThan(0.5 * size);
  });

  it("is nothing once all samples are in memory", async () => {
    const stored = storeHere(X);
    const size = X.data.byteLength;
    await fit(source(stored, 2 * size), { k: 5, maxIterations: 5 });
    expect(stored.reader.asked).toBe(size);
  });

  it("may be only the last samples of the last window", async () => {
    const stored = storeFile(X);
    const engine = await source(stored).open({ k: 3, form: "labels", threads: 2, effort: 1 });
    expect((await engine.rows([N - 1, 0, 7])).data).toEqual(X.take([N - 1, 0, 7]).data);
    await engine.close();
  });
});

describe("fails on", () => {
  it("too little memory for labels and prototypes, and says how much they need", async () => {
    const told = fit(streamSource(storeHere(X), { memory: 1000 }), { k: 5 });
    await expect(told).rejects.toThrow(OptionError);
    await expect(told).rejects.toThrow(/^\d+ MB of memory are needed beside the samples to find 5 clusters of 3000/);
    const real = fit(streamSource(storeHere(X), { memory: 1000 }), { k: 5, method: "nmf" });
    await expect(real).rejects.toThrow(/this method keeps k numbers a sample/);
  });

  it("a module without openReader", async () => {
    const reader = { module: new URL("../../dist/bonmf.js", import.meta.url).href, options: null };
    await expect(fit(source({ ...storeHere(X), reader }), { k: 2, threads: 1 })).rejects.toThrow(
      /no function openReader/,
    );
  });

  it("a read that fails", async () => {
    const reader = { read: () => Promise.reject(new Error("the disk is gone")) };
    await expect(fit(source({ ...storeHere(X), reader }), { k: 2 })).rejects.toThrow("the disk is gone");
  });
});
