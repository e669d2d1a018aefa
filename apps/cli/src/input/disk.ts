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
import { readColumns } from "../tasks/result-options.js";
import { toTable, writeAssignments } from "../write/assignments.js";
import { openTable } from "../write/table.js";
import { explainData } from "./data-error.js";
import { type Input, nameSource } from "./input.js";

/** Memory for each worker thread, and for temporary objects of this one. */
const THREAD_BYTES = 2 ** 24;
const SLACK_BYTES = 2 ** 26;
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
  const columns = readColumns(call.options);
  if (call.options.string("columns") !== undefined && columns?.length !== 0) {
    throw new UserError(
      "--columns needs the samples in memory, but they stay on disk",
      "write the model with --out, then: bonmf predict MODEL DATA --out FILE",
    );
  }
  const { threads } = fitOptions(call.options);
  budgetSamples(memory, threads, 0);
  const packed = await packSamples(call, files, from, memory);
  const { stored, weights, scaler, labels, header, key } = packed;
  const { kind, recipe, samples } = header;
  const budget = budgetSamples(memory, threads, header.labels || header.ids ? samples : 0);
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
    writeAssignments: (path, model) => writeAll(path, model, packed),
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
function budgetSamples(memory: number, threads: number | undefined, named: number): number {
  const others = (threads ?? availableParallelism()) - 1;
  const own = process.memoryUsage.rss() + others * THREAD_BYTES + SLACK_BYTES + named * NAME_BYTES;
  if (own < memory) return memory - own;
  throw new UserError(
    `--memory ${bytes(memory)} is too little: the program itself needs ${bytes(own)}`,
    "give it a few hundred MB more",
  );
}

/** Ids are read from the pack in parts. */
async function writeAll(path: string, model: Model, { ids, header }: CachedPack): Promise<void> {
  if (ids === null) return writeAssignments(path, { labels: model.labels });
  const { columns } = toTable({ ids: [], labels: [] });
  const typed = columns.map((column) => (column.name === "id" ? { ...column, type: header.ids!.type } : column));
  const table = await openTable(path, typed);
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
