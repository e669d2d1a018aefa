import type { TableOptions } from "./data.js";
import { UserError } from "./errors.js";
import type { Kind } from "./kinds.js";
import { listNames } from "./labels.js";
import { askNearest } from "./nearest.js";
import type { Recipe } from "./recipe.js";

/** What a plan is made from: the columns of a table, and questions about them. DuckDB answers in the command. */
export interface TableFacts {
  readonly kind: Kind;
  /** For messages. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly number: boolean }[];
  /** Throws where a column cannot be read as numbers. */
  checkNumbers(columns: readonly string[]): Promise<void>;
  /** At most `most` different values, in any order, without missing ones. */
  listValues(column: string, most: number): Promise<readonly string[]>;
  /** Over the finite values of each column; 0 where there is none. */
  findMeans(columns: readonly string[]): Promise<readonly number[]>;
}

/** A column that becomes a feature, or one for each of its values. */
export interface PlanColumn {
  readonly column: string;
  /** Its first feature. */
  readonly at: number;
  readonly values: readonly string[] | null;
}

/** Which columns of a table are read, and into which features. */
export interface TablePlan {
  readonly parts: readonly PlanColumn[];
  readonly features: readonly string[];
  readonly recipe: Recipe;
  /** What stands in for missing numbers; undefined: see --missing. */
  readonly fills: Readonly<Record<string, number>> | undefined;
  readonly notes: readonly string[];
}

/** More values than this are hardly categories. */
const MOST = 1000;

/** Decides which columns become which features; asks the table only what it must know. */
export async function makePlan(table: TableFacts, options: TableOptions): Promise<TablePlan> {
  const { like } = options;
  const { columns, notes } = like?.features ? matchColumns(table, options) : chooseColumns(table, options);
  const spread = spreadColumns(table, options, columns);
  await table.checkNumbers(columns.filter((column) => !spread.has(column)));
  const known = like?.recipe.categories ?? {};
  const categories: Record<string, readonly string[]> = {};
  for (const column of columns) {
    if (spread.has(column)) categories[column] = known[column] ?? (await findValues(table, column));
  }
  const parts: PlanColumn[] = [];
  const features: string[] = [];
  for (const column of columns) {
    const values = categories[column] ?? null;
    parts.push({ column, at: features.length, values });
    if (values) for (const value of values) features.push(`${column}=${value}`);
    else features.push(column);
  }
  if (like && features.length !== like.count) {
    throw new UserError(
      `${table.name} has ${features.length} features, but the model was fitted on ${like.count}`,
      "choose the columns of the fit with --features or --exclude",
    );
  }
  const numbers = columns.filter((column) => !spread.has(column));
  const fills = await findFills(table, numbers, options);
  const recipe = like?.recipe ?? {
    kind: table.kind,
    ...(spread.size > 0 && { categories }),
    ...(fills && { fills }),
  };
  return { parts, features, recipe, fills, notes };
}

/** The columns a model was fitted on, in its order. */
function matchColumns(table: TableFacts, options: TableOptions): { columns: string[]; notes: string[] } {
  const { features, recipe } = options.like as NonNullable<TableOptions["like"]>;
  const origin = new Map<string, string>();
  for (const [column, values] of Object.entries(recipe.categories ?? {})) {
    for (const value of values) origin.set(`${column}=${value}`, column);
  }
  const columns = [...new Set((features ?? []).map((feature) => origin.get(feature) ?? feature))];
  const there = new Set(table.columns.map(({ name }) => name));
  const absent = columns.filter((column) => !there.has(column));
  const used = new Set([...columns, ...reserve(table, options)]);
  const strange = [...there].filter((column) => !used.has(column));
  if (absent.length === 0) {
    return { columns, notes: strange.length === 0 ? [] : [`the model does not use ${listNames(strange)}`] };
  }
  const besides = strange.length === 0 ? "" : `; it has besides ${listNames(strange)}`;
  throw new UserError(
    `${table.name} has other features than the model: it lacks ${listNames(absent)}${besides}`,
    askNearest(absent[0], strange) ?? "give it the columns of the fit",
  );
}

function chooseColumns(table: TableFacts, options: TableOptions): { columns: string[]; notes: string[] } {
  const reserved = reserve(table, options);
  for (const column of options.features ?? []) need(table, column, "--features");
  const wanted = options.features ?? table.columns.map(({ name }) => name);
  const columns = [...new Set(wanted)].filter((column) => !reserved.has(column));
  if (columns.length > 0) return { columns, notes: [] };
  throw new UserError(`${table.name}: no column is left to be a feature`, "choose others for --features or --exclude");
}

/** Columns that are no features because the user said so. */
function reserve(table: TableFacts, options: TableOptions): Set<string> {
  const { label, id, weight, exclude } = options;
  const reserved = new Set<string>();
  for (const [flag, column] of [
    ["--label", label],
    ["--id", id],
    ["--weight", weight],
  ] as const) {
    if (column !== undefined) reserved.add(need(table, column, flag));
  }
  for (const column of exclude ?? []) reserved.add(need(table, column, "--exclude"));
  return reserved;
}

function need({ columns, name }: TableFacts, wanted: string, flag: string): string {
  const names = columns.map(({ name }) => name);
  if (names.includes(wanted)) return wanted;
  const hint = askNearest(wanted, names) ?? `its columns are ${listNames(names)}`;
  throw new UserError(`${name} has no column ${JSON.stringify(wanted)} for ${flag}`, hint);
}

function spreadColumns(table: TableFacts, options: TableOptions, columns: readonly string[]): Set<string> {
  const { oneHot, like } = options;
  const known = like?.recipe.categories;
  if (known) return new Set(columns.filter((column) => known[column]));
  if (oneHot === undefined || like?.features) return new Set();
  if (oneHot === true) {
    const texts = new Set(table.columns.filter(({ number }) => !number).map(({ name }) => name));
    return new Set(columns.filter((column) => texts.has(column)));
  }
  for (const column of oneHot) {
    need(table, column, "--one-hot");
    if (columns.includes(column)) continue;
    throw new UserError(`column ${JSON.stringify(column)} is for --one-hot, but it is excluded or has another use`);
  }
  return new Set(oneHot);
}

/** The values of a column, numbers by size and texts by code unit. */
async function findValues(table: TableFacts, column: string): Promise<string[]> {
  const values = [...(await table.listValues(column, MOST + 1))];
  if (values.length > MOST) {
    throw new UserError(
      `column ${JSON.stringify(column)} has more than ${MOST} different values, too many for --one-hot`,
      `omit it with --exclude ${column}, name the samples by it with --id, or group its values with --sql`,
    );
  }
  const numbers = values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
  return values.sort(numbers ? (a, b) => Number(a) - Number(b) || compare(a, b) : compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function findFills(
  table: TableFacts,
  columns: readonly string[],
  { missing, like }: TableOptions,
): Promise<Record<string, number> | undefined> {
  const known = like?.recipe.fills;
  if (missing === "drop" || (missing === undefined && !known)) return undefined;
  const fills: Record<string, number> = {};
  for (const column of columns) fills[column] = missing === "zero" ? 0 : (known?.[column] ?? Number.NaN);
  const open = columns.filter((column) => Number.isNaN(fills[column]));
  if (open.length === 0) return fills;
  const means = await table.findMeans(open);
  for (const [c, column] of open.entries()) fills[column] = means[c];
  return fills;
}
