import type { Engine } from "bonmf/engine";
import { SparkError } from "./connect/index.js";

/**
 * Aborts the controller when the server goes away in mid-fit. A fit that listens to its signal then ends as if it had been
 * interrupted, with a model to resume from.
 */
export function endOnLoss(engine: Engine, lost: AbortController | undefined): Engine {
  const watch = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isLoss(error)) lost?.abort(error);
      throw error;
    }
  };
  return {
    ...engine,
    pass: (step, signal) => watch(engine.pass(step, signal)),
    rows: (ids) => watch(engine.rows(ids)),
    async close() {
      // The cluster cleans up after closed sessions by itself.
      await engine.close().catch((error: unknown) => {
        if (!(error instanceof SparkError)) throw error;
      });
    },
  };
}

/** Whether the server or the session is gone. */
export function isLoss(error: unknown): error is SparkError {
  return error instanceof SparkError && (error.code === "session-gone" || error.code === "unreachable");
}
