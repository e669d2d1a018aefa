import { chooseK, type FitOptions, type KChoice, type KTrial, type Matrix, type Model, saveModel } from "bonmf";
import { chooseInit } from "bonmf-data/defaults";
import type { Call, Terminal } from "../command.js";
import { UserError } from "../errors.js";
import { type Input, openInput } from "../input/input.js";
import { plural } from "../show/text.js";
import { openDraft, writeWhole } from "../write/file.js";
import { type Chosen, report, toJson } from "./choose-report.js";
import { findElbow } from "./elbow.js";
import { fitToEnd } from "./fit-driver.js";
import { fitOptions } from "./fit-options.js";
import { scoreClusters } from "./fit-report.js";
import { parseRange } from "./k-range.js";

/** A single run may end in a poor local optimum, which says nothing about its k. */
const RESTARTS = 3;
/** What is tried where no range is given and the samples are not in memory. */
const ELBOW_RANGE = "2-20";

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const typed = options.string("k");
  const ks = typed === undefined ? undefined : parseRange(typed);
  const out = options.string("out") ?? null;
  if (out !== null) await (await openDraft(out)).discard();
  const input = await openInput(call);
  try {
    const chosen = input.place === "memory" ? await chooseHere(call, input, ks) : await chooseElbow(call, input, ks);
    const model = out === null ? null : (chosen.model ?? (await fitOne(call, input, chosen.suggested)));
    if (out !== null && model !== null) await writeWhole(out, saveModel(model));
    noteDoubts(chosen, terminal);
    terminal.out(terminal.json ? JSON.stringify(toJson(chosen, input, out)) : report(chosen, input, out, terminal));
  } finally {
    await input.close();
  }
}

/**
 * The library's choice for samples in memory, with a progress bar.
 *
 * @throws the signal's reason when it aborts
 */
export async function chooseHere(call: Call, input: Input, ks: readonly number[] | undefined): Promise<Chosen> {
  checkRange(ks ?? [], input);
  const progress = call.terminal.progress("choosing k");
  const scores: TrialScores = new Map();
  let kept: Model | null = null;
  let before = performance.now();
  const scoreTrial = (trial: KTrial, model: Model) => {
    const now = performance.now();
    scores.set(trial.k, { seconds: (now - before) / 1000, ...scoreClusters(input.labels, model.labels) });
    before = now;
  };
  try {
    const choice = await chooseK(input.X as Matrix, {
      ...optionsFor(call),
      ...input.options,
      ks,
      signal: input.signal,
      onProgress: ({ done, total, k, trial, model }) => {
        progress.update(done, total, "fits", trial === null ? "" : `k = ${trial.k}`);
        if (trial === null || model === null) before = performance.now();
        else scoreTrial(trial, model);
        if (model?.k === k) kept = model;
      },
    });
    if (!choice.complete) input.signal.throwIfAborted();
    return describeChoice(choice, kept, scores);
  } catch (error) {
    throw input.explain(error);
  } finally {
    progress.end();
  }
}

type TrialScores = Map<number, ReturnType<typeof scoreClusters> & { seconds: number }>;

function describeChoice(choice: KChoice, model: Model | null, scores: TrialScores): Chosen {
  const { k, structure, runnerUp, reason, trials, method, seed, scale, sampled } = choice;
  return {
    suggested: k!,
    structure,
    runnerUp,
    reason,
    rows: trials.map((trial) => ({ ...trial, ...scores.get(trial.k)! })),
    method,
    seed,
    scale,
    sampled,
    restarts: null,
    model,
  };
}

/** Samples on disk or on a cluster: by the error of the fits. */
async function chooseElbow(call: Call, input: Input, given: readonly number[] | undefined): Promise<Chosen> {
  const ks = given ?? parseRange(ELBOW_RANGE).filter((k) => k <= input.samples);
  checkRange(ks, input);
  if (ks.length < 3) {
    throw new UserError(
      "if samples are not in memory, k is chosen at the bend of the relative error, which needs three numbers of clusters",
      "for example --k 2-12",
    );
  }
  let begun = 0;
  const fitNext = (k: number) => fitOne(call, input, k, `k = ${k} (${++begun} of ${ks.length})`);
  const { trials, suggested, reason, model } = await findElbow(fitNext, ks, input.labels);
  const unknown = {
    silhouette: null,
    stability: null,
    separation: null,
    reference: null,
    evidence: null,
    contrast: null,
    criterion: null,
    balance: null,
  };
  return {
    suggested,
    structure: null,
    runnerUp: null,
    reason,
    rows: trials.map((trial) => ({ ...trial, ...unknown })),
    method: model.method,
    seed: model.seed,
    scale: model.scaler.name,
    sampled: 0,
    restarts: model.settings.restarts,
    model,
  };
}

async function fitOne(call: Call, input: Input, k: number, title = `k = ${k}`): Promise<Model> {
  return (await fitToEnd(input, call.terminal, { title, options: { ...optionsFor(call), k } })).model;
}

function checkRange(ks: readonly number[], { samples }: Input): void {
  const large = ks.find((k) => k > samples);
  if (large === undefined) return;
  throw new UserError(`--k asks for ${large} clusters, but there are only ${plural(samples, "sample")}`);
}

/** The options given, with the starts that the library's choice has. */
function optionsFor({ options }: Call): Omit<FitOptions, "k" | "init"> & { init?: "plusplus" } {
  const given = fitOptions(options);
  const { restarts = RESTARTS, init = chooseInit(given) } = given;
  return { ...given, restarts, init } as ReturnType<typeof optionsFor>;
}

/** Notes why the suggestion may be poor. */
function noteDoubts({ rows, suggested }: Chosen, { note }: Terminal): void {
  const [first, last] = [rows[0].k, rows[rows.length - 1].k];
  if (suggested === last && rows.length > 1) note(`note: ${last} is the largest k tried: a larger one may be better`);
  else if (suggested === first && first > 2)
    note(`note: ${first} is the smallest k tried: a smaller one may be better`);
}
