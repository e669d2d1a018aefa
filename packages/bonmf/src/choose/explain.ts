import type { KChoice } from "./choice.js";

/** Why, in two sentences. */
export function explainChoice(choice: Omit<KChoice, "reason">): string {
  const { k, runnerUp } = choice;
  if (k === null) return "Too little is known yet: the search was stopped before the first gaps were measured.";
  return k === 1 ? explainNone(choice) : explainSome(choice, k, runnerUp);
}

function explainSome({ path, ks }: Omit<KChoice, "reason">, k: number, runnerUp: number | null): string {
  const { separation, reference, stability } = path.find((step) => step.k === k)!;
  const last = ks[ks.length - 1];
  const further =
    k === last ? `; more than ${last} were not tried` : ", and more clusters would cut where there is none";
  const measured = `separation ${round(separation)}, one group ${round(reference)}`;
  const first = `With k = ${k} the clusters are best set off by gaps (${measured})${further}.`;
  const agree = `Two halves of the samples give the same clusters to ${round(stability)} (1 is full agreement)`;
  return `${first} ${agree}${runnerUp === null ? "" : `; the runner-up is k = ${runnerUp}`}.`;
}

function explainNone({ path, sampled }: Omit<KChoice, "reason">): string {
  if (path.length === 0) {
    return `No clusters can be told from ${sampled} samples: they are too few. Choose k by what you know of them.`;
  }
  const best = path.reduce<KChoice["path"][number] | null>(
    (best, step) => (best && best.separation >= step.separation ? best : step),
    null,
  );
  const seen =
    best === null
      ? ""
      : ` (largest separation ${round(best.separation)} at k = ${best.k}, one group ${round(best.reference)})`;
  return (
    `No clusters: for no k are the samples clearly sparser between clusters than inside them${seen}. ` +
    "A fit divides them all the same, but where it does is arbitrary."
  );
}

function round(value: number): string {
  return value.toFixed(2).replace("-", "−");
}
