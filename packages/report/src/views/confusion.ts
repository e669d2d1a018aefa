import type { TestFindings } from "../test-findings.js";
import { element } from "./element.js";
import { longest, scroll, showGrid } from "./grid.js";
import { count, percent } from "./numbers.js";

/** Who was taken for whom: a matrix, or the most frequent mistakes where there are many classes. */
export function showConfusion({ confusion, confused }: TestFindings): HTMLElement {
  if (confusion === null) return listConfused(confused);
  const { classes, counts, refused } = confusion;
  const anyRefused = refused.some((n) => n > 0);
  const heads = [...classes, ...(anyRefused ? ["no answer"] : [])].map((name) =>
    element("th", { scope: "col", title: name }, name),
  );
  const rows = counts.map((row, t) => {
    const total = row.reduce((sum, n) => sum + n, refused[t]);
    const cells = row.map((n, p) => showCell(n, total, `${classes[t]} given ${classes[p]}`, p === t));
    if (anyRefused) cells.push(showCell(refused[t], total, `${classes[t]} without an answer`, false));
    return element("tr", {}, element("th", { scope: "row", title: classes[t] }, classes[t]), ...cells);
  });
  return showGrid({
    name: "Confusion matrix",
    caption: "Rows are true classes, columns the answers; a cell counts samples.",
    heads,
    rows,
    digits: longest([...counts, refused], count),
  });
}

function showCell(n: number, total: number, what: string, right: boolean): HTMLElement {
  const share = total > 0 ? n / total : 0;
  return element(
    "td",
    {
      class: right ? "bonmf-right" : "bonmf-wrong",
      style: `--bonmf-share: ${share.toFixed(3)}`,
      title: `${what}: ${count(n)}, ${percent(share)} of the class`,
    },
    n === 0 ? element("span", { class: "bonmf-zero" }, "0") : count(n),
  );
}

function listConfused(confused: TestFindings["confused"]): HTMLElement {
  if (confused.length === 0) return element("p", { class: "bonmf-none" }, "No answer is wrong.");
  const rows = confused.map(({ truth, given, count: n }) =>
    element("tr", {}, element("th", { scope: "row" }, truth), element("td", {}, count(n)), element("td", {}, given)),
  );
  return scroll(
    "The most frequent mistakes",
    element(
      "table",
      { class: "bonmf-table" },
      element("caption", {}, "There are too many classes for a matrix: these are the most frequent mistakes."),
      element(
        "thead",
        {},
        element("tr", {}, ...["Class", "Samples", "Taken for"].map((head) => element("th", { scope: "col" }, head))),
      ),
      element("tbody", {}, ...rows),
    ),
  );
}
