import { describe, expect, it } from "vitest";
import { findComponents, project } from "../../src/choose/components.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { Random } from "../../src/random.js";
import { finishSteps } from "../../src/steps.js";

/** Independent features with standard deviations 8, 4, 2, 1, 1 … in a rotated frame of two of them. */
function drawSamples(samples: number, features: number): Dense {
  const random = new Random(2);
  const X = Dense.zeros(samples, features, "f64");
  for (let i = 0; i < samples; i++) {
    for (let f = 0; f < features; f++) X.data[i * features + f] = 3 + (random.next() - 0.5) * Math.max(1, 8 / 2 ** f);
    const [x, y] = X.row(i);
    X.data[i * features] = (x + y) / Math.SQRT2;
    X.data[i * features + 1] = (x - y) / Math.SQRT2;
  }
  return X;
}

describe("principal components", () => {
  const X = drawSamples(500, 30);
  const found = finishSteps(findComponents(X, 4, 7));

  it("are orthonormal, of falling variance", () => {
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b < 4; b++) {
        let product = 0;
        for (let f = 0; f < 30; f++) product += found.axes[a * 30 + f] * found.axes[b * 30 + f];
        expect(product).toBeCloseTo(a === b ? 1 : 0, 10);
      }
    }
    expect([...found.variances].sort((a, b) => b - a)).toEqual([...found.variances]);
  });

  it("find the directions of most variance", () => {
    expect(Math.abs(found.axes[0])).toBeCloseTo(Math.SQRT1_2, 1);
    expect(Math.abs(found.axes[1])).toBeCloseTo(Math.SQRT1_2, 1);
    expect(found.variances[0]).toBeCloseTo(64 / 12, 0);
    expect(found.variances[1]).toBeCloseTo(16 / 12, 0);
  });

  it("project to coordinates of that variance", () => {
    const Z = finishSteps(project(X, found, 2));
    for (const c of [0, 1]) {
      let [sum, squares] = [0, 0];
      for (let i = 0; i < 500; i++) {
        sum += Z.at(i, c) / 500;
        squares += Z.at(i, c) ** 2 / 500;
      }
      expect(sum).toBeCloseTo(0, 10);
      expect(squares).toBeCloseTo(found.variances[c], 6);
    }
  });

  it("are the same for sparse samples", () => {
    const sparse = finishSteps(findComponents(Sparse.fromDense(X), 4, 7));
    expect([...sparse.variances]).toEqual([...found.variances]);
  });

  it("take fewer axes where there are fewer features", () => {
    expect(finishSteps(findComponents(drawSamples(50, 3), 40, 1)).variances.length).toBe(3);
  });
});
