import type { Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { type CalibrationMap, fitCalibration } from "./calibration.js";
import { fitWithinClasses } from "./class-prototypes.js";
import { balanceClasses, sizeClasses } from "./class-weights.js";
import { type Scheme, train } from "./decision.js";
import { folds, holdout, type Split } from "./folds.js";
import { buildScheme, type SchemeOptions, type TrainOptions } from "./scheme.js";

/** Labelled samples in a model's units. */
export interface Labelled {
  readonly model: Model;
  readonly Z: Matrix;
  readonly y: Uint32Array;
  readonly classes: number;
}

/** Trains a scheme, on a model of its own where it needs one. */
export async function trainScheme(
  { model, Z, y, classes }: Labelled,
  options: SchemeOptions,
  how: TrainOptions,
): Promise<{ model: Model; scheme: Scheme }> {
  const { weights, threads, signal } = how;
  const own =
    options.scheme === "prototypes"
      ? await fitWithinClasses(model, model.k, Z, y, classes, { weights, threads, signal })
      : model;
  return { model: own, scheme: await buildScheme(train(own, Z, y, classes), options, how) };
}

/** Up to so many samples are left out a fifth at a time; of more, as many as a fifth of these are left out once. */
const FEW = 5000;
const FOLDS = 5;

/**
 * How the shares of a scheme become probabilities, by samples that are left out of its training. The clusters are those of all samples:
 * they know no class. Null where there is one class, one sample, or a scheme whose samples are those of the model.
 */
export async function calibrateScheme(
  { model, Z, y, classes }: Labelled,
  options: SchemeOptions,
  how: TrainOptions,
): Promise<CalibrationMap | null> {
  const n = Z.samples;
  if (classes === 1 || n < 2 || options.scheme === "coefficients") return null;
  const parts: Split[] = n <= FEW ? folds(y, Math.min(FOLDS, n), 0) : [holdout(y, 1 - FEW / FOLDS / n, 0)];
  const shares: number[] = [];
  const truth: number[] = [];
  for (const part of parts) {
    const { weights } = how;
    const kept = weights ? { weights: Float64Array.from(part.train, (i) => weights[i]) } : {};
    const labelled = { model, Z: Z.take(part.train), y: part.train.map((i) => y[i]), classes };
    const { scheme } = await trainScheme(labelled, options, { ...how, ...kept });
    how.signal?.throwIfAborted();
    scheme.decide(Z.take(part.test)).forEach((decision, i) => {
      for (const share of decision.shares) shares.push(share);
      truth.push(y[part.test[i]]);
    });
  }
  const worth = options.classWeights === null ? null : balanceClasses(sizeClasses(y, classes, null));
  return fitCalibration(Float64Array.from(shares), truth, classes, worth);
}
