import { surveyData } from "../engine/survey.js";
import { DataError } from "../errors.js";
import { methodOf, takesSigned } from "../factor/methods/index.js";
import { checkReach } from "../factor/reach.js";
import { encodingStep } from "../kernel/encode.js";
import { allocateLabels, type Labels } from "../kernel/step.js";
import { gridFor } from "../kernel/sums.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { type Gaps, sliceGaps } from "../matrix/gaps.js";
import type { Matrix, Samples } from "../matrix/matrix.js";
import { explainAbort } from "./abort.js";
import { checkEngine, chooseSource, ENGINE_CHOICE, type EngineChoice } from "./engine-choice.js";
import { checkModel, type Model } from "./model.js";
import { type WatchOptions, wholeNumber } from "./options.js";

/** Options of {@link predict}. */
export interface PredictOptions extends EngineChoice, Pick<WatchOptions, "threads" | "signal"> {}

const PREDICT_OPTIONS: KnownOptions<PredictOptions> = { ...ENGINE_CHOICE, threads: true, signal: true };

/** Values that an engine holds at a time: the samples may be larger than the memory of a GPU. */
const TOGETHER = 2 ** 28;

/**
 * What {@link Model.predict} answers, for many samples: on several threads, or on a GPU (`engine`). For methods whose labels are found by
 * angle or by distance, such as `bonmf`, `spherical` and `kmeans`; any other predicts in the caller's thread.
 *
 * @param X n samples of m features, unscaled
 * @returns the cluster of each sample
 * @throws DataError for samples that cannot be used, OptionError for a bad option, {@link AbortError} when `signal` aborts
 *
 * @example
 * ```ts
 * import { fit, predict } from "bonmf";
 * const model = await fit([[5, 0], [4, 1], [0, 3], [1, 4]], { k: 2, seed: 1 });
 * const labels = await predict(model, [[9, 1], [1, 9]], { engine: "cpu" });
 * labels[0] === labels[1]; // → false
 * ```
 */
export async function predict(model: Model, X: Samples, options: PredictOptions = {}): Promise<Labels> {
  return predictInParts(model, X, options, TOGETHER);
}

/** @param most how many values an engine holds at a time. @internal */
export async function predictInParts(model: Model, X: Samples, options: PredictOptions, most: number): Promise<Labels> {
  checkModel(model, "predict");
  checkKnown(options, PREDICT_OPTIONS, "predict");
  checkEngine(options);
  const { threads } = options;
  if (threads !== undefined) wholeNumber("threads", threads, 1);
  const { encode } = methodOf(model.settings);
  if (encode !== "cosine" && encode !== "distance") return model.predict(X);
  // An engine looks at all values itself, on its threads or its GPU.
  const { method, settings, scaler } = model;
  const unchecked = scaler.name === "none" && settings.missing !== "mask" && takesSigned(method, settings.update);
  const { Z, gaps } = model.separate(X, undefined, unchecked);
  const found = allocateLabels(Z.samples, model.k);
  const values = Z.kind === "dense" ? Z.data.length : Z.values.length;
  const together = Math.max(1, Math.floor((most * Z.samples) / Math.max(values, most)));
  try {
    for (let from = 0; from < Z.samples; from += together) {
      const to = Math.min(from + together, Z.samples);
      const own = gaps && sliceGaps(gaps, from, to);
      const part = { Z: Z.slice(from, to) as Matrix, gaps: own, unchecked };
      found.set(await label(model, encode, part, options), from);
    }
  } catch (error) {
    // The engine knows less of the place.
    if (unchecked && error instanceof DataError) model.separate(X);
    throw explainAbort(error, options.signal);
  }
  return found;
}

/** One pass of an engine. */
async function label(
  { k, method, W }: Model,
  rule: "cosine" | "distance",
  { Z, gaps, unchecked }: { readonly Z: Matrix; readonly gaps: Gaps | null; readonly unchecked: boolean },
  options: PredictOptions,
): Promise<Labels> {
  const { threads, signal } = options;
  const work = { ...options, k, method, once: true };
  const source = await chooseSource(Z, { weights: null, gaps, unchecked }, work);
  const engine = await source.open({ k, form: "labels", threads, effort: k });
  try {
    const largest = unchecked ? (await surveyData(engine, false, 0, signal)).largest : 0;
    // Values may be as small as they like.
    if (largest > 1) checkReach(largest, Z.features, rule, Z.precision);
    // Nobody reads the sums: any grid does.
    const grid = new Float64Array(Z.features).fill(gridFor(1));
    const step = encodingStep(rule, W.data as Float64Array, k);
    await engine.pass({ ...step, grid, weightGrid: gridFor(1) }, signal);
    return (await engine.gather()).labels!;
  } finally {
    await engine.close();
  }
}
