import type { Dense } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import type { Engine, RemoteEngine, ShardOptions } from "../engine.js";
import type { Stored } from "../stored.js";
import type { WindowOptions } from "../window-cache.js";
import type { Thread } from "./threads.js";
import { releaseThread } from "./threads.js";
import { copyAll, reviveMatrix } from "./wire.js";

/**
 * An engine in a worker, which stays reserved for it until the engine is closed. Samples in shared memory are read where
 * they are; others are copied once and transferred.
 */
export async function openRemote(thread: Thread, X: Matrix, options: ShardOptions): Promise<RemoteEngine> {
  const transfer: ArrayBuffer[] = [];
  const opened = thread.ask("openShard", [copyAll(X, transfer), copyAll(options, transfer)], transfer);
  return attach(thread, opened, X.samples, X.features);
}

/** The same for stored samples, which the worker reads itself. */
export async function openRemoteStored(thread: Thread, stored: Stored, options: WindowOptions): Promise<Engine> {
  const transfer: ArrayBuffer[] = [];
  const opened = thread.ask("openStored", [copyAll(stored, transfer), copyAll(options, transfer)], transfer);
  return attach(thread, opened, options.last - options.first, stored.features);
}

async function attach(thread: Thread, opened: Promise<null>, samples: number, features: number): Promise<RemoteEngine> {
  try {
    await opened;
  } catch (error) {
    releaseThread(thread);
    throw error;
  }
  let open = true;

  return {
    samples,
    features,

    async pass(step, signal) {
      const transfer: ArrayBuffer[] = [];
      return abortable(() => thread.ask("pass", [copyAll(step, transfer)], transfer, signal), signal);
    },

    run: (task, signal, report) => abortable(() => thread.ask("run", [task], [], signal, report), signal),

    async assist(order) {
      await thread.ask("assist", [order]);
    },

    async revert() {
      await thread.ask("revert", []);
    },

    async rows(ids) {
      return reviveMatrix(await thread.ask("rows", [Array.from(ids)])) as Dense;
    },

    async gather() {
      return thread.ask("gather", []);
    },

    async scatter(codes) {
      const transfer: ArrayBuffer[] = [];
      await thread.ask("scatter", [copyAll(codes, transfer)], transfer);
    },

    async close() {
      if (!open) return;
      open = false;
      if (thread.free) await thread.ask("close", []).catch(() => {});
      releaseThread(thread);
    },
  };
}

async function abortable<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await ask();
  } catch (error) {
    // The worker aborts on a signal of its own: report the caller's reason.
    signal?.throwIfAborted();
    throw error;
  }
}
