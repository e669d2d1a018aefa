import { DataError, OptionError, type Place, quote } from "../errors.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { allocate, Dense } from "../matrix/dense.js";
import { Cells } from "./cells.js";
import { allowBytes, requireMemory } from "./memory-budget.js";
import { findColumn, findTwins } from "./names.js";
import { formatNumber } from "./number.js";
import { COMMA, CR, type FileContent, LF, TAB, toBytes } from "./scan.js";
import { checkTable, READ_OPTIONS, type ReadOptions, type Table } from "./table.js";

/** The character between two cells. */
export type Delimiter = "," | "\t" | ";";

/** Without a header the columns are called "1", "2", … */
export interface CsvOptions extends ReadOptions {
  /** The column that holds the class labels. */
  label?: string | undefined;
  /** The column that holds the sample ids. */
  id?: string | undefined;
  /** Columns to leave out. */
  skip?: readonly string[] | undefined;
  /** By default the one that the first line holds most of. */
  delimiter?: Delimiter | "auto" | undefined;
  /** Whether the first row holds names; by default, whether one of its cells is text and not a number. */
  header?: boolean | undefined;
}

const CSV_OPTIONS: KnownOptions<CsvOptions> = {
  ...READ_OPTIONS,
  label: true,
  id: true,
  skip: true,
  delimiter: true,
  header: true,
};

const DELIMITERS: readonly string[] = [",", "\t", ";"];
const QUOTE = 34;
const SEMICOLON = 59;

/**
 * Reads comma-, tab- or semicolon-separated text (RFC 4180). Every column but `label`, `id` and `skip` must hold
 * numbers.
 *
 * @param source the content of the file
 * @returns X, dense n × m, the labels and ids asked for, and the feature names if there is a header
 * @throws DataError for a missing or non-numeric cell, ragged rows, no samples or an unknown column, FormatError for
 * broken quotes or two columns of one name, OptionError for another delimiter
 *
 * @example
 * ```ts
 * import { readCsv } from "bonmf";
 * const { X, labels, featureNames } = readCsv("width,height,kind\n5,1,flat\n2,8,tall\n", { label: "kind" });
 * X.row(1); // → [2, 8]
 * labels; // → ["flat", "tall"]
 * featureNames; // → ["width", "height"]
 * ```
 */
export function readCsv(source: FileContent, options: CsvOptions = {}): Table {
  checkKnown(options, CSV_OPTIONS, "readCsv");
  const { name = "input", precision = "f32", label, id, skip = [] } = options;
  const bytes = toBytes(source, name);
  const { delimiter = "auto" } = options;
  const cells = new Cells(bytes, name, {
    delimiter: delimiter === "auto" ? guessDelimiter(bytes) : checkDelimiter(delimiter),
  });
  const { names, header } = readHeader(cells, options.header);
  const find = (wanted: string | undefined, option: string) =>
    wanted === undefined ? -1 : findColumn(wanted, names, option, name);
  const labelAt = find(label, "label");
  const idAt = find(id, "id");
  const other = new Set([labelAt, idAt, ...skip.map((column) => find(column, "skip"))]);
  const isFeature = names.map((_, column) => !other.has(column));
  const featureNames = names.filter((_, column) => isFeature[column]);
  if (featureNames.length === 0) throw new DataError("empty", `${name}: no column is left to be a feature`);

  const labels: string[] = [];
  const ids: string[] = [];
  const most = cells.countMost();
  requireMemory(8 * most, options.maxBytes ?? allowBytes(bytes.length), `${name} holds up to ${most} values`);
  const data = allocate(precision, most);
  let p = 0;
  let samples = 0;
  for (; cells.nextRow(); samples++) {
    let column = 0;
    do {
      cells.step();
      if (isFeature[column]) {
        const value = cells.number(precision);
        if (Number.isNaN(value)) {
          throw explain(cells, names, column, { sample: samples, feature: p % featureNames.length });
        }
        data[p++] = value;
      } else if (column === labelAt || column === idAt) {
        if (cells.empty) throw explain(cells, names, column, { sample: samples });
        if (column === labelAt) labels.push(cells.text());
        if (column === idAt) ids.push(cells.text());
      }
      column++;
    } while (!cells.last);
    if (column !== names.length) throw ragged(cells, column, names.length, samples);
  }
  if (samples === 0) {
    throw new DataError(
      "empty",
      `${name}: there is a header but no row of data below it: add rows, or pass header: false if line 1 is data`,
    );
  }
  return {
    X: new Dense(samples, featureNames.length, data.slice(0, p)),
    labels: labelAt < 0 ? undefined : labels,
    ids: idAt < 0 ? undefined : ids,
    featureNames: header ? featureNames : undefined,
  };
}

/** Column names, from the first row or made up; in the latter case that row is read again as data. */
function readHeader(cells: Cells, given: boolean | undefined): { names: string[]; header: boolean } {
  if (!cells.nextRow()) {
    throw new DataError("empty", `${cells.name}: the file is empty: a table needs at least one row of numbers`);
  }
  const names: string[] = [];
  let text = false;
  do {
    cells.step();
    names.push(cells.text());
    if (!cells.empty && Number.isNaN(cells.number("f64"))) text = true;
  } while (!cells.last);
  if (!(given ?? text)) {
    cells.rewind();
    return { names: names.map((_, column) => String(column + 1)), header: false };
  }
  const twins = findTwins(names);
  if (twins) {
    throw cells.error(
      `columns ${twins[0] + 1} and ${twins[1] + 1} are both called ${quote(names[twins[0]])}: rename one, ` +
        "or pass header: false if this line is data",
    );
  }
  return { names, header: true };
}

/** Why the current cell cannot be used. A row of the wrong length is the likelier cause, so that is told first. */
function explain(cells: Cells, names: string[], column: number, place: Place): DataError {
  const where = `${cells.where()}, column ${quote(names[column])}`;
  const value = cells.text();
  const { empty } = cells;
  let length = column + 1;
  for (; !cells.last; length++) cells.step();
  if (length !== names.length) return ragged(cells, length, names.length, place.sample);
  return new DataError(
    empty ? "missing" : "type",
    empty
      ? `${where}: the cell is empty: fill it in or remove the row`
      : `${where}: ${quote(value)} is not a number: correct it, turn the column into numbers (one-hot), ` +
          "or name it as label, id or in skip",
    { ...place, featureName: names[column], value },
  );
}

function ragged(cells: Cells, length: number, width: number, sample: number | undefined): DataError {
  return new DataError(
    "ragged",
    `${cells.where()}: the row has ${length} cells but the first row has ${width}: ` +
      `add or remove cells, and quote a cell that itself holds ${quote(cells.delimiter)}`,
    { sample, value: length },
  );
}

function checkDelimiter(delimiter: Delimiter): Delimiter {
  if (DELIMITERS.includes(delimiter)) return delimiter;
  throw new OptionError("delimiter", delimiter, `delimiter must be ",", "\\t" or ";", not ${quote(delimiter)}`);
}

function guessDelimiter(bytes: Uint8Array): Delimiter {
  const counts = { [COMMA]: 0, [TAB]: 0, [SEMICOLON]: 0 };
  let quoted = false;
  let p = 0;
  while (bytes[p] === LF || bytes[p] === CR) p++;
  for (; p < bytes.length && (quoted || bytes[p] !== LF); p++) {
    const byte = bytes[p];
    if (byte === QUOTE) quoted = !quoted;
    else if (!quoted && (byte === COMMA || byte === TAB || byte === SEMICOLON)) counts[byte]++;
  }
  if (counts[TAB] > counts[COMMA] && counts[TAB] >= counts[SEMICOLON]) return "\t";
  return counts[SEMICOLON] > counts[COMMA] ? ";" : ",";
}

/** Options of {@link writeCsv}. */
export interface WriteCsvOptions {
  /** Heading of the label column, the last; "class" by default. */
  label?: string | undefined;
  /** Heading of the id column, the first; "id" by default. */
  id?: string | undefined;
  /** Default ",". */
  delimiter?: Delimiter | undefined;
}

/**
 * The table as CSV text with a header; features without a name are called f1, f2, …
 *
 * @param table n × m samples, with n labels, n ids and m feature names where there are any
 * @throws DataError when a list of the table has another length, OptionError when two columns would share a name or for
 * another delimiter
 *
 * @example
 * ```ts
 * import { Dense, writeCsv } from "bonmf";
 * const X = Dense.from([[5, 1], [2, 8]]);
 * writeCsv({ X, labels: ["flat", "tall"] }, { label: "kind" }); // → "f1,f2,kind\n5,1,flat\n2,8,tall\n"
 * ```
 */
export function writeCsv(table: Table, options: WriteCsvOptions = {}): string {
  checkKnown(options, { label: true, id: true, delimiter: true }, "writeCsv");
  checkTable(table);
  const { X, labels, ids } = table;
  const { label = "class", id = "id" } = options;
  const delimiter = checkDelimiter(options.delimiter ?? ",");
  const featureNames = table.featureNames ?? Array.from({ length: X.features }, (_, f) => `f${f + 1}`);
  const header = [...(ids ? [id] : []), ...featureNames, ...(labels ? [label] : [])];
  const twins = findTwins(header);
  if (twins) {
    const name = header[twins[0]];
    throw new OptionError("label", name, `two columns would be called ${quote(name)}: rename a feature, label or id`);
  }
  const special = new RegExp(`^$|^\\s|\\s$|["\\r\\n${delimiter}]`);
  const protect = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [header.map(protect).join(delimiter)];
  for (let i = 0; i < X.samples; i++) {
    const cells: string[] = [];
    if (ids) cells.push(protect(ids[i]));
    for (const value of X.row(i)) cells.push(formatNumber(value, X.precision));
    if (labels) cells.push(protect(labels[i]));
    lines.push(cells.join(delimiter));
  }
  return `${lines.join("\n")}\n`;
}
