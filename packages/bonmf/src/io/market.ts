import { quote } from "../errors.js";
import { checkKnown } from "../known-options.js";
import { Dense, type Precision } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { allowBytes, requireMemory } from "./memory-budget.js";
import { formatNumber } from "./number.js";
import { count, type FileContent, LF, Lines, PERCENT } from "./scan.js";
import { SparseBuilder } from "./sparse-builder.js";
import { checkSamples, READ_OPTIONS, type ReadOptions, type Table } from "./table.js";

const BANNER = /^%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(real|integer|pattern)\s+(general|symmetric)$/i;
// What sparse matrices can hold.
const MOST_ROWS = 2 ** 32 - 2;
const MOST_COLUMNS = 2 ** 32 - 1;
/** Bytes that a row takes while entries are sorted, whatever it holds, and an entry, twice if symmetric. */
const ROW_BYTES = 20;
const ENTRY_BYTES = 64;

/**
 * Reads a Matrix Market file; rows are samples. Coordinate files become sparse (duplicate entries are summed), array files
 * dense.
 *
 * @param source the content of the file
 * @returns X, n × m
 * @throws FormatError for an unknown banner or a malformed line, DataError when there are no samples,
 * MemoryError for a size line beyond `maxBytes`
 *
 * @example
 * ```ts
 * import { readMatrixMarket } from "bonmf";
 * const { X } = readMatrixMarket("%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 5\n2 3 4\n");
 * X.kind; // → "sparse"
 * X.row(1); // → [0, 0, 4]
 * ```
 */
export function readMatrixMarket(source: FileContent, options: ReadOptions = {}): Table {
  checkKnown(options, READ_OPTIONS, "readMatrixMarket");
  const { name = "input", precision = "f32" } = options;
  const lines = new Lines(source, name);
  const banner = lines.next() ? BANNER.exec(lines.text()) : null;
  if (!banner) {
    throw lines.error(
      'the file must begin with "%%MatrixMarket matrix", then coordinate or array, real, integer or pattern, ' +
        "general or symmetric",
    );
  }
  const [layout, field, symmetry] = banner.slice(1).map((word) => word.toLowerCase());
  const symmetric = symmetry === "symmetric";
  const pattern = field === "pattern";
  if (layout === "array" && pattern) throw lines.error("an array of pattern has no values: use coordinate pattern");
  const [samples, features, entries] = readSize(lines, layout === "array" ? 2 : 3);
  if (symmetric && samples !== features)
    throw lines.error(`a symmetric matrix is square, not ${samples} × ${features}`);
  checkSamples(samples, name);
  const promised = entries ?? (symmetric ? (samples * (samples + 1)) / 2 : samples * features);
  if (promised > count(lines.bytes, LF)) throw short(lines, promised);
  const bytes = layout === "array" ? 8 * samples * features : ROW_BYTES * samples + ENTRY_BYTES * entries;
  const most = options.maxBytes ?? allowBytes(lines.bytes.length);
  requireMemory(bytes, most, `${name} claims ${samples} × ${features} values`);
  if (layout === "array") return { X: readArray(lines, samples, features, promised, precision) };
  const triplets = readEntries(lines, { samples, features, entries, symmetric, pattern }, precision);
  return { X: toRows(triplets, samples, precision).toSparse(features) };
}

/** Advances to the next line that is not a comment. */
function nextEntry(lines: Lines): boolean {
  while (lines.next()) if (lines.bytes[lines.from] !== PERCENT) return true;
  return false;
}

function readSize(lines: Lines, length: 2 | 3): number[] {
  const sizes: number[] = [];
  // Adding 0 turns -0 into 0.
  if (nextEntry(lines)) while (lines.word()) sizes.push(lines.number() + 0);
  const whole = sizes.every((size) => Number.isSafeInteger(size) && size >= 0);
  if (!whole || sizes.length !== length || sizes[0] > MOST_ROWS || sizes[1] > MOST_COLUMNS) {
    throw lines.error(
      `the size line must hold ${length === 3 ? "rows, columns and entries" : "rows and columns"}: whole numbers, ` +
        `at most ${MOST_ROWS} rows and ${MOST_COLUMNS} columns, not ${quote(lines.text())}`,
    );
  }
  return sizes;
}

/** Reads values column by column; those of a symmetric matrix from the diagonal down. */
function readArray(lines: Lines, samples: number, features: number, promised: number, precision: Precision): Dense {
  const symmetric = promised < samples * features;
  const X = Dense.zeros(samples, features, precision);
  for (let f = 0; f < features; f++) {
    for (let i = symmetric ? f : 0; i < samples; i++) {
      if (!nextEntry(lines)) throw short(lines, promised);
      const value = lines.word() ? lines.number(precision) : Number.NaN;
      if (Number.isNaN(value) || lines.word()) throw lines.error(`${quote(lines.text())} is not one number`);
      X.data[i * features + f] = value;
      if (symmetric) X.data[f * features + i] = value;
    }
  }
  if (nextEntry(lines)) throw lines.error(`there are more values than the ${promised} of the size line`);
  return X;
}

/** Entries in the order of the file: values[e] is at (rows[e], columns[e]), counted from 0. */
interface Triplets {
  rows: Uint32Array;
  columns: Uint32Array;
  values: Float64Array;
}

interface Coordinate {
  samples: number;
  features: number;
  entries: number;
  symmetric: boolean;
  pattern: boolean;
}

function readEntries(lines: Lines, shape: Coordinate, precision: Precision): Triplets {
  const { samples, features, entries, symmetric, pattern } = shape;
  const most = symmetric ? 2 * entries : entries;
  const rows = new Uint32Array(most);
  const columns = new Uint32Array(most);
  const values = new Float64Array(most);
  let length = 0;
  const push = (row: number, column: number, value: number) => {
    rows[length] = row;
    columns[length] = column;
    values[length++] = value;
  };
  for (let e = 0; e < entries; e++) {
    if (!nextEntry(lines)) throw short(lines, entries);
    const i = lines.word() ? lines.number() : 0;
    const f = lines.word() ? lines.number() : 0;
    const value = pattern ? 1 : lines.word() ? lines.number(precision) : Number.NaN;
    if (Number.isNaN(value) || !Number.isInteger(i) || !Number.isInteger(f) || lines.word()) {
      throw lines.error(`${quote(lines.text())} is not ${pattern ? "row column" : "row column value"}`);
    }
    if (i < 1 || i > samples || f < 1 || f > features) {
      throw lines.error(`entry (${i}, ${f}) is outside the ${samples} × ${features} matrix: indices count from 1`);
    }
    if (symmetric && f > i) {
      throw lines.error(`entry (${i}, ${f}) of a symmetric matrix is above the diagonal: give only (${f}, ${i})`);
    }
    push(i - 1, f - 1, value);
    if (symmetric && f < i) push(f - 1, i - 1, value);
  }
  if (nextEntry(lines)) throw lines.error(`there are more entries than the ${entries} of the size line`);
  return { rows: rows.subarray(0, length), columns, values };
}

function short(lines: Lines, promised: number): Error {
  return lines.error(`the file ends before the ${promised} entries of the size line: it is cut short`);
}

/** Sorts entries by row, then column, and sums those at the same place in the order of the file. */
function toRows({ rows, columns, values }: Triplets, samples: number, precision: Precision): SparseBuilder {
  const starts = new Uint32Array(samples + 1);
  for (const row of rows) starts[row + 1]++;
  for (let i = 0; i < samples; i++) starts[i + 1] += starts[i];
  const order = new Uint32Array(rows.length);
  const filled = starts.slice();
  for (let e = 0; e < rows.length; e++) order[filled[rows[e]]++] = e;

  const out = new SparseBuilder(samples, rows.length, precision);
  for (let i = 0; i < samples; i++) {
    const row = order.subarray(starts[i], starts[i + 1]).sort((a, b) => columns[a] - columns[b] || a - b);
    for (let p = 0; p < row.length; ) {
      const column = columns[row[p]];
      let sum = 0;
      for (; p < row.length && columns[row[p]] === column; p++) sum += values[row[p]];
      out.push(column, sum);
    }
    out.endSample();
  }
  return out;
}

/**
 * Writes Matrix Market text: a sparse matrix as coordinates, a dense one as an array, both real and general.
 *
 * @param X n × m
 * @returns the content of the file
 *
 * @example
 * ```ts
 * import { Sparse, writeMatrixMarket } from "bonmf";
 * const text = writeMatrixMarket(Sparse.from([[[0, 5]], [[2, 4]]], 3));
 * text.split("\n", 3); // → ["%%MatrixMarket matrix coordinate real general", "2 3 2", "1 1 5"]
 * ```
 */
export function writeMatrixMarket(X: Matrix): string {
  const { samples, features, precision } = X;
  const lines: string[] = [];
  if (X.kind === "sparse") {
    lines.push("%%MatrixMarket matrix coordinate real general", `${samples} ${features} ${X.values.length}`);
    for (let i = 0; i < samples; i++) {
      X.each(i, (f, value) => lines.push(`${i + 1} ${f + 1} ${formatNumber(value, precision)}`));
    }
  } else {
    lines.push("%%MatrixMarket matrix array real general", `${samples} ${features}`);
    for (let f = 0; f < features; f++) {
      for (let i = 0; i < samples; i++) lines.push(formatNumber(X.at(i, f), precision));
    }
  }
  return `${lines.join("\n")}\n`;
}
