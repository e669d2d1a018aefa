import type { HeldOutStep } from "./held-out.js";
import type { Recommendation } from "./recommend.js";

/** A component that saves less than this share of one component's error is not worth having. */
const LEAST_GAIN = 1e-3;

/**
 * The number of components by their error on hidden entries: the smallest that is within one standard error of the best. One
 * component counts as no clusters.
 *
 * @param steps every k from 1 on
 * @param ks the range, ascending
 */
export function recommendRank(steps: readonly HeldOutStep[], ks: readonly number[]): Recommendation {
  const asked = steps.filter(({ k }) => k === 1 || ks.includes(k));
  const ranked = [...asked].sort((a, b) => a.error - b.error || a.k - b.k);
  const least = ranked[0].error;
  const { k } = asked.find(({ error, spread }) => error - least <= Math.max(spread, LEAST_GAIN))!;
  const next = ranked.find((step) => step.k !== k && step.k > 1);
  return { k, runnerUp: next?.k ?? null, rule: k === 1 ? null : "held-out" };
}

/** Why, in two sentences. */
export function explainRank(
  steps: readonly HeldOutStep[],
  ks: readonly number[],
  { k, runnerUp }: Pick<Recommendation, "k" | "runnerUp">,
  { cluster } = { cluster: "cluster" },
): string {
  const asked = steps.filter((step) => step.k > 1 && ks.includes(step.k));
  const best = asked.reduce((least, step) => (step.error < least.error ? step : least), asked[0]);
  if (k === 1) {
    const seen = best ? ` (the best is k = ${best.k}, with ${round(best.error)} of its squared error)` : "";
    return (
      `No ${cluster}s: one prototype predicts entries hidden from the fit as well as more do${seen}. ` +
      "A fit divides them all the same, but where it does is arbitrary."
    );
  }
  const own = asked.find((step) => step.k === k)!;
  const share = `their squared error is ${round(own.error)} of that of one prototype`;
  const other = best.k === k ? "" : `, within one standard error of the best, k = ${best.k}`;
  const next = runnerUp === null ? "" : `; the runner-up is k = ${runnerUp}`;
  return (
    `${k} prototypes predict entries hidden from the fit as well as any number tried: ${share}${other}. ` +
    `More would fit noise${next}.`
  );
}

function round(value: number): string {
  return value.toFixed(2);
}
