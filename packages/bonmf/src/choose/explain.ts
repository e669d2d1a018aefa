import type { KChoice } from "./choice.js";
import { explainRank } from "./rank.js";
import { LEAST_CONTRAST, type Rule } from "./recommend.js";

/** Why, in two sentences. */
export function explainChoice(choice: Omit<KChoice, "reason">): string {
  const { k, runnerUp } = choice;
  if (k === null) return "Too little is known yet: the search was stopped before the first gaps were measured.";
  if (choice.heldOut.length > 0) return explainRank(choice.heldOut, choice.ks, { k, runnerUp });
  return k === 1 ? explainNone(choice) : explainSome(choice, k, runnerUp);
}

function explainSome({ path, rule }: Omit<KChoice, "reason">, k: number, runnerUp: number | null): string {
  const { evidence, separation, reference, contrast, stability, criterion } = path.find((step) => step.k === k)!;
  const bound = path.some((step) => step.tooFew && step.criterion! < criterion!);
  const gaps = `(separation ${round(separation)}, one group ${round(reference)})`;
  const first = {
    mixture: bound
      ? `Gaps set round clusters off ${gaps}, and no fewer than ${k} differ in as many directions as the samples do.`
      : `${k} round clusters describe the samples best, and gaps set them off ${gaps}.`,
    gaps: `Gaps set ${k} clusters off most clearly ${gaps}, though they are not round.`,
    contrast:
      (evidence > 0 ? `Gaps set ${k} clusters off ${gaps}` : "The clusters touch") +
      `; beyond k = ${k} more of them bring samples little nearer to their centres (contrast to one group ${round(contrast)}).`,
  }[rule as Exclude<Rule, "held-out">];
  const agree = `Two halves of the samples give the same clusters to ${round(stability)} (1 is full agreement)`;
  return `${first} ${agree}${runnerUp === null ? "" : `; the runner-up is k = ${runnerUp}`}.`;
}

function explainNone({ path, ks, sampled }: Omit<KChoice, "reason">): string {
  if (path.length === 0) {
    return `No clusters can be told from ${sampled} samples: they are too few. Choose k by what you know of them.`;
  }
  const asked = path.filter(({ k }) => ks.includes(k));
  const [best] = [...asked].sort((a, b) => b.evenContrast - a.evenContrast || a.k - b.k);
  const counts = `from ${round(LEAST_CONTRAST)} on it counts`;
  const seen =
    best &&
    ` (contrast to one group ${below(LEAST_CONTRAST, best.evenContrast)} at most, for k = ${best.k}; ${counts})`;
  return (
    `No clusters: for no k are the samples clearly sparser between clusters, or nearer to centres, than those of one group${seen ?? ""}. ` +
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
