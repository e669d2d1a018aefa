/** Products in WebAssembly against the plain ones, to the bit, in every method that keeps coefficients. */
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/engine/engine.js";
import { openPlain, openShard } from "../../src/engine/in-memory.js";
import { blockSize, totalStats } from "../../src/engine/stats.js";
import { iterate } from "../../src/factor/iterate.js";
import type { Step } from "../../src/kernel/step.js";
import { gridFor } from "../../src/kernel/sums.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { gramOf } from "../../src/matrix/prototypes.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { type FitOptions, resolveOptions } from "../../src/model/options.js";
import { bits, codeBits, dense, draws, REAL, randomRows } from "../synthetic.js";

/** Three blocks, the last of them short and no multiple of what kernels take at a time. */
const N = 647;
const M = 37;
// So empty that sparse samples stay sparse, so full that dense ones stay dense.
const rows = randomRows(3, N, M, 0.65);
rows[5].fill(0);
rows[20] = rows[19];
const next = draws(8);
const weights = Float64Array.from(rows, (_, i) => (i % 9 === 0 ? 0 : 3 * next()));

const DATA: [string, Matrix][] = (["f32", "f64"] as const).flatMap((precision): [string, Matrix][] => {
  const X = dense(rows, precision);
  return [
    [`dense ${precision}`, X],
    [`sparse ${precision}`, Sparse.fromDense(X)],
  ];
});

async function run(engine: Engine, options: FitOptions) {
  const settled = resolveOptions(options, engine.samples, engine.features);
  const { W, history, stopped, repairs } = await iterate(engine, settled, options.seed ?? 0, null);
  const codes = codeBits(await engine.gather());
  await engine.close();
  return { W: bits(W), history, stopped, repairs, codes };
}

it("the data is three blocks", () => expect(Math.ceil(N / blockSize(N))).toBe(3));

describe.each(DATA)("%s", (_, X) => {
  it.each([...REAL, "em-onmf"] as const)("%s", async (method) => {
    for (const w of [null, weights]) {
      for (const init of ["plusplus", "nndsvd", "random"] as const) {
        for (const k of [1, 9, 11, 20]) {
          const options: FitOptions = { k, method, init, seed: 2, maxIterations: 3, tolerance: 0 };
          const plain = await run(await openPlain(X, { weights: w }), options);
          expect(plain.history.length).toBeGreaterThan(0);
          expect(await run(await openShard(X, { weights: w }), options)).toEqual(plain);
        }
      }
    }
  });

  it("one engine whose steps change form and size", async () => {
    const W = (k: number) => Float64Array.from(randomRows(k, k, M).flat());
    const of = (rule: Step["rule"], k: number, more: Partial<Step> = {}): Step => ({ rule, k, W: W(k), ...more });
    const grid = Float64Array.from({ length: M }, (_, f) => gridFor(2 * N * (1 + f)));
    const steps = [
      of("race", 0, { fresh: true, rank: 3, fit: "ray" }),
      of("race", 1, { rank: 3, fit: "ray" }),
      of("race", 5, { rank: 3, fit: "ray" }),
      of("ray", 13),
      of("hold", 13, { fit: "ray", rank: 4 }),
      of("nnls", 3, { gram: gramOf(W(3), 3) }),
      of("probe", 20),
      of("hold", 3),
      of("cosine", 4, { unit: true }),
      of("distance", 14),
      of("uniform", 9, { round: true }),
      of("cyclic", 9, { gram: gramOf(W(9), 9), codesOnly: true }),
      of("multiply", 9, { gram: gramOf(W(9), 9), float32: 2 }),
      of("hold", 9, { float32: 2 }),
      of("uniform", 14),
      of("root", 14, { gram: gramOf(W(14), 14), float32: 4 }),
      of("cyclic", 14, { gram: gramOf(W(14), 14) }),
      of("cyclic", 3, { gram: gramOf(W(3), 3), float32: 2 }),
      of("distance", 14),
      of("softmax", 14, { bias: W(14).slice(0, 14), grid }),
      of("cosine", 4),
      of("softmax", 4, { bias: W(4).slice(0, 4), grid }),
      of("softmax", 4, { bias: W(4).slice(0, 4) }),
      of("softmax", 9, { bias: W(9).slice(0, 9), grid }),
      ...[9, 3, 4, 6, 8, 21].map((k) => of("softmax", k, { bias: W(k).slice(0, k), grid, byTerm: true })),
      of("softmax", 8, { bias: W(8).slice(0, 8), grid }),
    ];
    const plain = await openPlain(X, { weights });
    const shard = await openShard(X, { weights });
    for (const step of steps) {
      const [a, b] = [totalStats(await plain.pass(step)), totalStats(await shard.pass(step))];
      expect([bits(b.XHt), bits(b.HHt), b.loss, b.changed, b.hash0, b.ranked]).toEqual([
        bits(a.XHt),
        bits(a.HHt),
        a.loss,
        a.changed,
        a.hash0,
        a.ranked,
      ]);
      if (step.rule !== "race") expect(codeBits(await shard.gather())).toEqual(codeBits(await plain.gather()));
    }
  });

  it("an aborted sweep leaves nothing in the sums of the next", async () => {
    const step: Step = { rule: "linear", k: 4, W: Float64Array.from(randomRows(1, 4, M).flat()) };
    const shard = await openShard(X);
    // The engine gives way after the first chunk of the first block if it has not for a while.
    await new Promise((resolve) => setTimeout(resolve, 30));
    const controller = new AbortController();
    const pass = shard.pass(step, controller.signal);
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    controller.abort("enough");
    await expect(pass).rejects.toBe("enough");
    expect(bits(totalStats(await shard.pass(step)).XHt)).toBe(
      bits(totalStats(await (await openPlain(X)).pass(step)).XHt),
    );
  });
});
