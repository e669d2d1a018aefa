/** Steps that can be undone and redone. States are immutable and share what did not change. */
export interface History<T> {
  /** The first says how it began; `what` was done to reach the state. */
  readonly steps: readonly { readonly what: string; readonly state: T }[];
  /** The present one. */
  readonly at: number;
}

/** Earlier steps are forgotten. */
const MOST = 100;

export function beginHistory<T>(what: string, state: T): History<T> {
  return { steps: [{ what, state }], at: 0 };
}

export function present<T>({ steps, at }: History<T>): T {
  return steps[at].state;
}

/** What was undone before can no longer be redone. */
export function record<T>({ steps, at }: History<T>, what: string, state: T): History<T> {
  const next = [...steps.slice(0, at + 1), { what, state }].slice(-MOST);
  return { steps: next, at: next.length - 1 };
}

/** What `undo` would take back; null at the beginning. */
export function undoable<T>({ steps, at }: History<T>): string | null {
  return at > 0 ? steps[at].what : null;
}

export function redoable<T>({ steps, at }: History<T>): string | null {
  return at + 1 < steps.length ? steps[at + 1].what : null;
}

/** @param by −1 undoes, 1 redoes; at an end nothing changes */
export function step<T>(history: History<T>, by: -1 | 1): History<T> {
  return { ...history, at: Math.max(0, Math.min(history.steps.length - 1, history.at + by)) };
}
