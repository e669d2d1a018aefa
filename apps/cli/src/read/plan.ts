import { askNearest } from "bonmf-data/nearest";
import { UserError } from "../errors.js";
import type { ReadOptions, Recipe } from "./data.js";
import { type Asker, mark } from "./duck.js";
import { compare } from "./glob.js";
import { checkTexts } from "./probe.js";
import type { Relation } from "./relation.js";

/** A column that becomes a feature, or one for each of its values. */
export interface Part {
  readonly column: string;
  /** Its first feature. */
  readonly at: number;
  readonly values: readonly string[] | null;
}

/** What is read of a table, and into which features. */
export interface Plan {
  readonly parts: readonly Part[];
  readonly features: readonly string[];
  readonly recipe: Recipe;
  /** What stands in for missing numbers; undefined: see --missing. */
  readonly fills: Readonly<Record<string, number>> | undefined;
  readonly notes: readonly string[];
}

/** More values than this are hardly categories. */
const MOST = 1000;

export async function makePlan(duck: Asker, relation: Relation, options: ReadOptions): Promise<Plan> {
  const { like } = options;
  const { columns, notes } = like?.features ? matchColumns(relation, options) : chooseColumns(relation, options);
  const spread = spreadColumns(relation, options, columns);
  await checkTexts(
    duck,
    relation,
    columns.filter((column) => !spread.has(column)),
    options,
  );
  const known = like?.recipe.categories ?? {};
  const categories: Record<string, readonly string[]> = {};
  for (const column of columns) {
    if (spread.has(column)) categories[column] = known[column] ?? (await findValues(duck, relation, column));
  }
  const parts: Part[] = [];
  const features: string[] = [];
  for (const column of columns) {
    const values = categories[column] ?? null;
    parts.push({ column, at: features.length, values });
    if (values) for (const value of values) features.push(`${column}=${value}`);
    else features.push(column);
  }
  if (like && features.length !== like.count) {
    throw new UserError(
      `${relation.name} has ${features.length} features, but the model was fitted on ${like.count}`,
      "choose the columns of the fit with --features or --exclude",
    );
  }
  const numbers = columns.filter((column) => !spread.has(column));
  const fills = await findFills(duck, relation, numbers, options);
  const recipe = like?.recipe ?? {
    kind: relation.kind,
    ...(spread.size > 0 && { categories }),
    ...(fills && { fills }),
  };
  return { parts, features, recipe, fills, notes };
}

/** The columns a model was fitted on, in its order. */
function matchColumns(relation: Relation, options: ReadOptions): { columns: string[]; notes: string[] } {
  const { features, recipe } = options.like as NonNullable<ReadOptions["like"]>;
  const origin = new Map<string, string>();
  for (const [column, values] of Object.entries(recipe.categories ?? {})) {
    for (const value of values) origin.set(`${column}=${value}`, column);
  }
  const columns = [...new Set((features ?? []).map((feature) => origin.get(feature) ?? feature))];
  const there = new Set(relation.columns.map(({ name }) => name));
  const absent = columns.filter((column) => !there.has(column));
  const used = new Set([...columns, ...reserve(relation, options)]);
  const strange = [...there].filter((column) => !used.has(column));
  if (absent.length === 0) {
    return { columns, notes: strange.length === 0 ? [] : [`the model does not use ${list(strange)}`] };
  }
  const besides = strange.length === 0 ? "" : `; it has besides ${list(strange)}`;
  throw new UserError(
    `${relation.name} has other features than the model: it lacks ${list(absent)}${besides}`,
    askNearest(absent[0], strange) ?? "give it the columns of the fit",
  );
}

function chooseColumns(relation: Relation, options: ReadOptions): { columns: string[]; notes: string[] } {
  const reserved = reserve(relation, options);
  for (const column of options.features ?? []) need(relation, column, "--features");
  const wanted = options.features ?? relation.columns.map(({ name }) => name);
  const columns = [...new Set(wanted)].filter((column) => !reserved.has(column));
  if (columns.length > 0) return { columns, notes: [] };
  throw new UserError(
    `${relation.name}: no column is left to be a feature`,
    "choose others for --features or --exclude",
  );
}

/** Columns that are no features because the user said so. */
function reserve(relation: Relation, options: ReadOptions): Set<string> {
  const { label, id, weight, exclude } = options;
  const reserved = new Set<string>();
  for (const [flag, column] of [
    ["--label", label],
    ["--id", id],
    ["--weight", weight],
  ] as const) {
    if (column !== undefined) reserved.add(need(relation, column, flag));
  }
  for (const column of exclude ?? []) reserved.add(need(relation, column, "--exclude"));
  return reserved;
}

function need({ columns, name }: Relation, wanted: string, flag: string): string {
  const names = columns.map(({ name }) => name);
  if (names.includes(wanted)) return wanted;
  const hint = askNearest(wanted, names) ?? `its columns are ${list(names)}`;
  throw new UserError(`${name} has no column ${JSON.stringify(wanted)} for ${flag}`, hint);
}

function spreadColumns(relation: Relation, options: ReadOptions, columns: readonly string[]): Set<string> {
  const { oneHot, like } = options;
  const known = like?.recipe.categories;
  if (known) return new Set(columns.filter((column) => known[column]));
  if (oneHot === undefined || like?.features) return new Set();
  if (oneHot === true) {
    const texts = new Set(relation.columns.filter(({ number }) => !number).map(({ name }) => name));
    return new Set(columns.filter((column) => texts.has(column)));
  }
  for (const column of oneHot) {
    need(relation, column, "--one-hot");
    if (columns.includes(column)) continue;
    throw new UserError(`column ${JSON.stringify(column)} is for --one-hot, but it is left out or has another use`);
  }
  return new Set(oneHot);
}

/** The values of a column, numbers by size and texts by code unit. */
async function findValues(duck: Asker, relation: Relation, column: string): Promise<string[]> {
  const from = relation.from(new Map());
  const rows = await duck.ask(
    `select distinct ${mark(column)}::varchar as value from ${from} where ${mark(column)} is not null limit ${MOST + 1}`,
  );
  if (rows.length > MOST) {
    throw new UserError(
      `column ${JSON.stringify(column)} has more than ${MOST} different values, too many for --one-hot`,
      `leave it out with --exclude ${column}, name the samples by it with --id, or group its values with --sql`,
    );
  }
  const values = rows.map(({ value }) => String(value));
  const numbers = values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
  return values.sort(numbers ? (a, b) => Number(a) - Number(b) || compare(a, b) : compare);
}

async function findFills(
  duck: Asker,
  relation: Relation,
  columns: readonly string[],
  { missing, like }: ReadOptions,
): Promise<Record<string, number> | undefined> {
  const known = like?.recipe.fills;
  if (missing === "drop" || (missing === undefined && !known)) return undefined;
  const fills: Record<string, number> = {};
  for (const column of columns) fills[column] = missing === "zero" ? 0 : (known?.[column] ?? Number.NaN);
  const open = columns.filter((column) => Number.isNaN(fills[column]));
  if (open.length === 0) return fills;
  const means = open.map((column, c) => {
    const value = `${mark(column)}::double`;
    return `avg(${value}) filter (where isfinite(${value})) as m${c}`;
  });
  const types = new Map(open.map((column) => [column, "DOUBLE"]));
  for (const { name, type } of relation.columns) if (type === "BOOLEAN") types.set(name, type);
  const [row] = await duck.ask(`select ${means.join(", ")} from ${relation.from(types)}`);
  for (const [c, column] of open.entries()) fills[column] = Number(row[`m${c}`] ?? 0);
  return fills;
}

/** Some names, in quotes. */
export function list(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${names
    .slice(0, 5)
    .map((name) => JSON.stringify(name))
    .join(", ")}${more}`;
}
