import { BonmfError } from "../../errors.js";
import { countCores, startWorker, type WorkerPort } from "./port.js";
import { type Answer, type Calls, reviveError, STARTED } from "./wire.js";

/** A worker that has not reported by then does not run our script (a page's own worker.js, say). */
const START_MS = 10_000;
/** Idle workers wait this long for another fit. */
const IDLE_MS = 10_000;
/** The most threads of a fit, and the most idle workers. */
const MOST_THREADS = 16;
/** Multiply-adds a second of one thread, roughly. */
const SPEED = 5e8;
/** Seconds of work below which a thread is not worth its start (50 to 110 ms). */
const WORTH = 0.1;

type Report = (value: unknown) => void;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly report: Report | null;
}

/** A worker that answers requests. It keeps the process alive only while an answer is pending. */
export class Thread {
  readonly #port: WorkerPort;
  readonly #pending = new Map<number, Pending>();
  #lastId = STARTED;
  #end: BonmfError | null = null;

  /** Rejects where workers are missing, forbidden or broken. */
  static async start(): Promise<Thread> {
    const thread = new Thread(startWorker());
    const timer = setTimeout(() => thread.end("it did not start in time"), START_MS);
    try {
      await thread.#answerTo(STARTED);
      return thread;
    } finally {
      clearTimeout(timer);
    }
  }

  private constructor(port: WorkerPort) {
    this.#port = port;
    port.onMessage((message) => this.#receive(message as Answer));
    port.onLoss((cause) => this.end(cause));
  }

  /** Ready for the next request, with none pending. */
  get free(): boolean {
    return this.#end === null && this.#pending.size === 0;
  }

  /** @param transfer buffers that move to the worker and are detached here */
  async ask<C extends keyof Calls>(
    call: C,
    args: Calls[C]["args"],
    transfer: ArrayBuffer[] = [],
    signal?: AbortSignal,
    report: Report | null = null,
  ): Promise<Calls[C]["value"]> {
    if (this.#end !== null) throw this.#end;
    const id = ++this.#lastId;
    this.#port.post({ id, call, args }, transfer);
    const unlisten = onAbort(signal, () => this.#port.post({ id, call: "abort" }, []));
    try {
      return (await this.#answerTo(id, report)) as Calls[C]["value"];
    } finally {
      unlisten();
    }
  }

  /** Terminates the worker; pending requests are rejected with the cause. */
  end(cause: string): void {
    if (this.#end !== null) return;
    this.#end = new BonmfError(
      "worker",
      `a worker thread was lost: ${cause}. Run the fit again; with threads: 1 it needs no workers`,
    );
    this.#port.terminate();
    for (const { reject } of this.#pending.values()) reject(this.#end);
    this.#pending.clear();
  }

  #answerTo(id: number, report: Report | null = null): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, report });
      this.#port.keepAlive(true);
    });
  }

  #receive(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    if ("report" in answer) {
      pending?.report?.(answer.report);
      return;
    }
    this.#pending.delete(answer.id);
    if (this.#pending.size === 0) this.#port.keepAlive(false);
    if ("error" in answer) pending?.reject(reviveError(answer.error));
    else pending?.resolve(answer.value);
  }
}

const abortActions = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `act` when the signal aborts. All callers share one listener of the signal: with more than ten, Node warns of a
 * leak.
 *
 * @returns what cancels it
 */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return () => {};
  const actions = abortActions.get(signal) ?? new Set();
  if (!abortActions.has(signal)) {
    abortActions.set(signal, actions);
    const actAll = () => {
      for (const action of [...actions]) action();
    };
    signal.addEventListener("abort", actAll, { once: true });
  }
  actions.add(act);
  return () => actions.delete(act);
}

const idle = new Map<Thread, ReturnType<typeof setTimeout>>();

/**
 * How many threads to use, the caller's included.
 *
 * @param requested the user's choice; undefined: as many as the work is worth
 * @param work multiply-adds of the whole fit
 * @param blocks how many parts the samples can be cut into
 */
export function threadCount(requested: number | undefined, work: number, blocks: number): number {
  const wanted = Math.min(requested ?? Math.min(MOST_THREADS, Math.floor(work / (SPEED * WORTH))), blocks);
  if (wanted <= 1) return 1;
  const cores = countCores();
  if (cores === 0) return 1;
  return requested === undefined ? Math.min(wanted, cores) : wanted;
}

/** `count` workers: idle ones at once, new ones when they have started. Where workers cannot start, the promises reject. */
export function startThreads(count: number): Promise<Thread>[] {
  const found: Promise<Thread>[] = [];
  for (const [thread, timer] of idle) {
    if (found.length === count) break;
    clearTimeout(timer);
    idle.delete(thread);
    if (thread.free) found.push(Promise.resolve(thread));
  }
  while (found.length < count) found.push(Thread.start());
  // Awaited later: one that cannot start meanwhile must not end the process.
  for (const start of found) start.catch(() => {});
  return found;
}

/** Up to `count` workers, all of them started; fewer where some cannot start. */
export async function acquireThreads(count: number): Promise<Thread[]> {
  const starts = await Promise.allSettled(startThreads(count));
  return starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
}

/** Keeps a worker idle for the next fit, for a while; terminates one that is still busy. */
export function releaseThread(thread: Thread): void {
  const dismiss = () => {
    idle.delete(thread);
    thread.end("it was not needed any more");
  };
  if (thread.free && idle.size < MOST_THREADS) {
    const timer = setTimeout(dismiss, IDLE_MS);
    (timer as { unref?(): void }).unref?.();
    idle.set(thread, timer);
  } else dismiss();
}
