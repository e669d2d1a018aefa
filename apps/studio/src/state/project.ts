import type { Choice } from "../data/choice.js";
import type { Order } from "../session/protocol.js";
import type { Tab } from "./address.js";
import type { ClusterEdits } from "./cluster-edits.js";
import { beginHistory, type History } from "./history.js";

/** Everything that a person can change and take back. */
export interface Work {
  /** The number of its origin among the project's parts. */
  readonly origin: number;
  /** Null: what the file itself says. */
  readonly choice: Choice | null;
  readonly runs: readonly KeptRun[];
}

/** A run as it is kept; its model is a part of the project. */
export interface KeptRun extends ClusterEdits {
  readonly id: number;
  readonly order: Order;
  readonly seconds: number;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly changed: number;
  readonly history: History<Work>;
  /** Numbers of parts are never used twice. */
  readonly next: number;
  readonly view: View;
}

/** Where the person was. */
export interface View {
  readonly tab: Tab;
  readonly run: number | null;
  readonly order: Order | null;
}

export function makeProject(name: string): Project {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => (byte % 36).toString(36));
  return {
    id: letters.join(""),
    name,
    changed: Date.now(),
    history: beginHistory(`opening ${name}`, { origin: 0, choice: null, runs: [] }),
    next: 1,
    view: { tab: "data", run: null, order: null },
  };
}

/** The parts that some step of the history needs. */
export function listParts({ history }: Project): Set<number> {
  return new Set(history.steps.flatMap(({ state }) => [state.origin, ...state.runs.map(({ id }) => id)]));
}
