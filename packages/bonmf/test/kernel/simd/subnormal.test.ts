import { describe, expect, it } from "vitest";
import { openPlain, openShard } from "../../../src/engine/in-memory.js";
import { surveyData } from "../../../src/engine/survey.js";
import { Dense } from "../../../src/matrix/dense.js";
import { codeBits, draws } from "../../synthetic.js";

describe("samples of subnormal values", () => {
  it.each([
    ["cosine", 12, 6],
    ["cosine", 48, 40],
    ["distance", 12, 6],
  ] as const)("keep the labels of the plain engine, by %s, %i features, k = %i", async (rule, m, k) => {
    const draw = draws(5);
    const n = 600;
    const X = Dense.zeros(n, m, "f32");
    X.data.forEach((_, p, values) => {
      values[p] = Math.floor(p / m) % 3 === 0 ? draw() : Math.floor(10 * draw()) * 1.4e-45;
    });
    const engines = [await openPlain(X), await openShard(X)];
    const { grid, weightGrid } = await surveyData(engines[0], false, 0);
    const W = Float64Array.from({ length: k * m }, () => draw());
    for (let step = 0; step < 12; step++) {
      const [plain, pruned] = await Promise.all(
        engines.map(async (engine) => {
          await engine.pass({ rule, k, W: W.slice(), grid, weightGrid });
          return codeBits(await engine.gather());
        }),
      );
      expect(pruned, `step ${step}`).toEqual(plain);
      for (let p = 0; p < W.length; p++) W[p] *= 1 + 0.02 * (draw() - 0.5);
    }
    await Promise.all(engines.map((engine) => engine.close()));
  });
});
