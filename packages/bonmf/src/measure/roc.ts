import { OptionError, quote } from "../errors.js";
import type { Samples } from "../matrix/matrix.js";
import type { Label, Labels } from "./labels.js";
import { type Judged, judge } from "./probabilities.js";

/** The area under the ROC curve of each class against the rest. */
export interface RocAuc {
  /** One entry per class, in the order given. */
  classes: {
    /** The class. */
    label: Label;
    /** The area; null where all samples or none are of the class. */
    auc: number | null;
    /** The number of samples of the class. */
    support: number;
  }[];
  /** The mean over the classes that have an area; null where none has. */
  macro: number | null;
  /** The same, weighted by support. */
  weighted: number | null;
}

/**
 * The area under the ROC curve, one class against the rest: how often a sample of the class gets a higher probability of
 * it than a sample of another class; a tie counts as half. 0.5 is chance, 1 perfect. It judges the order of the samples
 * alone, whatever the scale of the probabilities. For two classes both areas are the same.
 *
 * @param truth n labels
 * @param probabilities n × classes; each row adds up to 1
 * @param classes the class of each column
 * @throws DataError when the lists differ in length, or a row is not a distribution
 *
 * @example
 * ```ts
 * import { rocAuc } from "bonmf";
 * const P = [[0.9, 0.1], [0.6, 0.4], [0.6, 0.4], [0.3, 0.7]];
 * const { classes, macro } = rocAuc(["cat", "cat", "dog", "dog"], P, ["cat", "dog"]);
 * classes[0]; // → { label: "cat", auc: 0.875, support: 2 }
 * macro; // → 0.875
 * ```
 */
export function rocAuc(truth: Labels, probabilities: Samples, classes: readonly Label[]): RocAuc {
  const judged = judge(truth, probabilities, classes);
  const areas = classes.map((label, c) => ({ label, ...measureArea(judged, c) }));
  return {
    classes: areas,
    macro: average(areas, () => 1),
    weighted: average(areas, ({ support }) => support),
  };
}

/** A point of a ROC curve: what happens where samples of at least this probability are taken for the class. */
export interface RocPoint {
  /** The least probability; Infinity at the first point, where no sample is taken. */
  threshold: number;
  /** The share of the other samples that are taken for the class. */
  falsePositives: number;
  /** The share of the samples of the class that are. */
  truePositives: number;
}

/**
 * The ROC curve of a class against the rest, from (0, 0) to (1, 1): one point for each different probability, highest first. The area
 * under it is that of {@link rocAuc}.
 *
 * @param truth n labels
 * @param probabilities n × classes; each row adds up to 1
 * @param classes the class of each column
 * @param label the class
 * @returns null where all samples or none are of the class
 * @throws DataError when the lists differ in length, or a row is not a distribution; OptionError when `label` is none of the classes
 *
 * @example
 * ```ts
 * import { rocCurve } from "bonmf";
 * const P = [[0.9, 0.1], [0.6, 0.4], [0.6, 0.4], [0.3, 0.7]];
 * const curve = rocCurve(["cat", "cat", "dog", "dog"], P, ["cat", "dog"], "cat");
 * curve?.[1]; // → { threshold: 0.9, falsePositives: 0, truePositives: 0.5 }
 * curve?.length; // → 4
 * ```
 */
export function rocCurve(
  truth: Labels,
  probabilities: Samples,
  classes: readonly Label[],
  label: Label,
): RocPoint[] | null {
  const c = classes.indexOf(label);
  if (c < 0) throw new OptionError("label", label, `${quote(label)} is none of the ${classes.length} classes`);
  const { samples, classes: width, P, codes } = judge(truth, probabilities, classes);
  const order = Uint32Array.from({ length: samples }, (_, i) => i);
  order.sort((a, b) => P[b * width + c] - P[a * width + c]);
  const support = codes.reduce((sum, code) => sum + (code === c ? 1 : 0), 0);
  if (support === 0 || support === samples) return null;
  const curve: RocPoint[] = [{ threshold: Number.POSITIVE_INFINITY, falsePositives: 0, truePositives: 0 }];
  let own = 0;
  order.forEach((i, place) => {
    if (codes[i] === c) own++;
    const threshold = P[i * width + c];
    if (place + 1 < samples && P[order[place + 1] * width + c] === threshold) return;
    const others = place + 1 - own;
    curve.push({ threshold, falsePositives: others / (samples - support), truePositives: own / support });
  });
  return curve;
}

/** By the ranks of the samples: twice their sum is a whole number, so ties cost no digit. */
function measureArea({ samples, classes, P, codes }: Judged, c: number): { auc: number | null; support: number } {
  const scores = Float64Array.from({ length: samples }, (_, i) => P[i * classes + c]);
  const order = Uint32Array.from(scores, (_, i) => i).sort((a, b) => scores[a] - scores[b]);
  let support = 0;
  let twiceRanks = 0;
  for (let from = 0; from < samples; ) {
    let to = from;
    let own = 0;
    // Behind the last sample there is no score, which equals none.
    for (; scores[order[to]] === scores[order[from]]; to++) if (codes[order[to]] === c) own++;
    twiceRanks += own * (from + to + 1);
    support += own;
    from = to;
  }
  const others = samples - support;
  const pairs = support * others;
  return { auc: pairs === 0 ? null : (twiceRanks - support * (support + 1)) / 2 / pairs, support };
}

function average(areas: RocAuc["classes"], weigh: (area: { support: number }) => number): number | null {
  let sum = 0;
  let total = 0;
  for (const area of areas) {
    if (area.auc === null) continue;
    sum += weigh(area) * area.auc;
    total += weigh(area);
  }
  return total === 0 ? null : sum / total;
}
