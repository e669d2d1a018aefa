import type { FitOptions, ScaleHints } from "bonmf";
import type { Data } from "./data.js";

/** What decides the scaler of samples, besides their values. */
export function scaleHints(
  { recipe, kind, features, groups }: Pick<Data, "recipe" | "kind" | "features" | "groups">,
  { method, update }: Pick<FitOptions, "method" | "update">,
): ScaleHints {
  const isText = recipe.text !== undefined || kind === "text";
  return {
    method,
    update,
    featureNames: features,
    featureGroups: groups,
    kind: isText ? "text" : recipe.image ? "one-unit" : "table",
  };
}
