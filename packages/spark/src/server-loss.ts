import type { Engine } from "bonmf/engine";
import { SparkError } from "./connect/index.js";

/**
 * A server that goes away in mid-fit must not take with it what the fit had reached: the controller is aborted, and a fit
 * that listens to its signal ends as if it had been interrupted, with a model to resume from.
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
      // The cluster cleans up after sessions that have ended.
      await engine.close().catch((error: unknown) => {
        if (!(error instanceof SparkError)) throw error;
      });
    },
  };
}

/** Whether the server, or its memory of the session, is gone. */
export function isLoss(error: unknown): error is SparkError {
  return error instanceof SparkError && (error.code === "session-gone" || error.code === "unreachable");
}
