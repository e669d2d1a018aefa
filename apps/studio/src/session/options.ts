import {
  chooseScale,
  type FeatureSummary,
  type FitOptions,
  type Matrix,
  type ScaleName,
  summariseFeatures,
} from "bonmf";
import { scaleHints } from "bonmf-data";
import { writeRecipe } from "bonmf-data/recipe";
import type { Data } from "../data/build.js";
import type { Order } from "./protocol.js";

/** The options of a fit; what nobody says is as in the command. */
export function toOptions(order: Order, data: Data): FitOptions & { scale: ScaleName } {
  const { k, method, seed, restarts, init, maxIterations } = order;
  const { scale, reason } = scaleFor(order, data);
  return {
    k,
    method,
    scale,
    seed,
    restarts: restarts ?? undefined,
    init: init ?? undefined,
    maxIterations: maxIterations ?? undefined,
    featureNames: data.features ?? undefined,
    featureGroups: data.groups ?? undefined,
    tags: { recipe: writeRecipe(data.recipe), source: data.name, ...(reason !== null && { scale: reason }) },
  };
}

/** The scaler of an order, and why it was chosen; null where people chose it. */
export function scaleFor({ scale, method }: Order, data: Data): { scale: ScaleName; reason: string | null } {
  return scale === "auto" ? chooseScale(summaryOf(data.X), scaleHints(data, { method })) : { scale, reason: null };
}

const summaries = new WeakMap<Matrix, FeatureSummary>();

function summaryOf(X: Matrix): FeatureSummary {
  const known = summaries.get(X) ?? summariseFeatures(X);
  summaries.set(X, known);
  return known;
}
