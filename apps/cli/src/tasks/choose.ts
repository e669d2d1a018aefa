import {
  chooseK,
  chooseRank,
  type FitOptions,
  type KChoice,
  type KTrial,
  type Matrix,
  type Model,
  saveModel,
} from "bonmf";
import { chooseInit } from "bonmf-data/defaults";
import type { Call, Progress, Terminal } from "../command.js";
import { UserError } from "../errors.js";
import { type Input, openInput } from "../input/input.js";
import { plural } from "../show/text.js";
import { refuseLocalEngine } from "../spark/options.js";
import { openDraft, writeWhole } from "../write/file.js";
import { type Chosen, type ChosenRow, listMeasured, report, toJson, toReport } from "./choose-report.js";
import { findElbow } from "./elbow.js";
import { fitToEnd } from "./fit-driver.js";
import { checkMask, fitOptions } from "./fit-options.js";
import { type Scores, scoreClusters } from "./fit-report.js";
import { parseRange } from "./k-range.js";
import { checkModelName } from "./model-file.js";

/** A single run may end in a poor local optimum, which says nothing about its k. */
const RESTARTS = 3;
/** What is tried where no range is given and the samples are not in memory. */
const ELBOW_RANGE = "2-20";

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  checkMask(options, "bonmf choose");
  refuseLocalEngine(options, "bonmf choose");
  const typed = options.string("k");
  const ks = typed === undefined ? undefined : parseRange(typed);
  const out = options.string("out") ?? null;
  if (out !== null) checkModelName(out);
  const page = options.string("report") ?? null;
  if (page !== null) await (await import("./report-file.js")).checkReport(page);
  for (const path of [out, page]) if (path !== null) await (await openDraft(path)).discard();
  const input = await openInput(call);
  try {
    const chosen = input.place !== "cluster" ? await chooseHere(call, input, ks) : await chooseElbow(call, input, ks);
    if (out !== null || page !== null) {
      const model = chosen.model ?? (await fitOne(call, input, chosen.suggested));
      if (out !== null) await writeWhole(out, saveModel(model));
      if (page !== null) await writePage(page, input, model, chosen);
    }
    noteDoubts(chosen, terminal);
    const targets = { model: out, page };
    const text = terminal.json
      ? JSON.stringify(toJson(chosen, input, targets))
      : report(chosen, input, targets, terminal);
    terminal.out(text);
  } finally {
    await input.close();
  }
}

async function writePage(path: string, input: Input, model: Model, chosen: Chosen): Promise<void> {
  const reference = await input.measureReference?.(model);
  await input.writeReport?.(path, model, { reference, choice: toReport(chosen) });
}

/**
 * The library's choice, with a progress bar: by all samples in memory, or by some of those on disk.
 *
 * @param fits whether every k is fitted too, for the rows of the result; the choice does without
 * @throws the signal's reason when it aborts
 */
export async function chooseHere(
  call: Call,
  input: Input,
  ks: readonly number[] | undefined,
  { fits = true }: { readonly fits?: boolean } = {},
): Promise<Chosen> {
  checkRange(ks ?? [], input);
  if (call.options.string("missing") === "mask") return chooseByHidden(call, input, ks);
  const { X, labels, options, scaled } = await chooseSamples(call, input);
  const measuring = call.terminal.progress("measuring gaps");
  // Its time begins with the fits.
  let fitting: Progress | null = null;
  const tried: Tried[] = [];
  let kept: Model | null = null;
  let before = performance.now();
  const keepTrial = ({ k }: KTrial, { labels: clusters }: Model) => {
    const now = performance.now();
    tried.push({ k, seconds: (now - before) / 1000, clusters });
    before = now;
  };
  try {
    const choice = await chooseK(X, {
      ...optionsFor(call),
      ...options,
      ks,
      fits,
      signal: input.signal,
      onProgress: ({ done, total, measured, k, trial, model }) => {
        if (done === 0) measuring.update(measured, 1, "share");
        else {
          fitting ??= call.terminal.progress("choosing k");
          fitting.update(done - 1, total - 1, "fits", trial === null ? "" : `k = ${trial.k}`);
        }
        if (trial === null || model === null) before = performance.now();
        else keepTrial(trial, model);
        // The model of a part is not that of all.
        if (scaled === null && model?.k === k) kept = model;
      },
    });
    if (!choice.complete) input.signal.throwIfAborted();
    const scores: TrialScores = new Map();
    for (const { k, seconds, clusters } of tried) {
      scores.set(k, { seconds, ...(await scoreClusters(labels, clusters, input.signal)) });
    }
    return describeChoice({ ...choice, scale: scaled ?? choice.scale }, kept, scores);
  } catch (error) {
    throw input.explain(error);
  } finally {
    measuring.end();
  }
}

/** Samples with gaps: by the error of known values that are hidden. */
async function chooseByHidden(call: Call, input: Input, ks: readonly number[] | undefined): Promise<Chosen> {
  const { restarts } = fitOptions(call.options);
  const progress = call.terminal.progress("choosing k");
  const fits: { readonly model: Model; readonly error: number; readonly seconds: number }[] = [];
  let before = performance.now();
  try {
    const { k, reason, tried } = await chooseRank(input.X as Matrix, {
      ...optionsFor(call),
      restarts,
      ...input.options,
      ks,
      signal: input.signal,
      onTried: ({ k, error }, model) => {
        progress.update(k, null, "components");
        const now = performance.now();
        fits.push({ model, error, seconds: (now - before) / 1000 });
        before = now;
      },
    });
    const rows: ChosenRow[] = [];
    for (const { model, error, seconds } of fits) {
      const { k, potential, relativeError, iterations, converged, labels } = model;
      const scores = await scoreClusters(input.labels, labels, input.signal);
      const heldOut = (error / (fits[0].error || 1)) ** 2;
      const about = { k, objective: potential, relativeError, iterations, converged, heldOut, seconds };
      rows.push({ ...UNKNOWN, ...about, ...scores });
    }
    const runnerUp = [...tried].sort((a, b) => a.error - b.error).find((one) => one.k !== k && one.k > 1)?.k ?? null;
    const { method, seed, scaler } = fits[0].model;
    const about = { method, seed, scale: scaler.name, sampled: 0, restarts: null, model: null };
    return { suggested: k, structure: k > 1, runnerUp, reason, rows, trials: rows, ...about };
  } catch (error) {
    throw input.explain(error);
  } finally {
    progress.end();
  }
}

/** Samples that are taken where the others are on disk, at most. */
const MOST_SAMPLES = 20_000;

interface ChooseSamples extends Pick<Input, "labels" | "options"> {
  readonly X: Matrix;
  /** The scaler of samples that are scaled already; null for all samples as they are. */
  readonly scaled: string | null;
}

async function chooseSamples(call: Call, { X, labels, options, samples, sample }: Input): Promise<ChooseSamples> {
  if (!sample) return { X: X as Matrix, labels, options, scaled: null };
  const { chooseRows } = await import("bonmf-report/reference");
  const rows = chooseRows(samples, fitOptions(call.options).seed ?? 0, Math.min(MOST_SAMPLES, sample.most));
  call.terminal.note(`note: k is chosen from ${rows.length} of ${plural(samples, "sample")}, drawn by the seed`);
  const weights = sample.weights ? Float64Array.from(rows, (i) => sample.weights![i]) : undefined;
  return {
    X: sample.take(rows),
    labels: labels && Array.from(rows, (i) => labels[i]),
    options: { tags: options.tags, scale: "none", weights },
    scaled: ("scaler" in X && X.scaler?.name) || "none",
  };
}

interface Tried {
  readonly k: number;
  readonly seconds: number;
  readonly clusters: Model["labels"];
}

type TrialScores = Map<number, Scores & Pick<Tried, "seconds">>;

function describeChoice(choice: KChoice, model: Model | null, scores: TrialScores): Chosen {
  const { k, structure, runnerUp, reason, method, seed, scale, sampled } = choice;
  const rows = choice.trials.map((trial) => ({ ...trial, ...scores.get(trial.k)! }));
  return {
    suggested: k!,
    structure,
    runnerUp,
    reason,
    rows,
    trials: rows.length > 0 ? rows : listMeasured(choice),
    method,
    seed,
    scale,
    sampled,
    restarts: null,
    model,
  };
}

/** Measures of gaps, where they are not measured. */
const UNKNOWN = {
  silhouette: null,
  stability: null,
  separation: null,
  reference: null,
  evidence: null,
  contrast: null,
  criterion: null,
  balance: null,
  heldOut: null,
};

/** Samples on a cluster: by the error of the fits. */
async function chooseElbow(call: Call, input: Input, given: readonly number[] | undefined): Promise<Chosen> {
  const ks = given ?? parseRange(ELBOW_RANGE).filter((k) => k <= input.samples);
  checkRange(ks, input);
  if (ks.length < 3) {
    throw new UserError(
      "if samples are on a cluster, k is chosen at the bend of the relative error, which needs three numbers of clusters",
      "for example --k 2-12",
    );
  }
  let begun = 0;
  const fitNext = (k: number) => fitOne(call, input, k, `k = ${k} (${++begun} of ${ks.length})`);
  const { trials, suggested, reason, model } = await findElbow(fitNext, ks, input.labels);
  const rows = trials.map((trial) => ({ ...trial, ...UNKNOWN }));
  return {
    suggested,
    structure: null,
    runnerUp: null,
    reason,
    rows,
    trials: rows,
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
