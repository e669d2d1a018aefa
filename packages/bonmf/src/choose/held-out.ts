import type { Engine } from "../engine/engine.js";
import { openEngine } from "../engine/in-memory.js";
import { totalStats } from "../engine/stats.js";
import { cycleKnown } from "../factor/known.js";
import { gramOnce } from "../factor/update.js";
import type { Codes, Step } from "../kernel/step.js";
import { Dense } from "../matrix/dense.js";
import { separateGaps } from "../matrix/gaps.js";
import { factorFor, findLargest } from "../matrix/magnitude.js";
import type { Matrix } from "../matrix/matrix.js";
import { exponentialOf, Random, STREAM, uniform } from "../random.js";
import type { GapSample } from "./gap-path.js";
import { eachHidden, hideEntries, spreadOf } from "./hiding.js";
import type { TellShare } from "./share.js";

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
const FOLDS = 5;
/** From the factors of one component less. */
const SWEEPS = 25;
/** No step goes beyond: the error must settle. */
const CYCLING = { sweeps: 2, beyond: 0 };
/** Of the squares of all entries: a smaller error is rounding. */
const ROUNDING = 1e-12;

/** Samples some of whose entries are hidden, and the factors of what is shown. */
interface Fold {
  readonly shown: Dense;
  /** The same with 0 for what is hidden. */
  readonly Z: Dense;
  readonly engine: Engine;
  W: Float64Array;
  codes: Codes | null;
}

/**
 * The error of k components on hidden entries, for k = 1, 2, … (Wold 1978: Cross-validatory estimation of the number of
 * components), fitted by `hals` with gaps. Each k starts from the factors of k − 1 and a component of what they leave.
 */
export class HeldOutPath {
  readonly #X: Dense;
  /** The sum of squares of X. */
  readonly #squares: number;
  /** Of each feature. */
  readonly #largest: Float64Array;
  readonly #weights: Float64Array | null;
  readonly #seed: number;
  #folds: Fold[] | null = null;
  /** The squared errors of each sample's hidden entries, for every k from 1 on. */
  readonly #errors: Float64Array[] = [];

  constructor(sample: GapSample, seed: number) {
    const { X, weights } = drawEntries(sample, seed);
    this.#X = X;
    this.#weights = weights;
    this.#seed = seed;
    this.#largest = new Float64Array(X.features);
    let squares = 0;
    X.data.forEach((x: number, p: number) => {
      squares += x * x;
      this.#largest[p % X.features] = Math.max(x, this.#largest[p % X.features]);
    });
    this.#squares = squares;
  }

  /** Measures up to the last of these numbers of components that can be measured. */
  async extendTo(
    ks: readonly number[],
    { signal, tell }: { readonly signal: AbortSignal | undefined; readonly tell?: TellShare },
  ): Promise<void> {
    const { samples: n, features: m } = this.#X;
    if (n < LEAST_SAMPLES || m < LEAST_FEATURES) return;
    const most = Math.max(0, ...ks.filter((k) => k <= Math.min(MOST_COMPONENTS, n, m)));
    this.#folds ??= await this.#open();
    while (this.#errors.length < most) {
      const errors = new Float64Array(n);
      for (const fold of this.#folds) await this.#grow(fold, this.#errors.length + 1, errors, signal);
      this.#errors.push(errors);
      // Of so many components each sweep takes as many multiplications.
      tell?.((this.#errors.length / most) ** 2);
    }
  }

  async close(): Promise<void> {
    for (const { engine } of this.#folds ?? []) await engine.close();
    this.#folds = null;
  }

  async #open(): Promise<Fold[]> {
    const folds: Fold[] = [];
    for (let part = 0; part < FOLDS; part++) {
      const shown = hideEntries(this.#X, this.#seed, part) as Dense;
      const { X: Z, gaps } = separateGaps(shown);
      if (gaps === null) continue;
      const engine = await openEngine(Z, { weights: this.#weights, gaps, threads: 1, work: 0 });
      folds.push({ shown, Z: Z as Dense, engine, W: new Float64Array(0), codes: null });
    }
    return folds;
  }

  /** Fits one component more. @param errors IN/OUT the squared errors of each sample's hidden entries */
  async #grow(fold: Fold, k: number, errors: Float64Array, signal: AbortSignal | undefined): Promise<void> {
    const { samples: n, features: m } = this.#X;
    const { shown, Z, engine } = fold;
    const W = new Float64Array(k * m);
    W.set(fold.W);
    W.set(fold.codes === null ? this.#meanOf(Z) : mostAbove(shown, fold.W, fold.codes), (k - 1) * m);
    const values = new Float64Array(n * k);
    // What is new has codes of 0 until the next sweep.
    const before = fold.codes?.values ?? new Float64Array(0);
    for (let i = 0; i < n; i++) values.set(before.subarray(i * (k - 1), (i + 1) * (k - 1)), i * k);
    await engine.scatter({ form: "real", k, labels: null, values });
    fold.W = W;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const step: Step = { rule: "cyclic", k, W: fold.W, gram: gramOnce(fold.W, k), ...CYCLING };
      fold.W = cycleKnown(fold.W, totalStats(await engine.pass(step, signal)), k, CYCLING);
    }
    fold.codes = await engine.gather();
    const H = fold.codes.values!;
    for (let i = 0; i < n; i++) {
      eachHidden(this.#X, shown, i, (f, x) => {
        let guess = 0;
        for (let j = 0; j < k; j++) guess += H[i * k + j] * fold.W[j * m + f];
        // Too many components say anything of what they have not seen.
        const rest = x - Math.min(guess, this.#largest[f]);
        errors[i] += (this.#weights?.[i] ?? 1) * rest * rest;
      });
    }
  }

  #meanOf({ samples: n, features: m, data }: Dense): Float64Array {
    const mean = new Float64Array(m);
    for (let p = 0; p < data.length; p++) mean[p % m] += ((this.#weights?.[Math.floor(p / m)] ?? 1) * data[p]) / n;
    return mean;
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

/** What is known above WH in the sample where that is most. */
function mostAbove(shown: Dense, W: Float64Array, { k, values }: Codes): Float64Array {
  const m = shown.features;
  let most = -1;
  let found = new Float64Array(m);
  for (let i = 0; i < shown.samples; i++) {
    const above = new Float64Array(m);
    let squares = 0;
    for (let f = 0; f < m; f++) {
      let rest = shown.data[i * m + f];
      for (let j = 0; j < k; j++) rest -= values![i * k + j] * W[j * m + f];
      // Not so where the entry is hidden.
      if (rest > 0) above[f] = rest;
      squares += above[f] * above[f];
    }
    if (squares <= most) continue;
    most = squares;
    found = above;
  }
  return found;
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
