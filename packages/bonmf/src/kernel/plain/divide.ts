import type { Gaps } from "../../matrix/gaps.js";
import { ln } from "../../random.js";
import type { Step } from "../step.js";
import type { Sums } from "../sums.js";
import type { Rows } from "./rows.js";

/**
 * The rule `divide`, Lee and Seung's (2001) for the Kullback–Leibler divergence D(X‖WH) = Σ x ln(x/(WH)) − x + (WH):
 * h ∘ Wᵀ(x ⊘ Wh) ⊘ (Wᵀ1 + l1), and with l2 the positive root of l2·h² + (Wᵀ1 + l1)·h = h_old ∘ Wᵀ(x ⊘ Wh), the optimum of the
 * same auxiliary function. Only features that are not 0 are read, and of samples with gaps those they list: Σ of a prototype is
 * then that of the features which the sample knows.
 */

/** (Wh)_f counts as at least this share of x_f: where W has nothing to offer, the divergence stays a number. */
export const LEAST_SHARE = 2 ** -50;
/** The same where x_f is a 0 that is stored. */
const LEAST = 2 ** -1022;
/** With several sweeps, a code ends when one moves less than this share of its sample's mass. */
export const SETTLED_MASS = 1e-5;
/** Going on in the direction of two steps, an entry keeps at least this share, and no step is longer than so many times theirs. */
export const LEAST_KEPT = 0.01;
export const LONGEST = 1024;
/** Of the whole: less of a prototype is known to a sample than rounding leaves. */
export const LEAST_KNOWN = 1e-12;

/** Σ_f of each prototype: k. @param W IN k × m */
export function massesOf(W: Float64Array, k: number): Float64Array {
  const m = W.length / k;
  return Float64Array.from({ length: k }, (_, r) => {
    let sum = 0;
    for (let q = r * m, end = q + m; q < end; q++) sum += W[q];
    return sum;
  });
}

/**
 * Renews the codes of samples from … to − 1, and unless only those are wanted adds what the W step and the divergence need:
 * Σ ω h (x ⊘ Wh)ᵀ to XHt, Σ ω (x ln(x ⊘ Wh) − x) to the loss and Σ ω ⟨x, Wh⟩ to the cross product.
 *
 * @param of IN the samples and what is missing of them
 * @param before IN (to − from) × k; null: every sample begins from ones
 * @param H OUT (to − from) × k
 * @param weights IN of these samples; null: 1 each
 */
export function divideRows(
  { rows, gaps }: { readonly rows: Rows; readonly gaps: Gaps | null },
  step: Step,
  from: number,
  to: number,
  before: Float64Array | null,
  H: Float64Array,
  weights: Float64Array | null,
  sums: Sums,
): void {
  const { k, W, sweeps = 1, codesOnly } = step;
  const m = W.length / k;
  const masses = massesOf(W, k);
  const own = masses.slice();
  const h = new Float64Array(k);
  for (let i = from, base = 0; i < to; i++, base += k) {
    const sample = new Quotients(rows, i, W, k);
    if (before === null) h.fill(1);
    else for (let r = 0; r < k; r++) h[r] = before[base + r];
    if (gaps !== null) sumKnown(masses, W, gaps, i, own);
    if (sweeps > 1) settle(sample, h, own, step, sweeps);
    else if (sweeps === 1) multiply(h, sample.seen(h), own, step);
    H.set(h, base);
    if (codesOnly) continue;
    const weight = weights === null ? 1 : weights[i - from];
    sample.divide(h);
    sums.loss += weight * sample.logarithms();
    sums.cross += weight * sample.cross();
    sample.addTo(sums.XHt, m, h, weight);
    if (gaps !== null) addListed(gaps, i, W, h, weight, sums);
  }
}

/** Σ of each prototype at the features that sample i knows. @param own OUT k */
function sumKnown(
  masses: Float64Array,
  W: Float64Array,
  { listed, offsets, features }: Gaps,
  i: number,
  own: Float64Array,
): void {
  const m = W.length / own.length;
  for (let r = 0; r < own.length; r++) {
    let sum = listed === "missing" ? masses[r] : 0;
    for (let at = offsets[i]; at < offsets[i + 1]; at++) {
      const w = W[r * m + features[at]];
      sum += listed === "missing" ? -w : w;
    }
    own[r] = sum > LEAST_KNOWN * masses[r] ? sum : 0;
  }
}

/** Adds ω h and ω (Wh)² at the features that sample i lists. */
function addListed(
  { offsets, features }: Gaps,
  i: number,
  W: Float64Array,
  h: Float64Array,
  weight: number,
  sums: Sums,
): void {
  const m = W.length / h.length;
  let square = 0;
  for (let at = offsets[i]; at < offsets[i + 1]; at++) {
    const product = dotParts(W, features[at], m, h);
    square += product * product;
    for (let r = 0; r < h.length; r++) sums.listedCodes[r * m + features[at]] += weight * h[r];
  }
  sums.listedSquare += weight * square;
}

/** (Wh)_f in four parts by r modulo 4, as vectors are summed. */
function dotParts(W: Float64Array, f: number, m: number, h: Float64Array): number {
  const parts = [0, 0, 0, 0];
  for (let r = 0; r < h.length; r++) parts[r & 3] += W[r * m + f] * h[r];
  return parts[0] + parts[2] + (parts[1] + parts[3]);
}

/**
 * Multiplies a code until it has settled, and after every two steps goes on in their direction: squared extrapolation (Varadhan and
 * Roland 2008). As the divergence is convex, it is no higher there than it was if it still falls on the way; else the code goes back.
 */
function settle(sample: Quotients, h: Float64Array, masses: Float64Array, step: Step, sweeps: number): void {
  const [start, first, second] = [h.slice(), h.slice(), h.slice()];
  let beyond = false;
  let odd = false;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const WtQ = sample.seen(h);
    if (beyond && !(fallOf(WtQ, h, second, masses, step) >= 0)) {
      h.set(second);
      beyond = false;
      continue;
    }
    beyond = false;
    (odd ? first : start).set(h);
    if (!multiply(h, WtQ, masses, step)) return;
    if (odd) {
      second.set(h);
      beyond = extrapolate(start, first, second, h);
    }
    odd = !odd;
  }
  if (beyond) h.set(second);
}

/** How steeply the divergence falls at h, coming from another code. */
function fallOf(
  WtQ: Float64Array,
  h: Float64Array,
  from: Float64Array,
  masses: Float64Array,
  { l1 = 0, l2 = 0 }: Step,
): number {
  let sum = 0;
  for (let r = 0; r < h.length; r++) sum += (WtQ[r] - (masses[r] + l1) - l2 * h[r]) * (h[r] - from[r]);
  return sum;
}

/** @param h OUT k @returns whether it differs from `second` */
function extrapolate(start: Float64Array, first: Float64Array, second: Float64Array, h: Float64Array): boolean {
  let [move, bend] = [0, 0];
  for (let r = 0; r < h.length; r++) {
    const one = first[r] - start[r];
    const two = second[r] - first[r] - one;
    move += one * one;
    bend += two * two;
  }
  if (!(move > bend)) return false;
  const times = Math.min(LONGEST, Math.sqrt(move / bend));
  for (let r = 0; r < h.length; r++) {
    const one = first[r] - start[r];
    const two = second[r] - first[r] - one;
    const next = start[r] + 2 * times * one + times * times * two;
    h[r] = second[r] > 0 ? Math.max(next, LEAST_KEPT * second[r]) : 0;
  }
  return true;
}

/** @returns whether the code still moves */
function multiply(h: Float64Array, WtQ: Float64Array, masses: Float64Array, { l1 = 0, l2 = 0 }: Step): boolean {
  let moved = 0;
  let mass = 0;
  for (let r = 0; r < h.length; r++) {
    const above = h[r] * WtQ[r];
    const below = masses[r] + l1;
    const value = l2 > 0 ? (2 * above) / (below + Math.sqrt(below * below + 4 * l2 * above)) : above / below;
    const next = value - value === 0 ? value : 0;
    moved += Math.abs(next - h[r]) * masses[r];
    mass += next * masses[r];
    h[r] = next;
  }
  return moved > SETTLED_MASS * mass;
}

/** The features of a sample that are not 0, in order, and x ⊘ Wh there. */
class Quotients {
  readonly #features: number[] = [];
  readonly #values: number[] = [];
  readonly #products: Float64Array;
  readonly #quotients: Float64Array;
  readonly #W: Float64Array;
  readonly #k: number;

  constructor(rows: Rows, i: number, W: Float64Array, k: number) {
    rows.each(i, (f, x) => {
      this.#features.push(f);
      this.#values.push(x);
    });
    this.#products = new Float64Array(this.#features.length);
    this.#quotients = new Float64Array(this.#features.length);
    this.#W = W;
    this.#k = k;
  }

  divide(h: Float64Array): void {
    const m = this.#W.length / this.#k;
    this.#features.forEach((f, p) => {
      const product = dotParts(this.#W, f, m, h);
      const x = this.#values[p];
      this.#products[p] = product;
      this.#quotients[p] = x / Math.max(product, LEAST_SHARE * x, LEAST);
    });
  }

  /** Wᵀ(x ⊘ Wh) of a code: k. */
  seen(h: Float64Array): Float64Array {
    this.divide(h);
    return this.multiplyBack();
  }

  /** Wᵀ(x ⊘ Wh): k. */
  multiplyBack(): Float64Array {
    const m = this.#W.length / this.#k;
    return Float64Array.from({ length: this.#k }, (_, r) =>
      this.#features.reduce((sum, f, p) => sum + this.#quotients[p] * this.#W[r * m + f], 0),
    );
  }

  /** Σ x ln(x ⊘ Wh) − x. */
  logarithms(): number {
    return this.#values.reduce((sum, x, p) => sum + (x * ln(this.#quotients[p]) - x), 0);
  }

  cross(): number {
    return this.#values.reduce((sum, x, p) => sum + x * this.#products[p], 0);
  }

  addTo(S: Float64Array, m: number, h: Float64Array, weight: number): void {
    for (let r = 0; r < this.#k; r++) {
      const share = weight * h[r];
      this.#features.forEach((f, p) => {
        S[r * m + f] += share * this.#quotients[p];
      });
    }
  }
}
