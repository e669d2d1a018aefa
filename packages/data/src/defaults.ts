import {
  chooseScale,
  type FeatureSummary,
  type FitOptions,
  type MethodName,
  type ScaleHints,
  type ScaleName,
} from "bonmf";
import type { Data } from "./data.js";

// What the command and the studio do where nobody says otherwise, so that both give the same clusters.

/** What decides for scale auto, besides the values. */
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
  summary: () => FeatureSummary,
  hints: ScaleHints,
): { readonly scale: ScaleName; readonly reason: string | null } {
  if (asked !== undefined && asked !== "auto") return { scale: asked, reason: null };
  return chooseScale(summary(), hints);
}

type Start = Pick<FitOptions, "method" | "update" | "init">;

/**
 * The start of a run: k-means++ for bonmf, which finds the clusters more often than the paper's start. The paper's own W step
 * keeps the paper's start, and other methods their own.
 */
export function chooseInit({ method = "bonmf", update, init }: Start): FitOptions["init"] {
  return init ?? (method === "bonmf" && update !== "multiplicative" ? "plusplus" : undefined);
}

/**
 * The start of a run, and as many runs as are cheap.
 *
 * @param most how many runs are cheap: the library's `chooseRestarts`
 */
export function chooseStarts(
  { restarts, ...start }: Start & Pick<FitOptions, "restarts">,
  work: { readonly samples: number; readonly features: number; readonly k: number },
  most: (work: { samples: number; features: number; k: number; method: MethodName }) => number,
): Pick<FitOptions, "init" | "restarts"> {
  const { method = "bonmf", update, init } = start;
  // All runs from the same prototypes are the same.
  const once = update === "multiplicative" || typeof init === "object";
  return { init: chooseInit(start), restarts: restarts ?? (once ? 1 : most({ ...work, method })) };
}
