import { DataError, OptionError, quote } from "../errors.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { Dense } from "../matrix/dense.js";
import type { Samples } from "../matrix/matrix.js";
import { accuracy } from "../measure/accuracy.js";
import { encode, type Label, type Labels } from "../measure/labels.js";
import type { Model } from "../model/model.js";
import { checkWeights, oneOf, wholeNumber } from "../model/options.js";
import { METRICS, type Metric, VOTE_RULES, type VoteRule } from "./ballot.js";
import { type CalibrationMap, calibrate } from "./calibration.js";
import type { Decision, Evidence, Scheme, SchemeState } from "./decision.js";
import { calibrateScheme, trainScheme } from "./left-out.js";
import { checkClasses } from "./quantity.js";
import { angleOf } from "./query.js";
import { SCHEMES, type SchemeName, type SchemeOptions } from "./scheme.js";

/** Options of {@link classifier}. */
export interface ClassifierOptions {
  /** How classes are decided. Default `nearest`. */
  scheme?: SchemeName | undefined;
  /** For `vote`: the number of training samples that vote. Default 5. */
  neighbors?: number | undefined;
  /** For `vote`: the number of clusters to search, or "exact" (default) for the result of brute force. */
  probes?: number | "exact" | undefined;
  /** For `vote`: what makes training samples near. Default `angle`. All others compare with all of them. */
  metric?: Metric | undefined;
  /** For `vote`: how much each vote counts. `closer`: by 1 / distance, as scikit-learn's weights="distance". Default `equal`. */
  votes?: VoteRule | undefined;
  /** For `linear`: λ of Σ log loss + λ/2 ‖W‖², scikit-learn's 1/C. For `linear+codes`: λ of Σ squares + λ‖W‖². Default 1. */
  penalty?: number | undefined;
  /** For `linear+codes`: how fast closeness falls with distance. 1: by e at the mean distance of a prototype. Default 2. */
  sharpness?: number | undefined;
  /** `balanced`: every class counts alike, however many samples it has: in the training of `linear` and `linear+codes`, in the votes of others. */
  classWeights?: "balanced" | null | undefined;
  /** When to give no answer. Default: never. */
  reject?: RejectOptions | undefined;
}

/** How the training of a classifier is run. None of these options is stored. */
export interface TrainingOptions {
  /** For `linear`, `linear+codes` and `prototypes`: n weights, 0 or more. Weight 2 counts as two copies of the sample. */
  weights?: ArrayLike<number> | undefined;
  /** For `linear`: the training ends when no entry of the gradient of the mean loss is larger. Default 1e-4, as scikit-learn. */
  tolerance?: number | undefined;
  /**
   * Whether to measure, by training on parts of the samples, how shares become probabilities that mean what they say; `coefficients` cannot.
   * Default false.
   */
  calibrate?: boolean | undefined;
  /** The number of threads, as in {@link fit}. */
  threads?: number | undefined;
  /** Aborts the training. */
  signal?: AbortSignal | undefined;
}

/** When a classifier gives no answer. */
export interface RejectOptions {
  /** Refuse when the cosine to the nearest prototype exceeds that to the second nearest by less than this. */
  margin?: number | undefined;
  /** Refuse when the angle to the nearest prototype exceeds this, in radians. */
  angle?: number | undefined;
  /** Refuse when the probability of the class is below this, from 0 to 1. */
  probability?: number | undefined;
}

/** What may refuse an answer. */
type Limit = keyof RejectOptions;

/** Why a sample got its class. */
export interface Explanation<L extends Label = Label> {
  /** The class; null where the answer was refused. */
  readonly label: L | null;
  /** The sample's cluster. */
  readonly cluster: number;
  /** Cosine of the angle between the sample and the cluster's prototype. */
  readonly cosine: number;
  /** That cosine less the largest other one; negative where a closer prototype has no training sample. */
  readonly margin: number;
  /** The class's share of the votes, or of the cluster. */
  readonly share: number;
  /** The class's probability; the share itself where the classifier is not calibrated. */
  readonly probability: number;
  /**
   * The training sample that decided, if one did. `closeness` is the cosine of the angle to it; for scheme `onmf`, minus
   * the squared distance; for `coefficients`, the cosine between the codes.
   */
  readonly neighbor: { readonly index: number; readonly label: L; readonly closeness: number } | null;
  /** For `linear` and `linear+codes`: the features that spoke for the class or against it, strongest first; else null. */
  readonly evidence: readonly Evidence[] | null;
  /** The limit that refused the answer, if one did. */
  readonly rejected: Limit | null;
}

/**
 * Classifies samples and explains its answers. Built by {@link classifier} or {@link auto}.
 *
 * @example
 * ```ts
 * import { classifier, fit } from "bonmf";
 * const X = [[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]];
 * const model = await fit(X, { k: 2, seed: 7 });
 * const clf = await classifier(model, X, ["apple", "apple", "pear", "pear"], { reject: { margin: 0.1 } });
 * clf.predict([[9, 1, 0], [5, 4, 4]]); // → ["apple", null]
 * clf.explain([[5, 4, 4]])[0].rejected; // → "margin"
 * clf.probabilities([[9, 1, 0]]).row(0); // → [1, 0]
 * ```
 */
export class Classifier<L extends Label = Label> {
  /** The model whose clusters are used; for `prototypes` one of its own, with prototypes by class. */
  readonly model: Model;
  /** How classes are decided. */
  readonly scheme: SchemeName;
  /** The classes, sorted: numbers by value, then strings. */
  readonly classes: readonly L[];
  /** For scheme `vote`: the number of training samples that vote. */
  readonly neighbors: number;
  /** For scheme `vote`: the number of clusters that are searched. */
  readonly probes: number | "exact";
  /** For scheme `vote`: what makes training samples near. */
  readonly metric: Metric;
  /** For scheme `vote`: how much each vote counts. */
  readonly votes: VoteRule;
  /** For the linear schemes: λ. */
  readonly penalty: number;
  /** For scheme `linear+codes`: how fast closeness falls with distance. */
  readonly sharpness: number;
  /** How classes are weighed. */
  readonly classWeights: "balanced" | null;
  /** When it gives no answer. */
  readonly reject: Readonly<RejectOptions>;
  /** How shares become probabilities; null: they are the shares. {@link auto} measures it in cross-validation. */
  readonly calibration: CalibrationMap | null;
  readonly #scheme: Scheme;

  /** @internal */
  constructor(
    model: Model,
    classes: readonly L[],
    options: Resolved,
    scheme: Scheme,
    calibration: CalibrationMap | null = null,
  ) {
    this.calibration = calibration && Object.freeze({ ...calibration });
    this.model = model;
    this.classes = Object.freeze([...classes]);
    this.scheme = options.scheme;
    this.neighbors = options.neighbors;
    this.probes = options.probes;
    this.metric = options.metric;
    this.votes = options.votes;
    this.penalty = options.penalty;
    this.sharpness = options.sharpness;
    this.classWeights = options.classWeights;
    this.reject = Object.freeze({ ...options.reject });
    this.#scheme = scheme;
  }

  /**
   * @param X n samples of m features, in the units of the training samples
   * @returns the class of each sample; null where the answer is refused
   */
  predict(X: Samples): (L | null)[] {
    const Q = this.model.prepare(X);
    const winners = LIMITS.every((limit) => this.reject[limit] === undefined) ? this.#scheme.classify?.(Q) : undefined;
    if (winners) {
      const found: L[] = [];
      for (let i = 0; i < winners.length; i++) found.push(this.classes[winners[i]]);
      return found;
    }
    return this.#scheme
      .decide(Q)
      .map((decision) => (this.#refuses(decision) === null ? this.classes[decision.winner] : null));
  }

  /** The class of each sample, and what decided it. */
  explain(X: Samples): Explanation<L>[] {
    const Q = this.model.prepare(X);
    const decisions = this.#scheme.decide(Q);
    const evidence = this.#scheme.weigh?.(Q, decisions);
    return decisions.map((decision, i) => {
      const { cluster, cosine, margin, shares, winner, neighbor } = decision;
      const rejected = this.#refuses(decision);
      return {
        label: rejected === null ? this.classes[winner] : null,
        cluster,
        cosine,
        margin,
        share: shares[winner],
        probability: this.#probabilitiesOf(decision)[winner],
        neighbor: neighbor && { ...neighbor, label: this.classes[winner] },
        evidence: evidence?.[i] ?? null,
        rejected,
      };
    });
  }

  /**
   * The probabilities of the classes: n × classes, in the order of `classes`. Without a `calibration` they are the shares of the
   * votes, or of the cluster, or what the linear model says.
   */
  probabilities(X: Samples): Dense {
    const decisions = this.#decisions(X);
    const out = Dense.zeros(decisions.length, this.classes.length, "f64");
    decisions.forEach((decision, i) => {
      out.data.set(this.#probabilitiesOf(decision), i * this.classes.length);
    });
    return out;
  }

  /** The accuracy: the share of samples whose class is correct. A refused answer counts as wrong. */
  score(X: Samples, y: Labels): number {
    return accuracy(y, this.predict(X));
  }

  /** @internal The same classifier with other probabilities and limits. */
  with({ calibration = this.calibration, reject = this.reject }: Changes): Classifier<L> {
    return new Classifier(this.model, this.classes, { ...this.#options(), reject }, this.#scheme, calibration);
  }

  #options(): SchemeOptions {
    const { scheme, neighbors, probes, metric, votes, penalty, sharpness, classWeights } = this;
    return { scheme, neighbors, probes, metric, votes, penalty, sharpness, classWeights };
  }

  /** @internal */
  state(): SchemeState {
    return this.#scheme.state();
  }

  #decisions(X: Samples): Decision[] {
    return this.#scheme.decide(this.model.prepare(X));
  }

  #probabilitiesOf({ shares }: Decision): Float64Array {
    if (this.calibration === null) return shares;
    const own = shares.slice();
    calibrate(own, 0, own.length, this.calibration);
    return own;
  }

  #refuses(decision: Decision): Limit | null {
    const { margin, angle, probability } = this.reject;
    if (margin !== undefined && decision.margin < margin) return "margin";
    if (angle !== undefined && angleOf(decision.cosine) > angle) return "angle";
    if (probability !== undefined && this.#probabilitiesOf(decision)[decision.winner] < probability)
      return "probability";
    return null;
  }
}

/**
 * Builds a classifier from a model and labelled samples.
 *
 * @param X n labelled samples of m features, in the units of the samples that the model was fitted on
 * @param y n labels
 * @throws DataError when there are no samples, X and y differ in length, labels are a quantity, or the features are not the model's; OptionError
 * for a bad option or a scheme that the model cannot serve
 *
 * @example
 * ```ts
 * import { fit, classifier } from "bonmf";
 * const X = [[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]];
 * const y = ["apple", "apple", "pear", "pear"];
 * const model = await fit(X, { k: 2, seed: 7 });
 * const clf = await classifier(model, X, y, { scheme: "vote", neighbors: 1 });
 * clf.predict([[9, 1, 0], [0, 2, 3]]); // → ["apple", "pear"]
 * clf.explain([[9, 1, 0]])[0].neighbor?.index; // → 1
 * ```
 */
export async function classifier<L extends Label>(
  model: Model,
  X: Samples,
  y: ArrayLike<L>,
  options: ClassifierOptions & TrainingOptions = {},
): Promise<Classifier<L>> {
  const { weights, tolerance, calibrate: isCalibrated = false, threads, signal, ...kept } = options;
  const resolved = resolve(kept);
  if (tolerance !== undefined) checkPositive("tolerance", tolerance);
  const Z = model.prepare(X);
  if (Z.samples === 0) throw new DataError("empty", "a classifier needs at least one labelled sample");
  checkLabelCount(y, Z.samples);
  const { names, codes } = encode(y);
  checkClasses(names, Z.samples);
  const how = { weights: checkWeights(weights, Z.samples), tolerance, threads, signal };
  const labelled = { model, Z, y: codes, classes: names.length };
  const { model: own, scheme } = await trainScheme(labelled, resolved, how);
  const calibration = isCalibrated ? await calibrateScheme(labelled, resolved, how) : null;
  return new Classifier(own, names, resolved, scheme, calibration);
}

export function checkLabelCount(y: Labels, samples: number): void {
  if (y.length === samples) return;
  const message = `there are ${samples} samples but ${y.length} labels: give one for each sample`;
  throw new DataError("labels", message);
}

/** What another classifier of the same training may have. */
interface Changes {
  readonly calibration?: CalibrationMap | null;
  readonly reject?: RejectOptions;
}

/** Checked options, with defaults filled in. */
export interface Resolved extends SchemeOptions {
  readonly reject: RejectOptions;
}

const CLASSIFIER_OPTIONS: KnownOptions<ClassifierOptions> = {
  scheme: true,
  neighbors: true,
  probes: true,
  metric: true,
  votes: true,
  penalty: true,
  sharpness: true,
  classWeights: true,
  reject: true,
};
const REJECT_OPTIONS: KnownOptions<RejectOptions> = { margin: true, angle: true, probability: true };
const LIMITS = Object.keys(REJECT_OPTIONS) as Limit[];

export function resolve(options: ClassifierOptions): Resolved {
  checkKnown(options, CLASSIFIER_OPTIONS, "classifier");
  const { scheme = "nearest", neighbors = 5, probes = "exact", reject = {} } = options;
  const { metric = "angle", votes = "equal", penalty = 1, sharpness = 2, classWeights = null } = options;
  checkReject(reject);
  oneOf("scheme", scheme, SCHEMES);
  wholeNumber("neighbors", neighbors, 1);
  if (probes !== "exact") wholeNumber("probes", probes, 1);
  oneOf("metric", metric, METRICS);
  oneOf("votes", votes, VOTE_RULES);
  checkPositive("penalty", penalty);
  checkPositive("sharpness", sharpness);
  if (classWeights !== null) oneOf("classWeights", classWeights, ["balanced"]);
  return { scheme, neighbors, probes, metric, votes, penalty, sharpness, classWeights, reject };
}

export function checkReject(reject: RejectOptions): void {
  checkKnown(reject, REJECT_OPTIONS, "reject");
  for (const limit of LIMITS) {
    const value = reject[limit];
    if (value === undefined || (value >= 0 && (limit !== "probability" || value <= 1))) continue;
    const range = limit === "probability" ? "from 0 to 1" : "0 or more";
    throw new OptionError(`reject.${limit}`, value, `reject.${limit} must be ${range}, not ${quote(value)}`);
  }
}

export function checkPositive(name: string, value: number): void {
  if (value > 0 && value < Number.POSITIVE_INFINITY) return;
  throw new OptionError(name, value, `${name} must be a positive number, not ${quote(value)}`);
}
