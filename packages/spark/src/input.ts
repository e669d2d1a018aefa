import type { Precision } from "bonmf";
import { OptionError } from "bonmf";

/** Rows on a Spark cluster and how to read them as samples. One of `query`, `table` and `parquet` says where they are. */
export interface SparkInput {
  /** `sc://host:15002`, with `/;token=…;use_ssl=true` where the server wants it. */
  url: string;
  query?: string | undefined;
  table?: string | undefined;
  /** A path that the cluster can read. */
  parquet?: string | undefined;
  /** The columns that put the rows in order; without any they stand in the order of a hash of their values. */
  order?: readonly string[] | undefined;
  /** The column that names a row in messages and results; default: the first of `order`. */
  id?: string | undefined;
  /** The columns to use: numbers, one array of numbers, or `indices` and `values`; default: what is found. */
  features?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  /** For sparse rows: how many features there are; default: the largest index + 1. */
  width?: number | undefined;
  /** Negative values are allowed: for rows that are only to be labelled, by a model that scales them. */
  signed?: boolean | undefined;
  /** Default f32. */
  precision?: Precision | undefined;
  signal?: AbortSignal | undefined;
}

/** A name inside SQL. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

/** A text inside SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** The query that gives the rows. */
export function rowsQuery({ query, table, parquet }: SparkInput): string {
  const given = [query, table, parquet].filter((text) => text !== undefined);
  if (given.length !== 1) {
    throw new OptionError("query", given, "say where the rows are: one of query, table and parquet");
  }
  if (query !== undefined) return query.replace(/[;\s]+$/, "");
  return `SELECT * FROM ${table === undefined ? `parquet.${quoteName(parquet!)}` : quoteTable(table)}`;
}

/** `catalog.schema.name`, with or without backticks of its own. */
export function quoteTable(table: string): string {
  return table.includes("`") ? table : table.split(".").map(quoteName).join(".");
}
