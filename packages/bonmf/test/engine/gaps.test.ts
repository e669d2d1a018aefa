import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/engine/engine.js";
import { openEngine, openPlain, openShard } from "../../src/engine/in-memory.js";
import { totalStats } from "../../src/engine/stats.js";
import { surveyData } from "../../src/engine/survey.js";
import { labelSamples } from "../../src/kernel/encode.js";
import type { RuleName, Step } from "../../src/kernel/step.js";
import type { Precision } from "../../src/matrix/dense.js";
import { type Separated, separateGaps } from "../../src/matrix/gaps.js";
import { gramOf } from "../../src/matrix/prototypes.js";
import { bits, codeBits, dense, draws, randomRows } from "../synthetic.js";

/** Samples with gaps: kernels and bounds, on any number of threads, give the bits of plain TypeScript without bounds. */
const N = 700;

/** Rows of m features around `centres`, of which a share is missing, some rows complete and some almost empty. */
function hidden(m: number, share: number, zeros: number, precision: Precision): Separated {
  const next = draws(m);
  const centres = randomRows(4, 6, m, zeros);
  const rows = Array.from({ length: N }, (_, i) =>
    centres[i % 6].map((c, f) => {
      const missing = i % 7 === 0 ? i === 7 && f > 0 : next() < share && f !== i % m;
      return missing ? Number.NaN : c === 0 ? 0 : c + 0.3 * next();
    }),
  );
  return separateGaps(dense(rows, precision));
}

/** Prototypes on their way: from `step` to the next they move less and less. The last one is zero. */
function drift(m: number, k: number, step: number): Float64Array {
  const [from, to] = [randomRows(5, k, m).flat(), randomRows(6, k, m).flat()];
  const W = Float64Array.from(from, (w, q) => w + (to[q] - w) * (1 - 0.3 ** step));
  return W.fill(0, (k - 1) * m);
}

/** The sums and codes of sweeps that follow each other. */
async function sweepAll(engine: Engine, steps: (step: number) => Step) {
  const found = [];
  let products = 0;
  for (let s = 0; s < 5; s++) {
    const sums = totalStats(await engine.pass(steps(s)));
    const { XHt, HHt, known, listedCodes, loss, cross, listedSquare, changed, hash0, hash1 } = sums;
    found.push([bits(XHt), bits(HHt), bits(known), changed, hash0, hash1, codeBits(await engine.gather())]);
    found.push([bits(listedCodes), loss, cross, listedSquare]);
    ({ products } = sums);
  }
  await engine.close();
  return { found, products };
}

async function makeSteps(X: Separated, rule: RuleName, k: number, precision: Precision): Promise<(s: number) => Step> {
  const { samples: n, features: m } = X.X;
  const engine = await openPlain(X.X, { gaps: X.gaps });
  const unit = rule === "cosine";
  const { grid, weightGrid } = await surveyData(engine, unit, 0);
  await engine.close();
  const real = rule !== "cosine" && rule !== "distance";
  return (s) => {
    const W = drift(m, k, s);
    if (!real) return { rule, k, W, unit, grid, weightGrid };
    // The first codes are random: those of the rule begin from them.
    if (s === 0) return { rule: "uniform", k, W, seed: n };
    if (rule === "divide") return { rule, k, W, l1: 0.1, l2: s % 2, sweeps: s < 3 ? 1 : 60 };
    const float32 = precision === "f32" && rule !== "binary" && rule !== "nnls" ? { float32: 4 } : {};
    return { rule, k, W, gram: gramOf(W, k), sweeps: 5, beyond: 0.8, ...float32 };
  };
}

const RULES: readonly RuleName[] = ["cosine", "distance", "multiply", "divide", "cyclic", "binary", "nnls"];

describe("samples with gaps", () => {
  for (const rule of RULES) {
    for (const [m, share, zeros] of [
      [40, 0.02, 0],
      [40, 0.1, 0.7],
      [40, 0.8, 0],
      [9, 0.3, 0],
    ] as const) {
      for (const k of rule === "cosine" || rule === "distance" ? [5, 70] : [5, 17]) {
        it(`${rule}, k = ${k}: ${m} features, ${100 * share} % missing, ${100 * zeros} % zeros`, async () => {
          for (const precision of ["f32", "f64"] as const) {
            const X = hidden(m, share, zeros, precision);
            const steps = await makeSteps(X, rule, k, precision);
            const plain = await sweepAll(await openPlain(X.X, { gaps: X.gaps }), steps);
            const swift = await sweepAll(await openShard(X.X, { gaps: X.gaps }), steps);
            const split = await sweepAll(
              await openEngine(X.X, { weights: null, gaps: X.gaps, threads: 3, work: 0 }),
              steps,
            );
            expect(swift.found).toEqual(plain.found);
            expect(split.found).toEqual(plain.found);
            if (rule === "distance") expect(swift.products).toBeLessThan(0.8 * N * k);
          }
        });
      }
    }
  }

  it("are spared by bounds, by angle too", async () => {
    const X = hidden(40, 0.02, 0, "f32");
    const steps = await makeSteps(X, "cosine", 5, "f32");
    const { products } = await sweepAll(await openShard(X.X, { gaps: X.gaps }), steps);
    expect(products).toBeLessThan(0.8 * N * 5);
  });

  it("have the same labels alone and in a sweep", async () => {
    for (const share of [0.1, 0.8]) {
      for (const rule of ["cosine", "distance"] as const) {
        const X = hidden(40, share, 0, "f32");
        const W = drift(40, 5, 1);
        const engine = await openPlain(X.X, { gaps: X.gaps });
        await engine.pass({ rule, k: 5, W });
        const { labels } = await engine.gather();
        expect(labelSamples(X.X, rule, W, 5, X.gaps)).toEqual(labels);
        await engine.close();
      }
    }
  });
});
