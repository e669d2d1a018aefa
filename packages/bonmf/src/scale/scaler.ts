import { DataError, FormatError, OptionError, quote } from "../errors.js";
import { checkSize } from "../matrix/dense.js";
import { checkValues, type Matrix } from "../matrix/matrix.js";
import { finishSteps, type Steps } from "../steps.js";
import { exponent } from "./exponent.js";
import { l2 } from "./l2.js";
import { lift } from "./lift.js";
import { minmax } from "./minmax.js";
import { none } from "./none.js";
import type { ScaleName, Scaler, Scaling, State, Visited } from "./scaling.js";
import { shift } from "./shift.js";
import { split } from "./split.js";
import { sqrtTfidf } from "./sqrt-tfidf.js";
import { standard } from "./standard.js";
import { tfidf } from "./tfidf.js";

export type { ScaleName, Scaler, State, Visited } from "./scaling.js";

const SCALINGS: Record<ScaleName, Scaling> = {
  none,
  minmax,
  shift,
  l2,
  tfidf,
  "sqrt-tfidf": sqrtTfidf,
  split,
  standard,
  lift,
  exponent,
};

/** The names that `fitScaler` knows. */
export const SCALES = Object.keys(SCALINGS) as ScaleName[];

/**
 * Fits a scaler to samples.
 *
 * @param X n × m, finite
 * @param weights n numbers, finite and 0 or more, not all 0: weight N counts as N copies, weight 0 as absence
 * @param groups m whole numbers; features with the same one, 0 or more, are the 0/1 values of one category. `standard`, `lift` and
 * `split` then put two different values of the category one standard deviation of a number apart
 * @throws OptionError for an unknown name, DataError for values or weights that are invalid or too large to scale
 *
 * @example
 * ```ts
 * import { Dense, fitScaler } from "bonmf";
 * const scaler = fitScaler("minmax", Dense.from([[0, 10], [4, 20]]));
 * scaler.transform(Dense.from([[1, 15]])).row(0); // → [0.25, 0.5]
 * scaler.inverse(Dense.from([[0.25, 0.5]])).row(0); // → [1, 15]
 * ```
 */
export function fitScaler(name: ScaleName, X: Matrix, weights?: Float64Array, groups?: ArrayLike<number>): Scaler {
  checkValues(X, { signed: true });
  return finishSteps(learnSteps(name, X, weights, groups));
}

/** The same for samples whose values are already checked, step by step. They are visited in order, up to three times. */
export function* learnSteps(
  name: ScaleName,
  X: Visited,
  weights?: Float64Array,
  groups?: ArrayLike<number>,
): Steps<Scaler> {
  const scaling = findScaling(name);
  if (weights) checkWeights(weights, X.samples);
  if (groups) checkGroups(groups, X.features);
  const state = scaling.fit ? yield* scaling.fit(X, weights, groups) : {};
  for (const [key, values] of Object.entries(state)) {
    const feature = findBad(values, scaling.least[key]);
    if (feature < 0) continue;
    throw new DataError(
      "range",
      `the values of feature ${feature} are too large to scale by ${quote(name)}: its ${key} would be ` +
        `${values[feature]}. Divide the feature by a constant first`,
      { feature },
    );
  }
  return build(name, X.features, state);
}

/** Builds a scaler for m `features` from its stored `state()`. */
export function restoreScaler(name: ScaleName, features: number, state: State): Scaler {
  const scaling = findScaling(name);
  checkSize("features", features);
  const checked: State = {};
  for (const [key, least] of Object.entries(scaling.least)) {
    const values = Object.hasOwn(state, key) ? state[key] : undefined;
    const array = `the ${quote(key)} of a stored ${quote(name)} scaler`;
    if (!(values instanceof Float64Array) || values.length !== features) {
      const found = values instanceof Float64Array ? `${values.length} numbers` : quote(values);
      throw new FormatError(`${array} must hold 64-bit numbers for ${features} features, but it is ${found}`);
    }
    const feature = findBad(values, least);
    if (feature >= 0) {
      throw new FormatError(
        `${array} is ${values[feature]} for feature ${feature}: it must be finite, ${least} or more`,
      );
    }
    checked[key] = values;
  }
  return build(name, features, checked);
}

function build(name: ScaleName, features: number, state: State): Scaler {
  const scaling = SCALINGS[name];
  const outputs = scaling.outputs?.(features) ?? features;
  return {
    name,
    features,
    outputs,
    transform(X) {
      checkFeatures(`the scaler ${quote(name)} takes`, features, X.features);
      return scaling.transform(X, state);
    },
    inverse(Z) {
      checkFeatures(`the inverse of the scaler ${quote(name)} takes`, outputs, Z.features);
      return scaling.inverse(Z, state);
    },
    featureNames(names) {
      checkFeatures(`the scaler ${quote(name)} names`, features, names.length);
      return scaling.names?.(names) ?? [...names];
    },
    state: () => ({ ...state }),
  };
}

function findScaling(name: ScaleName): Scaling {
  if (Object.hasOwn(SCALINGS, name)) return SCALINGS[name];
  throw new OptionError("scale", name, `there is no scaler ${quote(name)}: choose one of ${SCALES.join(", ")}`);
}

/** The first entry that is not finite or less than `least`, else −1. */
function findBad(values: Float64Array, least: number): number {
  return values.findIndex((value) => !(Number.isFinite(value) && value >= least));
}

function checkFeatures(who: string, expected: number, found: number): void {
  if (expected === found) return;
  throw new DataError(
    "shape",
    `${who} ${expected} features, but was given ${found}: use the features it was fitted on`,
  );
}

function checkGroups(groups: ArrayLike<number>, features: number): void {
  if (groups.length !== features) {
    throw new OptionError(
      "featureGroups",
      groups,
      `there are ${features} features but ${groups.length} feature groups: give a whole number for each feature`,
    );
  }
  const odd = Array.prototype.findIndex.call(groups, (group) => !Number.isSafeInteger(group));
  if (odd >= 0) {
    throw new OptionError(
      "featureGroups",
      groups[odd],
      `the group of feature ${odd} (counting from 0) is ${quote(groups[odd])}: groups are whole numbers`,
    );
  }
}

function checkWeights(weights: Float64Array, samples: number): void {
  if (weights.length !== samples) {
    throw new DataError("shape", `${samples} samples need ${samples} weights, but there are ${weights.length}`);
  }
  const sample = findBad(weights, 0);
  if (sample >= 0) {
    const value = weights[sample];
    throw new DataError("weight", `the weight of sample ${sample} is ${value}: weights must be finite, 0 or more`, {
      sample,
      value,
    });
  }
  if (weights.every((weight) => weight === 0)) {
    throw new DataError("empty", "every weight is 0: at least one must be larger");
  }
}
