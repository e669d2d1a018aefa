import { AbortError, saveClassifier } from "bonmf";
import type { Call, Options } from "../command.js";
import { UserError } from "../errors.js";
import { explainData } from "../input/explain.js";
import { load } from "../input/load.js";
import type { Data } from "../read/data.js";
import { openDraft, writeWhole } from "../write/file.js";
import { certify, certifyJson } from "./certificate.js";
import { examine, type Plan } from "./exam.js";
import { checkChoice, chooseTraining, type Lesson } from "./train.js";

export async function run(call: Call): Promise<void> {
  const { options, signal, terminal } = call;
  const out = options.string("out") ?? null;
  const plan = readPlan(options);
  checkChoice(options);
  if (out !== null) await (await openDraft(out)).discard();
  const loaded = await load(call);
  const { data, source, seconds } = loaded;
  const lesson = needLabels(data, source);
  const train = chooseTraining(options, loaded);
  const progress = terminal.progress("testing");
  try {
    const clock = startClock();
    const exam = await examine(lesson, plan, train, signal, (done) => progress.update(done, plan.folds ?? 1, "parts"));
    const tested = clock();
    progress.end();
    const pupil = out === null ? exam.pupil : await train(lesson, signal);
    const trained = clock();
    if (out !== null) await writeWhole(out, saveClassifier(pupil.classifier));
    const spent = { read: seconds, test: tested, train: trained, write: clock() };
    const result = { loaded, plan, exam, pupil, seconds: spent, out };
    terminal.out(terminal.json ? JSON.stringify(certifyJson(result)) : certify(result, terminal));
  } catch (error) {
    if (error instanceof AbortError) throw new UserError("stopped before the end; nothing was saved");
    throw explainData(error, source);
  } finally {
    progress.end();
  }
}

function readPlan(options: Options): Plan {
  const [split, folds] = [options.number("split"), options.number("folds")];
  const seed = options.number("seed") ?? 0;
  if (split !== undefined && folds !== undefined) {
    throw new UserError("--split and --folds are two ways to test", "leave one of the two away");
  }
  if (split !== undefined && !(split > 0 && split < 1)) {
    throw new UserError(
      `--split must lie between 0 and 1, not be ${split}`,
      "--split 0.8 trains on four samples of five",
    );
  }
  if (folds !== undefined && folds < 2) throw new UserError(`--folds must be 2 or more, not ${folds}`);
  return folds === undefined ? { split: split ?? 0.8, folds: null, seed } : { split: null, folds, seed };
}

function needLabels({ X, labels, weights }: Data, source: string): Lesson {
  if (labels === null) {
    throw new UserError(`${source} has no classes to learn`, "name their column by --label COLUMN");
  }
  if (labels.every((label) => label === labels[0])) {
    const name = JSON.stringify(labels[0]);
    throw new UserError(`all samples of ${source} have the class ${name}: there is nothing to tell apart`);
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
