import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import type { Call } from "../command.js";
import { resolveSource } from "../datasets/find.js";
import { UserError } from "../errors.js";
import { duration, plural } from "../show/numbers.js";
import type { Job } from "./cell.js";
import { COLUMNS, CONTESTS } from "./columns.js";
import { share } from "./crew.js";
import { openStore, type Store } from "./store.js";
import { findSubject, NINE, SUBJECTS } from "./subjects.js";
import { type Plan, summarise } from "./summary.js";
import { toTerminal } from "./terminal.js";

/** So many runs have the machine to themselves, and their times count; the others only add to the accuracies. */
const TIMED = 3;

export async function run(call: Call): Promise<void> {
  const { options, terminal, signal } = call;
  const plan = makePlan(call);
  const threads = atLeastOne(call, "threads") ?? availableParallelism();
  // What is missing is better known now than after ten minutes.
  for (const name of plan.datasets) resolveSource(`@${findSubject(name).source}`);
  const out = options.string("out");
  const store = await openStore(out, plan);
  const jobs = listJobs(plan, threads, store);
  const total = plan.datasets.length * plan.columns.length * plan.runs;
  const left = jobs.reduce((sum, job) => sum + job.columns.length, 0);
  if (left < total) terminal.note(`note: ${plural(total - left, "cell")} of ${total} were there already`);

  const start = performance.now();
  const progress = terminal.progress("reproducing");
  let done = 0;
  const work = (some: readonly Job[], hands: number) =>
    share(
      some,
      hands,
      (cells) => {
        store.add(cells);
        done += cells.length;
        const [{ dataset, run }] = cells;
        progress.update(done, left, "cells", `run ${run + 1} of ${plan.runs}, ${dataset}`);
      },
      signal,
    );
  try {
    await work(
      jobs.filter(({ alone }) => alone),
      1,
    );
    await work(
      jobs.filter(({ alone }) => !alone),
      threads,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    throw interrupted(total - left + done, total, out);
  } finally {
    progress.end();
  }
  const results = summarise(store.cells, plan);
  if (out !== undefined) {
    const { writeAll } = await import("./files.js");
    await writeAll(out, results, store.cells);
  }
  terminal.out(terminal.json ? JSON.stringify(results) : toTerminal(results, terminal.style, terminal.width));
  const where = out === undefined ? "" : `; results.json, results.csv, table.md and report.html are in ${out}`;
  terminal.note(`${plural(left, "cell")} in ${duration((performance.now() - start) / 1000)}${where}`);
}

function makePlan(call: Call): Plan {
  const { options } = call;
  const pick = (name: string, all: readonly string[], first: readonly string[]) => {
    const named = options.list(name);
    return named === undefined || named.length === 0 ? first : all.filter((item) => named.includes(item));
  };
  const columns = COLUMNS.map(({ name }) => name);
  return {
    version: readVersion(),
    machine: describeMachine(),
    seed: options.number("seed") ?? 0,
    runs: atLeastOne(call, "runs") ?? 30,
    datasets: pick(
      "dataset",
      SUBJECTS.map(({ name }) => name),
      NINE,
    ),
    columns: pick("methods", columns, columns),
  };
}

/** Run after run through all datasets, so that what is done at any moment says how long the rest will take. */
function listJobs({ runs, datasets, columns, seed }: Plan, threads: number, store: Store): Job[] {
  const jobs: Job[] = [];
  for (let run = 0; run < runs; run++) {
    for (const dataset of datasets) {
      for (const contest of CONTESTS) {
        const missing = contest.columns
          .map(({ name }) => name)
          .filter((name) => columns.includes(name) && !store.has(dataset, name, run));
        if (missing.length === 0) continue;
        const alone = threads === 1 || run < TIMED;
        jobs.push({ dataset, run, contest: contest.name, columns: missing, seed: seed + run, alone });
      }
    }
  }
  return jobs;
}

function atLeastOne({ options }: Call, name: string): number | undefined {
  const value = options.number(name);
  if (value === undefined || value >= 1) return value;
  throw new UserError(`--${name} must be 1 or more, not ${value}`);
}

function interrupted(done: number, total: number, out: string | undefined): UserError {
  if (out === undefined) {
    return new UserError("stopped before the end; nothing was kept", "with --out FOLDER an interrupted run can go on");
  }
  return new UserError(`stopped after ${done} of ${total} cells, which are kept in ${out}`, "the same command goes on");
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
