import {
  type ClassReport,
  type Confusion,
  classReport,
  confusion,
  folds,
  holdout,
  type Label,
  type Split,
} from "bonmf";
import { UserError } from "../errors.js";
import { predict, relocate } from "./predictor.js";
import type { Train, Training, TrainingSet } from "./train.js";

/** How to test: hold out one part (split), or each of several parts in turn (folds). */
export interface TestOptions {
  readonly split: number | null;
  readonly folds: number | null;
  readonly seed: number;
}

/** The result of testing a classifier on held-out samples. */
export interface Evaluation {
  readonly report: ClassReport;
  readonly confusion: Confusion;
  /** One for each part. */
  readonly accuracies: readonly number[];
  readonly trained: number;
  readonly tested: number;
  /** The last one trained. */
  readonly training: Training;
}

export async function evaluate(
  samples: TrainingSet,
  test: TestOptions,
  train: Train,
  signal: AbortSignal,
  onPart: (done: number) => void,
): Promise<Evaluation> {
  const truth: Label[] = [];
  const given: (Label | null)[] = [];
  const accuracies: number[] = [];
  let training: Training | null = null;
  const parts = cut(samples, test);
  for (const [done, { train: kept, test: left }] of parts.entries()) {
    onPart(done);
    training = await train(take(samples, kept), signal).catch((error: unknown) => {
      throw relocate(error, (i) => kept[i]);
    });
    const predictor = { model: training.classifier.model, classifier: training.classifier };
    const predictions = await predict(predictor, samples.X.take(left), false, signal).catch((error: unknown) => {
      throw relocate(error, (i) => left[i]);
    });
    let right = 0;
    predictions.forEach(({ label = null }, i) => {
      truth.push(samples.y[left[i]]);
      given.push(label);
      if (label === samples.y[left[i]]) right++;
    });
    accuracies.push(right / left.length);
  }
  return {
    report: classReport(truth, given),
    confusion: confusion(truth, given),
    accuracies,
    trained: parts[0].train.length,
    tested: truth.length,
    training: training!,
  };
}

function cut({ y }: TrainingSet, test: TestOptions): Split[] {
  if (test.folds === null) return [holdout(y, test.split ?? undefined, test.seed)];
  if (test.folds > y.length) throw new UserError(`--folds ${test.folds} is more than there are samples: ${y.length}`);
  return folds(y, test.folds, test.seed);
}

function take({ X, y, weights }: TrainingSet, ids: Uint32Array): TrainingSet {
  return {
    X: X.take(ids),
    y: Array.from(ids, (i) => y[i]),
    weights: weights && Float64Array.from(ids, (i) => weights[i]),
  };
}
