import * as Plot from "@observablehq/plot";
import type { Findings } from "../findings.js";
import { describe } from "./alternative.js";
import { element, fitWidth } from "./element.js";
import { capitalise, nounsOf } from "./nouns.js";
import { count, decimal, wholeTicks } from "./numbers.js";
import type { ViewOptions } from "./options.js";

const HEIGHT = 206;

/** The error, and how many samples changed, by iteration. */
export function showConvergence(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { history, objective } = findings.run;
  const { sample, cluster } = nounsOf(findings);
  const moved = `${sample}s that changed ${cluster}`;
  const name = objective ?? "relative error";
  const y = objective ? "potential" : "relativeError";
  const first = history[0];
  const last = history[history.length - 1];
  const top = history.reduce((top, { changed }) => Math.max(top, changed), 0);
  const plots = [
    fitWidth(
      (width) =>
        describe(
          Plot.plot({
            ...frame(width, history.length),
            // The other errors are below 1; this one may have many digits.
            ...(objective ? { marginLeft: 72 } : {}),
            y: { label: name, grid: true, nice: true, ticks: 4 },
            marks: [
              Plot.lineY(history, {
                x: "iteration",
                y,
                stroke: "var(--bonmf-accent)",
                strokeWidth: 2,
              }),
              Plot.dot([last], { x: "iteration", y, fill: "var(--bonmf-accent)", r: 3.5 }),
              ...tip(history, y, name),
            ],
          }),
          `${name[0].toUpperCase()}${name.slice(1)} by iteration: it goes from ${decimal(first[y])} to ` +
            `${decimal(last[y])} in ${count(history.length)} iterations.`,
        ),
      options.width,
    ),
  ];
  // Real-valued codes change in every iteration, so their count is not plotted.
  if (history.some(({ changed }) => changed !== first.changed)) {
    plots.push(
      fitWidth(
        (width) =>
          describe(
            Plot.plot({
              ...frame(width, history.length),
              marginLeft: Math.max(44, 16 + 7 * count(top).length),
              y: {
                label: `${moved}, square-root scale`,
                type: "sqrt",
                grid: true,
                ticks: wholeTicks(0, top, 4),
                tickFormat: count,
              },
              marks: [
                Plot.areaY(history, { x: "iteration", y: "changed", fill: "var(--bonmf-accent)", fillOpacity: 0.15 }),
                Plot.lineY(history, { x: "iteration", y: "changed", stroke: "var(--bonmf-accent)", strokeWidth: 2 }),
                ...tip(history, "changed", "changed"),
              ],
            }),
            `${capitalise(moved)} by iteration: from ${count(first.changed)} to ${count(last.changed)}.`,
          ),
        options.width,
      ),
    );
  }
  return element("div", { class: "bonmf-plots" }, ...plots);
}

function frame(width: number, iterations: number): Plot.PlotOptions {
  return {
    width,
    height: HEIGHT,
    marginLeft: 44,
    marginRight: 12,
    marginBottom: 44,
    insetTop: 6,
    className: "bonmf-plot",
    x: { label: "iteration", labelOffset: 40, ticks: wholeTicks(1, iterations, 6), tickFormat: "d" },
  };
}

function tip(history: Findings["run"]["history"], y: string, name: string) {
  return [
    Plot.ruleX(history, Plot.pointerX({ x: "iteration", stroke: "var(--bonmf-faint)" })),
    Plot.tip(history, Plot.pointerX({ x: "iteration", y, channels: { [name]: y }, format: { y: false } })),
  ];
}
