import {
  chooseRestarts,
  type FeatureSummary,
  type FitOptions,
  type Matrix,
  type ScaleName,
  summariseFeatures,
} from "bonmf";
import { completeRecipe, type Recipe } from "bonmf-data";
import { chooseStarts, resolveScale, scaleHints } from "bonmf-data/defaults";
import { writeRecipe } from "bonmf-data/recipe";
import type { Data } from "../data/build.js";
import { findsTopics } from "./finds-topics.js";
import type { Order } from "./protocol.js";

/** The options of a fit; what nobody says is as in the command. */
export function toOptions(order: Order, data: Data): FitOptions {
  const { k, method, seed, maxIterations } = order;
  const { samples, features } = data.X;
  const asked = { method, init: order.init ?? undefined, restarts: order.restarts ?? undefined };
  const starts = chooseStarts(asked, { samples, features, k }, chooseRestarts);
  return { k, method, seed, ...starts, maxIterations: maxIterations ?? undefined, ...describeData(order, data) };
}

/** The options that follow from the samples. */
export function describeData(order: Order, data: Data) {
  const { scale, reason } = scaleFor(order, data);
  return {
    scale,
    featureNames: data.features ?? undefined,
    featureGroups: data.groups ?? undefined,
    tags: { recipe: writeRecipe(recipeOf(data)), source: data.name, ...(reason !== null && { scale: reason }) },
  };
}

/** The scaler of an order, and why it was chosen; null where people chose it. */
export function scaleFor(order: Order, data: Data): { scale: ScaleName; reason: string | null } {
  if (data.told) return { scale: "none", reason: "words and vectors are weighed already" };
  if (findsTopics(order, { texts: data.texts !== null, vectors: false })) {
    return { scale: "sqrt-tfidf", reason: "texts are compared as bonmf topics compares them" };
  }
  const { scale, method } = order;
  return resolveScale(scale, () => summaryOf(data.X), scaleHints(data, { method }));
}

const recipes = new WeakMap<Data, Recipe>();

function recipeOf(data: Data): Recipe {
  const known = recipes.get(data) ?? completeRecipe(data);
  recipes.set(data, known);
  return known;
}

const summaries = new WeakMap<Matrix, FeatureSummary>();

function summaryOf(X: Matrix): FeatureSummary {
  const known = summaries.get(X) ?? summariseFeatures(X);
  summaries.set(X, known);
  return known;
}

/** Of a search for a number of clusters. */
export function toSearchOptions(order: Order, data: Data) {
  const { method, seed, restarts, init, maxIterations } = order;
  return {
    ...describeData(order, data),
    method,
    seed,
    restarts: restarts ?? undefined,
    init: init ?? undefined,
    maxIterations: maxIterations ?? undefined,
  };
}
