import { type Groups, separate } from "./merge.js";

/** What people made of a run's clusters. */
export interface Marks {
  readonly groups: Groups;
  /** One a group; "" where it has none of its own. */
  readonly names: readonly string[];
}

export function unmarked(k: number): Marks {
  return { groups: separate(k), names: new Array<string>(k).fill("") };
}

const key = (id: number) => `bonmf-studio:run:${id}`;

/** At once, so that a reload right after a click loses nothing. */
export function keepMarks(id: number, marks: Marks | null): void {
  if (marks) localStorage.setItem(key(id), JSON.stringify({ groups: marks.groups, names: marks.names }));
  else localStorage.removeItem(key(id));
}

/** What was kept, where it fits the run. */
export function readMarks(id: number, k: number): Marks {
  try {
    const { groups, names } = JSON.parse(localStorage.getItem(key(id)) ?? "null") as Marks;
    if (groups.length === k && names.length === Math.max(...groups) + 1) return { groups, names };
  } catch {
    // None, or damaged: the run stands for itself.
  }
  return unmarked(k);
}
