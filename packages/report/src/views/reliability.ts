import * as Plot from "@observablehq/plot";
import type { TestFindings } from "../test-findings.js";
import { describe } from "./alternative.js";
import { fitWidth } from "./element.js";
import { count, percent, plural } from "./numbers.js";
import type { ViewOptions } from "./options.js";

const HEIGHT = 300;
const WIDEST = 520;

const axis = { domain: [0, 1], grid: true, ticks: 5, tickFormat: (share: number) => percent(share, 0) };

/** Of the answers given with a probability, how many are right; larger dots stand for more answers. */
export function showReliability({ bins, measures }: TestFindings, options: ViewOptions = {}): HTMLElement {
  const full = bins.flatMap(({ count: n, confidence, accuracy, from, to }) =>
    n > 0 && confidence !== null && accuracy !== null ? [{ n, confidence, accuracy, from, to }] : [],
  );
  const told = full.map(
    ({ n, confidence, accuracy }) => `${percent(confidence, 0)}: ${percent(accuracy, 0)} of ${count(n)}`,
  );
  return fitWidth(
    (width) =>
      describe(
        Plot.plot({
          width: Math.min(width, WIDEST),
          height: HEIGHT,
          marginLeft: 48,
          marginBottom: 44,
          className: "bonmf-plot",
          x: { ...axis, label: "probability of the answer", labelOffset: 40 },
          y: { ...axis, label: "right answers" },
          r: { range: [2, 14] },
          marks: [
            Plot.line([0, 1], {
              x: Plot.identity,
              y: Plot.identity,
              stroke: "var(--bonmf-soft)",
              strokeDasharray: "4 3",
            }),
            Plot.line(full, { x: "confidence", y: "accuracy", stroke: "var(--bonmf-accent)", strokeWidth: 1.5 }),
            Plot.dot(full, {
              x: "confidence",
              y: "accuracy",
              r: "n",
              fill: "var(--bonmf-accent)",
              fillOpacity: 0.55,
              stroke: "var(--bonmf-accent)",
              title: (bin: (typeof full)[number]) =>
                `${percent(bin.from, 0)} to ${percent(bin.to, 0)}: ${plural(bin.n, "answer")}, mean probability ` +
                `${percent(bin.confidence)}, ${percent(bin.accuracy)} right`,
              tip: true,
            }),
          ],
        }),
        `Right answers by probability; calibration error ${measures.calibration.toFixed(3)}. ${told.join("; ")}.`,
      ),
    options.width,
  );
}
