import { runSteps } from "../engine/yield.js";
import { OptionError } from "../errors.js";
import { Dense } from "../matrix/dense.js";
import { spread } from "../matrix/gaps.js";
import { type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { fit } from "../model/fit.js";
import { type FitOptions, wholeNumber } from "../model/options.js";
import { STREAM, uniform } from "../random.js";
import { countTogether, type Steps } from "../steps.js";

/** How well k components predict entries that were hidden from their fit. Plain data. */
export interface HiddenError {
  readonly k: number;
  /** The root mean squared error of hidden entries, in the units of the samples. */
  readonly error: number;
  /** The standard error of the difference between its mean squared error and the least one. */
  readonly spread: number;
}

/** What {@link chooseRank} returns. */
export interface RankChoice {
  /** The smallest k whose error is within one standard error of the least. */
  readonly k: number;
  /** The k of the least error. */
  readonly best: number;
  readonly tried: readonly HiddenError[];
}

/** Options of {@link chooseRank}: those of a fit, and which k to try. */
export interface RankOptions extends Omit<FitOptions, "k" | "missing"> {
  /** The numbers of components to try. Default: 1, 2, 3, 5, 8 … 55, as far as there are samples and features. */
  ks?: readonly number[] | undefined;
  /** Called after each of them. */
  onTried?: ((tried: HiddenError) => void) | undefined;
}

/** One known entry of ten is hidden. */
const SHARE = 0.1;
/** Components that save less than this share of the error of the fewest are not worth having. */
const LEAST_GAIN = 1e-3;
const DEFAULT_KS = [1, 2, 3, 5, 8, 13, 21, 34, 55];

/**
 * Chooses the number of components by hidden entries (Wold 1978: Cross-validatory estimation of the number of components): one known
 * entry of ten, drawn by (seed, stream, index), is hidden, and every k is fitted to the others with `missing: "mask"`. The memory is that of
 * one copy of the samples.
 *
 * @param X n samples of m features; NaN is missing, and of sparse samples every value that is not stored
 * @throws what {@link fit} throws
 *
 * @example
 * ```ts
 * import { chooseRank } from "bonmf";
 * const X = Array.from({ length: 40 }, (_, i) => Array.from({ length: 12 }, (_, f) => (f % 2 === 0 ? i % 7 : (i + 3) % 5) + 1));
 * (await chooseRank(X, { ks: [1, 2, 3] })).k; // → 2
 * ```
 */
export async function chooseRank(X: Samples, options: RankOptions = {}): Promise<RankChoice> {
  const { ks: asked, onTried, ...others } = options;
  const given = toMatrix(X, options.precision);
  const most = Math.min(given.samples, given.features);
  const ks = [...(asked ?? DEFAULT_KS.filter((k) => k === 1 || k < most))].sort((a, b) => a - b);
  if (ks.length === 0) throw new OptionError("ks", ks, "ks is empty: name the numbers of components to try");
  for (const k of ks) wholeNumber("ks", k, 1);
  const { method = "hals", seed = 0, signal } = options;
  const { shown, hidden } = hideEntries(given, seed);
  const squares: Float64Array[] = [];
  const tried: HiddenError[] = [];
  for (const k of ks) {
    const model = await fit(shown, { ...others, method, k, missing: "mask" });
    const own = await runSteps(squareErrors(given, model.impute(shown), hidden), signal);
    squares.push(own);
    const error = Math.sqrt(own.reduce((sum, square) => sum + square, 0) / Math.max(1, hidden.length));
    onTried?.({ k, error, spread: 0 });
    tried.push({ k, error, spread: 0 });
  }
  const least = tried.reduce((best, { error }, at) => (error < tried[best].error ? at : best), 0);
  const measured = tried.map((each, at) => ({
    ...each,
    spread: spreadOf(squares[at], squares[least]) / hidden.length,
  }));
  const floor = tried[least].error ** 2;
  const enough = LEAST_GAIN * tried[0].error ** 2;
  const chosen = measured.find(({ error, spread }) => error ** 2 - floor <= Math.max(spread, enough))!;
  return { k: chosen.k, best: tried[least].k, tried: measured };
}

/** A copy with entries hidden, and their places. The first known entry of a sample and of a feature stays. */
function hideEntries(X: Matrix, seed: number): { shown: Dense; hidden: Uint32Array } {
  const { samples: n, features: m } = X;
  const shown = X.kind === "sparse" ? spread(X) : new Dense(n, m, X.data.slice());
  const seen = new Uint8Array(m);
  const hidden: number[] = [];
  for (let i = 0, p = 0; i < n; i++) {
    let first = true;
    for (let f = 0; f < m; f++, p++) {
      if (Number.isNaN(shown.data[p])) continue;
      if (!first && seen[f] === 1 && uniform(seed, STREAM.hidden, p) < SHARE) {
        shown.data[p] = Number.NaN;
        hidden.push(p);
      }
      first = false;
      seen[f] = 1;
    }
  }
  return { shown, hidden: Uint32Array.from(hidden) };
}

/** n numbers: the squared errors of each sample's hidden entries. */
function* squareErrors(X: Matrix, guess: Dense, hidden: Uint32Array): Steps<Float64Array> {
  const m = X.features;
  const squares = new Float64Array(X.samples);
  const together = countTogether(1);
  for (let h = 0; h < hidden.length; h++) {
    if (h % together === 0) yield;
    const i = Math.floor(hidden[h] / m);
    squares[i] += (X.at(i, hidden[h] % m) - guess.data[hidden[h]]) ** 2;
  }
  return squares;
}

/** The standard error of the sum of differences, from how samples differ. */
function spreadOf(squares: Float64Array, others: Float64Array): number {
  const n = squares.length;
  let mean = 0;
  for (let i = 0; i < n; i++) mean += (squares[i] - others[i]) / n;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += (squares[i] - others[i] - mean) ** 2;
  return Math.sqrt((sum * n) / Math.max(1, n - 1));
}
