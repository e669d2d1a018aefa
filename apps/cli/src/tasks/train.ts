import {
  auto,
  type Candidate,
  type Classifier,
  classifier,
  fit,
  type Label,
  type Matrix,
  type ScaleName,
  type SchemeName,
  type SearchStep,
} from "bonmf";
import { completeRecipe } from "bonmf-data";
import { writeRecipe } from "bonmf-data/recipe";
import type { Options } from "../command.js";
import { UserError } from "../errors.js";
import { defaultScale, type Loaded } from "../input/input.js";
import { checkSchemeOptions, schemeOptions } from "./classifier-options.js";
import { fitOptions, OBJECTIVE, refuseMask } from "./fit-options.js";

/** Samples with their classes, all of a source or some of it. */
export interface TrainingSet {
  readonly X: Matrix;
  readonly y: readonly Label[];
  readonly weights: Float64Array | null;
}

export interface Training {
  readonly classifier: Classifier;
  /** What `auto` chose; null where a scheme was named. */
  readonly chosen: Candidate | null;
  /** All candidates, best first; none where a scheme was named. */
  readonly tried: readonly Candidate[];
  /** What they were compared by; null where a scheme was named. */
  readonly measure: "accuracy" | "balanced" | null;
}

/** @param onStep is told of the search, where there is one */
export type Train = (
  samples: TrainingSet,
  signal: AbortSignal,
  onStep?: (step: SearchStep) => void,
) => Promise<Training>;

const FITTED = [
  ...["k", "method", "scale", "init", "restarts", "max-iterations", "tolerance", "update", "alpha", "sweeps"],
  ...OBJECTIVE,
];
const VOTED = ["neighbors", "probes", "metric", "votes"];
const LINEAR = ["penalty"];

/** Returns the training that the options ask for. */
export function chooseTraining(options: Options, { data, source }: Loaded): Train {
  const tags = { recipe: writeRecipe(completeRecipe(data)), source };
  const featureNames = data.features ?? undefined;
  const { scheme, ...how } = schemeOptions(options);
  if (scheme === undefined) {
    if (data.weights) {
      throw new UserError(
        "--weight needs a named scheme: cross-validation does not use weights",
        "add --scheme NAME, or omit --weight",
      );
    }
    // The held-out part may have the only negative values, which tfidf cannot take.
    const scales: ScaleName[] | undefined = data.X.kind === "sparse" && hasNegative(data.X) ? ["none"] : undefined;
    const seconds = options.number("time-limit");
    if (seconds !== undefined && !(seconds > 0)) {
      throw new UserError(
        `--time-limit must be above 0 seconds, not ${seconds}`,
        "--time-limit 60 ends the search after a minute",
      );
    }
    const limits = { limit: options.number("limit"), timeLimit: seconds === undefined ? undefined : 1000 * seconds };
    const { reject, classWeights } = how;
    const given = { reject, classWeights, ...limits };
    const run = { seed: options.number("seed"), threads: options.number("threads"), scales, ...given };
    refuseMask(options, "cross-validation without --scheme");
    return async ({ X, y }, signal, onStep) => {
      const { classifier, chosen, tried, measure } = await auto(X, y, { ...run, featureNames, tags, signal, onStep });
      return { classifier, chosen, tried, measure };
    };
  }
  const given = fitOptions(options);
  const scale = given.scale === undefined || given.scale === "auto" ? defaultScale(data) : given.scale;
  return async ({ X, y, weights }, signal) => {
    const { neighbors = 0 } = how;
    if (neighbors > X.samples) {
      throw new UserError(
        `--neighbors ${neighbors} is more than there are samples to train on: ${X.samples}`,
        "with so many, every vote would be the same",
      );
    }
    // About √n clusters make a vote fastest.
    const k = options.number("k") ?? Math.ceil(Math.sqrt(X.samples) / 2);
    const model = await fit(X, { ...given, k, scale, weights: weights ?? undefined, featureNames, tags, signal });
    const run = { weights: weights ?? undefined, threads: options.number("threads"), calibrate: true, signal };
    const trained = await classifier(model, X, y, { scheme, ...how, ...run });
    return { classifier: trained, chosen: null, tried: [], measure: null };
  };
}

function hasNegative(X: Matrix): boolean {
  return (X.kind === "dense" ? X.data : X.values).some((value) => value < 0);
}

/** Refuses options that `auto` would choose itself, and those that the scheme does not use. */
export function checkChoice(options: Options): void {
  const scheme = options.string("scheme") as SchemeName | undefined;
  const named = scheme !== undefined;
  if (named) checkSchemeOptions(options, scheme);
  if (named && options.flag("auto")) {
    throw new UserError("--auto chooses the scheme, but --scheme names one", "omit one of the two");
  }
  const bound = ["limit", "time-limit"].find((name) => options.string(name) !== undefined);
  if (named && bound !== undefined) {
    throw new UserError(
      `--${bound} bounds the search of candidates, but --scheme names the one to train`,
      `omit --${bound}`,
    );
  }
  const said = named ? undefined : [...FITTED, ...VOTED, ...LINEAR].find((name) => options.string(name) !== undefined);
  if (said === undefined) return;
  throw new UserError(
    `--${said} needs --scheme: without it cross-validation chooses how to classify`,
    `add a scheme, for example --scheme ${VOTED.includes(said) ? "vote" : LINEAR.includes(said) ? "linear" : "majority"}`,
  );
}
