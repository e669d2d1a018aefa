import type { TableOptions } from "./data.js";
import { UserError } from "./errors.js";
import { findFills } from "./fills.js";
import { listNames } from "./labels.js";
import { askNearest } from "./nearest.js";
import { groupFeatures, type Recipe } from "./recipe.js";
import { type Roles, readRoles } from "./roles.js";
import type { ColumnSummary, TableSummary } from "./summary.js";
import type { PlanColumn, TablePlan } from "./table-plan.js";
import { notNumeric, useAsked } from "./uses.js";

/** The columns a model was fitted on, in its order, read as they were then. */
export function followModel(table: TableSummary, options: TableOptions): TablePlan {
  const { features, recipe } = options.like as NonNullable<TableOptions["like"]>;
  const categories = new Map(Object.entries(recipe.categories ?? {}));
  const decimals = new Map(Object.entries(recipe.decimals ?? {}));
  const origin = new Map<string, string>();
  for (const [column, values] of categories) for (const value of values) origin.set(`${column}=${value}`, column);
  const columns = [...new Set((features ?? []).map((feature) => origin.get(feature) ?? feature))];
  const roles = readRoles(table, options);
  const notes = compareColumns(table, recipe, columns, roles);
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const parts: PlanColumn[] = [];
  const refused: ColumnSummary[] = [];
  let at = 0;
  for (const column of columns) {
    const summary = byName.get(column) as ColumnSummary;
    const values = categories.get(column) ?? null;
    const use = values
      ? null
      : (decimals.get(column) ?? useAsked(summary, false, true, { declared: false, index: false }));
    if (!values && use === null) refused.push(summary);
    const decimal = typeof use === "string" ? use : use?.as === "number" ? (use.decimal ?? null) : null;
    const isText = summary.type !== "number" && summary.type !== "boolean";
    parts.push({ column, at, values, decimal: isText ? decimal : null });
    at += values?.length ?? 1;
  }
  if (refused.length > 0) throw notNumeric(table, options, refused);
  const names = parts.flatMap(({ column, values }) => values?.map((value) => `${column}=${value}`) ?? column);
  checkCount(table, names, options.like);
  const isFree = (column: string | undefined): column is string =>
    column !== undefined && byName.has(column) && !roles.reserved.has(column) && !columns.includes(column);
  const labelled = options.like?.labelled && !options.noLabel && isFree(recipe.label);
  return {
    parts,
    features: names,
    label: roles.label ?? (labelled ? recipe.label : undefined),
    id: roles.id ?? (isFree(recipe.id) ? recipe.id : undefined),
    weight: roles.weight,
    text: undefined,
    leftOut: new Map(),
    fills: findFills(table, parts, options),
    groups: groupFeatures(names, recipe),
    image: null,
    recipe,
    notes,
  };
}

/** Stops where a model was fitted on more features, or fewer. */
export function checkCount({ name }: TableSummary, features: readonly string[], like: TableOptions["like"]): void {
  if (!like || features.length === like.count) return;
  throw new UserError(
    `${name} has ${features.length} features, but the model was fitted on ${like.count}`,
    "choose the columns of the fit with --features or --exclude",
  );
}

/** Stops where columns of the model are not there; says which columns it does not know. */
function compareColumns(
  table: TableSummary,
  recipe: Recipe,
  columns: readonly string[],
  { reserved }: Roles,
): string[] {
  const there = new Set(table.columns.map(({ name }) => name));
  const absent = columns.filter((column) => !there.has(column));
  const known = [recipe.label, recipe.id, recipe.weight, ...Object.keys(recipe.leftOut ?? {}), table.declared?.label];
  const used = new Set([...columns, ...reserved, ...known]);
  const strange = [...there].filter((column) => !used.has(column));
  if (absent.length === 0) return strange.length === 0 ? [] : [`the model does not use ${listNames(strange)}`];
  const besides = strange.length === 0 ? "" : `; it has besides ${listNames(strange)}`;
  throw new UserError(
    `${table.name} has other features than the model: it lacks ${listNames(absent)}${besides}`,
    askNearest(absent[0], strange) ?? "give it the columns of the fit",
  );
}
