import { describe, expect, it } from "vitest";
import { trainPath } from "../../src/classify/linear.js";
import { placeClasses, trainLogistic } from "../../src/classify/logistic.js";
import { memorySource } from "../../src/engine/in-memory.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Model } from "../../src/model/model.js";
import { draws } from "../synthetic.js";

describe("fewer samples than features", () => {
  const [n, m, classes] = [30, 90, 3];
  const next = draws(2);
  const y = Uint32Array.from({ length: n }, (_, i) => i % classes);
  const rows = Array.from({ length: n }, (_, i) =>
    Array.from({ length: m }, (_, f) => next() + (f % classes === y[i] ? 0.3 : 0)),
  );
  // Samples that are alike leave no pivot.
  rows[29] = rows[26];
  const Z = Dense.from(rows);

  it("have the solution of all features", async () => {
    const engine = await memorySource(Z, null).open({ k: classes, form: "labels", threads: 1, effort: 1 });
    await placeClasses(engine, y, classes);
    const direct = await trainLogistic(engine, classes, { penalty: 0.5, tolerance: 1e-7, limit: 1000 });
    await engine.close();
    const task = { model: null as unknown as Model, Z, y, classes };
    const [found] = await trainPath(task, [0.5], { sharpness: null, threads: 1, tolerance: 1e-7, limit: 1000 });
    found.W.forEach((w, p) => {
      expect(w).toBeCloseTo(direct.W[p], 4);
    });
    found.bias.forEach((b, c) => {
      expect(b).toBeCloseTo(direct.bias[c], 4);
    });
  });

  it("may all be zero", async () => {
    const task = {
      model: null as unknown as Model,
      Z: Dense.zeros(4, 6, "f64"),
      y: Uint32Array.of(0, 0, 0, 1),
      classes: 2,
    };
    const [{ W, bias }] = await trainPath(task, [1], { sharpness: null, threads: 1 });
    expect([...W]).toEqual(new Array(6).fill(0));
    expect(bias[0]).toBeCloseTo(-Math.log(3), 3);
  });
});
