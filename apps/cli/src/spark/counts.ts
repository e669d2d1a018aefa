import type { Terminal } from "../command.js";
import { count, percent, table } from "../show/text.js";

/** One line for each cluster: size and share. */
export function tabulateCounts(counts: ArrayLike<number>, { style }: Terminal): string {
  const sizes = Array.from(counts);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const columns = ["cluster", "size", "share"].map((title) => ({ title, right: true }));
  return table(
    columns,
    sizes.map((size, j) => [String(j), count(size), percent(size / total)]),
    style,
  );
}
