import { readFile } from "node:fs/promises";
import {
  chooseRank,
  type Dense,
  type FitOptions,
  fit,
  type Imputation,
  impute,
  type Model,
  type RankChoice,
  writeNpy,
} from "bonmf";
import type { Call, Options } from "../command.js";
import { UserError } from "../errors.js";
import { explainData } from "../input/data-error.js";
import { load, nameSource } from "../input/input.js";
import type { Data, ReadOptions } from "../read/data.js";
import type { Reading } from "../read/read.js";
import { freeOutput } from "../show/terminal.js";
import { count, percent, plural } from "../show/text.js";
import { openDraft, STDOUT, writeWhole } from "../write/file.js";
import { formatOf, TABLES } from "../write/format.js";
import { fillCells } from "./filled-cells.js";
import { fitOptions } from "./fit-options.js";
import { likeModel, openModel } from "./model-file.js";

/** Fills the gaps of one file. */
export async function run(given: Call): Promise<void> {
  const { args, options } = given;
  const [path] = args;
  const out = options.string("out");
  if (args.length !== 1)
    throw new UserError("impute fills one file at a time", "bonmf impute gaps.csv --out whole.csv");
  if (out === undefined) throw new UserError("--out is missing: where to?", "for example --out whole.csv");
  const call = out === STDOUT ? { ...given, terminal: freeOutput(given.terminal) } : given;
  const way = wayOf(path, out);
  const asked = options.string("model");
  const known = asked === undefined ? null : await openModel(asked);
  if (known && known.settings.missing !== "mask") {
    throw new UserError(`${asked} does not know missing values`, "fit it with --missing mask");
  }
  if (out !== STDOUT) await (await openDraft(out)).discard();
  const like: Partial<ReadOptions> = { ...(known ? likeModel(known) : {}), missing: "mask" };
  const { data, reading } = await load(call, like, args, way === "table");
  try {
    await fill(call, { path, out, way, data, reading }, known);
  } finally {
    await reading?.close();
  }
}

/** What is filled, and where to. */
interface Work {
  readonly path: string;
  readonly out: string;
  readonly way: Way;
  readonly data: Data;
  /** For tables, which are read once more. */
  readonly reading: Reading | null;
}

async function fill(call: Call, work: Work, known: Model | null): Promise<void> {
  const { path, data, way } = work;
  if (countGaps(data) === 0) {
    if (way === "table") await write(call, work, data.X.toDense());
    else await writeWhole(work.out, new Uint8Array(await readFile(path)));
    const told = `nothing is missing in the columns of ${nameSource(call)} that were read: written as it is`;
    return tell(call, work, 0, {}, told);
  }
  if (known === null && !wantsFactors(call.options)) {
    const found = await imputeTable(call, data);
    const filled = await write(call, work, found.X);
    return tell(call, work, filled, { error: found.error }, describeTable(filled, data, found));
  }
  const { model, choice } = await find(call, data, known);
  const whole = explained(path, () => model.impute(data.X));
  const filled = await write(call, work, whole);
  const how = { k: model.k, method: model.method, ...(choice && { tried: choice.tried }) };
  tell(call, work, filled, how, describe(filled, data, model, choice));
}

/** Whether options ask for a factorisation. */
function wantsFactors(options: Options): boolean {
  return (
    ["k", "max-iterations"].some((name) => options.number(name) !== undefined) ||
    ["method", "scale"].some((name) => options.string(name) !== undefined)
  );
}

function tell({ terminal }: Call, { out, data: { X } }: Work, filled: number, how: object, told: string): void {
  if (terminal.json) {
    terminal.out(JSON.stringify({ out, samples: X.samples, features: X.features, filled, ...how }));
    return;
  }
  terminal.out(out === STDOUT ? told : `${told}\nwritten to ${terminal.style.accent(out)}`);
}

async function imputeTable({ args, options, terminal, signal }: Call, { X, features }: Data): Promise<Imputation> {
  const progress = terminal.progress("filling gaps");
  try {
    return await impute(X, { seed: options.number("seed"), featureNames: features ?? undefined, signal });
  } catch (error) {
    throw explainData(error, args[0]);
  } finally {
    progress.end();
  }
}

function describeTable(filled: number, { X, features }: Data, found: Imputation): string {
  const { error, unknownSamples, unknownFeatures } = found;
  const where = `${plural(X.samples, "sample")} × ${count(X.features)}`;
  const lines = [`${plural(filled, "missing value")} of ${where} filled from the other values and the nearest samples`];
  if (error !== null) {
    lines.push(`known values that were hidden for a trial: ${percent(error)} of the error of column means`);
  }
  if (unknownSamples.length > 0) {
    lines.push(`${plural(unknownSamples.length, "sample")} without any known value: filled with column means`);
  }
  if (unknownFeatures.length > 0) {
    const names = unknownFeatures.map((f) => features?.[f] ?? `${f}`);
    lines.push(`${plural(names.length, "column")} without any known value, not filled: ${names.join(", ")}`);
  }
  return lines.join("\n");
}

/** How the result is written: the text with cells replaced, an array, or all columns of a table anew. */
type Way = "cells" | "npy" | "table";

function wayOf(path: string, out: string): Way {
  const [from, to] = [path, out].map((name) => /\.(csv|tsv|npy)$/i.exec(name)?.[1].toLowerCase());
  if (from === "npy" || to === "npy") {
    if (from === to) return "npy";
    throw new UserError(`${out} has another format than ${path}`, "an array is filled into an array: .npy into .npy");
  }
  if (from !== undefined && from === to) return "cells";
  formatOf(out, TABLES);
  return "table";
}

function countGaps({ X }: Data): number {
  if (X.kind === "sparse") return X.samples * X.features - X.values.length;
  let missing = 0;
  for (const value of X.data) if (Number.isNaN(value)) missing++;
  return missing;
}

function explained<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw explainData(error, path);
  }
}

interface Found {
  readonly model: Model;
  /** Null where k or the model was given. */
  readonly choice: RankChoice | null;
}

async function find(call: Call, data: Data, known: Model | null): Promise<Found> {
  if (known) return { model: known, choice: null };
  const { options, terminal, signal } = call;
  const fitting = { ...fittingOf(options, data), signal };
  const progress = terminal.progress("choosing k");
  try {
    const asked = options.number("k");
    const onTried = ({ k }: { k: number }) => progress.update(k, null, "components");
    const choice = asked === undefined ? await chooseRank(data.X, { ...fitting, onTried }) : null;
    return { model: await fit(data.X, { ...fitting, k: asked ?? choice!.best, missing: "mask" }), choice };
  } catch (error) {
    throw explainData(error, call.args[0]);
  } finally {
    progress.end();
  }
}

/** Features of different units count alike: each to 0 … 1, unless --scale says otherwise. */
function fittingOf(options: Options, { features, weights }: Data): Omit<FitOptions, "k" | "missing"> {
  const { method = "hals", scale, seed, maxIterations, threads } = fitOptions(options);
  const chosen = scale === undefined || scale === "auto" ? "minmax" : scale;
  const names = { featureNames: features ?? undefined, weights: weights ?? undefined };
  return { method, scale: chosen, seed, maxIterations, threads, ...names };
}

/** Returns how many values were filled. */
async function write(call: Call, { path, out, way, data, reading }: Work, filled: Dense): Promise<number> {
  const { signal, terminal } = call;
  signal.throwIfAborted();
  if (way === "npy") {
    await writeWhole(out, writeNpy(filled));
    return countGaps(data);
  }
  if (way === "cells") {
    const { text, cells } = fillCells(await readText(path), path, data, filled);
    await writeWhole(out, new TextEncoder().encode(text));
    return cells;
  }
  const originals = await reading!.readOriginals(null, "arrow");
  if (originals === null) {
    throw new UserError(`${path} is no table with named columns`, "impute fills tables, and .npy arrays into .npy");
  }
  const { openFilled, writeFilled } = await import("./filled-table.js");
  const source = nameSource(call);
  const print = async (text: string) => terminal.data(text);
  return writeFilled({ originals, data, filled, source, signal }, (columns) => openFilled(out, columns, print));
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UserError(`${path} is not UTF-8`, "bonmf convert writes a copy that is", { cause: error });
  }
}

function describe(gaps: number, { X }: Data, { k, method, scaler }: Model, choice: RankChoice | null): string {
  const where = `${plural(X.samples, "sample")} × ${count(X.features)}`;
  const head = `${plural(gaps, "missing value")} of ${where} filled by ${method} with k = ${k}`;
  if (choice === null) return head;
  const error = choice.tried.find((tried) => tried.k === choice.best)!.error;
  const units = scaler.name === "none" ? "" : `, features scaled by ${scaler.name}`;
  return `${head}, which predicts hidden values best (root mean squared error ${Number(error.toPrecision(3))}${units})`;
}
