import { auto, type Candidate, type Classifier, classifier, fit, type Label, type Matrix, type ScaleName } from "bonmf";
import type { Options } from "../command.js";
import { UserError } from "../errors.js";
import type { Loaded } from "../input/load.js";
import { defaultScale } from "../input/scale.js";
import { fitOptions } from "./options.js";
import { schemeOptions } from "./schemes.js";

/** Samples with their classes, all of a source or some of it. */
export interface Lesson {
  readonly X: Matrix;
  readonly y: readonly Label[];
  readonly weights: Float64Array | null;
}

export interface Pupil {
  readonly classifier: Classifier;
  /** What was chosen, by `auto` alone. */
  readonly chosen: Candidate | null;
  readonly tried: number;
}

/** Trains as it was asked for. */
export type Train = (lesson: Lesson, signal: AbortSignal) => Promise<Pupil>;

const FITTED = ["k", "method", "scale", "init", "restarts", "max-iterations", "tolerance", "update", "alpha", "sweeps"];
const VOTED = ["neighbors", "probes"];
const REFUSED = ["reject-margin", "reject-angle"];

export function chooseTraining(options: Options, { data, source }: Loaded): Train {
  const tags = { recipe: JSON.stringify(data.recipe), source };
  const featureNames = data.features ?? undefined;
  const { scheme, ...how } = schemeOptions(options);
  if (scheme === undefined) {
    if (data.weights) {
      throw new UserError("weights do not go with a chosen classifier", "name a --scheme, or leave --weight away");
    }
    // The part that is left out may hold the only negative values.
    const scales: ScaleName[] | undefined = hasNegative(data.X) ? ["minmax", "split"] : undefined;
    const run = { seed: options.number("seed"), threads: options.number("threads"), scales };
    return async ({ X, y }, signal) => {
      const { classifier, chosen, tried } = await auto(X, y, { ...run, featureNames, tags, signal });
      return { classifier, chosen, tried: tried.length };
    };
  }
  const given = fitOptions(options);
  const scale = given.scale ?? defaultScale(data);
  return async ({ X, y, weights }, signal) => {
    // As many clusters make a vote quick.
    const k = options.number("k") ?? Math.ceil(Math.sqrt(X.samples) / 2);
    const model = await fit(X, { ...given, k, scale, weights: weights ?? undefined, featureNames, tags, signal });
    return { classifier: await classifier(model, X, y, { scheme, ...how }), chosen: null, tried: 0 };
  };
}

function hasNegative(X: Matrix): boolean {
  return (X.kind === "dense" ? X.data : X.values).some((value) => value < 0);
}

/** Where everything is chosen, nothing else may be said about it. */
export function checkChoice(options: Options): void {
  const named = options.string("scheme") !== undefined;
  if (named && options.flag("auto")) {
    throw new UserError("--auto chooses the scheme, and --scheme names one", "leave one of the two away");
  }
  const said = named ? undefined : [...FITTED, ...VOTED, ...REFUSED].find((name) => options.string(name) !== undefined);
  if (said === undefined) return;
  throw new UserError(
    `--${said} says how to classify, but without --scheme that is chosen by cross-validation`,
    `name a scheme, as --scheme ${VOTED.includes(said) ? "vote" : "majority"}` +
      (REFUSED.includes(said) ? ", or give it to bonmf predict" : ""),
  );
}
