import { AbortError, DataError, type SearchStep, saveClassifier } from "bonmf";
import type { Call, Options, Progress } from "../command.js";
import { UserError } from "../errors.js";
import { explainData } from "../input/data-error.js";
import { load } from "../input/input.js";
import { percent } from "../show/text.js";
import { openDraft, writeWhole } from "../write/file.js";
import { formatOf, TABLES } from "../write/format.js";
import { writeAnswers } from "./answers-file.js";
import { needLabels, noteSingles, noteTwins, refuseQuantity } from "./class-labels.js";
import { reportTest, reportTestJson } from "./classify-report.js";
import { evaluate, evaluateOn, type TestOptions } from "./evaluation.js";
import { checkModelName } from "./model-file.js";
import { readWhich } from "./probability-columns.js";
import { checkReport } from "./report-file.js";
import { readTextOptions } from "./result-options.js";
import { readTestSet } from "./test-set.js";
import { checkChoice, chooseTraining } from "./train.js";

export async function run(call: Call): Promise<void> {
  const { options, signal, terminal } = call;
  const out = options.string("out") ?? null;
  if (out !== null) checkModelName(out, "--predictions FILE writes the answers of the test");
  const test = readTestOptions(options);
  checkChoice(options);
  const predictions = options.string("predictions") ?? null;
  if (predictions !== null) formatOf(predictions, TABLES);
  const page = options.string("report") ?? null;
  if (page !== null) await checkReport(page);
  for (const path of [out, predictions, page]) if (path !== null) await (await openDraft(path)).discard();
  const loaded = await load(call);
  const { data, source, seconds } = loaded;
  const samples = needLabels(data, source);
  noteSingles(samples.y, terminal);
  noteTwins(samples.y, terminal);
  const train = chooseTraining(options, loaded);
  let progress = terminal.progress("testing");
  try {
    const clock = startClock();
    const testing = test.file === null ? null : await readTestSet(call, test.file, loaded, samples.y);
    const evaluation = testing
      ? await evaluateOn(await train(samples, signal, showSearch(progress)), testing, samples.X.samples, signal).catch(
          (error: unknown) => {
            throw explainData(error, testing.loaded.source);
          },
        )
      : await evaluate(samples, test, train, signal, showSearch(progress));
    const tested = clock();
    progress.end();
    const whole = out === null || testing !== null;
    if (!whole) progress = terminal.progress("training on all");
    const training = whole ? evaluation.training : await train(samples, signal, showSearch(progress));
    progress.end();
    const trained = clock();
    if (out !== null) await writeWhole(out, saveClassifier(training.classifier));
    if (predictions !== null) {
      const which = readWhich(options, evaluation.answers.classes.length);
      await writeAnswers(
        predictions,
        evaluation.answers,
        (testing?.loaded ?? loaded).data,
        which,
        readTextOptions(options),
      );
    }
    if (page !== null) {
      const { writeTestPage } = await import("./test-page.js");
      await writeTestPage(call, page, { loaded, test, evaluation, testing });
    }
    const spent = { read: seconds, test: tested, train: trained, write: clock() };
    const unknown = testing?.unknown ?? [];
    const result = { loaded, test, evaluation, training, unknown, seconds: spent, out, predictions, report: page };
    terminal.out(terminal.json ? JSON.stringify(reportTestJson(result)) : reportTest(result, terminal));
  } catch (error) {
    if (error instanceof AbortError) throw new UserError("stopped before the end; nothing was saved");
    // Fewer samples of each number are left to train on than the file has.
    if (error instanceof DataError && error.code === "continuous") throw refuseQuantity(data, source);
    throw explainData(error, source);
  } finally {
    progress.end();
  }
}

function readTestOptions(options: Options): TestOptions {
  const [split, folds] = [options.number("split"), options.number("folds")];
  const file = options.string("test");
  const seed = options.number("seed") ?? 0;
  const said = Object.entries({ "--split": split, "--folds": folds, "--test": file }).filter(
    ([, value]) => value !== undefined,
  );
  if (said.length > 1) {
    const names = said.map(([name]) => name);
    throw new UserError(
      `${names.join(" and ")} are ${names.length === 2 ? "two" : "three"} ways to test`,
      "keep one of them, omit the others",
    );
  }
  if (split !== undefined && !(split > 0 && split < 1)) {
    throw new UserError(`--split must be between 0 and 1, not ${split}`, "--split 0.8 trains on four samples of five");
  }
  if (folds !== undefined && folds < 2) throw new UserError(`--folds must be 2 or more, not ${folds}`);
  const none = { split: null, folds: null, file: null, seed };
  if (file !== undefined) return { ...none, file };
  return folds === undefined ? { ...none, split: split ?? 0.8 } : { ...none, folds };
}

/** "vote, scale minmax; best so far 96.1 %". */
function showSearch(progress: Progress): (step: SearchStep, part?: number, parts?: number) => void {
  return ({ done, total, scheme, scale, accuracy }, part = 0, parts = 1) => {
    const now = `${scheme}, scale ${scale}; best so far ${percent(accuracy)}`;
    progress.update(part * total + done, parts * total, "trials", now);
  };
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
