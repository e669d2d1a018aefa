import { DataError, quote } from "../errors.js";

/** The index of a column; if there is none of that name, the error lists the most similar names. */
export function findColumn(wanted: string, columns: readonly string[], option: string, file: string): number {
  const index = columns.indexOf(wanted);
  if (index >= 0) return index;
  const near = columns
    .map((column) => ({ column, distance: editDistance(wanted.toLowerCase(), column.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ column }) => quote(column));
  throw new DataError(
    "column",
    `${file}: there is no column ${quote(wanted)} to use as ${option}. The most similar of its ${columns.length} columns: ` +
      near.join(", "),
    { value: wanted },
  );
}

/** The two indices of the first name that occurs twice. */
export function findTwins(names: readonly string[]): [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const earlier = seen.get(name);
    if (earlier !== undefined) return [earlier, index];
    seen.set(name, index);
  }
  return undefined;
}

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const current = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = previous[j] + (a[i] === b[j] ? 0 : 1);
      current.push(Math.min(replaced, previous[j + 1] + 1, current[j] + 1));
    }
    previous = current;
  }
  return previous[b.length];
}
