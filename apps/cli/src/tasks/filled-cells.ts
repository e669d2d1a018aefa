import type { Dense } from "bonmf";
import { UserError } from "../errors.js";
import type { Data } from "../read/data.js";
import { formatFloat } from "../write/number.js";

/**
 * The text of a CSV or TSV file with the cells of missing values replaced. Every other byte stays as it is.
 *
 * @param data what was read from it: X has NaN where a value is missing
 * @param filled the same samples, whole
 * @returns the text, and how many cells were filled
 */
export function fillCells(
  text: string,
  name: string,
  data: Data,
  filled: Dense,
): { readonly text: string; readonly cells: number } {
  const { X, features, recipe } = data;
  const cells = splitCells(text);
  const [header, ...rows] = cells.rows;
  const names = header.map(({ from, to }) => unquote(text.slice(from, to)));
  if (rows.length !== X.samples || features === null) {
    throw new UserError(
      `${name}: ${rows.length} rows below the header, but ${X.samples} samples were read`,
      "impute needs a table with one header line and a line for each sample",
    );
  }
  const columns = targetsOf(features, recipe.categories ?? {}, names, name);
  // A column whose numbers happen to be whole is written like the others of its file.
  const comma = columns.some(({ column, at, values }) => {
    const i = values === null ? rows.findIndex((_, i) => X.at(i, at) % 1 !== 0 && !Number.isNaN(X.at(i, at))) : -1;
    const cell = i < 0 ? undefined : rows[i][column];
    return cell !== undefined && isCommaDecimal(text.slice(cell.from, cell.to));
  });
  const parts: string[] = [];
  let end = 0;
  rows.forEach((row, i) => {
    for (const { column, at, values } of columns) {
      if (!Number.isNaN(X.at(i, at)) || Number.isNaN(filled.at(i, at))) continue;
      const cell = row[column];
      if (cell === undefined)
        throw new UserError(`${name}: sample ${i + 1} has fewer cells than the header`, "add them");
      const found = values === null ? formatNumber(filled.at(i, at), comma) : likeliest(filled, i, at, values);
      parts.push(text.slice(end, cell.from), quote(found, cells.delimiter));
      end = cell.to;
    }
  });
  return { text: parts.join("") + text.slice(end), cells: parts.length / 2 };
}

export interface Target {
  /** The place of the column in the file. */
  readonly column: number;
  /** Its first feature. */
  readonly at: number;
  /** The values of a category, each a feature; null: a number. */
  readonly values: readonly string[] | null;
}

/** The columns that are features, in the order of the file. */
export function targetsOf(
  features: readonly string[],
  categories: Readonly<Record<string, readonly string[]>>,
  names: readonly string[],
  file: string,
): Target[] {
  const places = new Map(names.map((name, column) => [name, column]));
  const targets: Target[] = [];
  const find = (name: string): number => {
    const column = places.get(name);
    if (column !== undefined) return column;
    throw new UserError(
      `${file}: the header has no column ${JSON.stringify(name)}`,
      "give every column a name of its own",
    );
  };
  const spread = new Map<string, { readonly name: string; readonly values: readonly string[] }>();
  for (const [name, values] of Object.entries(categories)) spread.set(`${name}=${values[0]}`, { name, values });
  for (let at = 0; at < features.length; ) {
    const category = spread.get(features[at]);
    const values = category?.values ?? null;
    targets.push({ column: find(category?.name ?? features[at]), at, values });
    at += values?.length ?? 1;
  }
  return targets.sort((a, b) => a.column - b.column);
}

/** Whether the last mark of a number is a comma. */
function isCommaDecimal(cell: string): boolean {
  return cell.lastIndexOf(",") > cell.lastIndexOf(".");
}

function formatNumber(value: number, comma: boolean): string {
  const text = formatFloat(value);
  return comma ? text.replace(".", ",") : text;
}

/** The value of a category whose feature is largest. */
export function likeliest(filled: Dense, i: number, at: number, values: readonly string[]): string {
  let best = 0;
  for (let v = 1; v < values.length; v++) if (filled.at(i, at + v) > filled.at(i, at + best)) best = v;
  return values[best];
}

/** Where a cell is in the text, its quotes included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The cells of every line that is not empty. */
function splitCells(text: string): { readonly delimiter: string; readonly rows: Span[][] } {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const first = text.slice(start, text.search(/[\r\n]/) < 0 ? undefined : text.search(/[\r\n]/));
  const delimiter = [",", "\t", ";", "|"].reduce((best, each) =>
    first.split(each).length > first.split(best).length ? each : best,
  );
  const rows: Span[][] = [];
  let row: Span[] = [];
  let from = start;
  for (let at = start; at <= text.length; at++) {
    const mark = text[at];
    if (mark === '"' && at === from) {
      // To the closing quote: "" is one of the text.
      for (at++; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at++) if (text[at] === '"') at++;
      continue;
    }
    if (at < text.length && mark !== delimiter && mark !== "\n") continue;
    const ends = mark !== delimiter;
    const to = ends && text[at - 1] === "\r" ? at - 1 : at;
    row.push({ from, to });
    from = at + 1;
    if (!ends) continue;
    if (row.length > 1 || to > row[0].from) rows.push(row);
    row = [];
  }
  return { delimiter, rows };
}

function unquote(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

function quote(value: string, delimiter: string): string {
  return value.includes(delimiter) || /["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
