import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** More would only wait for memory. */
const MOST_THREADS = 16;
/** Milliseconds of work between two turns of the event loop. */
const TURN = 12;

/** @param tasks how many there are at least */
export function countThreads(tasks: number): number {
  return Math.min(availableParallelism(), MOST_THREADS, tasks);
}

/** What threads do with a job: each takes tasks until none is left, and throws at anything unusual. */
export interface WorkerCode<Job, Done> {
  /** The script of a worker, from this folder. */
  readonly script: string;
  /** The same for the calling thread. Yields each task that is done, and null often on the way. */
  readonly work: (job: Job) => Iterable<Done | null>;
}

/** Worker threads that wait for one job, do it, and end. */
export class WorkerPool<Job extends { readonly tasks: readonly unknown[] }, Done> {
  readonly #code: WorkerCode<Job, Done>;
  readonly #workers: readonly Worker[];
  readonly #ends: readonly Promise<void>[];
  readonly #closed = new AbortController();

  constructor(code: WorkerCode<Job, Done>, size: number) {
    const url = locate(code.script);
    this.#code = code;
    this.#workers = Array.from({ length: size }, () => new Worker(url, { execArgv: [] }));
    this.#ends = this.#workers.map(endOf);
    // Awaited when there is a job; until then a failure is not an unhandled one.
    for (const end of this.#ends) end.catch(() => {});
  }

  /**
   * Has all tasks done; false where one cannot be, or the signal ends it.
   *
   * @param help whether the calling thread takes tasks too
   * @param onDone is called for each task
   */
  async run(job: Job, help: boolean, signal: AbortSignal, onDone: (done: Done) => void): Promise<boolean> {
    let left = job.tasks.length;
    const hear = (done: Done) => {
      left--;
      onDone(done);
    };
    for (const worker of this.#workers) {
      worker.on("message", hear);
      worker.postMessage(job);
    }
    const stop = () => void this.close();
    signal.addEventListener("abort", stop);
    const parts = help ? [...this.#ends, this.#help(job, hear)] : this.#ends;
    try {
      await Promise.all(parts);
      return left === 0;
    } catch {
      return false;
    } finally {
      signal.removeEventListener("abort", stop);
      await this.close();
      await Promise.allSettled(parts);
    }
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  async #help(job: Job, hear: (done: Done) => void): Promise<void> {
    let last = performance.now();
    for (const done of this.#code.work(job)) {
      if (done) hear(done);
      if (performance.now() - last < TURN) continue;
      await setImmediate();
      if (this.#closed.signal.aborted) return;
      last = performance.now();
    }
  }
}

function endOf(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => resolve());
  });
}

/** Beside this file, or, when the tests run the TypeScript sources, what was built from them. */
function locate(script: string): URL {
  const folder = import.meta.url.endsWith(".ts") ? "../../../dist/read/direct/" : "./";
  return new URL(folder + script, import.meta.url);
}
