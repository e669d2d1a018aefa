import { AbortError, fit, type Model, OptionError, resume, saveModel } from "bonmf";
import { isLoss, type SparkSource, sparkEngine } from "bonmf-spark";
import { quoteWord, without } from "../args/quote.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { plural } from "../show/numbers.js";
import { openModel } from "../tasks/model.js";
import { fitOptions, needK } from "../tasks/options.js";
import { checkAgreement } from "../tasks/resume.js";
import { watch } from "../tasks/watch.js";
import { openDraft, writeWhole } from "../write/file.js";
import { hideToken, sparkInput, targetOf } from "./options.js";
import { type Seconds, showFit } from "./report.js";
import { explainSpark } from "./trouble.js";

/** `bonmf fit --engine`: the rows and their labels stay on the cluster, the model comes here. */
export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const input = sparkInput(call, call.args);
  const out = options.string("out") ?? null;
  const assignments = options.string("assignments") ?? null;
  const path = options.string("resume");
  const from = path === undefined ? null : await openModel(path);
  if (from) checkAgreement(options, from);
  else needK(options);
  if (options.string("scale") !== undefined && options.string("scale") !== "none") {
    throw new UserError("on a cluster samples cannot be scaled", "scale them in the query: --sql");
  }
  if (out !== null) await (await openDraft(out)).discard();
  const lost = new AbortController();
  const signal = AbortSignal.any([call.signal, lost.signal]);
  const notes = { onNote: (note: string) => terminal.note(`note: ${note}`) };
  const seconds: Seconds = { read: 0, fit: 0, write: 0 };
  const time = async <T>(what: keyof Seconds, work: Promise<T>): Promise<T> => {
    const begin = performance.now();
    return work.finally(() => {
      seconds[what] += (performance.now() - begin) / 1000;
    });
  };
  let source: SparkSource | null = null;
  try {
    const progress = terminal.progress("looking at the rows");
    progress.update(0, null, "");
    source = await time("read", sparkEngine({ ...input, ...notes, lost, signal })).finally(() => progress.end());
    const { model, interrupted } = await time("fit", fitWatched(call, source, from, input.name, signal));
    if (model && out !== null) await time("write", writeWhole(out, saveModel(model)));
    if (interrupted) throw interruption(out, model, lost.signal.reason);
    if (assignments !== null) await time("write", source.label(model!, targetOf(assignments)));
    showFit({ model: model!, name: input.name, url: input.url, seconds, out, assignments }, terminal);
  } catch (error) {
    throw explainSpark(error, input.name);
  } finally {
    await source?.close().catch(() => {});
  }
}

async function fitWatched(
  { options, terminal }: Call,
  source: SparkSource,
  from: Model | null,
  name: string,
  signal: AbortSignal,
): Promise<{ model: Model | null; interrupted: boolean }> {
  const { scale: _, ...given } = fitOptions(options);
  const settings = from
    ? { ...from.settings, ...(given.maxIterations ? { maxIterations: given.maxIterations } : {}) }
    : given;
  const progress = watch(terminal, "fitting", settings);
  const watching = { signal, onStep: progress.step };
  try {
    if (from) {
      const { maxIterations, tolerance } = given;
      return { model: await resume(from, source, { ...watching, maxIterations, tolerance }), interrupted: false };
    }
    const { featureNames } = source;
    const tags = { recipe: JSON.stringify({ kind: "parquet" }), source: name };
    const model = await fit(source, { ...given, ...watching, k: needK(options), featureNames, tags });
    return { model, interrupted: false };
  } catch (error) {
    if (error instanceof AbortError) return { model: error.model, interrupted: true };
    if (error instanceof OptionError && error.option === "method") throw new UserError(error.message);
    throw error;
  } finally {
    progress.end();
  }
}

/** @param loss why the server is gone; undefined where somebody pressed Ctrl-C */
function interruption(out: string | null, model: Model | null, loss: unknown): UserError {
  const why = isLoss(loss) ? `the Spark server went away (${loss.message}): ` : "";
  if (model === null) return new UserError(`${why}stopped before the first iteration; nothing was saved`);
  const reached = `${why}stopped after ${plural(model.iterations, "iteration")}`;
  if (out === null) {
    return new UserError(`${reached}; nothing was saved`, "with --out FILE an interrupted fit can be resumed");
  }
  const argv = [...without(process.argv.slice(2), "--resume"), "--resume", out];
  return new UserError(
    `${reached}; the model so far is in ${out}`,
    `go on with: bonmf ${argv.map((word) => quoteWord(hideToken(word))).join(" ")}`,
  );
}
