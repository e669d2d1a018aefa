import { chooseRestarts, type EngineChoice, type FitOptions, type Model, saveModel } from "bonmf";
import { chooseStarts } from "bonmf-data/defaults";
import type { Reference, ReportData } from "bonmf-report";
import { quoteWord, without } from "../args/quote.js";
import type { Call, Options, Terminal } from "../command.js";
import { UserError } from "../errors.js";
import { type Input, openInput } from "../input/input.js";
import { freeOutput } from "../show/terminal.js";
import { plural, wrap } from "../show/text.js";
import { clusterAddress, hideToken, localEngine } from "../spark/options.js";
import { openDraft, STDOUT, writeWhole } from "../write/file.js";
import type { TextOptions } from "../write/table.js";
import { type Chosen, toReport } from "./choose-report.js";
import { type Fitted, fitInput } from "./fit-driver.js";
import { checkMask, fitOptions, INITS, needK } from "./fit-options.js";
import { findTelling, report, reportJson, scoreClusters, type Targets } from "./fit-report.js";
import { checkModelName, namesOf, openModel } from "./model-file.js";
import { readTextOptions } from "./result-options.js";

export async function run(call: Call): Promise<void> {
  const { options } = call;
  const targets: Targets = {
    model: options.string("out") ?? null,
    assignments: options.string("assignments") ?? null,
    prototypes: options.string("prototypes") ?? null,
    page: options.string("report") ?? null,
  };
  const terminal = printsData(targets) ? freeOutput(call.terminal) : call.terminal;
  const path = options.string("resume");
  const from = path === undefined ? null : await openModel(path);
  if (from) checkAgreement(options, from);
  const names = from && namesOf(from);
  const auto = from === null && options.string("k") === "auto";
  const asked = from?.k ?? (auto ? null : needK(options, "for example --k 10; --k auto chooses"));
  if (auto) checkMask(options, "--k auto");
  await checkTargets(targets, clusterAddress(options) !== undefined);
  const start = performance.now();
  const input = await openInput({ ...call, terminal }, from);
  try {
    const read = (performance.now() - start) / 1000;
    const chosen = auto ? await chooseFirst({ ...call, terminal }, input) : null;
    const k = chosen?.suggested ?? asked!;
    const given = { ...fitOptions(options), ...(await readInit(options.string("init"), input, k)) };
    // Rows on a cluster are swept once for every start.
    const most = input.place === "cluster" ? () => 1 : chooseRestarts;
    const starts = chooseStarts(given, { samples: input.samples, features: input.features, k }, most);
    const fitted = await fitInput(input, terminal, {
      title: "fitting",
      options: { ...given, ...(from ? {} : starts), k, ...engineOf(input, options, terminal) },
      from,
      checkpoint: checkpointOf(call, input, from),
    });
    const { model, aborted, threads } = fitted;
    const reference = model && !aborted ? await compareWithChance(input, model) : null;
    const choice = chosen && toReport(chosen);
    const writing = performance.now();
    const left = await writeResults(targets, input, fitted, { reference, choice }, readTextOptions(options));
    if (aborted || !model || left.length > 0) throw interruption(targets.model, model, input.describeAbort(), left);
    const write = (performance.now() - writing) / 1000;
    if (!from && !terminal.json) noteScale(input, terminal);
    const seconds = { read, fit: fitted.seconds, write };
    // A signal that came before, and left nothing out, does not keep the results back.
    const signal = input.signal.aborted ? undefined : input.signal;
    const scores = await scoreClusters(input.labels, model.labels, signal);
    const telling = await findTelling(model, input, signal);
    const result = { model, input, reference, seconds, threads, scores, telling, names, targets };
    const { rows: _, trials: __, model: ___, restarts: ____, ...answer } = chosen ?? ({} as Partial<Chosen>);
    if (terminal.json) terminal.out(JSON.stringify({ ...reportJson(result), ...(chosen && { choice: answer }) }));
    else terminal.out([...(chosen ? [tellChoice(chosen, terminal)] : []), report(result, terminal)].join("\n\n"));
  } finally {
    await input.close();
  }
}

/** --k auto: as many clusters as `bonmf choose` suggests, 1 where there are none. Other numbers are not fitted. */
async function chooseFirst(call: Call, input: Input): Promise<Chosen> {
  if (input.place === "cluster") {
    throw new UserError(
      "--k auto needs samples on this machine, where gaps between clusters can be measured",
      "choose k from a part of the samples, or by the bend of the error: bonmf choose with the same options",
    );
  }
  return (await import("./choose.js")).chooseHere(call, input, undefined, { fits: false });
}

function tellChoice({ suggested, structure, reason }: Chosen, { width }: Terminal): string {
  const head = structure ? `k = ${suggested} was chosen.` : "";
  return wrap(`${head} ${reason}`.trim(), width).join("\n");
}

/** Null where the samples are out of reach, and after Ctrl-C: the fit is finished and worth keeping. */
async function compareWithChance(input: Input, model: Model): Promise<Reference | null> {
  try {
    return (await input.measureReference?.(model)) ?? null;
  } catch (error) {
    if (input.signal.aborted) return null;
    throw error;
  }
}

/** Says which scaler was chosen, where one was that changes the samples; --json has the others too. */
function noteScale({ X, options }: Input, { note }: Terminal): void {
  const reason = options.tags?.scale;
  const name = options.scale ?? ("scaler" in X ? X.scaler?.name : undefined);
  if (reason === undefined || name === "none" || name === "tfidf") return;
  note(`note: scale ${name}, because ${reason} (--scale none keeps them as they are)`);
}

function printsData({ assignments, prototypes }: Targets): boolean {
  if (assignments !== STDOUT || prototypes !== STDOUT) return assignments === STDOUT || prototypes === STDOUT;
  throw new UserError("--assignments - and --prototypes - both mean standard output", "name a file for one of them");
}

/** Samples on disk and on a cluster have an engine of their own. */
function engineOf({ place }: Input, options: Options, { note }: Terminal): EngineChoice {
  return place === "memory" ? { engine: localEngine(options), onNote: (text) => note(`note: ${text}`) } : {};
}

/** Prototypes to start from, where --init names a file. */
async function readInit(given: string | undefined, input: Input, k: number): Promise<Pick<FitOptions, "init">> {
  if (given === undefined || INITS.some((name) => name === given)) return {};
  const { readPrototypes } = await import("./prototype-file.js");
  const { features, options } = input;
  return { init: await readPrototypes(given, { k, features, names: options.featureNames as string[] | undefined }) };
}

/** A resumed fit is the same fit: only its limits and its threads may change. */
function checkAgreement(options: Options, model: Model): void {
  const { maxIterations, tolerance, threads, ...others } = fitOptions(options);
  const asked = { k: options.number("k"), ...others };
  const kept = new Map(Object.entries<unknown>({ ...model.settings, scale: model.scaler.name }));
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined || value === kept.get(name)) continue;
    const flag = `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new UserError(
      `${flag} ${value} does not agree with the model to resume, which has ${kept.get(name)}`,
      `omit ${flag} to resume with the model's own value, or omit --resume to start a new fit`,
    );
  }
}

/** A long fit must not end at a file that cannot be written. A cluster writes the assignments itself. */
async function checkTargets({ model, assignments, prototypes, page }: Targets, onCluster: boolean): Promise<void> {
  if (model !== null) checkModelName(model, "--assignments FILE writes the cluster of each row");
  if (prototypes !== null) {
    const { formatOf, PROTOTYPES } = await import("../write/format.js");
    formatOf(prototypes, PROTOTYPES);
  }
  if (assignments !== null && !onCluster) {
    const { formatOf, TABLES } = await import("../write/format.js");
    formatOf(assignments, TABLES);
  }
  if (page !== null) await (await import("./report-file.js")).checkReport(page);
  for (const path of [model, onCluster ? null : assignments, prototypes, page]) {
    if (path !== null) await (await openDraft(path)).discard();
  }
}

/** The same fit of the same samples has the same checkpoint; the number of threads changes nothing. */
function checkpointOf({ options }: Call, input: Input, from: Model | null): string | null {
  const { scale: _, ...given } = fitOptions(options);
  // A resumed fit already has a file to continue from.
  return from ? null : input.checkpointPath([options.number("k"), { ...given, threads: null }]);
}

/** Values whose assignments are written in a fraction of a second. */
const QUICK = 2 ** 20;

/** Also after an abort: what was reached is worth keeping. Returns the files that would then take long, and are not written. */
async function writeResults(
  targets: Targets,
  input: Input,
  { model }: Fitted,
  more: Pick<ReportData, "reference" | "choice">,
  text: TextOptions,
): Promise<string[]> {
  if (!model) return [];
  if (targets.model !== null) await writeWhole(targets.model, saveModel(model));
  const quick = input.place !== "cluster" && input.samples * input.features <= QUICK;
  // Also where the signal came after the fit, while it was compared with data without groups.
  const { aborted } = input.signal;
  const left = !aborted ? [] : [quick ? null : targets.assignments, targets.page].filter((path) => path !== null);
  if (targets.assignments !== null && !left.includes(targets.assignments)) {
    await input.writeAssignments(targets.assignments, model);
  }
  if (targets.prototypes !== null) {
    const { writePrototypes } = await import("./prototype-file.js");
    await writePrototypes(targets.prototypes, model, text);
  }
  if (targets.page !== null && !aborted) await input.writeReport?.(targets.page, model, more);
  return left;
}

/**
 * @param path where the model was written; null where it was not
 * @param why the beginning of the message
 * @param left files that were asked for and not written
 */
function interruption(path: string | null, model: Model | null, why: string, left: readonly string[]): UserError {
  if (model === null) return new UserError(`${why}stopped before the first iteration; nothing was saved`);
  const reached = `${why}stopped after ${plural(model.iterations, "iteration")}`;
  if (path === null) {
    return new UserError(`${reached}; nothing was saved`, "with --out FILE an interrupted fit can be resumed");
  }
  const argv = [...without(process.argv.slice(2), "--resume"), "--resume", path];
  return new UserError(
    `${reached}; the model so far is in ${path}${left.length > 0 ? `; not written: ${left.join(", ")}` : ""}`,
    `continue with: bonmf ${argv.map((word) => quoteWord(hideToken(word))).join(" ")}`,
  );
}
