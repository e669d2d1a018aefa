import { setImmediate } from "node:timers/promises";
import {
  BonmfError,
  type Classifier,
  DataError,
  type Label,
  loadClassifier,
  loadModel,
  type Matrix,
  type Model,
} from "bonmf";
import type { Options } from "../command.js";
import { UserError } from "../errors.js";
import { readBytes } from "./model.js";
import { schemeOptions } from "./schemes.js";

/** What is said of one sample; a plain model has no classes, and says how close only when it is asked why. */
export interface Answer {
  readonly cluster: number;
  readonly cosine?: number;
  readonly margin?: number;
  readonly label?: Label | null;
  readonly share?: number;
  readonly neighbor?: { readonly index: number; readonly closeness: number } | null;
  readonly rejected?: string | null;
}

/** A model, and the classifier where there is one. */
export interface Oracle {
  readonly model: Model;
  readonly classifier: Classifier | null;
}

/** Reads a model or classifier file; the options may change how the classifier answers. */
export async function openOracle(path: string, options: Options): Promise<Oracle> {
  const bytes = await readBytes(path);
  const change = schemeOptions(options);
  try {
    const classifier = await loadClassifier(bytes, path, change);
    return { model: classifier.model, classifier };
  } catch (error) {
    if (!(error instanceof BonmfError && error.code === "no-classifier")) throw error;
  }
  if (Object.values(change).some((value) => value !== undefined)) {
    throw new UserError(
      `${path} is a model without classes, so there is no scheme to find them by`,
      "bonmf classify DATA --label COLUMN --out FILE makes a classifier",
    );
  }
  return { model: loadModel(bytes, path), classifier: null };
}

const LEAST = 256;
const MOST = 8192;
/** Ctrl-C is heard between two steps, so none should take longer than a few of these. */
const MILLISECONDS = 100;

/** Answers in steps, between which the program hears of other things. */
export async function answer(oracle: Oracle, X: Matrix, why: boolean, signal: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = [];
  let step = LEAST;
  for (let from = 0; from < X.samples; ) {
    await setImmediate();
    signal.throwIfAborted();
    const start = performance.now();
    const to = Math.min(from + step, X.samples);
    for (const one of relocating(
      (i) => from + i,
      () => ask(oracle, X.slice(from, to), why),
    ))
      answers.push(one);
    if (performance.now() - start < MILLISECONDS) step = Math.min(2 * step, MOST);
    from = to;
  }
  return answers;
}

function ask({ model, classifier }: Oracle, X: Matrix, why: boolean): readonly Answer[] {
  if (classifier) return classifier.explain(X);
  return why ? model.explain(X) : Array.from(model.predict(X), (cluster) => ({ cluster }));
}

/** Runs work on some of the samples; what it finds wrong is told with the place among all. */
export function relocating<T>(placeOf: (sample: number) => number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw relocate(error, placeOf);
  }
}

export function relocate(error: unknown, placeOf: (sample: number) => number): unknown {
  if (!(error instanceof DataError) || error.place.sample === undefined) return error;
  return new DataError(error.code, error.message, { ...error.place, sample: placeOf(error.place.sample) });
}
