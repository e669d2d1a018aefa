import type { Findings } from "bonmf-report";
import type { Assignments } from "./explore.js";
import { type Run, type Shown, showRun } from "./fitting.js";
import type { RunInfo } from "./protocol.js";

/** The clusters of a run as merges have left them, and what was found of them. */
export interface ClusterState {
  readonly shown: Shown;
  info: Promise<RunInfo> | null;
  assignments: Promise<Assignments> | null;
  findings: Findings | null;
}

/** So many states of a run are kept: undoing and redoing a merge finds nothing anew. */
const MOST = 6;

/** The clusters shown of each run. */
export class ShownClusters {
  readonly #runs = new Map<number, Map<string, ClusterState>>();

  of(run: Run): ClusterState {
    const states = this.#runs.get(run.id) ?? new Map<string, ClusterState>();
    this.#runs.set(run.id, states);
    const groups = run.groups?.some((group, cluster) => group !== cluster) ? run.groups : null;
    const key = JSON.stringify(groups);
    const make = () => ({ shown: showRun({ ...run, groups }), info: null, assignments: null, findings: null });
    const found = states.get(key) ?? make();
    // The last one used is the last to go.
    states.delete(key);
    states.set(key, found);
    if (states.size > MOST) states.delete(states.keys().next().value!);
    return found;
  }

  /** The samples of the run are labelled or named otherwise, or it is gone. */
  forget(id: number): void {
    this.#runs.delete(id);
  }
}
