import type { Origin } from "./entry.js";

type Rows = Extract<Origin, { form: "rows" }>;

/** Rows of values separated by commas or blanks, or ARFF data; moves the class to the end. */
export function buildRows(parts: readonly string[], { columns, label, drop, header }: Rows): string {
  const lines = [`${columns.join(",")},class\n`];
  for (const part of parts) {
    for (const line of dataLines(part, header === true)) {
      const cells = line.split(/[\s,]+/).map(tidy);
      const at = label < 0 ? cells.length + label : label;
      const features = cells.filter((_, c) => c !== at && c !== drop);
      lines.push(`${features.join(",")},${cells[at]}\n`);
    }
  }
  return lines.join("");
}

function dataLines(text: string, header: boolean): string[] {
  const start = /^@data\b.*$/im.exec(text);
  const body = start ? text.slice(start.index + start[0].length) : text;
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("%")).slice(header ? 1 : 0);
}

/** Removes quotes, and writes 1.0 as 1. */
function tidy(cell: string): string {
  return cell.replace(/^(['"])(.*)\1$/, "$2").replace(/^(-?\d+)\.0+$/, "$1");
}

/** LIBSVM lines with single blanks. */
export function buildLibsvm(parts: readonly string[]): string {
  return parts
    .flatMap((part) => part.split("\n"))
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}
