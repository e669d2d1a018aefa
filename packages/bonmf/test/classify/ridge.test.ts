import { describe, expect, it } from "vitest";
import { solveRidge } from "../../src/classify/ridge.js";
import { Dense } from "../../src/matrix/dense.js";
import { draws } from "../synthetic.js";

// More samples than one block has.
const [N, M] = [1300, 5];
const next = draws(11);
const features = Dense.from(Array.from({ length: N }, () => Array.from({ length: M }, next)));
const y = Uint32Array.from({ length: N }, (_, i) => (features.row(i)[0] > 0.6 ? 2 : features.row(i)[1] > 0.5 ? 1 : 0));

/** The gradient of Σ ω‖t − Wx − b‖² + λ‖W‖², halved: W first, then b. */
function gradientOf(
  W: Float64Array,
  bias: Float64Array,
  targets: number[][],
  weights: Float64Array | null,
  penalty: number,
) {
  const r = bias.length;
  const gradient = Array.from(W, (w) => penalty * w);
  const constant = new Array(r).fill(0);
  for (let i = 0; i < N; i++) {
    const x = features.row(i);
    for (let c = 0; c < r; c++) {
      let rest = bias[c] - targets[i][c];
      for (let f = 0; f < M; f++) rest += W[c * M + f] * x[f];
      rest *= weights ? weights[i] : 1;
      constant[c] += rest;
      for (let f = 0; f < M; f++) gradient[c * M + f] += rest * x[f];
    }
  }
  return [...gradient, ...constant];
}

describe("ridge regression of classes", () => {
  const weights = Float64Array.from({ length: N }, (_, i) => 1 + (i % 3));

  it.each([null, weights])("is where the gradient is zero, for every penalty", (weights) => {
    const targets = Array.from(y, (label) => [0, 1, 2].map((c) => Number(c === label)));
    const penalties = [10, 0.01];
    solveRidge({ features, y, classes: 3, weights }, penalties).forEach(({ W, bias }, p) => {
      // Answers are sharpened by ten.
      const [own, b] = [W.map((w) => w / 10), bias.map((b) => b / 10)];
      for (const part of gradientOf(own, b, targets, weights, penalties[p])) expect(Math.abs(part)).toBeLessThan(1e-5);
    });
  });

  it("has one score for two classes", () => {
    const two = y.map((label) => Math.min(1, label));
    const targets = Array.from(two, (label) => [2 * label - 1]);
    const [{ W, bias }] = solveRidge({ features, y: two, classes: 2, weights: null }, [0.5]);
    const [own, b] = [W.map((w) => w / 10), bias.map((b) => b / 10)];
    for (const part of gradientOf(own, b, targets, null, 0.5)) expect(Math.abs(part)).toBeLessThan(1e-5);
  });
});
