/** 32-bit samples are multiplied in 32 bits while real-valued methods are fitted: what that may change, and what not. */
import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { fit } from "../../src/model/fit.js";
import type { Model } from "../../src/model/model.js";
import { loadDataset } from "../datasets.js";
import { blobRows, dense } from "../synthetic.js";

const METHODS = ["nmf", "hals", "onmf-ding"] as const;

/** ‖X − WH‖² entry by entry. */
function lossOf(X: Dense, { W, H }: Model): number {
  let loss = 0;
  for (let i = 0; i < X.samples; i++) {
    X.row(i).forEach((x, f) => {
      let rest: number = x;
      for (let r = 0; r < W.samples; r++) rest -= W.data[r * X.features + f] * H.row(i)[r];
      loss += rest * rest;
    });
  }
  return loss;
}

async function compare(X: Dense, k: number, method: (typeof METHODS)[number]) {
  const options = { k, method, init: "columns", seed: 1, maxIterations: 25, tolerance: 0 } as const;
  const single = await fit(X, options);
  const double = await fit(new Dense(X.samples, X.features, Float64Array.from(X.data)), options);
  let normSq = 0;
  for (const x of X.data) normSq += x * x;
  expect(Math.abs(single.potential - lossOf(X, single))).toBeLessThan(1e-7 * normSq);
  // `hals` also finds codes and W in 32 bits, and whether one goes beyond its optimum is a decision, which rounding can turn.
  expect(Math.abs(single.potential / double.potential - 1)).toBeLessThan(method === "hals" ? 1e-5 : 2e-6);
  single.history.slice(1).forEach(({ potential }, i) => {
    expect(potential).toBeLessThan(single.history[i].potential);
  });
}

describe.each(METHODS)("%s in 32 bits", (method) => {
  it("falls with every iteration, to where 64 bits go", () =>
    compare(dense(blobRows(3, 1500, 30, 8), "f32"), 8, method));

  it("the same on digits", async () => {
    const { X } = await loadDataset("optdigits");
    await compare(new Dense(X.samples, X.features, Float32Array.from((X as Dense).data)), 10, method);
  });
});

it.each([1e-30, 1e-12, 1e12, 1e30])("samples of size %d are fitted as well as others", async (size) => {
  const rows = blobRows(4, 300, 12, 5);
  const relative = async (scale: number) => {
    const X = dense(
      rows.map((row) => row.map((x) => x * scale)),
      "f32",
    );
    const init = X.take([1, 50, 100, 150, 200]);
    return (await fit(X, { k: 5, method: "nmf", init, maxIterations: 20, tolerance: 0 })).relativeError;
  };
  expect(Math.abs((await relative(size)) / (await relative(1)) - 1)).toBeLessThan(1e-4);
});

it.each(["nmf", "hals"] as const)(
  "%s leaves no code above twice ‖x‖/‖w‖, so that sums can be exact",
  async (method) => {
    const X = dense(blobRows(5, 300, 20, 6), "f32");
    const length = (values: ArrayLike<number>) => Math.hypot(...Array.from(values));
    for (const maxIterations of [1, 2, 10]) {
      const { W, H } = await fit(X, { k: 6, method, init: "sample", seed: 3, maxIterations, tolerance: 0 });
      const lengths = Array.from({ length: 6 }, (_, r) => length(W.row(r)));
      for (let i = 0; i < X.samples; i++) {
        const most = Math.max(...Array.from(H.row(i), (h, r) => h * lengths[r]));
        expect(most).toBeLessThanOrEqual(2 * length(X.row(i)));
      }
    }
  },
);
