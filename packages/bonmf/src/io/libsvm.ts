import { DataError, quote } from "../errors.js";
import { checkKnown } from "../known-options.js";
import { checkSize, type Precision } from "../matrix/dense.js";
import { allowBytes, requireMemory } from "./memory-budget.js";
import { formatNumber, parseNumber } from "./number.js";
import { count, type FileContent, LF, Lines } from "./scan.js";
import { SparseBuilder } from "./sparse-builder.js";
import { checkSamples, checkTable, READ_OPTIONS, type ReadOptions, type Table } from "./table.js";

/** Options of {@link readLibsvm}. */
export interface LibsvmOptions extends ReadOptions {
  /** The number of features. Default: the largest index in the file. */
  features?: number | undefined;
  /** Whether indices count from 0. Default false: they count from 1. */
  zeroBased?: boolean | undefined;
}

const HASH = 35;
const COLON = 58;
const LARGEST = 2 ** 32 - 2;

/**
 * Reads LIBSVM or SVMlight text: one line `label index:value …` per sample, indices rising. Absent values are 0; comments
 * after `#` and `qid:` are skipped.
 *
 * @param source the content of the file
 * @returns X, sparse n × m, and n labels
 * @throws FormatError at a malformed line, DataError when there are no samples, OptionError for bad `features`
 *
 * @example
 * ```ts
 * import { readLibsvm } from "bonmf";
 * const { X, labels } = readLibsvm("spam 1:2 4:1\nham 3:5\n");
 * X.row(0); // → [2, 0, 0, 1]
 * labels; // → ["spam", "ham"]
 * ```
 */
export function readLibsvm(source: FileContent, options: LibsvmOptions = {}): Table {
  checkKnown(options, { ...READ_OPTIONS, features: true, zeroBased: true }, "readLibsvm");
  const { name = "input", precision = "f32", features, zeroBased = false } = options;
  if (features !== undefined) checkSize("features", features);
  const lines = new Lines(source, name);
  const base = zeroBased ? 0 : 1;
  const pairs = count(lines.bytes, COLON);
  requireMemory(24 * pairs, options.maxBytes ?? allowBytes(lines.bytes.length), `${name} holds up to ${pairs} values`);
  const rows = new SparseBuilder(count(lines.bytes, LF) + 1, pairs, precision);
  const labels: string[] = [];
  let width = 0;
  while (lines.next()) {
    lines.cut(HASH);
    if (!lines.word()) continue;
    if (findColon(lines) < lines.stop) {
      throw lines.error(
        `${quote(lines.token())} is in the place of the label: begin each line with one (0, if there are none)`,
      );
    }
    labels.push(lines.token());
    let last = -1;
    while (lines.word()) {
      const index = readPair(lines, rows, base, precision);
      if (index === undefined) continue;
      if (index <= last) {
        throw lines.error(`${quote(lines.token())} follows index ${last + base}: indices must rise within a line`);
      }
      if (features !== undefined && index >= features) {
        throw lines.error(`${quote(lines.token())} is beyond the ${features} features asked for: raise features`);
      }
      last = index;
    }
    width = Math.max(width, last + 1);
    rows.endSample();
  }
  checkSamples(rows.samples, name);
  return { X: rows.toSparse(features ?? width), labels };
}

/** Reads the current `index:value` into `rows`. Returns the feature, from 0; undefined for `qid:`. */
function readPair(lines: Lines, rows: SparseBuilder, base: number, precision: Precision): number | undefined {
  const { bytes, start, stop } = lines;
  const colon = findColon(lines);
  const index = parseNumber(bytes, start, colon) - base;
  const value = parseNumber(bytes, colon + 1, stop, precision);
  if (index >= 0 && index <= LARGEST && Number.isInteger(index) && !Number.isNaN(value)) {
    rows.push(index, value);
    return index;
  }
  const token = lines.token();
  if (token.startsWith("qid:")) return undefined;
  if (index === -1 && base === 1) {
    throw lines.error(
      `${quote(token)} has index 0, but indices count from 1: pass zeroBased: true if they count from 0`,
    );
  }
  throw lines.error(`${quote(token)} is not index:value: a whole number, a colon and a number`);
}

function findColon({ bytes, start, stop }: Lines): number {
  let p = start;
  while (p < stop && bytes[p] !== COLON) p++;
  return p;
}

/**
 * Writes LIBSVM text, indices from 1. Without labels every line begins with 0.
 *
 * @param table n × m samples, and n labels if there are any; feature names and ids are not written
 * @returns the content of the file
 * @throws DataError when a list of the table has the wrong length, or a label is empty or contains a space, ":" or "#"
 *
 * @example
 * ```ts
 * import { Dense, writeLibsvm } from "bonmf";
 * const X = Dense.from([[2, 0, 0, 1], [0, 0, 5, 0]]);
 * writeLibsvm({ X, labels: ["spam", "ham"] }); // → "spam 1:2 4:1\nham 3:5\n"
 * ```
 */
export function writeLibsvm(table: Table): string {
  checkTable(table);
  const { X, labels } = table;
  const lines: string[] = [];
  for (let i = 0; i < X.samples; i++) {
    const label = labels?.[i] ?? "0";
    if (!/^[^\s:#\p{Cc}]+$/u.test(label)) {
      throw new DataError(
        "label",
        `label ${quote(label)} of sample ${i} cannot be written: ` +
          'a LIBSVM label must not be empty nor contain a space, ":" or "#"',
        { sample: i, value: label },
      );
    }
    const words = [label];
    X.each(i, (f, value) => {
      if (value !== 0) words.push(`${f + 1}:${formatNumber(value, X.precision)}`);
    });
    lines.push(`${words.join(" ")}\n`);
  }
  return lines.join("");
}
