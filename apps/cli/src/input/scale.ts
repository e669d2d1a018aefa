import { chooseScale, type FitOptions, type ScaleChoice, type ScaleHints, type ScaleName, type Scaler } from "bonmf";
import type { Data } from "../read/data.js";

/** What is scaled, and how it is asked for; the scaler of a model is taken as it is. */
export type AskedScale = ScaleName | "auto" | Scaler | undefined;

/** What decides for --scale auto, besides the values. */
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

/** Chooses a scaler, unless one is named; the reason is null then. */
export function resolveScale(
  asked: ScaleName | "auto" | undefined,
  summary: () => Parameters<typeof chooseScale>[0],
  hints: ScaleHints,
): ScaleChoice | { readonly scale: ScaleName; readonly reason: null } {
  if (asked !== undefined && asked !== "auto") return { scale: asked, reason: null };
  return chooseScale(summary(), hints);
}
