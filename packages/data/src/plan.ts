import type { TableOptions } from "./data.js";
import { chooseId, chooseLabel, isProse, type Reason, type Use } from "./decide.js";
import { UserError } from "./errors.js";
import { type Fills, findFills } from "./fills.js";
import { checkCount, followModel } from "./follow.js";
import { guessSize } from "./pictures.js";
import { notePlan } from "./plan-notes.js";
import { groupFeatures, type Recipe } from "./recipe.js";
import { checkLabel, listNamed, need, type Roles, readRoles } from "./roles.js";
import { type ColumnSummary, MOST_VALUES, type TableSummary } from "./summary.js";
import type { PlanColumn, TablePlan } from "./table-plan.js";
import { useColumns } from "./uses.js";

/**
 * Decides which columns of a table become which features, by what is known of them and what the user says.
 *
 * @example
 * ```ts
 * const { features, label, notes } = makePlan(summarizeTable(table), {});
 * ```
 */
export function makePlan(table: TableSummary, options: TableOptions): TablePlan {
  return options.like?.features ? followModel(table, options) : decide(table, options);
}

/** A plan for a table that no model has been fitted on. */
function decide(table: TableSummary, options: TableOptions): TablePlan {
  const roles = readRoles(table, options);
  for (const flag of ["features", "numbers"] as const) {
    for (const column of options[flag] ?? []) need(table, column, `--${flag}`);
  }
  checkLabel(
    table.name,
    table.columns.find(({ name }) => name === options.label),
  );
  const named = listNamed(table, options, roles);
  const free = !options.strict && !options.like;
  const chosen = free && roles.label === undefined && !options.noLabel ? chooseLabel(table, named) : null;
  const label = roles.label ?? chosen?.label;
  const prose = free && options.documents ? guessText(table, new Set([...named, label])) : undefined;
  if (prose !== undefined) return planText(table, options, { ...roles, label, id: roles.id }, prose);
  const texts = options.oneHot === true ? table.columns.filter(({ type }) => type === "text") : [];
  const taken = new Set([...named, label, ...(chosen?.others ?? []), ...texts.map(({ name }) => name)]);
  const id = roles.id ?? (free ? chooseId(table.columns, taken, options.features !== undefined) : undefined);
  const aside = new Map<string, Reason>((chosen?.others ?? []).map((column) => [column, "label"]));
  const uses = useColumns(table, options, { ...roles, label, id }, aside);
  const text = free ? findProse(table, options, uses) : undefined;
  if (text !== undefined) return planText(table, options, { ...roles, label, id }, text);
  const plan = build(table, options, { ...roles, label, id }, uses);
  if (plan.features.length === 0) {
    // A label that nobody asked for must not take the only feature.
    if (chosen?.label !== undefined) return decide(table, { ...options, noLabel: true });
    throw nothingLeft(table, plan, options);
  }
  checkCount(table, plan.features, options.like);
  return { ...plan, notes: notePlan(table, options, plan) };
}

/** The column of prose, where there are no numbers. */
function findProse(
  table: TableSummary,
  { features, oneHot, numbers }: TableOptions,
  uses: ReadonlyMap<string, Use>,
): string | undefined {
  if (features || oneHot || numbers || [...uses.values()].some(({ as }) => as === "number")) return undefined;
  const prose = table.columns.filter((column) => {
    const use = uses.get(column.name);
    return use?.as === "left out" && use.why === "text" && isProse(column);
  });
  return prose.sort((a, b) => (b.length ?? 0) - (a.length ?? 0))[0]?.name;
}

/** Texts of one word that are longer may be written without spaces. */
const LONG_WORD = 10;

/** The column of sentences, else of several words, else of long texts: of several the one with the longest. */
function guessText(table: TableSummary, taken: ReadonlySet<string | undefined>): string | undefined {
  const rank = (column: ColumnSummary) => (isProse(column) ? 2 : (column.words ?? 0) >= 2 ? 1 : 0);
  const lengthOf = ({ length }: ColumnSummary) => length ?? 0;
  const [best] = table.columns
    .filter(({ name, type }) => !taken.has(name) && type === "text")
    .filter((column) => rank(column) > 0 || lengthOf(column) > LONG_WORD)
    .sort((a, b) => rank(b) - rank(a) || lengthOf(b) - lengthOf(a));
  return best?.name;
}

function planText(table: TableSummary, options: TableOptions, roles: Roles, text: string): TablePlan {
  const { label, id, weight } = roles;
  const used = new Set([text, label, id, weight, ...(options.exclude ?? [])]);
  const leftOut = new Map<string, Reason>();
  for (const { name } of table.columns) if (!used.has(name)) leftOut.set(name, "text");
  const plan = {
    parts: [],
    features: [],
    ...{ label, id, weight, text, leftOut },
    fills: new Map(),
    groups: null,
    image: null,
    recipe: { kind: table.kind },
  };
  return { ...plan, notes: notePlan(table, options, { ...plan, notes: [] }) };
}

/** The features of columns, and all that follows from them. */
function build(
  table: TableSummary,
  options: TableOptions,
  { label, id, weight }: Roles,
  uses: Map<string, Use>,
): TablePlan {
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  keepPicture(uses, byName, options);
  const leftOut = new Map<string, Reason>();
  const categories: Record<string, readonly string[]> = Object.create(null);
  const decimals: Record<string, "." | ","> = Object.create(null);
  const features: string[] = [];
  const parts: PlanColumn[] = [];
  for (const [column, use] of uses) {
    const summary = byName.get(column) as ColumnSummary;
    if (use.as === "left out") {
      leftOut.set(column, use.why);
      continue;
    }
    const values = use.as === "category" ? listValues(summary) : null;
    const decimal = use.as === "number" ? (use.decimal ?? null) : null;
    parts.push({ column, at: features.length, values, decimal });
    if (values) categories[column] = values;
    else if (decimal !== null) decimals[column] = decimal;
    if (values) for (const value of values) features.push(`${column}=${value}`);
    else features.push(column);
  }
  const fills = findFills(table, parts, options);
  const recipe: Recipe = {
    kind: table.kind,
    ...(label !== undefined && { label }),
    ...(id !== undefined && { id }),
    ...(weight !== undefined && { weight }),
    ...(Object.keys(categories).length > 0 && { categories }),
    ...(Object.keys(decimals).length > 0 && { decimals }),
    ...(fills.size > 0 && { fills: writeFills(fills) }),
    ...(leftOut.size > 0 && { leftOut: toRecord(leftOut) }),
  };
  const image = guessSize(features.length, features);
  const groups = groupFeatures(features, recipe);
  return { parts, features, label, id, weight, text: undefined, leftOut, fills, groups, image, recipe, notes: [] };
}

/** Pixels that never change belong to the picture. */
function keepPicture(
  uses: Map<string, Use>,
  byName: ReadonlyMap<string, ColumnSummary>,
  { features }: TableOptions,
): void {
  if (features) return;
  const isPixel = ([name, use]: [string, Use]) =>
    use.as === "number" || (isConstant(use) && byName.get(name)?.type !== "text");
  const names = [...uses].filter(isPixel).map(([name]) => name);
  if (guessSize(names.length, names) === null) return;
  for (const name of names) uses.set(name, { as: "number" });
}

function isConstant(use: Use): boolean {
  return use.as === "left out" && use.why === "constant";
}

function toRecord<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [key, value] of map) record[key] = value;
  return record;
}

/** A category without a value for missing ones has none of its features. */
function writeFills(fills: Fills): Record<string, number | string> {
  const known = [...fills].filter(
    (entry): entry is [string, number | string] => entry[1] !== null && !Number.isNaN(entry[1]),
  );
  return toRecord(new Map(known));
}

/** The values of a column, numbers by size and texts by code unit. */
function listValues({ name, common }: ColumnSummary): string[] {
  if (common === null) {
    throw new UserError(
      `column ${JSON.stringify(name)} has more than ${MOST_VALUES} different values, too many for --one-hot`,
      `omit it with --exclude ${name}, name the samples by it with --id, or group its values with --sql`,
    );
  }
  const values = common.map(({ value }) => value);
  const numbers = values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
  return values.sort(numbers ? (a, b) => Number(a) - Number(b) || compare(a, b) : compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function nothingLeft(
  { name }: TableSummary,
  { leftOut: left, id, label }: TablePlan,
  options: TableOptions,
): UserError {
  const leftOut = new Map<string, string>(left);
  if (id !== undefined && options.id === undefined) leftOut.set(id, "id");
  if (label !== undefined && options.label === undefined) leftOut.set(label, "label");
  if (leftOut.size === 0) {
    return new UserError(`${name}: no column is left to be a feature`, "choose others for --features or --exclude");
  }
  if ([...leftOut.values()].every((why) => why === "empty")) {
    return new UserError(
      `${name} has no values: all its cells, or lines, are empty`,
      "give a file with something in it",
    );
  }
  const first = [...leftOut].slice(0, 5).map(([column, why]) => `${JSON.stringify(column)} (${why})`);
  const more = leftOut.size > 5 ? ` and ${leftOut.size - 5} more` : "";
  return new UserError(
    `${name}: no column is left to be a feature, without ${first.join(", ")}${more}`,
    "--numbers COLUMN or --one-hot COLUMN uses one all the same, --text COLUMN its words",
  );
}
