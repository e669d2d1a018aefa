import { DOUBLE, type DuckDBValue, VARCHAR } from "@duckdb/node-api";
import { parseDecimal } from "bonmf/io";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { CHUNK, type Field, writeParquet } from "../duckdb/write-parquet.js";
import { type File, readBytes } from "../files/bytes.js";

const ATTRIBUTE = /^@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{'"]+)\s*(.*)$/i;
const VALUE = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,'"][^,]*?|))\s*(,|$)/y;

/** Writes ARFF as Parquet: nominal attributes, texts and dates as text. Returns the label by convention: the last nominal attribute. */
export async function arffToParquet(file: File, path: string, options: ReadOptions): Promise<string | undefined> {
  const lines = new TextDecoder().decode(await readBytes(file, options)).split(/\r?\n/);
  const start = lines.findIndex((line) => /^\s*@data\b/i.test(line));
  if (start < 0) throw new UserError(`${file.name}: the file ends without @data: it is cut short, or not an ARFF file`);
  const attributes = lines.slice(0, start).flatMap((line) => readAttribute(line.trim()) ?? []);
  await writeParquet(path, file.name, attributes, readRows(file.name, lines, start + 1, attributes), options);
  const used = [options.id, options.weight, ...(options.features ?? []), ...(options.exclude ?? [])];
  if (Array.isArray(options.oneHot)) used.push(...options.oneHot);
  used.push(...Object.keys(options.like?.recipe.categories ?? {}));
  return attributes.findLast(({ name, nominal }) => nominal && !used.includes(name))?.name;
}

interface Attribute extends Field {
  readonly nominal: boolean;
}

function readAttribute(line: string): Attribute | undefined {
  const [, name, type] = ATTRIBUTE.exec(line) ?? [];
  if (name === undefined) return undefined;
  const plain = /^['"]/.test(name) ? dropEscapes(name.slice(1, -1)) : name;
  return {
    name: plain,
    type: /^(numeric|real|integer)\b/i.test(type) ? DOUBLE : VARCHAR,
    nominal: type.startsWith("{"),
  };
}

function dropEscapes(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

function* readRows(name: string, lines: readonly string[], start: number, fields: readonly Field[]) {
  let columns: DuckDBValue[][] = fields.map(() => []);
  let any = false;
  for (let l = start; l < lines.length; l++) {
    const line = lines[l].trim();
    if (line === "" || line.startsWith("%")) continue;
    readRow(line, `${name}, line ${l + 1}`, fields, columns);
    any = true;
    if (columns[0].length < CHUNK) continue;
    yield columns;
    columns = fields.map(() => []);
  }
  if (!any) throw new UserError(`${name} has no samples after @data`);
  if (columns[0].length > 0) yield columns;
}

function readRow(line: string, place: string, fields: readonly Field[], columns: DuckDBValue[][]): void {
  if (line.startsWith("{")) {
    throw new UserError(
      `${place}: the rows are sparse, and such files are read only as they are`,
      "omit --one-hot, --missing, --features, --exclude, --id and --weight",
    );
  }
  let count = 0;
  VALUE.lastIndex = 0;
  for (let more = true; more; count++) {
    const [, single, double, plain, end] = VALUE.exec(line) ?? [];
    if (end === undefined) throw new UserError(`${place}: a quote is opened and not closed`);
    more = end === ",";
    if (count >= fields.length) continue;
    const text = dropEscapes(single ?? double ?? plain);
    const missing = plain === "?" || plain === "";
    columns[count].push(missing ? null : fields[count].type === VARCHAR ? text : toNumber(text, place, fields[count]));
  }
  if (count === fields.length) return;
  throw new UserError(`${place}: the row has ${count} values but there are ${fields.length} attributes`);
}

function toNumber(text: string, place: string, { name }: Field): number {
  const value = parseDecimal(text, "f64");
  const single = parseDecimal(text, "f32");
  // Columns are doubles here, and the matrix rounds them again: in the rare case that goes wrong the single is kept.
  if (!Number.isNaN(value)) return Math.fround(value) === single ? value : single;
  throw new UserError(
    `${place}, attribute ${JSON.stringify(name)}: ${JSON.stringify(text)} is not a number`,
    "correct it",
  );
}
