import { noteConstant, type TablePlan } from "bonmf-data";
import type { Data, ReadOptions } from "../data.js";
import type { Relation } from "./relation.js";
import type { TableRows } from "./side-columns.js";

/** All rows of a table. */
export function finishWhole(found: TableRows, plan: TablePlan, relation: Relation, options: ReadOptions): Data {
  const constant = noteConstant(found.constant, found.X.samples, options);
  return finishPart(found, plan, relation, [...relation.notes, ...plan.notes, ...constant]);
}

export function finishPart(
  { X, side }: TableRows,
  { features, recipe }: TablePlan,
  { kind }: Relation,
  notes: readonly string[],
): Data {
  const { labels, ids, weights } = side;
  return { X, features, labels, ids, weights: weights && Float64Array.from(weights), kind, recipe, notes };
}
