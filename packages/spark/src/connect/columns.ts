import { SparkError } from "./error.js";
import type { DataType } from "./messages.js";
import type { Column } from "./session.js";

/** The columns of a struct: every result has one as its type. */
export function readColumns({ struct }: DataType): Column[] {
  if (struct === undefined) throw new SparkError("protocol", "the server sent a schema without columns");
  return (struct.fields ?? []).map(({ name = "", dataType = {}, nullable = false }) => ({
    name,
    type: nameType(dataType),
    nullable,
  }));
}

/** A type as SQL writes it. */
export function nameType(type: DataType): string {
  const { array, struct, map, decimal, char, varchar, udt } = type;
  if (array) return `array<${nameType(array.elementType ?? {})}>`;
  if (map) return `map<${nameType(map.keyType ?? {})},${nameType(map.valueType ?? {})}>`;
  if (struct) return `struct<${readColumns(type).map(({ name, type }) => `${name}:${type}`)}>`;
  if (decimal) return `decimal(${decimal.precision ?? 10},${decimal.scale ?? 0})`;
  if (char) return `char(${char.length})`;
  if (varchar) return `varchar(${varchar.length})`;
  if (udt) return udt.jvmClass ?? udt.pythonClass ?? "udt";
  return Object.keys(type)[0] ?? "unknown";
}
