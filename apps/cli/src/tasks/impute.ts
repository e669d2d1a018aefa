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
import { load } from "../input/input.js";
import type { Data } from "../read/data.js";
import { count, percent, plural } from "../show/text.js";
import { openDraft, writeWhole } from "../write/file.js";
import { fillCells } from "./filled-cells.js";
import { fitOptions } from "./fit-options.js";
import { likeModel, openModel } from "./model-file.js";

/** Fills the gaps of one file. */
export async function run(call: Call): Promise<void> {
  const { args, options } = call;
  const [path] = args;
  const out = options.string("out");
  if (args.length !== 1)
    throw new UserError("impute fills one file at a time", "bonmf impute gaps.csv --out whole.csv");
  if (out === undefined) throw new UserError("--out is missing: where to?", "for example --out whole.csv");
  const family = familyOf(path);
  if (familyOf(out) !== family) {
    throw new UserError(
      `${out} has another format than ${path}`,
      `write the same format, ${family}; bonmf convert changes it`,
    );
  }
  const given = options.string("model");
  const known = given === undefined ? null : await openModel(given);
  if (known && known.settings.missing !== "mask") {
    throw new UserError(`${given} does not know missing values`, "fit it with --missing mask");
  }
  await (await openDraft(out)).discard();
  const { data } = await load(call, { ...(known ? likeModel(known) : {}), missing: "mask" });
  if (countGaps(data) === 0) {
    await writeWhole(out, new Uint8Array(await readFile(path)));
    return tell(
      call,
      out,
      data,
      0,
      {},
      `nothing is missing in the columns of ${path} that were read: written as it is`,
    );
  }
  if (known === null && !wantsFactors(options)) {
    const found = await imputeTable(call, data);
    const filled = await write(call, path, out, data, found.X);
    return tell(call, out, data, filled, { error: found.error }, describeTable(filled, data, found));
  }
  const { model, choice } = await find(call, data, known);
  const whole = explained(path, () => model.impute(data.X));
  const filled = await write(call, path, out, data, whole);
  const how = { k: model.k, method: model.method, ...(choice && { tried: choice.tried }) };
  tell(call, out, data, filled, how, describe(filled, data, model, choice));
}

/** Whether options ask for a factorisation. */
function wantsFactors(options: Options): boolean {
  return (
    ["k", "max-iterations"].some((name) => options.number(name) !== undefined) ||
    ["method", "scale"].some((name) => options.string(name) !== undefined)
  );
}

function tell({ terminal }: Call, out: string, { X }: Data, filled: number, how: object, told: string): void {
  if (terminal.json) {
    terminal.out(JSON.stringify({ out, samples: X.samples, features: X.features, filled, ...how }));
    return;
  }
  terminal.out(`${told}\nwritten to ${terminal.style.accent(out)}`);
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

const FAMILIES = { csv: "csv", tsv: "csv", npy: "npy" } as const;

/** CSV and TSV, or NumPy arrays. */
function familyOf(path: string): "csv" | "npy" {
  const ending = /\.(csv|tsv|npy)$/i.exec(path)?.[1].toLowerCase() as keyof typeof FAMILIES | undefined;
  if (ending !== undefined) return FAMILIES[ending];
  throw new UserError(
    `impute reads and writes .csv, .tsv and .npy files, and ${path} is none`,
    "bonmf convert makes one",
  );
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
async function write({ signal }: Call, path: string, out: string, data: Data, filled: Dense): Promise<number> {
  signal.throwIfAborted();
  if (familyOf(path) === "npy") {
    await writeWhole(out, writeNpy(filled));
    return countGaps(data);
  }
  const { text, cells } = fillCells(await readText(path), path, data, filled);
  await writeWhole(out, new TextEncoder().encode(text));
  return cells;
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UserError(`${path} is not UTF-8`, "bonmf convert writes a copy that is", { cause: error });
  }
}

function describe(gaps: number, { X }: Data, { k, method }: Model, choice: RankChoice | null): string {
  const where = `${plural(X.samples, "sample")} × ${count(X.features)}`;
  const head = `${plural(gaps, "missing value")} of ${where} filled by ${method} with k = ${k}`;
  if (choice === null) return head;
  const error = choice.tried.find((tried) => tried.k === choice.best)!.error;
  return `${head}, which predicts hidden values best (root mean squared error ${Number(error.toPrecision(3))})`;
}
