import { FormatError } from "bonmf";
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
const LF = 10;

interface Row {
  /** The line it begins on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The first rows of a file, or of its beginning: up to where a quote is not closed, which reading it all will tell. */
export function splitRows(bytes: Uint8Array, options: CellsOptions, most: number): Row[] {
  const cursor = new Cells(bytes, "", options);
  const rows: Row[] = [];
  try {
    while (rows.length < most && cursor.nextRow()) {
      const { line } = cursor;
      const cells: string[] = [];
      do {
        cursor.step();
        cells.push(cursor.text(true));
      } while (!cursor.last);
      rows.push({ line, cells });
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  return rows;
}

/** Finds out how a text is written: the way in which most lines have the same number of cells. */
export function detectDialect(bytes: Uint8Array): Dialect {
  const head = cutHead(bytes, SAMPLE);
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
export function cutHead(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length <= size) return bytes;
  return bytes.subarray(0, bytes.lastIndexOf(LF, size) + 1 || size);
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
  const lines = splitRows(head, dialect, ROWS).map(({ line, cells }) => ({ line, width: cells.length }));
  const width = lines.at(-1)?.width ?? 0;
  if (width < 2) return undefined;
  const first = lines.findLastIndex((row) => row.width !== width) + 1;
  // A title is short; a table that changes its width later is ragged, which reading will say.
  if (first > Math.min(10, lines.length / 2) || lines.slice(0, first).some((row) => row.width >= width))
    return undefined;
  const above = dialect.comment !== "" || first > 0 ? lines[first].line - 1 : 0;
  return { ...dialect, skip: above, width };
}

/** Whether some column holds numbers only if a comma is its decimal mark. */
function hasDecimalCommas(head: Uint8Array, dialect: Dialect): boolean {
  const [, ...rows] = splitRows(head, dialect, ROWS);
  const cells = rows.flatMap((row) => row.cells).map((cell) => cell.trim());
  return (
    cells.some((cell) => /^[+-]?\d*,\d+(e[+-]?\d+)?$/i.test(cell)) &&
    !cells.some((cell) => /^[+-]?\d*\.\d+$/.test(cell))
  );
}
