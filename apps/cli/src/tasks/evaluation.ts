import {
  accuracyInterval,
  brierScore,
  type Calibration,
  type ClassReport,
  type Confusion,
  calibration,
  classReport,
  confusion,
  Dense,
  folds,
  holdout,
  type Label,
  logLoss,
  type RocAuc,
  rocAuc,
  type SearchStep,
  type Split,
} from "bonmf";
import { UserError } from "../errors.js";
import { type Chance, compareWithChance } from "./balance.js";
import { type Prediction, predict, relocate } from "./predictor.js";
import type { Train, Training, TrainingSet } from "./train.js";

/** How to test: hold out one part (split), each of several parts in turn (folds), or a file of its own. */
export interface TestOptions {
  readonly split: number | null;
  readonly folds: number | null;
  readonly file: string | null;
  readonly seed: number;
}

/** The answers to the samples tested, in the order of their rows. */
export interface Answers {
  /** Places of the samples in the file they were read from. */
  readonly rows: readonly number[];
  readonly truth: readonly Label[];
  readonly predictions: readonly Prediction[];
  /** The classes that have been learnt, sorted. */
  readonly classes: readonly Label[];
  /** n × classes. */
  readonly probabilities: Dense;
}

/** The result of testing a classifier on samples it has not seen. */
export interface Evaluation {
  readonly report: ClassReport;
  readonly confusion: Confusion;
  /** 95 %, of the accuracy. */
  readonly interval: { readonly low: number; readonly high: number };
  readonly logLoss: number;
  readonly brier: number;
  readonly auc: RocAuc;
  readonly calibration: Calibration;
  /** The share of samples with an answer, and the share of those that is right; null where all have one. */
  readonly answered: { readonly share: number; readonly accuracy: number | null } | null;
  /** Where every class counts alike; else null. */
  readonly chance: Chance | null;
  /** One for each part. */
  readonly accuracies: readonly number[];
  readonly trained: number;
  readonly tested: number;
  readonly answers: Answers;
  /** The last one trained. */
  readonly training: Training;
  /** One for each part: each may have chosen another classifier. */
  readonly trainings: readonly Training[];
}

/** Tests on parts of the samples. */
export async function evaluate(
  samples: TrainingSet,
  test: TestOptions,
  train: Train,
  signal: AbortSignal,
  onStep: (step: SearchStep, part: number, parts: number) => void,
): Promise<Evaluation> {
  const parts = cut(samples, test);
  const tests: Tested[] = [];
  for (const [done, { train: kept, test: left }] of parts.entries()) {
    const told = (step: SearchStep) => onStep(step, done, parts.length);
    const training = await train(take(samples, kept), signal, told).catch((error: unknown) => {
      throw relocate(error, (i) => kept[i]);
    });
    const predictions = await answer(training, samples.X.take(left), signal).catch((error: unknown) => {
      throw relocate(error, (i) => left[i]);
    });
    tests.push({
      training,
      rows: Array.from(left),
      truth: Array.from(left, (i) => samples.y[i]),
      predictions: predictions.map((one) => relocateNeighbor(one, kept)),
    });
  }
  return measure(tests, parts[0].train.length);
}

/** The training sample that decided, by its place among all samples. */
function relocateNeighbor(prediction: Prediction, kept: Uint32Array): Prediction {
  const { neighbor } = prediction;
  return neighbor ? { ...prediction, neighbor: { ...neighbor, index: kept[neighbor.index] } } : prediction;
}

/** Tests on other samples. */
export async function evaluateOn(
  training: Training,
  samples: TrainingSet,
  trained: number,
  signal: AbortSignal,
): Promise<Evaluation> {
  const predictions = await answer(training, samples.X, signal);
  return measure([{ training, rows: samples.y.map((_, i) => i), truth: samples.y, predictions }], trained);
}

interface Tested extends Pick<Answers, "rows" | "truth" | "predictions"> {
  readonly training: Training;
}

function answer({ classifier }: Training, X: TrainingSet["X"], signal: AbortSignal): Promise<Prediction[]> {
  return predict({ model: classifier.model, classifier }, { X }, { full: false, probabilities: true }, signal);
}

function measure(tests: readonly Tested[], trained: number): Evaluation {
  const answers = join(tests);
  const { truth, predictions, probabilities, classes } = answers;
  const given = predictions.map(({ label = null }) => label);
  const right = countRight(truth, given);
  const answered = given.filter((label) => label !== null).length;
  const report = classReport(truth, given);
  return {
    report,
    confusion: confusion(truth, given),
    interval: accuracyInterval(right, truth.length),
    logLoss: logLoss(truth, probabilities, classes),
    brier: brierScore(truth, probabilities, classes),
    auc: rocAuc(truth, probabilities, classes),
    calibration: calibration(truth, probabilities, classes),
    answered:
      answered === truth.length
        ? null
        : { share: answered / truth.length, accuracy: answered === 0 ? null : right / answered },
    chance: tests[0].training.classifier.classWeights === null ? null : compareWithChance(report),
    accuracies: tests.map(
      (one) =>
        countRight(
          one.truth,
          one.predictions.map(({ label = null }) => label),
        ) / one.truth.length,
    ),
    trained,
    tested: truth.length,
    answers,
    training: tests[tests.length - 1].training,
    trainings: tests.map(({ training }) => training),
  };
}

function countRight(truth: readonly Label[], given: readonly (Label | null)[]): number {
  return truth.filter((label, i) => label === given[i]).length;
}

/** The parts together, by row; a class that one part has not learnt has the probability 0 there. */
function join(tests: readonly Tested[]): Answers {
  const classes = sortLabels(tests.flatMap(({ training }) => training.classifier.classes));
  const places = new Map(classes.map((label, place) => [label, place]));
  const all = tests.flatMap(({ training, rows, truth, predictions }) => {
    const columns = training.classifier.classes.map((label) => places.get(label)!);
    return predictions.map((prediction, i) => ({ row: rows[i], truth: truth[i], prediction, columns }));
  });
  all.sort((a, b) => a.row - b.row);
  const probabilities = Dense.zeros(all.length, classes.length, "f64");
  all.forEach(({ prediction, columns }, i) => {
    columns.forEach((place, c) => {
      probabilities.data[i * classes.length + place] = prediction.probabilities![c];
    });
  });
  return {
    rows: all.map(({ row }) => row),
    truth: all.map((one) => one.truth),
    predictions: all.map(({ prediction }) => prediction),
    classes,
    probabilities,
  };
}

/** In the library's order. */
function sortLabels(labels: readonly Label[]): Label[] {
  return confusion(labels, labels).classes;
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
