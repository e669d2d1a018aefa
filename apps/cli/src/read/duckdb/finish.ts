import { noteConstant, type TablePlan } from "bonmf-data";
import type { Data, ReadOptions } from "../data.js";
import type { Relation } from "./relation.js";
import type { Harvest } from "./side-columns.js";

/** All rows of a table. */
export function finishWhole(harvest: Harvest, plan: TablePlan, relation: Relation, options: ReadOptions): Data {
  const constant = noteConstant(harvest.constant, harvest.X.samples, options);
  return finishPart(harvest, plan, relation, [...relation.notes, ...plan.notes, ...constant]);
}

export function finishPart(
  { X, margin }: Harvest,
  { features, recipe }: TablePlan,
  { kind }: Relation,
  notes: readonly string[],
): Data {
  const { labels, ids, weights } = margin;
  return { X, features, labels, ids, weights: weights && Float64Array.from(weights), kind, recipe, notes };
}
