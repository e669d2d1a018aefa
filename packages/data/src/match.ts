import type { Matrix } from "bonmf";
import type { TableOptions } from "./data.js";
import { UserError } from "./errors.js";
import { listNames } from "./labels.js";
import { type Loaded, selectFeatures } from "./loaded.js";
import { askNearest } from "./nearest.js";

/** The columns of some words, in their order. @param from what the columns are called */
export function arrangeWords(
  X: Matrix,
  from: readonly string[],
  to: readonly string[],
): { readonly X: Matrix; readonly features: readonly string[] } {
  const places = new Map(from.map((word, f) => [word, f]));
  return {
    X: selectFeatures(
      X,
      to.map((word) => places.get(word)!),
    ),
    features: to,
  };
}

/** Brings samples to the features a model was fitted on: by name where both have names, else their number must agree. */
export function matchFeatures(loaded: Loaded, name: string, like: TableOptions["like"]): Loaded {
  if (!like) return loaded;
  const { features, X } = loaded;
  const { words } = like.recipe;
  if (!features && words?.length === X.features)
    return { ...loaded, ...arrangeWords(X, words, like.features ?? words) };
  if (features && like.features) {
    const places = new Map(features.map((feature, f) => [feature, f]));
    const known = new Set(like.features);
    const absent = like.features.filter((feature) => !places.has(feature));
    const strange = features.filter((feature) => !known.has(feature));
    if (absent.length === 0) {
      const wanted = like.features.map((feature) => places.get(feature) as number);
      const unused = strange.length === 0 ? [] : [`the model does not use ${listNames(strange)}`];
      return {
        ...loaded,
        X: selectFeatures(X, wanted),
        features: like.features,
        notes: [...(loaded.notes ?? []), ...unused],
      };
    }
    const besides = strange.length === 0 ? "" : `; it has besides ${listNames(strange)}`;
    throw new UserError(
      `${name} has other features than the model: it lacks ${listNames(absent)}${besides}`,
      askNearest(absent[0], strange) ?? "give it the features of the fit",
    );
  }
  if (X.features !== like.count) {
    throw new UserError(
      `${name} has ${X.features} features, but the model was fitted on ${like.count}`,
      "predict needs samples with the features of the fit",
    );
  }
  return { ...loaded, features: like.features };
}
