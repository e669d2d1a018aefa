import {
  type FitOptions,
  type Label,
  type Matrix,
  type MethodName,
  type Model,
  type ScaleName,
  type Source,
  summariseFeatures,
} from "bonmf";
import { resolveScale, scaleHints } from "bonmf-data/defaults";
import { writeRecipe } from "bonmf-data/recipe";
import type { Reference, ReportData } from "bonmf-report";
import type { ScaledSamples } from "bonmf-report/reference";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { orAbort, pause } from "../pause.js";
import type { Data, ReadOptions } from "../read/data.js";
import { type FoundFile, findFiles, type Named } from "../read/files/sources.js";
import { readOptions } from "../read/options.js";
import type { Reading } from "../read/read.js";
import { slice } from "../read/slices.js";
import { clusterAddress, localEngine } from "../spark/options.js";
import { fitOptions } from "../tasks/fit-options.js";
import { likeModel } from "../tasks/model-file.js";
import { readColumns, readTextOptions } from "../tasks/result-options.js";
import { explainData } from "./data-error.js";

/** The samples of a command: in memory, packed on disk, or rows on a Spark cluster. */
export interface Input extends Pick<Data, "kind" | "recipe"> {
  readonly place: "memory" | "disk" | "cluster";
  /** Bytes that samples in memory may take, and prototypes beside them. */
  readonly budget?: number;
  /** What the samples are called, in messages and in the model's tags. */
  readonly name: string;
  /** The cluster's address without its token. */
  readonly url?: string;
  readonly samples: number;
  /** Before the scaler. */
  readonly features: number;
  readonly labels: readonly Label[] | null;
  /** What the library fits; a source has its own scaler and weights. */
  readonly X: Matrix | Source;
  /** The options of a fit that follow from the samples. */
  readonly options: Pick<FitOptions, "scale" | "weights" | "featureNames" | "featureGroups" | "tags">;
  /** The scaler for another method than that of the command; absent where the samples are scaled already. */
  readonly scaleFor?: (method: MethodName) => ScaleName;
  /** Aborted by Ctrl-C, and when the cluster is lost. */
  readonly signal: AbortSignal;
  /** Why the signal was aborted, as the beginning of a message; "" for Ctrl-C. */
  describeAbort(): string;
  /** Turns an error of a fit into one that names these samples. */
  explain(error: unknown): unknown;
  /** Where to keep the state of a fit, so that a killed run can continue; null where the samples have no stable key. */
  checkpointPath(fit: readonly unknown[]): string | null;
  writeAssignments(path: string, model: Model): Promise<void>;
  /** Some of the samples where they are on disk, scaled. */
  readonly sample?: StoredSample;
  /** What the same method finds in data without groups. */
  readonly measureReference?: (model: Model) => Promise<Reference | null>;
  /** The following need the samples in memory. */
  readonly writeReport?: (path: string, model: Model, more: Pick<ReportData, "reference" | "choice">) => Promise<void>;
  readonly measureSilhouette?: (model: Model) => Promise<number | null>;
  close(): Promise<void>;
}

/** Samples on disk, of which some can be taken. */
export interface StoredSample extends ScaledSamples {
  /** How many may be in memory at once. */
  readonly most: number;
  readonly weights: Float64Array | null;
}

/**
 * Opens the samples on a cluster with the address of one, on disk where memory is short or --memory says so, else in memory.
 *
 * @param from the model to resume: its samples are read and scaled as they were
 */
export async function openInput(call: Call, from: Model | null = null): Promise<Input> {
  const masked = call.options.string("missing") === "mask" || from?.settings.missing === "mask";
  if (clusterAddress(call.options) !== undefined) {
    if (masked) throw needsMemory("--missing mask", FILL);
    return (await import("./cluster.js")).openCluster(call);
  }
  // Found once; the estimate, the cache and the reader take what was found. A query may do without files.
  const queried = call.options.flag("sql");
  const files = queried && call.args.length === 0 ? [] : await findFiles(call.args);
  const fits = areSmall(files) && !queried && !call.options.flag("memory");
  const memory = fits ? null : await chooseMemory(call, files);
  if (memory !== null && masked) throw needsMemory("--missing mask", FILL);
  const onGpu = localEngine(call.options) === "gpu";
  if (memory !== null && onGpu) throw needsMemory("--engine gpu", "omit --engine");
  if (memory !== null) return (await import("./disk.js")).openDisk(call, files, memory, from);
  try {
    return await openMemory(call, from, files);
  } catch (error) {
    // Files that turn out larger than they look are read again in parts.
    if (masked || onGpu || files.some(({ stream }) => stream)) throw error;
    const { OverBudget } = await import("../read/memory-budget.js");
    if (!(error instanceof OverBudget) || !error.divisible) throw error;
    const { limitMemory } = await import("../cache/memory-limit.js");
    return (await import("./disk.js")).openDisk(call, files, limitMemory(call, error.error), from);
  }
}

const FILL = "fill: --missing median";

function needsMemory(what: string, otherwise: string): UserError {
  return new UserError(`${what} needs the samples in memory`, `give it more with --memory, or ${otherwise}`);
}

/** Bytes of files whose samples fit into the memory of any machine that runs Node, even decompressed. */
const SMALL = 2 ** 22;

function areSmall(files: readonly FoundFile[]): boolean {
  return files.reduce((sum, { size = SMALL }) => sum + size, 0) < SMALL;
}

async function chooseMemory(call: Call, files: readonly FoundFile[]): Promise<number | null> {
  return (await import("../cache/memory-limit.js")).chooseMemory(call, files);
}

/** Samples read into memory as a whole. */
export async function openMemory(
  call: Call,
  from: Model | null = null,
  sources: readonly Named[] = call.args,
): Promise<Input> {
  const columns = readColumns(call.options);
  const beside = call.options.string("assignments") !== undefined && columns?.length !== 0;
  const loaded = await load(call, from ? likeModel(from) : {}, sources, beside);
  const { data, reading, source: name, budget } = loaded;
  const { X, labels, ids, weights, features, groups, recipe, kind } = data;
  const { completeRecipe } = await import("bonmf-data");
  const kept = call.options.string("out") === undefined ? recipe : completeRecipe(data);
  const { method, update, scale: asked } = fitOptions(call.options);
  let summary: ReturnType<typeof summariseFeatures> | undefined;
  const summarise = () => {
    summary ??= summariseFeatures(X);
    return summary;
  };
  const scaleFor = (method: MethodName | undefined) =>
    resolveScale(asked, summarise, scaleHints(data, { method, update }));
  await pause(call.signal);
  const { scale, reason } = from ? { scale: from.scaler.name, reason: null } : scaleFor(method);
  await pause(call.signal);
  return {
    place: "memory",
    budget,
    name,
    kind,
    recipe,
    samples: X.samples,
    features: X.features,
    labels,
    X,
    options: {
      scale,
      weights: weights ?? undefined,
      featureNames: features ?? undefined,
      featureGroups: groups ?? undefined,
      tags: { recipe: writeRecipe(kept), source: name, ...(reason !== null && { scale: reason }) },
    },
    scaleFor: (method) => scaleFor(method).scale,
    signal: call.signal,
    describeAbort: () => "",
    explain: (error) => explainData(error, name),
    checkpointPath: () => null,
    writeAssignments: async (path, model) => {
      if (beside) {
        const { writeTrainingRows } = await import("../tasks/training-rows.js");
        const parts = slice(data, 8192);
        return writeTrainingRows(path, model, { ...call, samples: X.samples, parts, reading, columns });
      }
      const { writeAssignments } = await import("../write/assignments.js");
      return writeAssignments(path, { ids, labels: model.labels }, readTextOptions(call.options));
    },
    writeReport: async (path, model, more) =>
      (await import("../tasks/report.js")).writePage(call, path, model, loaded, more),
    measureReference: async (model) =>
      (await import("bonmf-report/reference")).measureReference(model, X, weights, call.signal),
    measureSilhouette: async (model) => {
      const { measureSilhouette } = await import("../tasks/silhouette.js");
      const metric = model.method === "kmeans" ? "squared" : "cosine";
      return measureSilhouette(model.prepare(X), model.labels, { metric, weights }, call.signal);
    },
    close: async () => reading?.close(),
  };
}

export interface Loaded {
  readonly data: Data;
  readonly seconds: number;
  /** The name of the source, for messages. */
  readonly source: string;
  /** Bytes that they might have taken. */
  readonly budget: number;
  /** What the samples were read from, still open; null where that was not asked for. */
  readonly reading: Reading | null;
}

/**
 * Reads the samples of a command with a progress bar, and prints the reader's notes.
 *
 * @param keep whether the files will be read again: `reading` must then be closed
 */
export async function load(
  call: Call,
  more: Partial<ReadOptions> = {},
  sources: readonly Named[] = call.args,
  keep = false,
): Promise<Loaded> {
  const start = performance.now();
  const options = { ...readOptions(call), ...more };
  const progress = call.terminal.progress("reading");
  const { Reading } = await import("../read/read.js");
  const onProgress: ReadOptions["onProgress"] = (done, total, unit) => progress.update(done, total, unit);
  const reading = new Reading(sources, { ...options, onProgress });
  let kept = false;
  try {
    const data = await orAbort(reading.readAll(), call.signal);
    progress.end();
    for (const note of data.notes) call.terminal.note(`note: ${note}`);
    kept = keep;
    const seconds = (performance.now() - start) / 1000;
    const { budget } = reading;
    return { data, seconds, source: nameSource(call), budget, reading: keep ? reading : null };
  } finally {
    progress.end();
    if (!kept) await reading.close();
  }
}

export function nameSource({ args, options }: Call): string {
  if (args.length === 0) return options.string("sql") ?? "";
  const names = args.map((arg) => (arg === "-" ? "standard input" : arg));
  return names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ");
}

/** The scaler of a classifier where none was asked for: tf-idf for counts of words, else none. */
export function defaultScale({ recipe, kind }: Pick<Data, "recipe" | "kind">): ScaleName {
  return recipe.text || kind === "text" ? "tfidf" : "none";
}
