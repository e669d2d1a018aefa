import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import {
  countMissing,
  type DatasetFile,
  type Experiment,
  FILE,
  findPaperDataset,
  openStore,
  runExperiment,
  summarise,
  writeResults,
} from "bonmf-reproduce";
import { DATASET_NAMES, METHOD_NAMES, PAPER_DATASETS } from "bonmf-reproduce/names";
import type { Call } from "../command.js";
import { lookUp } from "../datasets/catalogue.js";
import { resolveSource } from "../datasets/find.js";
import { UserError } from "../errors.js";
import { duration, plural } from "../show/text.js";
import { explain, writeWhole } from "../write/file.js";
import { tabulateResults } from "./reproduce-table.js";

export async function run(call: Call): Promise<void> {
  const { options, terminal, signal } = call;
  const experiment = readExperiment(call);
  const threads = atLeastOne(call, "threads") ?? availableParallelism();
  const out = options.string("out");
  const store = await openStore(out, experiment, writeWhole).catch((error: unknown) => {
    throw explain(error, join(out ?? "", FILE));
  });
  const total = experiment.datasets.length * experiment.columns.length * experiment.runs;
  const missing = countMissing(experiment, store);
  if (missing < total) terminal.note(`note: ${plural(total - missing, "cell")} of ${total} were there already`);

  const start = performance.now();
  const progress = terminal.progress("reproducing");
  let done = 0;
  try {
    await runExperiment(
      experiment,
      store,
      threads,
      ({ done: cells, last }) => {
        done = cells;
        progress.update(cells, missing, "cells", `run ${last.run + 1} of ${experiment.runs}, ${last.dataset}`);
      },
      signal,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    throw interruption(total - missing + done, total, out);
  } finally {
    progress.end();
  }
  const results = summarise(store.cells, experiment);
  if (out !== undefined) await writeResults(out, results, store.cells, writeWhole);
  terminal.out(terminal.json ? JSON.stringify(results) : tabulateResults(results, terminal.style, terminal.width));
  const where = out === undefined ? "" : `; results.json, results.csv, table.md and report.html are in ${out}`;
  terminal.note(`${plural(missing, "cell")} in ${duration((performance.now() - start) / 1000)}${where}`);
}

function readExperiment(call: Call): Experiment {
  const { options } = call;
  const pick = (name: string, all: readonly string[], usual: readonly string[]) => {
    const named = options.list(name);
    return named === undefined || named.length === 0 ? usual : all.filter((item) => named.includes(item));
  };
  const runs = atLeastOne(call, "runs") ?? 30;
  const datasets = pick("dataset", DATASET_NAMES, PAPER_DATASETS);
  return {
    version: readVersion(),
    machine: describeMachine(),
    seed: options.number("seed") ?? 0,
    runs,
    datasets,
    columns: pick("methods", METHOD_NAMES, METHOD_NAMES),
    files: Object.fromEntries(datasets.map((name) => [name, locate(name)])),
  };
}

/** @throws UserError where the dataset is not on this machine */
function locate(name: string): DatasetFile {
  const { source } = findPaperDataset(name);
  const { rows: samples, features = 0, classes = 0 } = lookUp(source).files[0];
  return { path: resolveSource(`@${source}`), samples, features, classes };
}

function atLeastOne({ options }: Call, name: string): number | undefined {
  const value = options.number(name);
  if (value === undefined || value >= 1) return value;
  throw new UserError(`--${name} must be 1 or more, not ${value}`);
}

function interruption(done: number, total: number, out: string | undefined): UserError {
  if (out === undefined) {
    return new UserError(
      "stopped before the end; nothing was kept",
      "with --out FOLDER an interrupted run can continue",
    );
  }
  const message = `stopped after ${done} of ${total} cells, which are kept in ${out}`;
  return new UserError(message, "run the same command again to continue");
}

function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 1e9);
  const model = cpus()[0]?.model.trim() || process.arch;
  return `${availableParallelism()} × ${model}, ${gigabytes} GB, ${process.platform}, Node ${process.versions.node}`;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}
