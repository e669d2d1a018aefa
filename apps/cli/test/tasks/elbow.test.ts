import { fit } from "bonmf";
import { describe, expect, it } from "vitest";
import { findElbow } from "../../src/tasks/elbow.js";

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
  it.each([3, 5, 8])("%i well separated clusters bend the error there", async (k) => {
    const X = method === "kmeans" ? drawRays(k, 240).map(normalise) : drawRays(k, 240);
    const fitOne = (k: number) => fit(X, { k, method, restarts: 5, init: "plusplus" });
    const classes = X.map((_, i) => `c${i % k}`);
    const { suggested, trials, reason, model } = await findElbow(fitOne, ks, classes);
    expect(suggested).toBe(k);
    expect(model.k).toBe(k);
    expect(trials.map((trial) => trial.k)).toEqual(ks);
    expect(trials[ks.indexOf(k)]).toMatchObject({
      objective: model.potential,
      relativeError: model.relativeError,
      nmi: 1,
    });
    expect(reason).toContain(`bends most at k = ${k}`);
  });
});

function normalise(row: number[]): number[] {
  const length = Math.hypot(...row);
  return row.map((x) => x / length);
}

it("fewer clusters are better where samples are all alike", async () => {
  const same = Array.from({ length: 8 }, () => [1, 2, 3]);
  const fitOne = (k: number) => fit(same, { k, method: "kmeans", emptyClusters: "keep", init: "sample" });
  expect(await findElbow(fitOne, [2, 3, 4])).toMatchObject({
    suggested: 2,
    reason: "the relative error has no bend; k = 2 is the simplest",
  });
});
