import { availableParallelism } from "node:os";
import type { Model } from "bonmf";
import { streamSource } from "bonmf/engine";
import { writeRecipe } from "bonmf-data/recipe";
import { checkpointPath } from "../cache/cache-folder.js";
import { digest } from "../cache/cache-key.js";
import { type CachedPack, openCachedPack } from "../cache/cached-pack.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import type { FoundFile } from "../read/files/sources.js";
import { readOptions } from "../read/options.js";
import { bytes } from "../show/text.js";
import { fitOptions } from "../tasks/fit-options.js";
import { likeModel } from "../tasks/model-file.js";
import { readColumns, readTextOptions } from "../tasks/result-options.js";
import { toTable, writeAssignments } from "../write/assignments.js";
import { openTable, type TextOptions } from "../write/table.js";
import { explainData } from "./data-error.js";
import { type Input, nameSource, type StoredSample } from "./input.js";

/** Memory for each worker thread, and for temporary objects of this one, of which newer engines keep more. */
const THREAD_BYTES = 2 ** 24;
const SLACK_BYTES = 3 * 2 ** 25;
/** More of them where rows are read again, to be written with their clusters. */
const WRITING_BYTES = 3 * 2 ** 24;
/** Memory for the label and the id of one sample. */
const NAME_BYTES = 48;
/** DuckDB is given this part of the memory, and takes about twice as much. */
const DUCKDB_PART = 4;
/** With less DuckDB cannot read a wide Parquet file. */
const LEAST_DUCKDB = 2 ** 27;

/** Samples that stay on disk: every sweep reads them, within `memory` bytes. */
export async function openDisk(
  call: Call,
  files: readonly FoundFile[],
  memory: number,
  from: Model | null = null,
): Promise<Input> {
  if (call.options.string("report") !== undefined) {
    throw new UserError(
      "--report needs the samples in memory, but they stay on disk",
      "write the model with --out, then: bonmf report MODEL with a part of the samples",
    );
  }
  const stream = nameStream(call);
  if (stream !== null && call.options.string("columns") !== undefined && readColumns(call.options)?.length !== 0) {
    throw new UserError(
      `--columns needs rows that can be read again, but ${stream} is read once`,
      "omit it, or save the rows first: bonmf convert",
    );
  }
  budgetSamples(call, memory, 0);
  const packed = await packSamples(call, files, from, memory);
  const { stored, weights, scaler, labels, header, key } = packed;
  const { kind, recipe, samples } = header;
  const budget = budgetSamples(call, memory, header.labels || header.ids ? samples : 0);
  const sample = describeSample(packed, budget);
  return {
    place: "disk",
    name: header.source,
    kind,
    recipe,
    samples,
    features: scaler.features,
    labels,
    X: streamSource(stored, { memory: budget, weights, scaler }),
    options: {
      scale: undefined,
      featureNames: header.names ?? undefined,
      tags: {
        recipe: writeRecipe(recipe),
        source: header.source,
        ...(header.scaleReason !== undefined && { scale: header.scaleReason }),
      },
    },
    signal: call.signal,
    describeAbort: () => "",
    explain: (error) => explainData(error, header.source),
    checkpointPath: (fit) => key && checkpointPath(key, digest(fit)),
    sample,
    measureReference: async (model) =>
      (await import("bonmf-report/reference")).measureReference(model, sample, sample.weights, call.signal),
    writeAssignments: (path, model) => writeRows(call, files, path, model, packed),
    close: () => packed.release(),
  };
}

async function packSamples(
  call: Call,
  files: readonly FoundFile[],
  from: Model | null,
  memory: number,
): Promise<CachedPack> {
  const source = nameSource(call);
  const options = {
    ...readOptions(call),
    ...(from ? likeModel(from) : {}),
    memory: Math.max(LEAST_DUCKDB, memory / DUCKDB_PART),
  };
  const { method, update, scale: asked } = fitOptions(call.options);
  const scale = from?.scaler ?? asked;
  try {
    return await openCachedPack(call, { sources: files, options, scale, fit: { method, update }, source });
  } catch (error) {
    throw explainData(error, source);
  }
}

/**
 * Bytes left for samples after the program itself and its threads.
 *
 * @param named samples that have a label or an id
 */
function budgetSamples({ options }: Call, memory: number, named: number): number {
  const others = (fitOptions(options).threads ?? availableParallelism()) - 1;
  const writing = options.string("assignments") === undefined ? 0 : WRITING_BYTES;
  const own = process.memoryUsage.rss() + others * THREAD_BYTES + SLACK_BYTES + writing + named * NAME_BYTES;
  if (own < memory) return memory - own;
  throw new UserError(
    `--memory ${bytes(memory)} is too little: the program itself needs ${bytes(own)}`,
    "give it a few hundred MB more",
  );
}

/** Bytes that a value of a sample takes while k is chosen or references are drawn, about. */
const VALUE_BYTES = 64;
const LEAST_SAMPLE = 1000;

function describeSample({ stored, scaler, window, weights }: CachedPack, budget: number): StoredSample {
  const { samples, kind } = stored;
  const width = kind === "dense" ? scaler.features : Math.max(1, window.countValues() / samples);
  const most = Math.max(LEAST_SAMPLE, Math.floor(budget / (VALUE_BYTES * width)));
  return { samples, width, take: (rows) => window.take(rows), weights, most };
}

/** Bytes of samples that are read again at once. */
const PART_BYTES = 2 ** 20;

/** What is read once: a stream is gone then, and a query may answer otherwise. Null for files. */
function nameStream({ args, options }: Call): string | null {
  return args.includes("-") ? "standard input" : options.flag("sql") ? "a query" : null;
}

/** Reads the files again, for the table's own columns. */
async function writeRows(
  call: Call,
  files: readonly FoundFile[],
  path: string,
  model: Model,
  packed: CachedPack,
): Promise<void> {
  const { samples, source } = packed.header;
  const columns = readColumns(call.options);
  if (columns?.length === 0 || nameStream(call) !== null) {
    return writeAll(path, model, packed, readTextOptions(call.options));
  }
  const { Reading } = await import("../read/read.js");
  const { writeTrainingRows } = await import("../tasks/training-rows.js");
  // What an interrupted fit has reached is written too.
  const signal = call.signal.aborted ? undefined : call.signal;
  const reading = new Reading(files, { ...readOptions(call), ...likeModel(model), memory: LEAST_DUCKDB, signal });
  const rows = Math.min(8192, Math.max(256, Math.floor(PART_BYTES / (4 * model.scaler.features))));
  const parts = async function* () {
    let seen = 0;
    for await (const data of reading.readParts(rows)) {
      seen += data.X.samples;
      if (seen <= samples) yield data;
    }
    if (seen !== samples) throw new UserError(`${source} was changed while it was fitted`, "run it again");
  };
  try {
    await writeTrainingRows(path, model, { ...call, samples, parts: parts(), reading, columns });
  } finally {
    await reading.close();
  }
}

/** Ids are read from the pack in parts. */
async function writeAll(path: string, model: Model, { ids, header }: CachedPack, text: TextOptions): Promise<void> {
  if (ids === null) return writeAssignments(path, { labels: model.labels }, text);
  const { columns } = toTable({ ids: [], labels: [] });
  const typed = columns.map((column) => (column.name === "id" ? { ...column, type: header.ids!.type } : column));
  const table = await openTable(path, typed, undefined, null, text);
  try {
    let first = 0;
    for await (const some of ids()) {
      const labels = model.labels.subarray(first, first + some.length);
      await table.write(toTable({ ids: some, labels }).rows(0, some.length));
      first += some.length;
    }
    await table.commit();
  } catch (error) {
    await table.discard();
    throw error;
  }
}
