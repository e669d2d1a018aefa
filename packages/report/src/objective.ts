import type { Model } from "bonmf";

/** What the fit lowered, where that is not the squared error alone: "Kullback–Leibler divergence with penalties"; else null. */
export function nameObjective({ settings }: Pick<Model, "settings">): string | null {
  const { loss, l1W, l2W, l1H, l2H } = settings;
  const divergence = loss === "kullback-leibler";
  const penalized = l1W > 0 || l2W > 0 || l1H > 0 || l2H > 0;
  if (!divergence && !penalized) return null;
  return `${divergence ? "Kullback–Leibler divergence" : "squared error"}${penalized ? " with penalties" : ""}`;
}
