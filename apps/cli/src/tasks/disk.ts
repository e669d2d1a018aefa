import { rm } from "node:fs/promises";
import { AbortError, fit, type Model, type ResumeOptions, resume, saveModel } from "bonmf";
import { streamSource } from "bonmf/engine";
import { checkpointPath } from "../cache/folder.js";
import { digest } from "../cache/key.js";
import type { Obtained } from "../cache/obtain.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { plural } from "../show/numbers.js";
import { toTable, writeAssignments } from "../write/assignments.js";
import { writeWhole } from "../write/file.js";
import { openTable, type TableWriter } from "../write/table.js";
import { explainData } from "./explain.js";
import { defined, interruption, type Targets } from "./fit.js";
import { openModel } from "./model.js";
import { fitOptions, needK } from "./options.js";
import { leftOf, packSamples } from "./packing.js";
import { report, reportJson } from "./report.js";
import { scoreClusters } from "./scores.js";
import { countThreads, watch } from "./watch.js";

/** Fits samples that stay on disk, within `memory` bytes. */
export async function fitFromDisk(call: Call, targets: Targets, from: Model | null, memory: number): Promise<void> {
  const { terminal } = call;
  if (targets.page !== null) {
    throw new UserError(
      "--report shows samples, and these stay on disk",
      "write the model with --out, then: bonmf report MODEL with a part of the samples",
    );
  }
  leftOf(memory, call.options.number("threads"), 0);
  const start = performance.now();
  const packed = await packSamples(call, from, memory);
  try {
    const threads = countThreads();
    const begin = performance.now();
    const { model, interrupted } = await fitKept(call, packed, from, memory);
    const end = performance.now();
    if (model) await write(targets, model, packed);
    if (interrupted) throw interruption(targets.model, model);
    const seconds = {
      read: (begin - start) / 1000,
      fit: (end - begin) / 1000,
      write: (performance.now() - end) / 1000,
    };
    const { header, labels, scaler } = packed;
    const { kind, recipe, samples } = header;
    const loaded = { source: header.source, data: { kind, recipe, labels, X: { samples, features: scaler.features } } };
    const scores = scoreClusters(labels, model!.labels);
    const result = { model: model!, loaded, engine: "disk", seconds, threads: threads(), scores, targets } as const;
    terminal.out(terminal.json ? JSON.stringify(reportJson(result)) : report(result, terminal));
  } finally {
    await packed.release();
  }
}

/** A fit that goes on where one of the same was killed. */
async function fitKept(
  call: Call,
  packed: Obtained,
  from: Model | null,
  memory: number,
): Promise<{ model: Model | null; interrupted: boolean }> {
  const { options, signal, terminal } = call;
  const { scale: _, ...given } = fitOptions(options);
  const { stored, weights, scaler, header, key } = packed;
  const left = leftOf(memory, given.threads, header.labels || header.ids ? header.samples : 0);
  const source = streamSource(stored, { memory: left, weights, scaler });
  const path = key && checkpointPath(key, digest([options.number("k"), { ...given, threads: null }, from?.history]));
  const reached = from === null && path !== null ? await openModel(path).catch(() => null) : null;
  if (reached)
    terminal.note(`note: goes on after ${plural(reached.iterations, "iteration")} of a run that was stopped`);
  const before = from ?? reached;
  const progress = watch(terminal, "fitting", { ...given, ...before?.settings, ...defined(given) });
  const watching: ResumeOptions = {
    threads: given.threads,
    signal,
    onStep: progress.step,
    onCheckpoint: path === null ? undefined : (model) => writeWhole(path, saveModel(model)),
  };
  try {
    const { maxIterations, tolerance } = given;
    const model = before
      ? await resume(before, source, { ...watching, maxIterations, tolerance })
      : await fit(source, {
          ...given,
          ...watching,
          k: needK(options),
          featureNames: header.names ?? undefined,
          tags: { recipe: JSON.stringify(header.recipe), source: header.source },
        });
    if (path !== null) await rm(path, { force: true });
    return { model, interrupted: false };
  } catch (error) {
    if (error instanceof AbortError) return { model: error.model, interrupted: true };
    throw explainData(error, header.source);
  } finally {
    progress.end();
  }
}

async function write(targets: Targets, model: Model, { ids, header }: Obtained): Promise<void> {
  if (targets.model !== null) await writeWhole(targets.model, saveModel(model));
  const path = targets.assignments;
  if (path === null) return;
  if (ids === null) return writeAssignments(path, { labels: model.labels });
  const { columns } = toTable({ ids: [], labels: [] });
  const typed = columns.map((column) => (column.name === "id" ? { ...column, type: header.ids!.type } : column));
  const table: TableWriter = await openTable(path, typed);
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
