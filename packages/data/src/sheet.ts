/** A cell of a spreadsheet, as its format shows it; null where it is empty or an error. */
export type SheetCell = string | number | boolean | Date | null;

/** The table on a sheet, as CSV in UTF-8, so that it is opened like any other. */
export interface SheetTable {
  readonly csv: Uint8Array<ArrayBuffer>;
  /** What was done to find the table. */
  readonly notes: readonly string[];
  /** The row of the sheet, from 1, that each line of the CSV is. */
  readonly rows: Uint32Array;
}

type Rows = readonly (readonly SheetCell[])[];

/** Rows looked at to tell names from values. */
const SAMPLE = 200;
/** Rows that names may take beyond the first. */
const MOST_UNITS = 2;

/**
 * Finds the table on a sheet: empty rows and columns are omitted, and so are titles above it. Names that take several
 * rows are joined. Null where the sheet is empty.
 */
export function findTable(rows: Rows): SheetTable | null {
  const filled = [...rows.keys()].filter((r) => rows[r].some((cell) => !isBlank(cell)));
  if (filled.length === 0) return null;
  const top = findTop(filled.map((r) => rows[r]));
  // Titles may stand beside the table's columns.
  const columns = findColumns(filled.slice(top).map((r) => rows[r]));
  const cells = filled.map((r) => columns.map((c) => rows[r][c] ?? null));
  const names = readNames(cells, top);
  const body = cells.slice(names.end);
  const lines = names.cells ? [names.cells, ...body] : body;
  const lineRows = [...(names.cells ? [filled[top]] : []), ...filled.slice(names.end)];
  const notes: string[] = [];
  if (names.start > 0) notes.push(`skipped ${names.start} row${names.start === 1 ? "" : "s"} above the table`);
  const joined = names.end - names.start;
  if (joined > 1) notes.push(`joined ${joined} rows of column names`);
  return {
    csv: new TextEncoder().encode(`${lines.map((line) => line.map(writeCell).join(",")).join("\n")}\n`),
    notes,
    rows: Uint32Array.from(lineRows, (r) => r + 1),
  };
}

function isBlank(cell: SheetCell | undefined): boolean {
  return cell === null || cell === undefined || cell === "";
}

function findColumns(rows: Rows): number[] {
  const used = new Set<number>();
  for (const row of rows) for (const [c, cell] of row.entries()) if (!isBlank(cell)) used.add(c);
  return [...used].sort((a, b) => a - b);
}

/** The first row with more than half as many cells as the fullest: titles have fewer. */
function findTop(rows: Rows): number {
  const counts = rows.slice(0, SAMPLE).map(countCells);
  const most = Math.max(...counts);
  return counts.findIndex((count) => 2 * count > most);
}

function countCells(row: readonly SheetCell[]): number {
  return row.filter((cell) => !isBlank(cell)).length;
}

/**
 * The names of the columns, from the row above that groups them where they are not unique, and from rows of units below.
 *
 * @returns the rows they take, and no cells where the table has no names of its own
 */
function readNames(cells: Rows, top: number): { start: number; end: number; cells: SheetCell[] | null } {
  if (!isText(cells[top])) return { start: top, end: top, cells: null };
  const end = top + 1 + countUnits(cells, top + 1);
  const twice = new Set(cells[top].filter((cell) => !isBlank(cell))).size < countCells(cells[top]);
  const above = cells[top - 1];
  const start = twice && above && isText(above) && countCells(above) > 1 ? top - 1 : top;
  const names = cells[top].map((_, c) => {
    const group = start < top ? above.slice(0, c + 1).findLast((cell) => !isBlank(cell)) : null;
    const parts = [group, ...cells.slice(top, end).map((row) => row[c])].filter((cell) => !isBlank(cell));
    return parts.length === 0 ? null : parts.join(" ");
  });
  return { start, end, cells: names };
}

function isText(row: readonly SheetCell[]): boolean {
  return row.every((cell) => isBlank(cell) || typeof cell === "string");
}

/** Rows of text above columns of numbers, as units are. */
function countUnits(cells: Rows, from: number): number {
  const numeric = findNumeric(cells.slice(from, from + SAMPLE));
  const isUnits = (row: readonly SheetCell[] | undefined) =>
    row !== undefined && isText(row) && 2 * numeric.filter((c) => !isBlank(row[c])).length > numeric.length;
  let count = 0;
  while (numeric.length > 0 && count < MOST_UNITS && isUnits(cells[from + count])) count++;
  return count;
}

/** Columns that mostly hold numbers. */
function findNumeric(rows: Rows): number[] {
  if (rows.length === 0) return [];
  return [...rows[0].keys()].filter((c) => {
    const there = rows.map((row) => row[c]).filter((cell) => !isBlank(cell));
    return 2 * there.filter((cell) => typeof cell === "number").length > there.length;
  });
}

function writeCell(cell: SheetCell): string {
  if (isBlank(cell)) return "";
  if (cell instanceof Date) return writeDate(cell);
  // Lines of the CSV are rows of the sheet.
  const text = joinLines(String(cell));
  return typeof cell === "string" && /[",\t;|]|^[#\s]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Not by a regular expression: blanks before a line break that does not come take quadratic time. */
function joinLines(text: string): string {
  const [first, ...rest] = text.split(/[\r\n]/);
  if (rest.length === 0) return text;
  const last = rest.pop() ?? "";
  const middle = rest.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...middle, last.trimStart()].join(" ");
}

/** Spreadsheets know no time zones; a time of day is one of the day before the year 1900. */
function writeDate(date: Date): string {
  const [day, time] = date.toISOString().slice(0, 19).split("T");
  if (date.getUTCFullYear() < 1900) return time;
  return time === "00:00:00" ? day : `${day} ${time}`;
}
