import { SparkError } from "./error.js";
import type { Literal, Relation } from "./messages.js";
import type { Parameter, QueryOptions } from "./session.js";

/** A query and its parameters as a relation. */
export function makeQuery(query: string, args: QueryOptions["args"] = []): Relation {
  if (Array.isArray(args))
    return { sql: { query, posArguments: args.map((value) => ({ literal: makeLiteral(value) })) } };
  const entries = Object.entries(args as Readonly<Record<string, Parameter>>);
  return {
    sql: { query, namedArguments: entries.map(([key, value]) => ({ key, value: { literal: makeLiteral(value) } })) },
  };
}

function makeLiteral(value: Parameter): Literal {
  if (value === null) return { null: { void: {} } };
  if (value instanceof Uint8Array) return { binary: value };
  if (typeof value === "boolean") return { boolean: value };
  if (typeof value === "string") return { string: value };
  if (typeof value === "bigint" && BigInt.asIntN(64, value) === value) return { long: value };
  if (typeof value === "number" && value === (value | 0) && !Object.is(value, -0)) return { integer: value };
  if (typeof value === "number" && Number.isSafeInteger(value) && value !== 0) return { long: BigInt(value) };
  if (typeof value === "number") return { double: value };
  throw new SparkError("analysis", `${String(value)} cannot be a parameter of a query`);
}
