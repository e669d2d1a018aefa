import { AbortError, fit, type Model, resume, saveModel, type WatchOptions } from "bonmf";
import { quoteWord, without } from "../args/quote.js";
import { chooseMemory } from "../cache/choice.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { plural } from "../show/numbers.js";
import { writeAssignments } from "../write/assignments.js";
import { openDraft, writeWhole } from "../write/file.js";
import { formatOf, TABLES } from "../write/format.js";
import { explainData } from "./explain.js";
import { type Loaded, load } from "./load.js";
import { likeModel, openModel } from "./model.js";
import { fitOptions, needK } from "./options.js";
import { report, reportJson } from "./report.js";
import { checkAgreement } from "./resume.js";
import { scoreClusters } from "./scores.js";
import { countThreads, watch } from "./watch.js";

/** Where results go; null where they are not asked for. */
export interface Targets {
  readonly model: string | null;
  readonly assignments: string | null;
  readonly page: string | null;
}

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const targets = {
    model: options.string("out") ?? null,
    assignments: options.string("assignments") ?? null,
    page: options.string("report") ?? null,
  };
  const path = options.string("resume");
  const from = path === undefined ? null : await openModel(path);
  if (from) checkAgreement(options, from);
  else needK(options);
  await checkTargets(targets);
  const memory = await chooseMemory(call);
  if (memory !== null) return (await import("./disk.js")).fitFromDisk(call, targets, from, memory);
  const loaded = await load(call, from ? likeModel(from) : {});
  const threads = countThreads();
  const begin = performance.now();
  const { model, interrupted } = await fitWatched(call, loaded, from);
  const end = performance.now();
  if (model) await write(call, targets, model, loaded);
  if (interrupted) throw interruption(targets.model, model);
  const seconds = { read: loaded.seconds, fit: (end - begin) / 1000, write: (performance.now() - end) / 1000 };
  const scores = scoreClusters(loaded.data.labels, model!.labels);
  const result = { model: model!, loaded, engine: "memory", seconds, threads: threads(), scores, targets } as const;
  terminal.out(terminal.json ? JSON.stringify(reportJson(result)) : report(result, terminal));
}

/** A long fit must not end at a file that cannot be written. */
async function checkTargets({ model, assignments, page }: Targets): Promise<void> {
  if (assignments !== null) formatOf(assignments, TABLES);
  for (const path of [model, assignments, page]) if (path !== null) await (await openDraft(path)).discard();
}

/** An interrupted fit gives the model it had reached, or null if it had not come that far. */
async function fitWatched(
  call: Call,
  { data, source }: Loaded,
  from: Model | null,
): Promise<{ model: Model | null; interrupted: boolean }> {
  const { options, signal, terminal } = call;
  const given = fitOptions(options);
  const scale = given.scale ?? (data.recipe.text || data.kind === "text" ? "tfidf" : "none");
  const progress = watch(terminal, "fitting", { ...given, ...from?.settings, ...defined(given) });
  const watching: WatchOptions = { threads: given.threads, signal, onStep: progress.step };
  const weights = data.weights ?? undefined;
  try {
    if (from) {
      const { maxIterations, tolerance } = given;
      return {
        model: await resume(from, data.X, { ...watching, maxIterations, tolerance, weights }),
        interrupted: false,
      };
    }
    const model = await fit(data.X, {
      ...given,
      ...watching,
      k: needK(options),
      scale,
      weights,
      featureNames: data.features ?? undefined,
      tags: { recipe: JSON.stringify(data.recipe), source },
    });
    return { model, interrupted: false };
  } catch (error) {
    if (error instanceof AbortError) return { model: error.model, interrupted: true };
    throw explainData(error, source);
  } finally {
    progress.end();
  }
}

export function defined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}

async function write(call: Call, targets: Targets, model: Model, loaded: Loaded): Promise<void> {
  const { data } = loaded;
  if (targets.model !== null) await writeWhole(targets.model, saveModel(model));
  if (targets.assignments !== null) {
    await writeAssignments(targets.assignments, { ids: data.ids, labels: model.labels });
  }
  if (targets.page !== null) {
    const { writePage } = await import("./page.js");
    await writePage(call, targets.page, model, loaded);
  }
}

/**
 * @param path where the model went, if anywhere
 * @param why what is said first
 * @param show how a word of the command line is shown
 */
export function interruption(path: string | null, model: Model | null, why = "", show = quoteWord): UserError {
  if (model === null) return new UserError(`${why}stopped before the first iteration; nothing was saved`);
  const reached = `${why}stopped after ${plural(model.iterations, "iteration")}`;
  if (path === null) {
    return new UserError(`${reached}; nothing was saved`, "with --out FILE an interrupted fit can be resumed");
  }
  const argv = [...without(process.argv.slice(2), "--resume"), "--resume", path];
  return new UserError(
    `${reached}; the model so far is in ${path}`,
    `go on with: bonmf ${argv.map((word) => show(word)).join(" ")}`,
  );
}
