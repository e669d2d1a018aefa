import type { KChoice } from "./choice.js";
import { explainRank } from "./rank.js";
import { LEAST_CONTRAST, type Rule } from "./recommend.js";

/** What a reason speaks of. */
export interface Nouns {
  readonly sample: string;
  readonly cluster: string;
  /** What has no parts. */
  readonly group: string;
  /** What was measured, where that is not all samples. */
  readonly measured: string;
}

const SAMPLES: Nouns = { sample: "sample", cluster: "cluster", group: "group", measured: "sample" };

/** Documents that are given twice are measured once. */
export const DOCUMENTS: Nouns = {
  sample: "document",
  cluster: "topic",
  group: "topic",
  measured: "different document",
};

/** Why, in two sentences. */
export function explainChoice(choice: Omit<KChoice, "reason">, nouns: Nouns = SAMPLES): string {
  const { k, runnerUp } = choice;
  if (k === null) return "Too little is known yet: the search was stopped before the first gaps were measured.";
  if (choice.heldOut.length > 0) return explainRank(choice.heldOut, choice.ks, { k, runnerUp }, nouns);
  return k === 1 ? explainNone(choice, nouns) : explainSome(choice, { k, runnerUp }, nouns);
}

function explainSome(
  { path, rule }: Omit<KChoice, "reason">,
  { k, runnerUp }: { readonly k: number; readonly runnerUp: number | null },
  { sample, cluster, group }: Nouns,
): string {
  const { evidence, separation, reference, contrast, stability, criterion } = path.find((step) => step.k === k)!;
  const bound = path.some((step) => step.tooFew && step.criterion! < criterion!);
  const gaps = `(separation ${round(separation)}, one ${group} ${round(reference)})`;
  const first = {
    mixture: bound
      ? `Gaps set round ${cluster}s off ${gaps}, and no fewer than ${k} differ in as many directions as the ${sample}s do.`
      : `${k} round ${cluster}s describe the ${sample}s best, and gaps set them off ${gaps}.`,
    gaps: `Gaps set ${k} ${cluster}s off most clearly ${gaps}, though they are not round.`,
    contrast:
      (evidence > 0 ? `Gaps set ${k} ${cluster}s off ${gaps}` : `The ${cluster}s touch`) +
      `; beyond k = ${k} more of them bring ${sample}s little nearer to their centres (contrast to one ${group} ${round(contrast)}).`,
  }[rule as Exclude<Rule, "held-out">];
  const agree = `Two halves of the ${sample}s give the same ${cluster}s to ${round(stability)} (1 is full agreement)`;
  return `${first} ${agree}${runnerUp === null ? "" : `; the runner-up is k = ${runnerUp}`}.`;
}

function explainNone(
  { path, ks, sampled }: Omit<KChoice, "reason">,
  { sample, cluster, group, measured }: Nouns,
): string {
  if (path.length === 0) {
    return `No ${cluster}s can be told from ${sampled} ${measured}${sampled === 1 ? "" : "s"}: that is too few. Choose k by what you know of them.`;
  }
  const asked = path.filter(({ k }) => ks.includes(k));
  const [best] = [...asked].sort((a, b) => b.evenContrast - a.evenContrast || a.k - b.k);
  const counts = `from ${round(LEAST_CONTRAST)} on it counts`;
  const seen =
    best &&
    ` (contrast to one ${group} ${below(LEAST_CONTRAST, best.evenContrast)} at most, for k = ${best.k}; ${counts})`;
  return (
    `No ${cluster}s: for no k are the ${sample}s clearly sparser between ${cluster}s, or nearer to centres, than those of one ${group}${seen ?? ""}. ` +
    "A fit divides them all the same, but where it does is arbitrary."
  );
}

/** The value with two decimals, or as many as show that it is below the bound: 0.098, not 0.10. */
function below(bound: number, value: number): string {
  let decimals = 2;
  while (decimals < 15 && value < bound && Number(value.toFixed(decimals)) >= bound) decimals += 1;
  return round(value, decimals);
}

function round(value: number, decimals = 2): string {
  return value.toFixed(decimals).replace("-", "−");
}
