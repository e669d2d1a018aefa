import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import type { Step } from "../kernel/step.js";
import { orthonormalise, rowLengths } from "../matrix/prototypes.js";
import { eigen } from "../matrix/symmetric.js";
import { STREAM, uniform } from "../random.js";
import type { Run } from "./settings.js";

const EXTRA = 10;
const POWER_STEPS = 6;

/**
 * Non-negative double singular value decomposition (Boutsidis and Gallopoulos, 2008). The singular vectors come from
 * subspace iteration (Halko, Martinsson, Tropp, 2011), one sweep a step.
 *
 * @param in32Bits how products are summed in 32 bits while the subspace is found; what is read off it has 64
 * @returns W (k × m), and `coder` (k × m) such that H⁰ = max(0, coder · X)
 */
export async function nndsvd(
  engine: Engine,
  k: number,
  seed: number,
  { signal, onStart }: Pick<Run, "signal" | "onStart"> = {},
  in32Bits: Partial<Step> = {},
): Promise<{ W: Float64Array; coder: Float64Array }> {
  const m = engine.features;
  const rank = Math.min(k, m);
  const width = Math.min(rank + EXTRA, m);
  let passes = 0;
  const probe = async (W: Float64Array, how: Partial<Step>) => {
    const step: Step = { rule: "probe", k: W.length / m, W, ...how };
    const sums = totalStats(await engine.pass(step, signal));
    onStart?.(++passes, POWER_STEPS + 2);
    return sums;
  };

  let Q = new Float64Array(width * m).map((_, q) => uniform(seed, STREAM.subspace, q) - 0.5);
  orthonormalise(Q, width);
  for (let step = 0; step < POWER_STEPS; step++) {
    Q = (await probe(Q, { only: "XHt", ...in32Bits })).XHt.slice();
    orthonormalise(Q, width);
  }
  const { values, vectors } = eigen((await probe(Q, { only: "HHt" })).HHt, width);
  const U = new Float64Array(rank * m);
  for (let j = 0; j < rank; j++) {
    for (let t = 0; t < width; t++) {
      for (let f = 0; f < m; f++) U[j * m + f] += vectors[j * width + t] * Q[t * m + f];
    }
  }

  // Lengths of the positive and negative parts of u, and of Xᵀu.
  const signed = new Float64Array(2 * rank * m);
  signed.set(U);
  signed.set(
    U.map((u) => -u),
    rank * m,
  );
  const { HHt } = await probe(signed, { only: "HHt", floor: 0 });
  const parts = rowLengths(
    signed.map((u) => Math.max(0, u)),
    2 * rank,
  );
  const W = new Float64Array(k * m);
  const coder = new Float64Array(k * m);
  for (let j = 0; j < k; j++) {
    // Beyond the number of features, the pairs are used again with the other sign.
    const pair = j % rank;
    const sigma = Math.sqrt(Math.max(0, values[pair]));
    const lengthV = (row: number) => Math.sqrt(HHt[row * 2 * rank + row]);
    const plus = parts[pair] * lengthV(pair);
    const minus = parts[pair + rank] * lengthV(pair + rank);
    const row = plus >= minus === j < rank ? pair : pair + rank;
    const mass = row === pair ? plus : minus;
    if (!(mass > 0) || !(sigma > 0)) continue;
    for (let f = 0; f < m; f++) {
      const u = signed[row * m + f];
      // σ‖u‖‖v‖ = mass because lengthV is σ‖v‖.
      W[j * m + f] = (Math.sqrt(mass) * Math.max(0, u)) / parts[row];
      coder[j * m + f] = (Math.sqrt(mass) * u) / lengthV(row);
    }
  }
  return { W, coder };
}
