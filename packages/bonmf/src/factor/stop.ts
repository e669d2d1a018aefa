import type { Method } from "./method.js";
import type { Settings } from "./settings.js";

/** One iteration, as the history keeps it. */
export interface Moment {
  /** Counts from 1. */
  readonly iteration: number;
  /** The method's own objective: see its table row for what it is and whether it rises or falls. */
  readonly potential: number;
  /** ‖X − WH‖ / ‖X‖. */
  readonly relativeError: number;
  /** How many samples' codes changed. */
  readonly changed: number;
  /** A fingerprint of all labels; 0 for real-valued codes. */
  readonly fingerprint: number;
}

/** Why a run ended. */
export type Stopped = "fixed-point" | "tolerance" | "cycle" | "iterations" | "aborted";

/** A fixed point or a settled potential is convergence; a cycle, the iteration limit or an abort is not. */
export function hasConverged(stopped: Stopped): boolean {
  return stopped === "fixed-point" || stopped === "tolerance";
}

/** Whether the newest moment of the history is the last, and why; null to go on. */
export function decideStop(method: Method, settings: Settings, history: readonly Moment[]): Stopped | null {
  const now = history[history.length - 1];
  const before = history[history.length - 2];
  if (before !== undefined) {
    const settled = Math.abs(now.potential - before.potential) <= settings.tolerance * Math.abs(now.potential);
    if (method.form === "labels") {
      if (now.changed === 0) return "fixed-point";
      if (cycles(now, history)) return "cycle";
    } else if (method.form === "rays") {
      if (now.changed === 0 && settled) return "tolerance";
    } else if (settings.tolerance > 0 && settled) return "tolerance";
  }
  return now.iteration >= settings.maxIterations ? "iterations" : null;
}

/** The same labels and potential as at an earlier iteration, with others in between: the run would repeat for ever. */
function cycles(now: Moment, history: readonly Moment[]): boolean {
  return history.some(
    (then) => then !== now && then.fingerprint === now.fingerprint && then.potential === now.potential,
  );
}
