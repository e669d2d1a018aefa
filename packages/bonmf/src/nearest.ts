/** The names that `name` was probably meant to be, nearest first, at most three. */
export function findNearest(name: string, names: readonly string[]): string[] {
  const typed = name.toLowerCase();
  const limit = Math.max(1, Math.floor(typed.length / 3));
  return names
    .map((candidate) => ({ candidate, steps: rate(typed, candidate.toLowerCase()) }))
    .filter(({ steps }) => steps <= limit && steps < typed.length)
    .sort((a, b) => a.steps - b.steps)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** "did you mean --label or --labels?"; undefined where nothing is near. */
export function askNearest(name: string, names: readonly string[]): string | undefined {
  const near = findNearest(name, names);
  return near.length === 0 ? undefined : `did you mean ${near.join(" or ")}?`;
}

/** A beginning counts as one step: people stop typing early. */
function rate(typed: string, name: string): number {
  return typed.length >= 2 && name.startsWith(typed) ? 1 : countSteps(typed, name);
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function countSteps(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], older[j - 2] + 1);
    }
    older = last;
    last = row;
  }
  return last[b.length];
}
