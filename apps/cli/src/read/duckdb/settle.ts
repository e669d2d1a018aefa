import { Dense } from "bonmf";
import { blankSummary, type ColumnSummary, makePlan, type TablePlan, type TableSummary } from "bonmf-data";
import type { ReadOptions } from "../data.js";
import type { TableRows } from "./query.js";

export interface Settled {
  readonly found: TableRows;
  readonly plan: TablePlan;
}

/**
 * Plans again where reading has shown what nobody had asked before: columns of numbers that are constant, or that miss
 * values (NaN). Fills them, and takes the features that are left out from the matrix, in place.
 */
export function settle(found: TableRows, plan: TablePlan, summary: TableSummary, options: ReadOptions): Settled {
  const { constant, missing = [], X } = found;
  const asked = options.strict || options.like || X.samples === 1;
  if (missing.length === 0 && (constant.length === 0 || asked)) return { found, plan };
  const places = new Map(plan.features.map((feature, f) => [feature, f]));
  const doubtful = new Set([...constant, ...missing.map((f) => plan.features[f])]);
  const columns = summary.columns.map((column) => {
    const f = doubtful.has(column.name) && column.rows === null ? places.get(column.name) : undefined;
    return f === undefined ? column : summarizeFeature(column, X, f);
  });
  const settled = makePlan({ ...summary, columns }, options);
  fillFeatures(X, plan, settled, missing);
  const left = constant.filter((name) => settled.parts.some(({ column }) => column === name));
  const kept = Uint32Array.from(settled.features, (feature) => places.get(feature) as number);
  return { found: { ...found, X: keepFeatures(X, kept), constant: left }, plan: settled };
}

/** What a plan has to know of a column of numbers, from the matrix. */
function summarizeFeature({ name, type }: ColumnSummary, { samples, features: m, data }: Dense, f: number) {
  const there: number[] = [];
  for (let p = f; p < data.length; p += m) if (!Number.isNaN(data[p])) there.push(data[p]);
  const values = Float32Array.from(there).sort();
  const count = values.length;
  const found = { min: values[0], max: values[count - 1], median: values[Math.floor((count - 1) / 2)] };
  return { ...blankSummary(name, type), rows: samples, missing: samples - count, ...(count > 0 && found) };
}

function fillFeatures(
  { features: m, data }: Dense,
  { features }: TablePlan,
  { fills }: TablePlan,
  missing: readonly number[],
): void {
  for (const f of missing) {
    const fill = fills.get(features[f]);
    if (typeof fill !== "number") continue;
    for (let p = f; p < data.length; p += m) if (Number.isNaN(data[p])) data[p] = fill;
  }
}

/** @param kept features in ascending order */
function keepFeatures(X: Dense, kept: Uint32Array): Dense {
  const { samples, features: m, data } = X;
  if (kept.length === m) return X;
  let p = 0;
  for (let row = 0; row < samples * m; row += m) for (const f of kept) data[p++] = data[row + f];
  return new Dense(samples, kept.length, data.subarray(0, p));
}
