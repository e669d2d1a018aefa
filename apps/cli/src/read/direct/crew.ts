import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** Milliseconds between moments for whatever else this thread has to do. */
const BREATH = 12;

/** What threads do together: each takes tasks until none is left, and throws at anything unusual. */
export interface Craft<Order, Done> {
  /** The script of a worker, beside this file. */
  readonly script: string;
  /** Yields each task that is done, and null often on the way. */
  readonly work: (order: Order) => Iterable<Done | null>;
}

/** Threads that wait for an order, do it, and are gone. */
export class Crew<Order extends { readonly tasks: readonly unknown[] }, Done> {
  readonly #craft: Craft<Order, Done>;
  readonly #workers: readonly Worker[];
  readonly #ends: readonly Promise<void>[];
  readonly #closed = new AbortController();

  constructor(craft: Craft<Order, Done>, size: number) {
    const url = locate(craft.script);
    this.#craft = craft;
    this.#workers = Array.from({ length: size }, () => new Worker(url, { execArgv: [] }));
    this.#ends = this.#workers.map(endOf);
    // Awaited when there is an order; until then a failure is no unhandled one.
    for (const end of this.#ends) end.catch(() => {});
  }

  /**
   * Has all tasks done; false where one cannot be, or the signal ends it.
   *
   * @param help whether this thread does some
   * @param onDone hears of each task
   */
  async run(order: Order, help: boolean, signal: AbortSignal, onDone: (done: Done) => void): Promise<boolean> {
    let left = order.tasks.length;
    const hear = (done: Done) => {
      left--;
      onDone(done);
    };
    for (const worker of this.#workers) {
      worker.on("message", hear);
      worker.postMessage(order);
    }
    const stop = () => void this.close();
    signal.addEventListener("abort", stop);
    const parts = help ? [...this.#ends, this.#takePart(order, hear)] : this.#ends;
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

  async #takePart(order: Order, hear: (done: Done) => void): Promise<void> {
    let last = performance.now();
    for (const done of this.#craft.work(order)) {
      if (done) hear(done);
      if (performance.now() - last < BREATH) continue;
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
