import { Dense } from "bonmf";
import { makePlan, type TablePlan, type TableSummary } from "bonmf-data";
import type { ReadOptions } from "../data.js";
import type { TableRows } from "./query.js";

export interface Settled {
  readonly found: TableRows;
  readonly plan: TablePlan;
}

/**
 * Plans again where reading has shown that columns are constant, which nobody had asked before, and takes the features
 * that are then left out from the matrix, in place.
 */
export function leaveConstant(found: TableRows, plan: TablePlan, summary: TableSummary, options: ReadOptions): Settled {
  const { constant, X } = found;
  if (constant.length === 0 || options.strict || options.like || X.samples === 1) return { found, plan };
  const same = new Set(constant);
  const columns = summary.columns.map((column) =>
    same.has(column.name) ? { ...column, rows: X.samples, missing: 0, min: 0, max: 0 } : column,
  );
  const settled = makePlan({ ...summary, columns }, options);
  if (settled.features.length === plan.features.length) return { found, plan };
  const places = new Map(plan.features.map((feature, f) => [feature, f]));
  const kept = Uint32Array.from(settled.features, (feature) => places.get(feature) as number);
  const left = constant.filter((name) => settled.parts.some(({ column }) => column === name));
  return { found: { ...found, X: keepFeatures(X, kept), constant: left }, plan: settled };
}

/** @param kept features in ascending order */
function keepFeatures({ samples, features: m, data }: Dense, kept: Uint32Array): Dense {
  let p = 0;
  for (let row = 0; row < samples * m; row += m) for (const f of kept) data[p++] = data[row + f];
  return new Dense(samples, kept.length, data.subarray(0, p));
}
