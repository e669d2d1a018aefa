import type { Dense } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import type { Engine } from "../engine.js";
import type { LaneOptions } from "../lane.js";
import type { ShardOptions } from "../shard.js";
import type { Stored } from "../stored.js";
import type { Thread } from "./thread.js";
import { releaseThread } from "./threads.js";
import { lendAll, reviveMatrix } from "./wire.js";

/** An engine in a worker, which can also be given work of those above the engine. */
export interface Remote extends Engine {
  run(task: unknown, signal: AbortSignal | undefined, report: ((value: unknown) => void) | null): Promise<unknown>;
}

/**
 * An engine in a worker, which it keeps until it is closed. Samples are copied once and handed over, or read where they
 * are if their memory is shared.
 */
export async function openRemote(thread: Thread, X: Matrix, options: ShardOptions): Promise<Remote> {
  const transfer: ArrayBuffer[] = [];
  const opened = thread.ask("open", [lendAll(X, transfer), lendAll(options, transfer)], transfer);
  return attend(thread, opened, X.samples, X.features);
}

/** The same of stored samples, which the worker reads for itself. */
export async function openFar(thread: Thread, stored: Stored, options: LaneOptions): Promise<Engine> {
  const transfer: ArrayBuffer[] = [];
  const opened = thread.ask("lane", [lendAll(stored, transfer), lendAll(options, transfer)], transfer);
  return attend(thread, opened, options.last - options.first, stored.features);
}

async function attend(thread: Thread, opened: Promise<null>, samples: number, features: number): Promise<Remote> {
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
      return abortable(() => thread.ask("pass", [lendAll(step, transfer)], transfer, signal), signal);
    },

    run: (task, signal, report) => abortable(() => thread.ask("run", [task], [], signal, report), signal),

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
      await thread.ask("scatter", [lendAll(codes, transfer)], transfer);
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
    // The worker ended on a signal of its own: what the caller's signal says is the reason.
    signal?.throwIfAborted();
    throw error;
  }
}
