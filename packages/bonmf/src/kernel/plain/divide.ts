import { ln } from "../../random.js";
import type { Step } from "../step.js";
import type { Sums } from "../sums.js";
import type { Rows } from "./rows.js";

/**
 * The rule `divide`, Lee and Seung's (2001) for the Kullback–Leibler divergence D(X‖WH) = Σ x ln(x/(WH)) − x + (WH):
 * h ∘ Wᵀ(x ⊘ Wh) ⊘ (Wᵀ1 + l1), and with l2 the positive root of l2·h² + (Wᵀ1 + l1)·h = h_old ∘ Wᵀ(x ⊘ Wh), the optimum of the
 * same auxiliary function. Only features that are not 0 are read.
 */

/** (Wh)_f counts as at least this share of x_f: where W has nothing to offer, the divergence stays a number. */
export const LEAST_SHARE = 2 ** -50;
/** The same where x_f is a 0 that is stored. */
const LEAST = 2 ** -1022;
/** With several sweeps, a code ends when one moves less than this share of its sample's mass. */
export const SETTLED_MASS = 1e-5;

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
 * Σ ω h (x ⊘ Wh)ᵀ to XHt, Σ ω x ln(x ⊘ Wh) to the loss and Σ ω ⟨x, Wh⟩ to the cross product.
 *
 * @param before IN (to − from) × k; null: every sample begins from ones
 * @param H OUT (to − from) × k
 * @param weights IN of these samples; null: 1 each
 */
export function divideRows(
  rows: Rows,
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
  const h = new Float64Array(k);
  for (let i = from, base = 0; i < to; i++, base += k) {
    const sample = new Quotients(rows, i, W, k);
    if (before === null) h.fill(1);
    else for (let r = 0; r < k; r++) h[r] = before[base + r];
    for (let sweep = 0; sweep < sweeps; sweep++) {
      sample.divide(h);
      if (!multiply(h, sample.multiplyBack(), masses, step)) break;
    }
    H.set(h, base);
    if (codesOnly) continue;
    const weight = weights === null ? 1 : weights[i - from];
    sample.divide(h);
    sums.loss += weight * sample.logarithms();
    sums.cross += weight * sample.cross();
    sample.addTo(sums.XHt, m, h, weight);
  }
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

  /** Wh is summed in four parts by r modulo 4, as vectors are. */
  divide(h: Float64Array): void {
    const m = this.#W.length / this.#k;
    const parts = new Float64Array(4);
    this.#features.forEach((f, p) => {
      parts.fill(0);
      for (let r = 0; r < this.#k; r++) parts[r & 3] += this.#W[r * m + f] * h[r];
      const product = parts[0] + parts[2] + (parts[1] + parts[3]);
      const x = this.#values[p];
      this.#products[p] = product;
      this.#quotients[p] = x / Math.max(product, LEAST_SHARE * x, LEAST);
    });
  }

  /** Wᵀ(x ⊘ Wh): k. */
  multiplyBack(): Float64Array {
    const m = this.#W.length / this.#k;
    return Float64Array.from({ length: this.#k }, (_, r) =>
      this.#features.reduce((sum, f, p) => sum + this.#quotients[p] * this.#W[r * m + f], 0),
    );
  }

  logarithms(): number {
    return this.#values.reduce((sum, x, p) => sum + x * ln(this.#quotients[p]), 0);
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
