import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/engine/in-memory.js";
import { type AbortError, fit, loadModel, type Model, resume, type Source, saveModel } from "../../src/index.js";
import { toMatrix } from "../../src/matrix/matrix.js";
import { bits, blobRows } from "../synthetic.js";

const X = toMatrix(blobRows(5, 900, 12, 5));

/** The same samples, out of the fit's reach; `keeps`: the labels stay with them. */
function away(keeps: boolean): Source {
  const { samples, features, precision } = X;
  return {
    samples,
    features,
    precision,
    async open({ threads, effort }) {
      const engine = await openEngine(X, { weights: null, threads, work: effort });
      if (!keeps) return engine;
      const none = { form: "labels", labels: new Uint8Array(0), values: null } as const;
      return {
        ...engine,
        gather: async () => ({ ...none, k: 5 }),
        scatter: () => Promise.reject(new Error("no labels")),
      };
    },
  };
}

const told = ({ W, history, counts, samples, stopped }: Model) => ({
  W: bits(W.data),
  history,
  counts,
  samples,
  stopped,
});

describe("samples from a source", () => {
  it.each(["bonmf", "spherical", "kmeans", "nmf", "semi-binary"] as const)("give the same %s", async (method) => {
    const options = { k: 5, method, seed: 3, maxIterations: 30 } as const;
    const here = await fit(X, options);
    const there = await fit(away(false), options);
    expect(told(there)).toEqual(told(here));
    expect(there.labels).toEqual(here.labels);
  });

  it("bring their own scaler and weights", async () => {
    await expect(fit(away(false), { k: 5, scale: "l2" })).rejects.toThrow(/scale cannot be applied to a source/);
    await expect(fit(away(false), { k: 5, weights: [1] })).rejects.toThrow(/weights cannot be given to a source/);
  });
});

describe("labels that stay with their samples", () => {
  const options = { k: 5, seed: 3, restarts: 2 };

  it("are missed by nobody", async () => {
    const here = await fit(X, options);
    const there = await fit(away(true), options);
    expect(there.labels.length).toBe(0);
    expect(told(there)).toEqual(told(here));
    expect(there.predict(X)).toEqual(here.labels);
    expect(told(loadModel(saveModel(there)))).toEqual(told(here));
  });

  it("are found again when a fit goes on", async () => {
    const stop = new AbortController();
    const watch = {
      signal: stop.signal,
      onStep: ({ iteration }: { iteration: number }) => iteration === 2 && stop.abort(),
    };
    const error = await fit(away(true), { ...options, ...watch }).catch((reason: unknown) => reason);
    const reached = loadModel(saveModel((error as AbortError).model!));
    expect(reached.stopped).toBe("aborted");
    expect(told(await resume(reached, away(true)))).toEqual(told(await fit(X, options)));
  });
});
