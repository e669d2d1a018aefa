import type { Findings } from "../findings.js";
import { element } from "./element.js";
import { count, percent, plural } from "./numbers.js";

/** One sentence: how many clusters there are, whether they are more than chance, and how they agree with the classes. */
export function showHeadline(findings: Findings): HTMLElement {
  return element("p", { class: "bonmf-headline" }, describeFindings(findings));
}

export function describeFindings({ samples, run, reference, agreement }: Findings): string {
  const merged = run.k < run.fitted ? ` (${count(run.fitted)} by ${run.method}, merged)` : "";
  const subject = `${plural(run.k, "cluster")}${merged} in ${plural(samples, "sample")}`;
  const classes = agreement
    ? `${percent(agreement.labelAccuracy)} of the samples are where most have their class`
    : null;
  if (run.k === 1) return `${subject}: nothing is divided.`;
  const share = percent(run.explained, run.explained < 0.1 ? 1 : 0);
  if (reference && !reference.better) {
    return `${subject}, no clearer than in shuffled data: nothing shows that there are groups${classes ? `; ${classes}` : ""}.`;
  }
  const chance =
    reference && run.k === run.fitted ? ` (in shuffled data ${percent(reference.chance.explained, 0)})` : "";
  return `${subject} explain ${share} of what one prototype leaves${chance}${classes ? `, and ${classes}` : ""}.`;
}
