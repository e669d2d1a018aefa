import type { MethodName, StepReport } from "bonmf";
import type { Terminal } from "../command.js";
import { decimal } from "../show/text.js";
import { LIMITS } from "./fit-options.js";

interface Limits {
  readonly method?: MethodName | undefined;
  readonly maxIterations?: number | undefined;
  readonly restarts?: number | undefined;
}

/** The progress of a fit, relative to its iteration limit. */
export function watch(terminal: Terminal, title: string, { method = "bonmf", maxIterations, restarts = 1 }: Limits) {
  const limit = maxIterations ?? LIMITS[method];
  const progress = terminal.progress(title);
  return {
    step: ({ restart, iteration, relativeError }: StepReport) =>
      progress.update(restart * limit + iteration, restarts * limit, "iterations", `error ${decimal(relativeError)}`),
    end: () => progress.end(),
  };
}

/** Counts the threads that the library starts, and the calling one. */
export function countThreads(): () => number {
  let started = 0;
  const hear = () => {
    started++;
  };
  process.on("worker", hear);
  return () => {
    process.off("worker", hear);
    return 1 + started;
  };
}
