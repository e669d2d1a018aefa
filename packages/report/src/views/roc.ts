import * as Plot from "@observablehq/plot";
import type { Curve, TestFindings } from "../test-findings.js";
import { describe } from "./alternative.js";
import { colourOf } from "./colour.js";
import { element, fitWidth } from "./element.js";
import { percent, plural } from "./numbers.js";
import type { ViewOptions } from "./options.js";

const HEIGHT = 320;
const WIDEST = 520;

const axis = { domain: [0, 1], grid: true, ticks: 5, tickFormat: (share: number) => percent(share, 0) };

/** Curves in the colours of the legend below; where not all classes are drawn, those that are told apart worst. */
export function showCurves({ curves, classes }: TestFindings, options: ViewOptions = {}): HTMLElement {
  const colour = (c: number) => colourOf(c, curves.length);
  const told = curves.map(({ label, auc }) => `${label}: AUC ${auc.toFixed(3)}`);
  const plot = (width: number) =>
    describe(
      Plot.plot({
        width: Math.min(width, WIDEST),
        height: HEIGHT,
        marginLeft: 48,
        marginBottom: 44,
        className: "bonmf-plot",
        x: { ...axis, label: "of the other samples", labelOffset: 40 },
        y: { ...axis, label: "of its own samples" },
        marks: [
          Plot.line([0, 1], {
            x: Plot.identity,
            y: Plot.identity,
            stroke: "var(--bonmf-soft)",
            strokeDasharray: "4 3",
          }),
          ...curves.map(({ points }: Curve, c) => Plot.line(points, { stroke: colour(c), strokeWidth: 2 })),
        ],
      }),
      `ROC curves. ${told.join("; ")}.`,
    );
  const left = classes.filter(({ auc }) => auc !== null).length - curves.length;
  const more = curves.length > 1 && left > 0 ? [`${plural(left, "class is", "classes are")} told apart better`] : [];
  const legend = curves.map((_, c) =>
    element("li", {}, element("span", { class: "bonmf-swatch", style: `--bonmf-colour: ${colour(c)}` }), told[c]),
  );
  return element(
    "div",
    {},
    fitWidth(plot, options.width),
    element("ul", { class: "bonmf-curves" }, ...legend, ...more.map((text) => element("li", {}, text))),
  );
}
