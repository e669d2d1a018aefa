import { yieldNow } from "../engine/yield.js";
import { Dense } from "../matrix/dense.js";
import { factorFor, findLargest } from "../matrix/magnitude.js";
import type { Matrix } from "../matrix/matrix.js";
import { exponentialOf, Random, STREAM, uniform } from "../random.js";
import type { GapSample } from "./gap-path.js";
import { type Factors, growFactors, type MaskedSamples, maskSamples, sweepFactors } from "./masked-nmf.js";

/** How well k components predict entries that were hidden from their fit. Plain data. */
export interface HeldOutStep {
  readonly k: number;
  /** The mean squared error of hidden entries, relative to that of one component. */
  readonly error: number;
  /** The standard error of the difference between this error and the least of those asked for. */
  readonly spread: number;
}

/** Entries that are fitted, at most; then samples and features. */
const MOST_ENTRIES = 65_536;
const MOST_SAMPLES = 2000;
const MOST_FEATURES = 128;
/** Of less nothing can be said. */
const [LEAST_SAMPLES, LEAST_FEATURES] = [16, 3];
/** More components are not tried: the time grows with the cube of k. */
export const MOST_COMPONENTS = 40;
/** One entry of ten is hidden, three times, other ones each time. */
const [PARTS, FOLDS] = [10, 3];
/** From the factors of one component less. */
const SWEEPS = 25;
/** Of the squares of all entries: a smaller error is rounding. */
const ROUNDING = 1e-12;

interface Fold {
  readonly masked: MaskedSamples;
  factors: Factors | null;
}

/**
 * The error of k components on hidden entries, for k = 1, 2, … (Wold 1978: Cross-validatory estimation of the number of
 * components). Each k starts from the factors of k − 1 and a component of what they leave.
 */
export class HeldOutPath {
  readonly #X: Dense;
  /** The sum of squares of X. */
  readonly #squares: number;
  readonly #weights: Float64Array | null;
  readonly #folds: Fold[] = [];
  /** The squared errors of each sample's hidden entries, for every k from 1 on. */
  readonly #errors: Float64Array[] = [];

  constructor(sample: GapSample, seed: number) {
    const { X, weights } = drawEntries(sample, seed);
    this.#X = X;
    this.#weights = weights;
    const { samples: n, features: m, data } = X;
    let squares = 0;
    for (const x of data) squares += x * x;
    this.#squares = squares;
    if (n < LEAST_SAMPLES || m < LEAST_FEATURES) return;
    const parts = Uint8Array.from({ length: n * m }, (_, p) => Math.floor(PARTS * uniform(seed, STREAM.hidden, p)));
    for (let fold = 0; fold < FOLDS; fold++) {
      this.#folds.push({ masked: maskSamples(X, weights, (p) => parts[p] === fold), factors: null });
    }
  }

  /** Measures up to the last of these numbers of components that can be measured. */
  async extendTo(ks: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    const limit = this.#folds.length === 0 ? 0 : Math.min(MOST_COMPONENTS, this.#X.samples, this.#X.features);
    const most = Math.max(0, ...ks.filter((k) => k <= limit));
    while (this.#errors.length < most) {
      const errors = new Float64Array(this.#X.samples);
      for (const fold of this.#folds) {
        fold.factors = growFactors(fold.masked, fold.factors);
        for (let sweep = 0; sweep < SWEEPS; sweep++) {
          sweepFactors(fold.masked, fold.factors);
          await yieldNow();
          signal?.throwIfAborted();
        }
        this.#addErrors(fold.masked, fold.factors, errors);
      }
      this.#errors.push(errors);
    }
  }

  #addErrors({ samples: { starts, hidden } }: MaskedSamples, { k, H, W }: Factors, errors: Float64Array): void {
    const { samples: n, features: m, data } = this.#X;
    for (let i = 0; i < n; i++) {
      for (let h = starts[i]; h < starts[i + 1]; h++) {
        let rest = data[i * m + hidden[h]];
        for (let j = 0; j < k; j++) rest -= H[j * n + i] * W[j * m + hidden[h]];
        errors[i] += (this.#weights?.[i] ?? 1) * rest * rest;
      }
    }
  }

  /** @param ks those asked for: the spread is that of the difference from the best of them, or from one component */
  describe(ks: readonly number[]): HeldOutStep[] {
    const sums = this.#errors.map((errors) => errors.reduce((sum, error) => sum + error, 0));
    const asked = [1, ...ks].filter((k) => k <= sums.length);
    const best = asked.reduce((least, k) => (sums[k - 1] < sums[least - 1] ? k : least), 1);
    const rounding = ROUNDING * this.#squares;
    const single = (sums[0] ?? 0) + rounding;
    return this.#errors.map((errors, at) => ({
      k: at + 1,
      error: single > 0 ? (sums[at] + rounding) / single : 1,
      spread: single > 0 ? spreadOf(errors, this.#errors[best - 1]) / single : 0,
    }));
  }
}

/** The standard error of the sum of differences, from how samples differ. */
function spreadOf(errors: Float64Array, others: Float64Array): number {
  const n = errors.length;
  let mean = 0;
  for (let i = 0; i < n; i++) mean += (errors[i] - others[i]) / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (errors[i] - others[i] - mean) ** 2;
  return Math.sqrt((squares * n) / (n - 1));
}

/** Some samples and some features, times a power of two that keeps squares within reach. */
function drawEntries({ X, weights }: GapSample, seed: number): { X: Dense; weights: Float64Array | null } {
  const factor = factorFor(findLargest(X).largest);
  const features = drawFeatures(X, weights, factor, seed);
  const most = Math.min(MOST_SAMPLES, Math.floor(MOST_ENTRIES / Math.max(1, features.length)));
  const random = new Random(seed, STREAM.measure);
  const ids =
    X.samples > most ? random.choose(X.samples, most).sort() : Uint32Array.from({ length: X.samples }, (_, i) => i);
  const place = new Int32Array(X.features).fill(-1);
  features.forEach((f, at) => {
    place[f] = at;
  });
  const out = Dense.zeros(ids.length, features.length, "f64");
  ids.forEach((i, row) => {
    X.each(i, (f, x) => {
      if (place[f] >= 0) out.data[row * features.length + place[f]] = factor * x;
    });
  });
  return { X: out, weights: weights && Float64Array.from(ids, (i) => weights[i]) };
}

/** Those that are not 0 throughout; of many, some drawn with probabilities in proportion to their squares. */
function drawFeatures(X: Matrix, weights: Float64Array | null, factor: number, seed: number): Uint32Array {
  const squares = new Float64Array(X.features);
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, x) => {
      squares[f] += (weights?.[i] ?? 1) * (factor * x) ** 2;
    });
  }
  const filled = Uint32Array.from(squares.keys()).filter((f) => squares[f] > 0);
  if (filled.length <= MOST_FEATURES) return filled;
  const times = squares.map((sum, f) => exponentialOf(uniform(seed, STREAM.measure, f)) / sum);
  return filled
    .sort((a, b) => times[a] - times[b] || a - b)
    .slice(0, MOST_FEATURES)
    .sort();
}
