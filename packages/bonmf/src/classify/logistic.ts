import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import { allocateLabels } from "../kernel/step.js";
import { type Curvature, minimize } from "./lbfgs.js";
import type { SoftCodes } from "./soft-codes.js";

/** Multinomial logistic regression: the score of class j is ⟨x, w_j⟩ + b_j. Two classes have one score, that of the second. */
export interface Logistic {
  /** r × m: a row for each class, or one row for two classes. */
  readonly W: Float64Array;
  /** r intercepts. */
  readonly bias: Float64Array;
}

/** What a linear classifier keeps. */
export interface LinearState extends Logistic {
  /** null: the samples alone are multiplied. */
  readonly codes: SoftCodes | null;
}

export interface LogisticOptions {
  /** λ of Σ ω · (log loss) + λ/2 ‖W‖²; intercepts are free. scikit-learn's 1/C. */
  readonly penalty: number;
  /** Where to begin. Default: zeros. */
  readonly start?: Logistic | undefined;
  /** Stop when no entry of the gradient of the mean loss is larger. Default 1e-4, as scikit-learn. */
  readonly tolerance?: number | undefined;
  /** The most sweeps. Default 2000. */
  readonly limit?: number | undefined;
  /** The curvature at a point, where it is cheap. */
  readonly curvature?: ((at: Logistic, penalty: number) => Curvature) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** From zeros, the first steps go far: the curvature is measured after them. */
const PATIENCE = 8;

/** How many scores c classes have. */
export function scoreCount(classes: number): number {
  return classes === 2 ? 1 : classes;
}

/** Gives an engine the classes that `trainLogistic` learns. @param y IN n class numbers */
export async function placeClasses(engine: Engine, y: ArrayLike<number>, classes: number): Promise<void> {
  const labels = allocateLabels(y.length, classes);
  labels.set(y);
  await engine.scatter({ form: "labels", k: classes, labels, values: null });
}

/** Trains by L-BFGS; every evaluation is one sweep of an engine that has the classes. */
export async function trainLogistic(engine: Engine, classes: number, options: LogisticOptions): Promise<Logistic> {
  const { penalty, start, tolerance = 1e-4, limit = 2000, curvature, signal } = options;
  const k = scoreCount(classes);
  const m = engine.features;
  const size = k * m;
  const evaluate = async (x: Float64Array, gradient: Float64Array) => {
    const W = x.slice(0, size);
    const sums = totalStats(await engine.pass({ rule: "softmax", k, W, bias: x.slice(size) }, signal));
    const mean = 1 / sums.weight;
    let square = 0;
    for (let p = 0; p < size; p++) {
      square += W[p] * W[p];
      gradient[p] = (sums.XHt[p] + penalty * W[p]) * mean;
    }
    for (let r = 0; r < k; r++) gradient[size + r] = sums.HHt[r] * mean;
    return (sums.loss + 0.5 * penalty * square) * mean;
  };
  const x = new Float64Array(size + k);
  if (start) {
    x.set(start.W);
    x.set(start.bias, size);
  }
  const toLogistic = (x: Float64Array) => ({ W: x.slice(0, size), bias: x.slice(size) });
  const { x: found } = await minimize(evaluate, x, {
    tolerance,
    limit,
    curvature: curvature && ((x) => curvature(toLogistic(x), penalty)),
    patience: x.some((value, p) => p < size && value !== 0) ? 0 : PATIENCE,
  });
  const { W, bias } = toLogistic(found);
  return { W, bias: k > 1 ? centre(bias) : bias };
}

/** The same number added to all scores changes nothing: intercepts are those with the sum 0. */
function centre(bias: Float64Array): Float64Array {
  let mean = 0;
  for (const b of bias) mean += b / bias.length;
  return bias.map((b) => b - mean);
}
