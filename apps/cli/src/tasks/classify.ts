import { AbortError, saveClassifier } from "bonmf";
import type { Call, Options } from "../command.js";
import { UserError } from "../errors.js";
import { explainData } from "../input/data-error.js";
import { load } from "../input/input.js";
import type { Data } from "../read/data.js";
import { openDraft, writeWhole } from "../write/file.js";
import { reportTest, reportTestJson } from "./classify-report.js";
import { evaluate, type TestOptions } from "./evaluation.js";
import { checkChoice, chooseTraining, type TrainingSet } from "./train.js";

export async function run(call: Call): Promise<void> {
  const { options, signal, terminal } = call;
  const out = options.string("out") ?? null;
  const test = readTestOptions(options);
  checkChoice(options);
  if (out !== null) await (await openDraft(out)).discard();
  const loaded = await load(call);
  const { data, source, seconds } = loaded;
  const samples = needLabels(data, source);
  const train = chooseTraining(options, loaded);
  const progress = terminal.progress("testing");
  try {
    const clock = startClock();
    const evaluation = await evaluate(samples, test, train, signal, (done) =>
      progress.update(done, test.folds ?? 1, "parts"),
    );
    const tested = clock();
    progress.end();
    const training = out === null ? evaluation.training : await train(samples, signal);
    const trained = clock();
    if (out !== null) await writeWhole(out, saveClassifier(training.classifier));
    const spent = { read: seconds, test: tested, train: trained, write: clock() };
    const result = { loaded, test, evaluation, training, seconds: spent, out };
    terminal.out(terminal.json ? JSON.stringify(reportTestJson(result)) : reportTest(result, terminal));
  } catch (error) {
    if (error instanceof AbortError) throw new UserError("stopped before the end; nothing was saved");
    throw explainData(error, source);
  } finally {
    progress.end();
  }
}

function readTestOptions(options: Options): TestOptions {
  const [split, folds] = [options.number("split"), options.number("folds")];
  const seed = options.number("seed") ?? 0;
  if (split !== undefined && folds !== undefined) {
    throw new UserError("--split and --folds are two ways to test", "omit one of the two");
  }
  if (split !== undefined && !(split > 0 && split < 1)) {
    throw new UserError(`--split must be between 0 and 1, not ${split}`, "--split 0.8 trains on four samples of five");
  }
  if (folds !== undefined && folds < 2) throw new UserError(`--folds must be 2 or more, not ${folds}`);
  return folds === undefined ? { split: split ?? 0.8, folds: null, seed } : { split: null, folds, seed };
}

function needLabels({ X, labels, weights }: Data, source: string): TrainingSet {
  if (labels === null) {
    throw new UserError(`${source} has no labels to learn`, "name the column of labels: --label COLUMN");
  }
  if (labels.every((label) => label === labels[0])) {
    const name = JSON.stringify(labels[0]);
    throw new UserError(`all samples of ${source} have the class ${name}: a classifier needs at least two classes`);
  }
  return { X, y: labels, weights };
}

/** Each call gives the seconds since the one before. */
function startClock(): () => number {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const seconds = (now - last) / 1000;
    last = now;
    return seconds;
  };
}
