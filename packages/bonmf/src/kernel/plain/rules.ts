import { STREAM, uniform } from "../../random.js";
import { type Float32Scales, TINY } from "../prepared-prototypes.js";
import type { RuleName, Step } from "../step.js";
import { cycleColumn, cycleInUnits, gramInUnits, rowDot, type Units, weightsInUnits } from "./cycle.js";
import { solveNnls } from "./nnls.js";

/** The label of the largest score; ties go to the lowest j. */
export function argMax(scores: ArrayLike<number>): number {
  let best = 0;
  for (let j = 1; j < scores.length; j++) if (scores[j] > scores[best]) best = j;
  return best;
}

/**
 * Rewrites one real column of H.
 *
 * @param WtX IN k
 * @param h IN/OUT k, the column at hand
 * @param old SCRATCH k
 * @param id IN the sample's number, for random columns
 */
export type RealRule = (WtX: Float64Array, h: Float64Array, old: Float64Array, step: Step, id: number) => void;

export const finite = (value: number) => (value - value === 0 ? value : 0);

/** Takes a penalty on Σh from the products that a code is solved by. */
export function lower(WtX: Float64Array, l1: number): void {
  if (l1 !== 0) for (let p = 0; p < WtX.length; p++) WtX[p] -= l1;
}

function roundCodes(h: Float64Array, k: number): void {
  for (let r = 0; r < k; r++) h[r] = h[r] >= 0.5 ? 1 : 0;
}

export const linear: RealRule = (WtX, h, _old, { k, gram, floor, round }) => {
  for (let r = 0; r < k; r++) {
    const value = gram ? rowDot(gram, r, WtX, k) : WtX[r];
    h[r] = floor === undefined ? value : Math.max(floor, value);
  }
  if (round) roundCodes(h, k);
};

export const REAL: Partial<Record<RuleName, RealRule>> = {
  linear,
  probe: linear,
  multiply(WtX, h, old, { k, gram, alpha = 0, l1 = 0 }) {
    old.set(h);
    for (let r = 0; r < k; r++) h[r] = finite((old[r] * (WtX[r] + alpha * old[r])) / (rowDot(gram!, r, old, k) + l1));
  },
  root(WtX, h, old, { k, gram }) {
    old.set(h);
    for (let r = 0; r < k; r++) h[r] = finite(old[r] * Math.sqrt(WtX[r] / rowDot(gram!, r, old, k)));
  },
  cyclic(WtX, h, old, { k, gram, sweeps = 1, beyond = 0, l1 = 0 }) {
    lower(WtX, l1);
    cycleColumn(WtX, h, gram!, k, old, { sweeps, beyond, stay: false });
  },
  binary(WtX, h, _old, { k, gram, sweeps = 1 }) {
    for (let sweep = 0; sweep < sweeps; sweep++) {
      let moved = false;
      for (let r = 0; r < k; r++) {
        const own = gram![r * k + r];
        const residual = WtX[r] - rowDot(gram!, r, h, k) + own * h[r];
        const bit = residual > 0.5 * own ? 1 : 0;
        if (bit !== h[r]) moved = true;
        h[r] = bit;
      }
      if (!moved) return;
    }
  },
  nnls(WtX, h, _old, { k, gram, l1 = 0 }) {
    lower(WtX, l1);
    solveNnls(gram!, WtX, h, k);
  },
  uniform(_WtX, h, _old, { k, seed = 0, round }, id) {
    for (let r = 0; r < k; r++) h[r] = uniform(seed, STREAM.codes + 16 * (r + 1), id);
    if (round) roundCodes(h, k);
  },
};

const shrink = (code: number) => (Math.abs(code) >= TINY ? code : 0);

/** `multiply` in units that 32 bits hold. */
function multiplyIn32Bits({ k, gram, alpha = 0, l1 = 0 }: Step, units: Units): RealRule {
  const { codes, products } = units;
  const G = gramInUnits(gram!, units);
  const { fround } = Math;
  const [alphas, l1s] = weightsInUnits(units, alpha, l1);
  return (WtX, h, old) => {
    for (let r = 0; r < k; r++) old[r] = fround(h[r] * codes[r]);
    for (let r = 0; r < k; r++) {
      const above = fround(fround(WtX[r] * products[r]) + fround(alphas[r] * old[r]));
      const value = fround(fround(old[r] * above) / fround(rowDot(G, r, old, k, fround) + l1s[r]));
      h[r] = shrink(finite(value)) / codes[r];
    }
  };
}

/** `cyclic` in units that 32 bits hold. */
export function cyclicIn32Bits({ gram, sweeps = 1, beyond = 0, l1 = 0 }: Step, units: Units): RealRule {
  const G = gramInUnits(gram!, units);
  return (WtX, h, old) => {
    lower(WtX, l1);
    cycleInUnits(WtX, h, G, units, old, { sweeps, beyond, stay: false });
  };
}

/** Rules that find codes in 32 bits, as kernels keep them: what is tiny becomes 0. */
export const IN_32_BITS: Partial<Record<RuleName, (step: Step, units: Float32Scales) => RealRule>> = {
  linear:
    ({ k, floor = Number.NEGATIVE_INFINITY }, { codes }) =>
    (WtX, h) => {
      for (let r = 0; r < k; r++) h[r] = shrink(Math.fround(Math.max(floor, WtX[r]) * codes[r])) / codes[r];
    },
  multiply: multiplyIn32Bits,
  cyclic: (step, units) => {
    const { k, l1 = 0 } = step;
    const { codes, products } = units;
    const rule = cyclicIn32Bits({ ...step, l1: 0 }, units);
    const [, l1s] = weightsInUnits(units, 0, l1);
    return (WtX, h, ...rest) => {
      for (let r = 0; r < k; r++) WtX[r] = Math.fround(Math.fround(WtX[r] * products[r]) - l1s[r]) / products[r];
      rule(WtX, h, ...rest);
      for (let r = 0; r < k; r++) h[r] = shrink(h[r] * codes[r]) / codes[r];
    };
  },
};

/** The units of a rule that finds codes so; null: it does not. */
export function unitsOf({ rule, round }: Step, scales: Float32Scales | undefined): Float32Scales | null {
  return scales !== undefined && !scales.wideCodes && !round && IN_32_BITS[rule] !== undefined ? scales : null;
}
