import type { Agreement, Findings } from "../findings.js";
import { element } from "./element.js";
import { longest, showGrid } from "./grid.js";
import { choosable, nameBriefly, nameCluster, swatch, tellingWords } from "./naming.js";
import { nounsOf } from "./nouns.js";
import { count, percent } from "./numbers.js";
import type { ViewOptions } from "./options.js";

/** Classes against clusters: how many samples each pair shares, darker the larger their share of the class. */
export function showMatrix(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { agreement } = findings;
  const { sample, cluster } = nounsOf(findings);
  if (!agreement?.counts) {
    const why = agreement
      ? `There are too many classes and ${cluster}s for a table of all pairs.`
      : "There are no classes.";
    return element("p", { class: "bonmf-none" }, why);
  }
  const { counts, classes, order } = agreement;
  const heads = order.map((j) => {
    const words = tellingWords(findings, j, 4);
    const title = [nameCluster(findings, j), ...words].join(", ");
    return element(
      "th",
      { scope: "col", title },
      swatch(findings, j),
      nameBriefly(findings, j),
      words.length > 0 && element("small", {}, words[0]),
    );
  });
  const rows = classes.map((name, c) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", title: name }, name),
      ...showCells(findings, agreement, c, options),
    ),
  );
  return showGrid({
    name: `Classes against ${cluster}s`,
    caption: `Rows are classes, columns ${cluster}s; a cell counts the ${sample}s they share.`,
    heads,
    rows,
    digits: longest(counts, count),
  });
}

function showCells(
  findings: Findings,
  { counts, classes, order }: Agreement,
  c: number,
  options: ViewOptions,
): HTMLElement[] {
  const row = counts![c];
  const total = row.reduce((sum, cell) => sum + cell, 0);
  return order.map((j) => {
    const share = total > 0 ? row[j] / total : 0;
    const title = `${classes[c]} in ${nameCluster(findings, j)}: ${count(row[j])}, ${percent(share)} of the class`;
    const choose = options.onCell && row[j] > 0 ? () => options.onCell?.(c, j) : undefined;
    const text =
      row[j] === 0
        ? element("span", { class: "bonmf-zero" }, "0")
        : choosable(count(row[j]), choose, { "aria-label": title });
    return element("td", { style: `--bonmf-share: ${share.toFixed(3)}`, title }, text);
  });
}
