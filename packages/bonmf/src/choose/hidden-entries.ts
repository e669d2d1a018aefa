import { runSteps } from "../engine/yield.js";
import { OptionError } from "../errors.js";
import { Dense } from "../matrix/dense.js";
import { type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { fit } from "../model/fit.js";
import type { Model } from "../model/model.js";
import { type FitOptions, wholeNumber } from "../model/options.js";
import type { Steps } from "../steps.js";
import { eachHidden, hideEntries, spreadOf } from "./hiding.js";
import { explainRank, recommendRank } from "./rank.js";

/** How well k components predict entries that were hidden from their fit. Plain data. */
export interface HiddenError {
  readonly k: number;
  /** The root mean squared error of hidden entries, in the units of the scaler: of the samples where there is none. */
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
  /** Every k asked for, and 1, with which the others are compared. */
  readonly tried: readonly HiddenError[];
  /** Why this k, in words. */
  readonly reason: string;
}

/** Options of {@link chooseRank}: those of a fit, and which k to try. */
export interface RankOptions extends Omit<FitOptions, "k" | "missing"> {
  /** The numbers of components to try. Default: 1, 2, 3, 5, 8 … 55, as far as there are samples and features. */
  ks?: readonly number[] | undefined;
  /** Called after each of them, with the model of what was not hidden. */
  onTried?: ((tried: HiddenError, model: Model) => void) | undefined;
}

/** Values that are filled at a time. */
const MOST_VALUES = 2 ** 20;
const DEFAULT_KS = [1, 2, 3, 5, 8, 13, 21, 34, 55];

/**
 * Chooses the number of components by hidden entries (Wold 1978: Cross-validatory estimation of the number of components): one known
 * entry of ten, drawn by (seed, stream, index), is hidden, and every k is fitted to the others with `missing: "mask"`. Beside what a fit takes there is one copy
 * of the samples' values; what is hidden is not listed.
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
  const ks = [...(asked ?? DEFAULT_KS.filter((k) => k < most))].sort((a, b) => a - b);
  if (ks.length === 0 && asked) throw new OptionError("ks", ks, "ks is empty: name the numbers of components to try");
  for (const k of ks) wholeNumber("ks", k, 1);
  const { method = "hals", seed = 0, signal } = options;
  const shown = hideEntries(given, seed, 0);
  const hidden = Math.max(1, countHidden(given, shown));
  const squares: Float64Array[] = [];
  const tried: HiddenError[] = [];
  for (const k of new Set([1, ...ks])) {
    const model = await fit(shown, { ...others, method, k, missing: "mask" });
    const own = await runSteps(squareErrors(given, shown, model), signal);
    squares.push(own);
    const error = Math.sqrt(own.reduce((sum, square) => sum + square, 0) / hidden);
    onTried?.({ k, error, spread: 0 }, model);
    tried.push({ k, error, spread: 0 });
  }
  const least = tried.reduce((best, { error }, at) => (error < tried[best].error ? at : best), 0);
  const measured = tried.map((each, at) => ({ ...each, spread: spreadOf(squares[at], squares[least]) / hidden }));
  const single = tried[0].error ** 2 || 1;
  const steps = measured.map(({ k, error, spread }) => ({ k, error: error ** 2 / single, spread: spread / single }));
  const chosen = recommendRank(steps, ks);
  return { k: chosen.k, best: tried[least].k, tried: measured, reason: explainRank(steps, ks, chosen) };
}

/** n numbers: the squared errors of each sample's hidden entries. */
function* squareErrors(X: Matrix, shown: Matrix, model: Model): Steps<Float64Array> {
  const squares = new Float64Array(X.samples);
  const block = Math.max(1, Math.floor(MOST_VALUES / X.features));
  for (let from = 0; from < X.samples; from += block) {
    yield;
    const to = Math.min(X.samples, from + block);
    const guess = model.impute(shown.slice(from, to));
    const truth = new Dense(guess.samples, guess.features, guess.data.slice());
    for (let i = from; i < to; i++) {
      eachHidden(X, shown, i, (f, x) => {
        truth.data[(i - from) * X.features + f] = x;
      });
    }
    // They differ in hidden entries alone. A scaler brings features of different units together.
    const [Z, other] = [truth, guess].map((samples) => model.scaler.transform(samples).toDense());
    const m = Z.features;
    for (let p = 0; p < Z.data.length; p++) squares[from + Math.floor(p / m)] += (Z.data[p] - other.data[p]) ** 2;
  }
  return squares;
}

function countHidden(X: Matrix, shown: Matrix): number {
  let count = 0;
  for (let i = 0; i < X.samples; i++) eachHidden(X, shown, i, () => count++);
  return count;
}
