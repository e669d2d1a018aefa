import type { ReliabilityBin } from "bonmf";
import type { Form, Pictures, Preview } from "./findings.js";

/** Everything a report on the test of a classifier shows, as plain data. */
export interface TestFindings {
  readonly kind: "test";
  /** The source of the training samples, for display. */
  readonly source: string | null;
  readonly form: Form;
  /** How the classifier decides, in words. */
  readonly classifier: string;
  /** What it was tested on, in words. */
  readonly tested: string;
  readonly samples: number;
  readonly measures: TestMeasures;
  /** Numbers rising, then texts. */
  readonly classes: readonly TestedClass[];
  /** Of the classes that occur; null where there are too many to show. */
  readonly confusion: TestConfusion | null;
  /** The most frequent mistakes, most first. */
  readonly confused: readonly { readonly truth: string; readonly given: string; readonly count: number }[];
  readonly bins: readonly ReliabilityBin[];
  /** ROC curves, one against the rest, the smallest area first; of two classes that of the second. Not all where there are many. */
  readonly curves: readonly Curve[];
  /** What was tried in cross-validation, best first; empty where the scheme was given. */
  readonly tried: readonly Tried[];
  readonly pictures: Pictures | null;
  /** The wrong answers given with the highest probability, highest first. */
  readonly mistakes: readonly Mistake[];
  /** What the classifier goes by, class by class. */
  readonly grounds: readonly Ground[];
  readonly repeat: { readonly version: string; readonly command: string | null };
}

/** The ROC curve of a class. */
export interface Curve {
  readonly label: string;
  readonly auc: number;
  /** Shares of other samples and of its own that are taken for the class, both rising from 0 to 1. */
  readonly points: readonly (readonly [others: number, own: number])[];
}

export interface TestMeasures {
  readonly accuracy: number;
  readonly interval: { readonly low: number; readonly high: number };
  readonly baseline: { readonly label: string; readonly share: number };
  readonly balanced: number;
  /** Where every class counts alike (`classWeights`): what always answering one class would get. Null where every sample does. */
  readonly chance: { readonly share: number; readonly isBeaten: boolean } | null;
  /** The mean over the classes. */
  readonly f1: number;
  /** The mean over the classes; null where it cannot be measured. */
  readonly auc: number | null;
  readonly logLoss: number;
  readonly brier: number;
  /** Expected calibration error. */
  readonly calibration: number;
  /** Of the samples with an answer; null where all have one. */
  readonly answered: { readonly share: number; readonly accuracy: number | null } | null;
  /** Classes that training did not see. */
  readonly unknown: readonly { readonly label: string; readonly count: number }[];
}

export interface TestedClass {
  readonly label: string;
  readonly samples: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly auc: number | null;
}

export interface TestConfusion {
  readonly classes: readonly string[];
  /** counts[t][p]: samples of class t that were given class p. */
  readonly counts: readonly (readonly number[])[];
  /** refused[t]: samples of class t without an answer. */
  readonly refused: readonly number[];
}

export interface Tried {
  readonly name: string;
  readonly accuracy: number;
  readonly balanced: number;
  /** The standard deviation over the folds of what candidates were compared by: balanced accuracy where classes count alike. */
  readonly deviation: number;
  /** How many folds it was tried on: fewer than others where it was dropped early. */
  readonly folds: number;
  readonly chosen: boolean;
}

export interface Mistake {
  readonly id: string;
  readonly truth: string;
  readonly given: string;
  /** Of the class given, and of the true one. */
  readonly probability: number;
  readonly truthProbability: number;
  readonly preview: Preview;
  /** What spoke for the class given, or against it, strongest first, in log odds; empty where the scheme does not say. */
  readonly reasons: readonly Reason[];
  /** The training sample that decided, where one did. */
  readonly neighbor: { readonly id: string; readonly preview: Preview } | null;
}

export interface Reason {
  readonly name: string;
  readonly amount: number;
}

/** What leads to answers of one class. */
export interface Ground {
  readonly label: string;
  /** How many answers were looked at. */
  readonly answers: number;
  /**
   * For linear schemes the mean of what spoke for the class or against it, in log odds. Else, for tables, how the samples of
   * these answers differ from the others, in standard deviations; for texts, the words of their commonest cluster.
   */
  readonly reasons: readonly Reason[];
  /** The prototype that most of the answers are nearest to, of `pictures`; null for other data. */
  readonly picture: Uint8Array | null;
}
