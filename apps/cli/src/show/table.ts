import type { Style } from "../command.js";
import { widthOf } from "./text.js";

export interface Column {
  readonly title: string;
  /** Align right, as for numbers. */
  readonly right?: boolean;
}

/** Formats aligned columns with titles, two spaces apart. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], style: Style): string {
  const widths = columns.map(({ title }, c) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[c]))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => {
        const gap = " ".repeat(widths[c] - widthOf(cell));
        return columns[c].right ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd();
  const titles = line(columns.map(({ title }) => title));
  return [style.dim(titles), ...rows.map(line)].join("\n");
}
