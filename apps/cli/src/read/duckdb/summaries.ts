import {
  blankSummary,
  CODE,
  COMMA_NUMBER,
  type ColumnSummary,
  type ColumnType,
  DATE,
  EXAMPLES,
  findDoubtful,
  isCounted,
  MOST_VALUES,
  PLAIN_NUMBER,
  POINT_NUMBER,
  summarizeSums,
  type TableSummary,
} from "bonmf-data";
import type { ReadOptions } from "../data.js";
import { type Asker, quoteName, quoteText } from "./duck.js";
import type { Column, Relation } from "./relation.js";

/** What is known of a table's columns, and the table with the types they turned out to have. */
export interface Summarized {
  readonly relation: Relation;
  readonly summary: TableSummary;
}

/** Columns for one query: of very many, DuckDB plans the queries longer than it runs them. */
const AT_ONCE = 500;

/**
 * Asks DuckDB about the columns that decide a plan, in one or two scans.
 *
 * @param every all columns, also those that are plain numbers by their type
 */
export async function summarizeRelation(
  duck: Asker,
  relation: Relation,
  options: ReadOptions,
  every: boolean,
): Promise<Summarized> {
  const { oneHot, declared } = options;
  const types = relation.columns.map((column) => {
    const said = declared?.types.get(column.name);
    // Categories are texts as they are written, also where they are numbers.
    const spread = said === "category" || (Array.isArray(oneHot) && oneHot.includes(column.name));
    const type = spread ? "text" : said === "date" ? "date" : typeOf(column, relation);
    return { name: column.name, type } as const;
  });
  const asked = new Set(every ? types.map(({ name }) => name) : findDoubtful(types, options));
  const found = new Map<string, ColumnSummary>();
  const wanted = types.filter(({ name }) => asked.has(name));
  try {
    for (let from = 0; from < wanted.length; from += AT_ONCE) {
      const some = wanted.slice(from, from + AT_ONCE);
      for (const column of await summarizeSome(duck, relation, some, options)) found.set(column.name, column);
    }
  } catch (error) {
    const text = findText(error, relation);
    if (text === undefined || options.strict) throw error;
    return summarizeRelation(duck, asText(relation, text), options, every);
  }
  const columns = types.map(({ name, type }) => found.get(name) ?? blankSummary(name, type));
  return { relation, summary: { kind: relation.kind, name: relation.name, columns, declared } };
}

function typeOf({ type, number }: Column, { kind }: Relation): ColumnType {
  if (type === "BOOLEAN") return "boolean";
  if (number) return "number";
  if (/\[\d*\]$|^(STRUCT|MAP|UNION|LIST|BLOB|BIT)\b/.test(type)) return "list";
  // In CSV files it is the texts that say so, as in the studio.
  return kind !== "csv" && /^(DATE|TIME|INTERVAL)/.test(type) ? "date" : "text";
}

/** The column that DuckDB took for numbers by its first rows, and that is text further on. */
export function findText(error: unknown, { columns }: Relation): string | undefined {
  const message = error instanceof Error ? error.message : "";
  const [, name] = /Error when converting column "(.*)"\. Could not convert string/s.exec(message) ?? [];
  return columns.some((column) => column.name === name && column.number) ? name : undefined;
}

/** The same table with one column as text. */
export function asText(relation: Relation, name: string): Relation {
  const change = (column: Column) => (column.name === name ? { ...column, type: "VARCHAR", number: false } : column);
  return { ...relation, columns: relation.columns.map(change) };
}

interface Typed {
  readonly name: string;
  readonly type: ColumnType;
}

type Row = Readonly<Record<string, unknown>>;

async function summarizeSome(
  duck: Asker,
  relation: Relation,
  columns: readonly Typed[],
  options: ReadOptions,
): Promise<ColumnSummary[]> {
  const types = new Map<string, string>();
  for (const { name, type } of columns) {
    if (type === "number") types.set(name, "DOUBLE");
    if (type === "boolean") types.set(name, "BOOLEAN");
  }
  const from = relation.from(types);
  const wanted = columns.flatMap((column, c) => firstQuestions(column, c, options));
  const [row] = await duck.ask(`select count(*) as n, ${wanted.join(", ")} from ${from}`);
  const first = columns.map((column, c) => readFirst(column, row, c));
  const more = first.flatMap((summary, c) => moreQuestions(summary, c, options));
  if (more.length === 0) return first;
  const [rest] = await duck.ask(`select ${more.join(", ")} from ${from}`);
  return first.map((summary, c) => addRest(summary, rest, c));
}

/** A number or a truth value as a double; NaN is missing. */
function doubleOf({ name, type }: Typed): string {
  const value = type === "boolean" ? `${quoteName(name)}::int::double` : `${quoteName(name)}::double`;
  return type === "boolean" ? value : `nullif(${value}, 'nan'::double)`;
}

function firstQuestions(column: Typed, c: number, options: ReadOptions): string[] {
  const { name, type } = column;
  if (type === "list") return [`count(${quoteName(name)}) as k${c}`];
  if (type === "number" || type === "boolean") {
    const value = doubleOf(column);
    return [
      `count(${value}) as k${c}`,
      `min(${value}) as lo${c}`,
      `max(${value}) as hi${c}`,
      `avg(${value}) filter (where isfinite(${value})) as m${c}`,
      `bool_and(${value} = floor(${value})) as w${c}`,
      ...(isCounted(name, options) ? [`count(distinct ${value}) as d${c}`] : []),
    ];
  }
  const text = `${quoteName(name)}::varchar`;
  const is = (pattern: string) => `regexp_full_match(${text}, ${quoteText(pattern)})`;
  const count = (test: string) => `count(*) filter (where ${test})`;
  return [
    `count(${text}) as k${c}`,
    `count(distinct ${text}) as d${c}`,
    `coalesce(sum(length(${text})), 0)::double as l${c}`,
    `coalesce(sum(length(${text}) - length(replace(${text}, ' ', ''))), 0)::double as s${c}`,
    `${count(is(PLAIN_NUMBER))} as p${c}`,
    `${count(is(POINT_NUMBER))} as o${c}`,
    `${count(is(COMMA_NUMBER))} as c${c}`,
    `${count(`${is(PLAIN_NUMBER)} and ${is(CODE)}`)} as z${c}`,
    `${count(`not ${is(PLAIN_NUMBER)} and ${is(DATE)}`)} as t${c}`,
    `min(${text}) filter (where not ${is(`${POINT_NUMBER}|${COMMA_NUMBER}`)}) as x${c}`,
    `any_value(${text}) as e${c}`,
  ];
}

function readFirst({ name, type }: Typed, row: Row, c: number): ColumnSummary {
  const rows = Number(row.n);
  const there = Number(row[`k${c}`]);
  const number = (key: string) => Number(row[`${key}${c}`]);
  const orNull = (key: string) => (row[`${key}${c}`] === null ? null : number(key));
  if (type === "list") return { ...blankSummary(name, type), rows, missing: rows - there };
  if (type === "number" || type === "boolean") {
    return {
      ...blankSummary(name, type),
      rows,
      missing: rows - there,
      distinct: row[`d${c}`] === undefined ? null : number("d"),
      min: orNull("lo"),
      max: orNull("hi"),
      mean: orNull("m") ?? 0,
      whole: row[`w${c}`] !== false,
    };
  }
  return {
    ...summarizeSums(name, type, {
      rows,
      there,
      distinct: number("d"),
      plain: number("p"),
      point: number("o"),
      comma: number("c"),
      code: number("z"),
      date: number("t"),
      length: number("l"),
      spaces: number("s"),
      strange: row[`x${c}`] === null ? null : String(row[`x${c}`]),
    }),
    examples: there > 0 ? [String(row[`e${c}`])] : [],
  };
}

/** What is asked only of some columns: the middle, all values. */
function moreQuestions(summary: ColumnSummary, c: number, options: ReadOptions): string[] {
  const { name, type, missing, distinct, numbers } = summary;
  const plain = type === "number" || type === "boolean";
  const questions: string[] = [];
  const value = plain ? doubleOf({ name, type }) : numbers && readAs(name, numbers.decimal, "double");
  const gone = (missing ?? 0) > 0 || (numbers !== null && numbers.share < 1);
  if (value && (gone || options.missing === "median")) questions.push(`quantile_disc(${value}, 0.5) as q${c}`);
  if (value && !plain) questions.push(`avg(${value}) as m${c}`);
  if (!plain && type !== "list" && (distinct ?? 0) <= MOST_VALUES) {
    questions.push(`histogram(${quoteName(name)}::varchar) as h${c}`);
  }
  return questions;
}

function addRest(summary: ColumnSummary, row: Row, c: number): ColumnSummary {
  const median = row[`q${c}`];
  const mean = row[`m${c}`];
  const values = row[`h${c}`] as readonly { key: string; value: unknown }[] | undefined | null;
  const common = values?.map(({ key, value }) => ({ value: key, count: Number(value) }));
  common?.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return {
    ...summary,
    ...(median !== undefined && median !== null && { median: Number(median) }),
    ...(mean !== undefined && mean !== null && { mean: Number(mean) }),
    ...(values !== undefined && {
      common: common ?? [],
      examples: (common ?? []).slice(0, EXAMPLES).map(({ value }) => value),
    }),
  };
}

const MARKS = String.raw`\s\x{a0}\x{202f}'’`;

/** SQL that reads the numbers of a text column; null where a text is none. */
export function readAs(column: string, decimal: "." | ",", type: "float" | "double"): string {
  const text = `${quoteName(column)}::varchar`;
  const pattern = quoteText(decimal === "." ? POINT_NUMBER : COMMA_NUMBER);
  const digits = `regexp_replace(${text}, ${quoteText(`[${decimal === "." ? "," : "."}${MARKS}]`)}, '', 'g')`;
  const number = decimal === "." ? digits : `replace(${digits}, ',', '.')`;
  return `case when regexp_full_match(${text}, ${pattern}) then try_cast(${number} as ${type}) end`;
}
