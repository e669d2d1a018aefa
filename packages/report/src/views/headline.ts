import type { Findings } from "../findings.js";
import { element } from "./element.js";
import { type Nouns, nounsOf } from "./nouns.js";
import { count, percent, plural } from "./numbers.js";

/** One sentence: how many clusters there are, whether they are more than chance, and how they agree with the classes. */
export function showHeadline(findings: Findings): HTMLElement {
  return element("p", { class: "bonmf-headline" }, describeFindings(findings));
}

export function describeFindings(findings: Findings): string {
  const { samples, wordless, run, clusters, reference, agreement } = findings;
  const nouns = nounsOf(findings);
  const subject = `${plural(samples - wordless, nouns.sample)} in ${describeClusters(run, nouns)}`;
  if (run.k === 1) return `${subject}: nothing is divided.`;
  const sizes = clusters.map(({ size }) => size).filter((size) => size > 0);
  const sorted = `${subject}${run.k < run.fitted ? "," : ""} of ${describeRange(sizes, nouns)}`;
  const classes = agreement
    ? `; ${percent(agreement.labelAccuracy)} of the ${nouns.sample}s have the most frequent class of their ${nouns.cluster}`
    : "";
  if (reference && !reference.better) {
    return `${sorted}, no clearer than in data without groups: nothing shows that there are groups${classes}.`;
  }
  // What chance gives was measured for the clusters found.
  const clearer = reference && run.k === run.fitted ? ", clearer than in data without groups" : "";
  return `${sorted}${clearer}${classes}.`;
}

/** "120 to 2,400 samples". */
function describeRange(sizes: readonly number[], { sample }: Nouns): string {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return least === most ? `${plural(most, sample)} each` : `${count(least)} to ${plural(most, sample)}`;
}

/** "10 clusters by bonmf, merged into 8". */
export function describeClusters({ k, fitted, method }: Findings["run"], { cluster }: Nouns): string {
  return `${plural(fitted, cluster)} by ${method}${k < fitted ? `, merged into ${count(k)}` : ""}`;
}
