import type { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Engine } from "./engine.js";
import type { ShardOptions } from "./shard.js";
import type { Thread } from "./thread.js";
import { releaseThread } from "./threads.js";
import { lendAll, reviveMatrix } from "./wire.js";

/**
 * An engine in a worker, which it keeps until it is closed. Samples are copied once and handed over, or read where they
 * are if their memory is shared.
 */
export async function openRemote(thread: Thread, X: Matrix, options: ShardOptions): Promise<Engine> {
  try {
    const transfer: ArrayBuffer[] = [];
    await thread.ask("open", [lendAll(X, transfer), lendAll(options, transfer)], transfer);
  } catch (error) {
    releaseThread(thread);
    throw error;
  }
  let open = true;

  return {
    samples: X.samples,
    features: X.features,

    async pass(step, signal) {
      signal?.throwIfAborted();
      const transfer: ArrayBuffer[] = [];
      try {
        return await thread.ask("pass", [lendAll(step, transfer)], transfer, signal);
      } catch (error) {
        // The worker's pass ended on a signal of its own: what the caller's signal says is the reason.
        signal?.throwIfAborted();
        throw error;
      }
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
