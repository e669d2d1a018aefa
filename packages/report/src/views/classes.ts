import type { Findings } from "../findings.js";
import { element } from "./element.js";
import { scroll } from "./grid.js";
import { nameBriefly, swatch } from "./naming.js";
import { nounsOf, titleOf } from "./nouns.js";
import { count, percent } from "./numbers.js";

/** Most rows shown. */
const MOST = 100;

/** Precision and recall of each class when every cluster predicts its majority class. */
export function showClasses(findings: Findings): HTMLElement {
  const { agreement } = findings;
  if (!agreement) return element("p", { class: "bonmf-none" }, "There are no classes.");
  const { sample, cluster } = nounsOf(findings);
  const heads = ["Class", titleOf(sample), "Precision", "Recall", "F1", titleOf(cluster)];
  const shown = agreement.table.slice(0, MOST);
  const left = agreement.table.length - shown.length;
  const rows = shown.map(({ label, samples, precision, recall, f1, clusters }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, label),
      element("td", {}, count(samples)),
      ...[precision, recall, f1].map((share) => showShare(share)),
      element(
        "td",
        { class: "bonmf-of" },
        ...(clusters.length === 0
          ? ["none"]
          : clusters.map((j) => element("span", {}, swatch(findings, j), nameBriefly(findings, j)))),
      ),
    ),
  );
  return scroll(
    "Classes, one by one",
    element(
      "table",
      { class: "bonmf-table" },
      element(
        "caption",
        {},
        `As if every ${cluster} stood for its most frequent class.${left > 0 ? ` ${count(left)} more classes are left out.` : ""}`,
      ),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows),
    ),
  );
}

export function showShare(share: number): HTMLElement {
  const bar = element("span", { class: "bonmf-bar", style: `--bonmf-filled: ${share}`, "aria-hidden": "true" });
  return element("td", { class: "bonmf-share" }, percent(share), bar);
}
