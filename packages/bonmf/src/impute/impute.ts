import { runSteps } from "../engine/yield.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { Dense, type Precision } from "../matrix/dense.js";
import { spread } from "../matrix/gaps.js";
import { checkValues, type Samples, toMatrix } from "../matrix/matrix.js";
import { Random, STREAM } from "../random.js";
import type { Steps } from "../steps.js";
import { type Components, encodeKnown, findComponents, guess, refine } from "./components.js";
import { findCandidates, Neighbors, renewGuesses } from "./neighbors.js";
import { type ScaledTable, scaleTable, unscale } from "./scaled-table.js";
import { hideValues, learnTrust, showValues } from "./trial.js";

/** Options of {@link impute}. */
export interface ImputeOptions {
  /** Of what is drawn at random. Default: 0. */
  seed?: number | undefined;
  /** In which nested arrays are read. Default: "f32". */
  precision?: Precision | undefined;
  /** m names, for messages. */
  featureNames?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

const OPTIONS: KnownOptions<ImputeOptions> = { seed: true, precision: true, featureNames: true, signal: true };

/** What {@link impute} returns. */
export interface Imputation {
  /** The samples with their missing values filled; known values stay to the bit. */
  readonly X: Dense;
  /** How many values were filled. */
  readonly filled: number;
  /**
   * The error of known values that were hidden for a trial, with features scaled to a range of 1, as a share of the error of feature
   * means: 0 is perfect, 1 no better than means. More was missing in the trial, so that filled values are rather better. Null where
   * too few values are known to try.
   */
  readonly error: number | null;
  /** Samples of which nothing is known: they got the means of all features. */
  readonly unknownSamples: readonly number[];
  /** Features of which nothing is known: they stay missing. */
  readonly unknownFeatures: readonly number[];
}

/** Components at most, of few features and of many; those that the data do not need vanish. */
const [MOST_OF_FEW, MOST_OF_MANY, FEW] = [32, 16, 40];
/** Known values of a feature for each of its components. */
const VALUES_LEAST = 4;
/** Numbers that what is kept for each feature may have in all. */
const MOST_NUMBERS = 2 ** 22;
/** Known values for each feature and component to learn from. */
const VALUES_EACH = 32;
/** Samples of which values are hidden for a trial. */
const PROBES = 400;
/** Passes after the trial, with what was hidden in it. */
const FURTHER_PASSES = 2;
/** Guesses are renewed from neighbours whose gaps have guesses. */
const ROUNDS = 2;

/**
 * Fills the missing values of a table, each from the other values of its sample and from samples that are alike: principal components of
 * known values (see `components.ts`), corrected by the ten nearest samples. How far to trust neighbours is learnt from known values that
 * are hidden for a trial. A filled value is never outside the range of its feature's known values. The result depends on the samples and
 * the seed alone.
 *
 * @param X n samples of m features, of any sign; NaN is missing, and of sparse samples every value that is not stored
 *
 * @example
 * ```ts
 * import { impute } from "bonmf";
 * const X = Array.from({ length: 30 }, (_, i) => [i, 2 * i, 3 * i, 60 - i]);
 * X[7][2] = NaN;
 * const { X: whole, filled } = await impute(X);
 * filled; // → 1
 * Math.abs(whole.at(7, 2) - 21) < 1; // → true
 * ```
 */
export async function impute(X: Samples, options: ImputeOptions = {}): Promise<Imputation> {
  checkKnown(options, OPTIONS, "impute");
  const { seed = 0, featureNames, signal } = options;
  const given = toMatrix(X, options.precision);
  checkValues(given, { signed: true, gaps: true, featureNames });
  const raw = given.kind === "sparse" ? spread(given) : given;
  signal?.throwIfAborted();
  const table = scaleTable(raw);
  const unknownSamples = [...table.counts.keys()].filter((i) => table.counts[i] === 0);
  const unknownFeatures = [...table.means.keys()].filter((f) => Number.isNaN(table.means[f]));
  const missing = table.counts.reduce((sum, count) => sum + raw.features - count, 0);
  const error = missing === 0 ? null : await runSteps(fillSteps(table, seed), signal);
  const out = new Dense(raw.samples, raw.features, raw.data.slice());
  for (let p = 0; p < out.data.length; p++) if (table.known[p] === 0) out.data[p] = unscale(table, p);
  return {
    X: out,
    filled: missing - unknownFeatures.length * raw.samples,
    error,
    unknownSamples,
    unknownFeatures,
  };
}

/** Puts guesses into the table. @returns the error of the trial */
function* fillSteps(table: ScaledTable, seed: number): Steps<number | null> {
  const { n, m, counts } = table;
  const share = counts.reduce((sum, count) => sum + count, 0) / (n * m);
  const k = countComponents(table, share);
  if (k === 0) return null;
  const enough = Math.ceil((VALUES_EACH * k) / share);
  const order = new Random(seed, STREAM.measure).permutation(n);
  // Where there are samples enough, those of the trial are none that components are learnt from.
  const apart = n - enough >= PROBES;
  const learners = order.slice(0, Math.min(n, enough)).sort();
  const probes = (apart ? order.slice(n - PROBES) : order.slice(0, PROBES)).sort();
  const all = Uint32Array.from({ length: n }, (_, i) => i);

  const hidden = hideValues(table, probes, seed);
  const components = yield* findComponents(table, learners, k, seed);
  const codes = yield* encodeKnown(table, components, all);
  let candidates = yield* findCandidates(table, components, codes, seed);
  setGuesses(table, components, codes);
  const { trust, error } = yield* learnTrust(new Neighbors(table, components, codes, candidates), hidden);
  showValues(table, hidden);

  if (!apart) yield* refine(table, learners, components, FURTHER_PASSES);
  const changed = apart ? probes : all;
  const renewed = yield* encodeKnown(table, components, changed);
  changed.forEach((i, at) => {
    codes.set(renewed.subarray(at * k, (at + 1) * k), i * k);
  });
  setGuesses(table, components, codes);
  if (trust.values === 0 && trust.shift === 0) return error;
  if (!apart) candidates = yield* findCandidates(table, components, codes, seed);
  const rows = all.filter((i) => counts[i] > 0 && counts[i] < m);
  const neighbors = new Neighbors(table, components, codes, candidates);
  for (let round = 0; round < ROUNDS; round++) yield* renewGuesses(neighbors, rows, trust);
  return error;
}

function countComponents({ n, m }: ScaledTable, share: number): number {
  const affordable = Math.floor(Math.sqrt((2 * MOST_NUMBERS) / m));
  const learnable = Math.max(1, Math.floor((n * share) / VALUES_LEAST));
  const most = m < FEW ? MOST_OF_FEW : MOST_OF_MANY;
  return Math.max(0, Math.min(most, n - 1, m - 1, affordable, learnable));
}

/** What components say, in the place of every missing value. */
function setGuesses({ n, m, values, known }: ScaledTable, components: Components, codes: Float64Array): void {
  for (let i = 0, p = 0; i < n; i++) {
    for (let f = 0; f < m; f++, p++) if (known[p] === 0) values[p] = guess(components, codes, i, f);
  }
}
