import { AbortError, fit, type Model, OptionError, resume, saveModel } from "bonmf";
import { isLoss, type SparkSource } from "bonmf-spark";
import { quoteWord } from "../args/quote.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { interruption } from "../tasks/fit.js";
import { openModel } from "../tasks/model.js";
import { fitOptions, needK } from "../tasks/options.js";
import { checkAgreement } from "../tasks/resume.js";
import { watch } from "../tasks/watch.js";
import { openDraft, writeWhole } from "../write/file.js";
import { hideToken, refuseScale, sparkInput, targetOf } from "./options.js";
import { type Seconds, showFit } from "./report.js";
import { openRows } from "./rows.js";
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
  refuseScale(options);
  if (out !== null) await (await openDraft(out)).discard();
  const seconds: Seconds = { read: 0, fit: 0, write: 0 };
  const time = async <T>(what: keyof Seconds, work: Promise<T>): Promise<T> => {
    const begin = performance.now();
    return work.finally(() => {
      seconds[what] += (performance.now() - begin) / 1000;
    });
  };
  let source: SparkSource | null = null;
  try {
    const rows = await time("read", openRows(call, input));
    source = rows.source;
    const { model, interrupted } = await time("fit", fitWatched(call, source, from, input.name, rows.signal));
    if (model && out !== null) await time("write", writeWhole(out, saveModel(model)));
    if (interrupted) {
      throw interruption(out, model, tellLoss(rows.signal), (word) => quoteWord(hideToken(word)));
    }
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

/** Why the server is gone; nothing where somebody pressed Ctrl-C. */
function tellLoss({ reason }: AbortSignal): string {
  return isLoss(reason) ? `the Spark server went away (${reason.message}): ` : "";
}
