import { type Groups, separate } from "./merge.js";

/** Names and merges that a person gave a run's clusters. */
export interface ClusterEdits {
  readonly groups: Groups;
  /** One a group; "" where it has none of its own. */
  readonly names: readonly string[];
}

export function noEdits(k: number): ClusterEdits {
  return { groups: separate(k), names: new Array<string>(k).fill("") };
}

const key = (id: number) => `bonmf-studio:run:${id}`;

/** At once, so that a reload right after a click loses nothing. */
export function saveEdits(id: number, edits: ClusterEdits | null): void {
  if (edits) localStorage.setItem(key(id), JSON.stringify({ groups: edits.groups, names: edits.names }));
  else localStorage.removeItem(key(id));
}

/** What was kept, where it fits the run. */
export function loadEdits(id: number, k: number): ClusterEdits {
  try {
    const { groups, names } = JSON.parse(localStorage.getItem(key(id)) ?? "null") as ClusterEdits;
    if (groups.length === k && names.length === Math.max(...groups) + 1) return { groups, names };
  } catch {
    // None, or damaged: no edits.
  }
  return noEdits(k);
}
