import { Worker } from "node:worker_threads";
import type { Cell, Job } from "./cell.js";

/** Runs jobs on worker threads, in order; ends when all are done or one has failed. */
export async function runJobs(
  jobs: readonly Job[],
  threads: number,
  onCells: (cells: readonly Cell[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const queue = jobs.values();
  const size = Math.min(threads, jobs.length);
  const workers = Array.from({ length: size }, () => new Worker(new URL("./worker.js", import.meta.url)));
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (const job of queue) onCells(await ask(worker, job, signal));
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function ask(worker: Worker, job: Job, signal: AbortSignal): Promise<readonly Cell[]> {
  return new Promise<readonly Cell[]>((resolve, reject) => {
    signal.throwIfAborted();
    const end = (settle: () => void) => {
      worker.off("message", hear).off("error", fail).off("exit", leave);
      signal.removeEventListener("abort", stop);
      settle();
    };
    const hear = (cells: readonly Cell[]) => end(() => resolve(cells));
    const fail = (error: unknown) => end(() => reject(error));
    const leave = (code: number) => end(() => reject(new Error(`a thread ended with code ${code}`)));
    const stop = () => end(() => reject(signal.reason));
    worker.on("message", hear).on("error", fail).on("exit", leave);
    signal.addEventListener("abort", stop);
    worker.postMessage(job);
  });
}
