import { checkLabels, type Label, type Labels, listLabels, type Predictions } from "./labels.js";

/** A confusion matrix. */
export interface Confusion {
  /** All labels, true or predicted: numbers by value, then strings by code point. */
  classes: Label[];
  /** counts[t][p]: samples of class t that were predicted as class p. */
  counts: number[][];
  /** refused[t]: samples of class t without a prediction (null). */
  refused: number[];
}

/**
 * The confusion matrix.
 *
 * @param truth n labels
 * @param predicted n labels or nulls
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { confusion } from "bonmf";
 * const { classes, counts, refused } = confusion(["cat", "cat", "dog", "dog"], ["cat", "dog", "dog", null]);
 * classes; // → ["cat", "dog"]
 * counts; // → [[1, 1], [0, 1]]
 * refused; // → [0, 1]
 * ```
 */
export function confusion(truth: Labels, predicted: Predictions): Confusion {
  const { classes, places } = index(truth, predicted);
  const counts = classes.map(() => classes.map(() => 0));
  const refused = classes.map(() => 0);
  for (let i = 0; i < truth.length; i++) {
    const t = places.get(truth[i])!;
    const label = predicted[i];
    if (label === null) refused[t]++;
    else counts[t][places.get(label)!]++;
  }
  return { classes, counts, refused };
}

/** Precision, recall and F1. */
export interface Scores {
  /** The share of samples predicted as this class that belong to it; 0 where there are none. */
  precision: number;
  /** The share of samples of this class that were predicted as it; 0 where there are none. */
  recall: number;
  /** The harmonic mean of precision and recall. */
  f1: number;
}

/** The scores of one class. */
export interface ClassScores extends Scores {
  /** The class. */
  label: Label;
  /** The number of samples of the class. */
  support: number;
}

/** The scores of all classes. */
export interface ClassReport {
  /** One entry per class, in the order of {@link Confusion.classes}. */
  classes: ClassScores[];
  /** The share of samples predicted correctly. */
  accuracy: number;
  /** The balanced accuracy: see {@link balancedAccuracy}. */
  balanced: number;
  /** The mean over classes. */
  macro: Scores;
  /** The mean over classes, weighted by support. */
  weighted: Scores;
  /** The baseline: the accuracy of always predicting the most frequent class. Ties go to the first. */
  majority: { label: Label; share: number };
}

/**
 * Precision, recall and F1 of every class, their averages, and the baseline to compare the accuracy with. A refused
 * prediction (null) lowers the recall of its class and no precision.
 *
 * @param truth n labels
 * @param predicted n labels or nulls
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { classReport } from "bonmf";
 * const { classes, accuracy, majority } = classReport(["cat", "cat", "cat", "dog"], ["cat", "cat", "dog", "dog"]);
 * classes[1]; // → { label: "dog", precision: 0.5, recall: 1, f1: 0.666…, support: 1 }
 * accuracy; // → 0.75
 * majority; // → { label: "cat", share: 0.75 }
 * ```
 */
export function classReport(truth: Labels, predicted: Predictions): ClassReport {
  const { classes, places } = index(truth, predicted);
  const samples = truth.length;
  const support = new Float64Array(classes.length);
  const given = new Float64Array(classes.length);
  const right = new Float64Array(classes.length);
  for (let i = 0; i < samples; i++) {
    const t = places.get(truth[i])!;
    const label = predicted[i];
    support[t]++;
    if (label !== null) given[places.get(label)!]++;
    if (label === truth[i]) right[t]++;
  }
  const scores = classes.map((label, c) => ({
    label,
    precision: given[c] === 0 ? 0 : right[c] / given[c],
    recall: support[c] === 0 ? 0 : right[c] / support[c],
    f1: (2 * right[c]) / (given[c] + support[c]),
    support: support[c],
  }));
  const most = scores.reduce((best, score) => (score.support > best.support ? score : best));
  return {
    classes: scores,
    accuracy: right.reduce((sum, count) => sum + count, 0) / samples,
    balanced: meanRecall(scores),
    macro: average(scores, () => 1 / classes.length),
    weighted: average(scores, (score) => score.support / samples),
    majority: { label: most.label, share: most.support / samples },
  };
}

/**
 * The balanced accuracy: the mean recall of the classes that occur in `truth`. Every class counts alike, however few
 * samples it has, so that always answering the most frequent class scores 1 / classes.
 *
 * @param truth n labels
 * @param predicted n labels or nulls
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { accuracy, balancedAccuracy } from "bonmf";
 * const truth = ["cat", "cat", "cat", "dog"];
 * accuracy(truth, ["cat", "cat", "cat", "cat"]); // → 0.75
 * balancedAccuracy(truth, ["cat", "cat", "cat", "cat"]); // → 0.5
 * ```
 */
export function balancedAccuracy(truth: Labels, predicted: Predictions): number {
  return classReport(truth, predicted).balanced;
}

function meanRecall(scores: readonly ClassScores[]): number {
  const present = scores.filter(({ support }) => support > 0);
  return present.reduce((sum, { recall }) => sum + recall, 0) / present.length;
}

function index(truth: Labels, predicted: Predictions): { classes: Label[]; places: Map<Label, number> } {
  checkLabels(truth, predicted, true);
  const seen = new Set<Label>(Array.from(truth));
  for (let i = 0; i < predicted.length; i++) {
    const label = predicted[i];
    if (label !== null) seen.add(label);
  }
  const classes = listLabels(seen);
  return { classes, places: new Map(classes.map((label, place) => [label, place])) };
}

function average(scores: ClassScores[], weigh: (score: ClassScores) => number): Scores {
  const mean = { precision: 0, recall: 0, f1: 0 };
  for (const score of scores) {
    const weight = weigh(score);
    mean.precision += weight * score.precision;
    mean.recall += weight * score.recall;
    mean.f1 += weight * score.f1;
  }
  return mean;
}
