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
import type { Lesson, Pupil, Train } from "./train.js";

/** How to test: one part left out, or each of several in turn. */
export interface Plan {
  readonly split: number | null;
  readonly folds: number | null;
  readonly seed: number;
}

/** How a classifier did on samples it had not seen. */
export interface Exam {
  readonly report: ClassReport;
  readonly confusion: Confusion;
  /** One entry a part. */
  readonly accuracies: readonly number[];
  readonly trained: number;
  readonly tested: number;
  /** The one that was trained last. */
  readonly pupil: Pupil;
}

export async function examine(
  lesson: Lesson,
  plan: Plan,
  train: Train,
  signal: AbortSignal,
  onPart: (done: number) => void,
): Promise<Exam> {
  const truth: Label[] = [];
  const given: (Label | null)[] = [];
  const accuracies: number[] = [];
  let pupil: Pupil | null = null;
  const parts = cut(lesson, plan);
  for (const [done, { train: kept, test: left }] of parts.entries()) {
    onPart(done);
    pupil = await train(take(lesson, kept), signal).catch((error: unknown) => {
      throw relocate(error, (i) => kept[i]);
    });
    const predictor = { model: pupil.classifier.model, classifier: pupil.classifier };
    const predictions = await predict(predictor, lesson.X.take(left), false, signal).catch((error: unknown) => {
      throw relocate(error, (i) => left[i]);
    });
    let right = 0;
    predictions.forEach(({ label = null }, i) => {
      truth.push(lesson.y[left[i]]);
      given.push(label);
      if (label === lesson.y[left[i]]) right++;
    });
    accuracies.push(right / left.length);
  }
  return {
    report: classReport(truth, given),
    confusion: confusion(truth, given),
    accuracies,
    trained: parts[0].train.length,
    tested: truth.length,
    pupil: pupil!,
  };
}

function cut({ y }: Lesson, plan: Plan): Split[] {
  if (plan.folds === null) return [holdout(y, plan.split ?? undefined, plan.seed)];
  if (plan.folds > y.length) throw new UserError(`--folds ${plan.folds} is more than there are samples: ${y.length}`);
  return folds(y, plan.folds, plan.seed);
}

function take({ X, y, weights }: Lesson, ids: Uint32Array): Lesson {
  return {
    X: X.take(ids),
    y: Array.from(ids, (i) => y[i]),
    weights: weights && Float64Array.from(ids, (i) => weights[i]),
  };
}
