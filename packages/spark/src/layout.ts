import { DataError, OptionError, type Precision } from "bonmf";
import type { Column } from "./connect/index.js";
import { quoteName, type SparkInput } from "./input.js";

/** How a row is read as a sample: a SQL expression for its values, and for sparse rows for their features. */
export interface Layout {
  readonly kind: "columns" | "array" | "sparse";
  /** The columns' names, for messages. */
  readonly columns: readonly string[];
  /** `array<float>` or `array<double>`. */
  readonly values: string;
  /** `array<int>`; null unless sparse. */
  readonly indices: string | null;
  /** The type of the values: float only where nothing is lost by it. */
  readonly type: "float" | "double";
}

const NUMBER = /^(tinyint|smallint|int|bigint|float|double|decimal(\(.*\))?|boolean)$/;
const ARRAY = /^array<(.*)>$/;

function isNumber({ type }: Column): boolean {
  return NUMBER.test(type);
}

function isArray({ type }: Column): boolean {
  return NUMBER.test(ARRAY.exec(type)?.[1] ?? "");
}

/** Finds the columns that hold the samples. */
export function layOut(columns: readonly Column[], input: SparkInput): Layout {
  const { features, exclude = [], order = [], id, precision = "f32" } = input;
  for (const name of [...(features ?? []), ...exclude, ...order, ...(id ? [id] : [])]) need(columns, name);
  const other = new Set([...order, ...exclude, ...(id ? [id] : [])]);
  const chosen = features
    ? features.map((name) => need(columns, name))
    : columns.filter(({ name }) => !other.has(name));
  const indices = chosen.find(({ name }) => name === "indices");
  const values = chosen.find(({ name }) => name === "values");
  if (indices && values && isArray(indices) && isArray(values)) return sparse(indices, values, precision);
  const arrays = chosen.filter(isArray);
  if (arrays.length === 1 && (!features || chosen.length === 1)) return array(arrays[0], precision);
  if (arrays.length > 1) {
    const names = arrays.map(({ name }) => name).join(", ");
    throw new OptionError("features", names, `several columns hold arrays (${names}): name the one to use as features`);
  }
  const wrong = features ? chosen.find((column) => !isNumber(column)) : undefined;
  if (wrong) {
    throw new DataError(
      "type",
      `column ${wrong.name} is ${wrong.type}: features must be numbers, one array of numbers, or indices and values`,
    );
  }
  const numbers = chosen.filter(isNumber);
  if (numbers.length === 0) {
    const seen = columns.map(({ name, type }) => `${name} ${type}`).join(", ");
    throw new DataError("type", `no column holds numbers or an array of numbers: the rows have ${seen}`);
  }
  const type = typeOf(numbers, precision);
  const format = ({ name }: Column) => `CAST(${quoteName(name)} AS ${type.toUpperCase()})`;
  return {
    kind: "columns",
    columns: numbers.map(({ name }) => name),
    values: `array(${numbers.map(format).join(", ")})`,
    indices: null,
    type,
  };
}

function array(column: Column, precision: Precision): Layout {
  const type = typeOf([column], precision);
  const values = `CAST(${quoteName(column.name)} AS ARRAY<${type.toUpperCase()}>)`;
  return { kind: "array", columns: [column.name], values, indices: null, type };
}

function sparse(indices: Column, values: Column, precision: Precision): Layout {
  const own = array(values, precision);
  const places = `CAST(${quoteName(indices.name)} AS ARRAY<INT>)`;
  return { ...own, kind: "sparse", columns: [indices.name, values.name], indices: places };
}

/** Whether 32 bits say all that these columns say of samples that are to have 32 bits. */
function typeOf(columns: readonly Column[], precision: Precision): "float" | "double" {
  const narrow = columns.every(({ type }) => /^(array<)?(tinyint|smallint|boolean|float)>?$/.test(type));
  return narrow && precision === "f32" ? "float" : "double";
}

function need(columns: readonly Column[], name: string): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (column) return column;
  const names = columns.map((candidate) => candidate.name).join(", ");
  throw new DataError("column", `there is no column ${name}: the rows have ${names}`);
}
