import type { Engine } from "../engine/engine.js";
import { encodingStep, labelCodes, productStep } from "../kernel/encode.js";
import type { Codes, Labels, Step } from "../kernel/step.js";
import { type Checkpoint, iterate, type Outcome, type Progress } from "./iterate.js";
import { METHODS } from "./methods/index.js";
import type { Run, Settings } from "./settings.js";

/** All that is kept of a run. */
export interface Result {
  readonly outcome: Outcome;
  readonly codes: Codes;
  readonly labels: Labels;
}

/**
 * Runs to the end, or to an abort, and collects what the engine has. Takes and throws what `iterate` does, and waits for
 * whoever watches.
 */
export async function performRun(
  engine: Engine,
  run: Run,
  seed: number,
  watch: ((step: Progress) => unknown) | null,
  from?: Checkpoint,
): Promise<Result> {
  const outcome = await iterate(engine, run, seed, watch, from);
  const codes = await engine.gather();
  return { outcome, codes, labels: await labelTraining(engine, run.settings, outcome.W, codes) };
}

/** Real codes are the run's last iterate; the labels come from codes on the final W, as `predict` will find them. */
async function labelTraining(engine: Engine, settings: Settings, W: Float64Array, codes: Codes): Promise<Labels> {
  if (codes.labels !== null) return codes.labels;
  const { method, k } = settings;
  const { encode } = METHODS[method];
  const encoded = async (step: Step) => {
    await engine.pass(step);
    return engine.gather();
  };
  const WtX = encode === "binary" ? (await encoded(productStep(W, k))).values : null;
  return labelCodes(await encoded(encodingStep(encode, W, k)), W, WtX);
}
