import { DataError, type Place, quote } from "../errors.js";
import { checkKnown } from "../known-options.js";
import { allocate, Dense, type Precision } from "../matrix/dense.js";
import { dropEscapes, readArffWord, skipBlanks } from "./arff-word.js";
import { findColumn, findTwins } from "./names.js";
import { COMMA, count, type FileContent, isBlank, LF, Lines, PERCENT } from "./scan.js";
import { SparseBuilder } from "./sparse-builder.js";
import { checkSamples, READ_OPTIONS, type ReadOptions, type Table } from "./table.js";

/** Options of {@link readArff}. */
export interface ArffOptions extends ReadOptions {
  /** The attribute with the class labels. Default: the last nominal one, if any. */
  label?: string | undefined;
}

interface Attribute {
  name: string;
  /** The declared values of a nominal attribute. */
  values?: ReadonlySet<string>;
}

/** How the attributes are used: `features[a]` is the feature that attribute a becomes, −1 for the class. */
interface Roles {
  attributes: Attribute[];
  features: Int32Array;
  /** The attribute that holds the labels, or −1. */
  labelAt: number;
}

const DOUBLE = 34;
const SINGLE = 39;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/**
 * Reads an ARFF file (Weka). Numeric attributes become features; rows may be dense (`1,2,a`) or sparse (`{0 1, 2 a}`).
 *
 * @param source the content of the file
 * @returns X, dense or sparse n × m, n labels if an attribute holds them, and m feature names
 * @throws FormatError at a malformed line, DataError for a missing or non-numeric value, ragged rows or no samples
 *
 * @example
 * ```ts
 * import { readArff } from "bonmf";
 * const { X, labels, featureNames } = readArff(`@relation boxes
 * @attribute width numeric
 * @attribute kind {flat, tall}
 * @data
 * 5, flat
 * 2, tall`);
 * X.row(1); // → [2]
 * labels; // → ["flat", "tall"]
 * featureNames; // → ["width"]
 * ```
 */
export function readArff(source: FileContent, options: ArffOptions = {}): Table {
  checkKnown(options, { ...READ_OPTIONS, label: true }, "readArff");
  const { name = "input", precision = "f32", label } = options;
  const values = new Values(source, name);
  const roles = assignRoles(readAttributes(values), label, name);
  const featureNames = roles.attributes.filter((_, a) => roles.features[a] >= 0).map((attribute) => attribute.name);
  if (featureNames.length === 0) throw new DataError("empty", `${name}: no numeric attribute is left to be a feature`);
  checkSamples(values.nextRow() ? 1 : 0, name);
  const read = values.sparse ? readSparse : readDense;
  const { X, labels } = read(values, roles, featureNames.length, precision);
  return { X, featureNames, labels: roles.labelAt < 0 ? undefined : labels };
}

function readAttributes(lines: Lines): Attribute[] {
  const attributes: Attribute[] = [];
  while (lines.next()) {
    if (lines.bytes[lines.from] === PERCENT) continue;
    const text = lines.text();
    if (/^@data\b/i.test(text)) {
      const twins = findTwins(attributes.map(({ name }) => name));
      if (twins) {
        throw lines.error(`two attributes above are called ${quote(attributes[twins[0]].name)}: rename one`);
      }
      return attributes;
    }
    if (/^@relation\b/i.test(text)) continue;
    attributes.push(readAttribute(lines, text));
  }
  throw lines.error("the file ends without @data: it is cut short, or not an ARFF file");
}

function readAttribute(lines: Lines, text: string): Attribute {
  const word = /^@attribute\s/i.test(text) ? readArffWord(text, "@attribute".length, " {'\"") : undefined;
  const type = word && text.slice(skipBlanks(text, word.end));
  if (!word || !type || (word.text === "" && !word.quoted)) {
    throw lines.error(`${quote(text)} is not @relation, @attribute name type, or @data`);
  }
  const name = word.text;
  if (/^(numeric|real|integer)\b/i.test(type)) return { name };
  const values = type.startsWith("{") ? readNominal(type) : undefined;
  if (values) return { name, values };
  throw lines.error(
    `attribute ${quote(name)} has the type ${quote(type)}: only numeric, real, integer and {nominal} are read; ` +
      "remove the attribute or turn it into numbers",
  );
}

/** The values of `{a, b}`; undefined where the braces do not hold such a list. */
function readNominal(type: string): Set<string> | undefined {
  const values = new Set<string>();
  for (let at = 1; ; ) {
    const word = readArffWord(type, at, ",}");
    if (!word || (!word.quoted && /['"{]/.test(word.text))) return undefined;
    if (word.text !== "") values.add(word.text);
    if (type[word.end] === "}") return values;
    if (type[word.end] !== ",") return undefined;
    at = word.end + 1;
  }
}

function assignRoles(attributes: Attribute[], label: string | undefined, file: string): Roles {
  const names = attributes.map(({ name }) => name);
  const labelAt =
    label === undefined
      ? attributes.findLastIndex(({ values }) => values !== undefined)
      : findColumn(label, names, "label", file);
  let feature = 0;
  const features = Int32Array.from(attributes, ({ name, values }, a) => {
    if (a === labelAt) return -1;
    if (values === undefined) return feature++;
    throw new DataError(
      "type",
      `${file}: attribute ${quote(name)} is nominal and not the class: one-hot it (one numeric 0/1 attribute for ` +
        `each of its ${values.size} values), remove it, or name it as label`,
      { featureName: name },
    );
  });
  return { attributes, features, labelAt };
}

interface Body {
  X: Table["X"];
  labels: string[];
}

function readDense(values: Values, roles: Roles, width: number, precision: Precision): Body {
  const size = roles.attributes.length;
  const data = allocate(precision, count(values.bytes, COMMA) + count(values.bytes, LF) + 1);
  const labels: string[] = [];
  let samples = 0;
  let p = 0;
  do {
    if (values.sparse) throw mixed(values);
    let a = 0;
    do {
      values.step();
      if (a === roles.labelAt) labels.push(readLabel(values, roles.attributes[a]));
      else if (a < size) data[p++] = readValue(values, roles.attributes[a], samples, roles.features[a], precision);
      a++;
    } while (values.more);
    if (a !== size) {
      throw new DataError("ragged", `${values.where()}: the row has ${a} values but there are ${size} attributes`, {
        sample: samples,
        value: a,
      });
    }
    samples++;
  } while (values.nextRow());
  return { X: new Dense(samples, width, data.slice(0, p)), labels };
}

function readSparse(values: Values, roles: Roles, width: number, precision: Precision): Body {
  const { attributes, features, labelAt } = roles;
  const lines = count(values.bytes, LF) + 1;
  const rows = new SparseBuilder(lines, count(values.bytes, COMMA) + lines, precision);
  const labels: string[] = [];
  // An absent value is 0, which denotes the first value of a nominal attribute.
  const [absent = "0"] = attributes[labelAt]?.values ?? [];
  do {
    if (!values.sparse) throw mixed(values);
    values.enter();
    let label = absent;
    let last = -1;
    while (values.more) {
      const a = values.word() ? values.number() : Number.NaN;
      if (!Number.isInteger(a) || a < 0 || a >= attributes.length) {
        throw values.error(`${quote(values.token())} is not the index of an attribute, 0 … ${attributes.length - 1}`);
      }
      if (a <= last) throw values.error(`attribute ${a} follows attribute ${last}: indices must rise`);
      last = a;
      values.step();
      if (a === labelAt) label = readLabel(values, attributes[a]);
      else rows.push(features[a], readValue(values, attributes[a], rows.samples, features[a], precision));
    }
    labels.push(label);
    rows.endSample();
  } while (values.nextRow());
  return { X: rows.toSparse(width), labels };
}

function mixed(values: Values): Error {
  return values.error("dense and {sparse} rows are mixed: write all of them in one way");
}

function readValue(values: Values, { name }: Attribute, sample: number, feature: number, precision: Precision): number {
  const number = values.number(precision);
  if (!Number.isNaN(number)) return number;
  const place = { sample, feature, featureName: name, value: values.token() };
  checkPresent(values, name, place);
  throw new DataError(
    "type",
    `${values.where()}, attribute ${quote(name)}: ${quote(place.value)} is not a number: correct it`,
    place,
  );
}

function readLabel(values: Values, { name, values: declared }: Attribute): string {
  const label = values.token();
  checkPresent(values, name, { value: label });
  if (declared === undefined || declared.has(label)) return label;
  throw values.error(
    `${quote(label)} is not a value of attribute ${quote(name)}, which declares ` +
      `${[...declared].slice(0, 5).map(quote).join(", ")}${declared.size > 5 ? ", …" : ""}: correct it or declare it`,
  );
}

function checkPresent(values: Values, attribute: string, place: Place): void {
  if (!values.missing) return;
  throw new DataError(
    "missing",
    `${values.where()}, attribute ${quote(attribute)}: the value is missing (${quote(place.value)}): ` +
      "fill it in or remove the row",
    place,
  );
}

/** Iterates over the rows of data and the comma-separated values of each. */
class Values extends Lines {
  /** Whether a comma follows the current value. */
  more = false;
  #quoted = false;

  nextRow(): boolean {
    while (this.next()) if (this.bytes[this.from] !== PERCENT) return true;
    return false;
  }

  get sparse(): boolean {
    return this.bytes[this.from] === OPEN;
  }

  get missing(): boolean {
    return !this.#quoted && (this.start === this.stop || super.token() === "?");
  }

  /** Goes inside the braces of a sparse row. */
  enter(): void {
    if (this.bytes[this.to - 1] !== CLOSE) throw this.error('the sparse row does not end with "}"');
    this.at++;
    this.to--;
    while (this.at < this.to && isBlank(this.bytes[this.at])) this.at++;
    this.more = this.at < this.to;
  }

  step(): void {
    const { bytes, to } = this;
    let p = this.at;
    while (p < to && isBlank(bytes[p])) p++;
    const mark = bytes[p];
    this.#quoted = p < to && (mark === SINGLE || mark === DOUBLE);
    if (this.#quoted) {
      this.start = ++p;
      while (p < to && bytes[p] !== mark) p += bytes[p] === BACKSLASH ? 2 : 1;
      if (p >= to) throw this.error("a quoted value is never closed: add the missing quote");
      this.stop = p++;
      while (p < to && isBlank(bytes[p])) p++;
      if (p < to && bytes[p] !== COMMA) throw this.error(`text follows the closing quote of ${quote(this.token())}`);
    } else {
      this.start = p;
      while (p < to && bytes[p] !== COMMA) p++;
      this.stop = p;
      while (this.stop > this.start && isBlank(bytes[this.stop - 1])) this.stop--;
    }
    this.more = p < to;
    this.at = p + 1;
  }

  override token(): string {
    return this.#quoted ? dropEscapes(super.token()) : super.token();
  }
}
