import type { Cell, Job } from "./cell.js";
import { LEARNERS } from "./columns.js";
import type { Store } from "./store.js";
import type { Experiment } from "./summary.js";
import { runJobs } from "./worker-pool.js";

/** Runs with the machine to themselves: their times count. The other runs only add accuracies. */
const TIMED = 3;

export interface Progress {
  /** Cells that were run, and cells to run. */
  readonly done: number;
  readonly total: number;
  readonly last: Cell;
}

/** Runs every cell of the experiment that the store does not have. */
export async function runExperiment(
  experiment: Experiment,
  store: Store,
  threads: number,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  const jobs = listJobs(experiment, threads, store);
  const total = countCells(jobs);
  let done = 0;
  const onCells = (cells: readonly Cell[]) => {
    store.add(cells);
    done += cells.length;
    onProgress({ done, total, last: cells[0] });
  };
  const [alone, together] = [true, false].map((timed) => jobs.filter((job) => job.alone === timed));
  await runJobs(alone, 1, onCells, signal);
  await runJobs(together, threads, onCells, signal);
}

/** The number of cells that the store does not have. */
export function countMissing(experiment: Experiment, store: Store): number {
  return countCells(listJobs(experiment, 1, store));
}

function countCells(jobs: readonly Job[]): number {
  return jobs.reduce((sum, job) => sum + job.columns.length, 0);
}

/** One run after another through all datasets, so that the progress so far predicts the rest. */
function listJobs({ runs, datasets, columns, seed, files }: Experiment, threads: number, store: Store): Job[] {
  const jobs: Job[] = [];
  for (let run = 0; run < runs; run++) {
    for (const dataset of datasets) {
      for (const learner of LEARNERS) {
        const missing = learner.columns
          .map(({ name }) => name)
          .filter((name) => columns.includes(name) && !store.has(dataset, name, run));
        if (missing.length === 0) continue;
        const job = { dataset, file: files[dataset], run, learner: learner.name, columns: missing, seed: seed + run };
        jobs.push({ ...job, alone: threads === 1 || run < TIMED });
      }
    }
  }
  return jobs;
}
