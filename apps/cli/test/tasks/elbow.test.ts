import { fit, type Model } from "bonmf";
import { describe, expect, it } from "vitest";
import { chooseK } from "../../src/tasks/choose-k.js";
import { measureSilhouette } from "../../src/tasks/silhouette.js";

/** Samples of any length along `k` directions, ten degrees wide. */
function drawRays(k: number, samples: number): number[][] {
  let state = 11 * k;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const features = k + 2;
  return Array.from({ length: samples }, (_, i) => {
    const length = 1 + 4 * draw();
    return Array.from({ length: features }, (_, f) => length * ((f === i % k ? 1 : 0.15) + 0.2 * draw()));
  });
}

const ks = [2, 3, 4, 5, 6, 7, 8, 9];

describe.each(["bonmf", "spherical", "kmeans", "em-onmf"] as const)("with %s", (method) => {
  const metric = method === "kmeans" ? "squared" : "cosine";

  it.each([3, 5, 8])("%i well separated clusters are found to be as many", async (k) => {
    const X = method === "kmeans" ? drawRays(k, 240).map(normalise) : drawRays(k, 240);
    const fitOne = (k: number) => fit(X, { k, method, restarts: 5, init: "plusplus" });
    const measureOne = (model: Model) => measureSilhouette(model.prepare(X), model.labels, { metric });
    const classes = X.map((_, i) => `c${i % k}`);
    const { suggested, trials, reason, model } = await chooseK(fitOne, measureOne, ks, classes);
    expect(suggested).toBe(k);
    expect(model.k).toBe(k);
    expect(trials.map((trial) => trial.k)).toEqual(ks);
    expect(trials[ks.indexOf(k)]).toMatchObject({
      objective: model.potential,
      relativeError: model.relativeError,
      nmi: 1,
    });
    expect(reason).toMatch(new RegExp(`^k = ${k} has the largest mean silhouette, 0\\.[789]`));

    // Where the samples are out of reach the error has its elbow there, too.
    const blind = await chooseK(fitOne, null, ks);
    expect(blind.suggested).toBe(k);
    expect(blind.model.W.data).toEqual(model.W.data);
    expect(blind.trials.map((trial) => [trial.k, trial.silhouette])).toEqual(ks.map((k) => [k, null]));
    expect(blind.reason).toContain(`bends most at k = ${k}`);
  });
});

function normalise(row: number[]): number[] {
  const length = Math.hypot(...row);
  return row.map((x) => x / length);
}

describe("without a winner", () => {
  const same = Array.from({ length: 8 }, () => [1, 2, 3]);
  const fitOne = (k: number) => fit(same, { k, method: "kmeans", emptyClusters: "keep", init: "sample" });

  it("fewer clusters are better where samples are all alike", async () => {
    const choice = await chooseK(fitOne, null, [2, 3, 4]);
    expect(choice).toMatchObject({
      suggested: 2,
      reason: "the relative error has no bend; k = 2 is the simplest",
    });
    const measured = await chooseK(fitOne, async () => null, [3, 4]);
    expect(measured).toMatchObject({ suggested: 3, reason: "no k separates the samples; k = 3 is the simplest" });
  });

  it("ties go to fewer clusters, and what was not measured does not win", async () => {
    const measures = new Map([[1, null], [2, 0.5], [3, 0.5], [4, 0.4]]); // biome-ignore format: a table
    const X = drawRays(4, 20);
    const measureOne = async ({ k }: Model) => measures.get(k)!;
    expect((await chooseK((k) => fit(X, { k }), measureOne, [1, 2, 3, 4])).suggested).toBe(2);
  });
});
