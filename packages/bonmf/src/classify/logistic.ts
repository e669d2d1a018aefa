import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import { surveyData } from "../engine/survey.js";
import { allocateLabels, type Step } from "../kernel/step.js";
import { type Curvature, type Minimum, minimize } from "./lbfgs.js";
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
  /** What directions begin with, for a penalty. */
  readonly first?: ((penalty: number) => Curvature) | undefined;
  /** The curvature at a point, where it is cheap. */
  readonly curvature?: ((at: Logistic, penalty: number) => Curvature) | undefined;
  /** Whether most values of the samples are 0: changes rounding alone. */
  readonly isMostlyZero?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Products of 32 bits are good to about 1e-7 of the gradient: a smaller tolerance needs 64. */
const LEAST_IN_32_BITS = 1e-6;
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

/**
 * Trains by L-BFGS; every evaluation is one sweep of an engine that has the classes. Sweeps of 32-bit samples multiply in 32 bits, and
 * once more in 64 where rounding hides the way.
 */
export async function trainLogistic(engine: Engine, classes: number, options: LogisticOptions): Promise<Logistic> {
  const { penalty, start, tolerance = 1e-4, limit = 2000, first, curvature, isMostlyZero, signal } = options;
  const k = scoreCount(classes);
  const m = engine.features;
  const size = k * m;
  const evaluate = async (x: Float64Array, gradient: Float64Array, grid?: Float64Array) => {
    const W = x.subarray(0, size);
    const step: Step = {
      rule: "softmax",
      k,
      W,
      bias: x.subarray(size),
      ...(grid && { grid, byTerm: isMostlyZero ?? false }),
    };
    const sums = totalStats(await engine.pass(step, signal));
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
  let found: Pick<Minimum, "x" | "evaluations" | "converged"> = { x, evaluations: 0, converged: false };
  const toLogistic = (x: Float64Array) => ({ W: x.slice(0, size), bias: x.slice(size) });
  const search = (grid?: Float64Array) => {
    const patience = found.x.some((value, p) => p < size && value !== 0) ? 0 : PATIENCE;
    return minimize((x, gradient) => evaluate(x, gradient, grid), found.x, {
      tolerance,
      limit: limit - found.evaluations,
      first: curvature && patience === 0 ? undefined : first?.(penalty),
      curvature: curvature && ((x) => curvature(toLogistic(x), penalty)),
      patience,
    });
  };
  if (tolerance >= LEAST_IN_32_BITS && k > 1) found = await search(await errorGrid(engine, signal));
  if (!found.converged && found.evaluations < limit) found = await search();
  const { W, bias } = toLogistic(found.x);
  return { W, bias: k > 1 ? centre(bias) : bias };
}

/** Errors are between −1 and 1: their sums are no larger than those of the samples, but for the rounding of 32 bits. */
async function errorGrid(engine: Engine, signal: AbortSignal | undefined): Promise<Float64Array> {
  const { grid } = await surveyData(engine, false, 0, signal);
  return grid.map((c) => 2 * c);
}

/** The same number added to all scores changes nothing: intercepts are those with the sum 0. */
function centre(bias: Float64Array): Float64Array {
  let mean = 0;
  for (const b of bias) mean += b / bias.length;
  return bias.map((b) => b - mean);
}
