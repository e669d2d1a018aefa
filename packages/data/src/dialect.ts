import { Cells, type CellsOptions } from "bonmf/io";

/** How separated text is written. */
export interface Dialect extends CellsOptions {
  readonly delimiter: string;
  readonly quote: string;
  readonly comment: string;
  readonly decimal: "." | ",";
  /** Lines above the table. */
  readonly skip: number;
}

/** The delimiters that are looked for, the likeliest first. */
export const DELIMITERS = [",", "\t", ";", "|"] as const;
/** Bytes and rows that are looked at. */
const SAMPLE = 262_144;
const ROWS = 200;

/** The first rows, each with its cells, as far as they can be told apart. */
export function splitRows(bytes: Uint8Array, options: CellsOptions, most: number): string[][] {
  const cells = new Cells(bytes, "", options);
  const rows: string[][] = [];
  while (rows.length < most && cells.nextRow()) {
    const row: string[] = [];
    do {
      cells.step();
      row.push(cells.text(true));
    } while (!cells.last);
    rows.push(row);
  }
  return rows;
}

/** Finds out how a text is written: the way in which most lines have the same number of cells. */
export function detectDialect(bytes: Uint8Array): Dialect {
  const head = cutHead(bytes);
  const text = new TextDecoder().decode(head);
  const quote = !text.includes('"') && /(^|[,;|\t])'[^'\n]*'\r?($|[,;|\t])/m.test(text) ? "'" : '"';
  const base = { quote, comment: "", decimal: ".", skip: 0 } as const;
  const marks = isSpaced(text) ? [" "] : DELIMITERS;
  let best: (Dialect & { width: number }) | undefined;
  for (const comment of /^#/m.test(text) ? ["", "#"] : [""]) {
    for (const delimiter of marks) {
      const found = measure(head, { ...base, comment, delimiter });
      if (found && (!best || found.skip < best.skip || (found.skip === best.skip && found.width > best.width))) {
        best = found;
      }
    }
  }
  if (!best) return { ...base, delimiter: guessDelimiter(text.split(/\r?\n/, 1)[0]) ?? "," };
  const { width: _, ...dialect } = best;
  return dialect.delimiter === ";" && hasDecimalCommas(head, dialect) ? { ...dialect, decimal: "," } : dialect;
}

/** Up to the last line that is whole. */
function cutHead(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE) return bytes;
  const head = bytes.subarray(0, SAMPLE);
  return head.subarray(0, head.lastIndexOf(10) + 1 || SAMPLE);
}

/** Numbers with one blank between them. */
function isSpaced(text: string): boolean {
  return /^[\d.eE+-]+( [\d.eE+-]+)+\r?(\n|$)/.test(text);
}

/** The delimiter that stands most often in a line; undefined where none does. */
export function guessDelimiter(line: string): string | undefined {
  const plain = line.replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((mark) => [plain.split(mark).length - 1, mark] as const);
  const [count, mark] = counts.reduce((best, next) => (next[0] > best[0] ? next : best));
  if (count > 0) return mark;
  return isSpaced(line.trim()) ? " " : undefined;
}

/** How many columns the table has if it is written so, and how many lines stand above it; undefined where none fit. */
function measure(head: Uint8Array, dialect: Dialect): (Dialect & { width: number }) | undefined {
  let lines: { line: number; width: number }[];
  try {
    lines = listWidths(head, dialect);
  } catch {
    return undefined;
  }
  const width = lines.at(-1)?.width ?? 0;
  if (width < 2) return undefined;
  const first = lines.findLastIndex((row) => row.width !== width) + 1;
  // A title is short; a table that changes its width later is ragged, which reading will say.
  if (first > Math.min(10, lines.length / 2) || lines.slice(0, first).some((row) => row.width >= width))
    return undefined;
  const above = dialect.comment !== "" || first > 0 ? lines[first].line - 1 : 0;
  return { ...dialect, skip: above, width };
}

function listWidths(head: Uint8Array, dialect: Dialect): { line: number; width: number }[] {
  const cells = new Cells(head, "", dialect);
  const lines: { line: number; width: number }[] = [];
  while (lines.length < ROWS && cells.nextRow()) {
    const { line } = cells;
    let width = 0;
    do {
      cells.step();
      width++;
    } while (!cells.last);
    lines.push({ line, width });
  }
  return lines;
}

/** Whether some column holds numbers only if a comma is its decimal mark. */
function hasDecimalCommas(head: Uint8Array, dialect: Dialect): boolean {
  const [, ...rows] = splitRows(head, dialect, ROWS);
  const cells = rows.flat().map((cell) => cell.trim());
  return (
    cells.some((cell) => /^[+-]?\d*,\d+(e[+-]?\d+)?$/i.test(cell)) &&
    !cells.some((cell) => /^[+-]?\d*\.\d+$/.test(cell))
  );
}
