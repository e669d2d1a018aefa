import { askNearest } from "bonmf-data/nearest";
import { UserError } from "../errors.js";
import type { ReadOptions } from "./data.js";
import { type Loaded, selectFeatures } from "./loaded.js";

/** Brings samples to the features a model was fitted on: by name where both have names, else their number must agree. */
export function matchFeatures(loaded: Loaded, name: string, like: ReadOptions["like"]): Loaded {
  if (!like) return loaded;
  const { features, X } = loaded;
  if (features && like.features) {
    const places = new Map(features.map((feature, f) => [feature, f]));
    const known = new Set(like.features);
    const absent = like.features.filter((feature) => !places.has(feature));
    const strange = features.filter((feature) => !known.has(feature));
    if (absent.length === 0) {
      const wanted = like.features.map((feature) => places.get(feature) as number);
      const unused = strange.length === 0 ? [] : [`the model does not use ${list(strange)}`];
      return {
        ...loaded,
        X: selectFeatures(X, wanted),
        features: like.features,
        notes: [...(loaded.notes ?? []), ...unused],
      };
    }
    const besides = strange.length === 0 ? "" : `; it has besides ${list(strange)}`;
    throw new UserError(
      `${name} has other features than the model: it lacks ${list(absent)}${besides}`,
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

function list(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${names
    .slice(0, 5)
    .map((name) => JSON.stringify(name))
    .join(", ")}${more}`;
}
