import * as Plot from "@observablehq/plot";
import type { Findings } from "../findings.js";
import { describe } from "./alternative.js";
import { element, fitWidth } from "./element.js";
import { shorten, widthOf } from "./letters.js";
import { colourCluster, nameBriefly, nameCluster } from "./naming.js";
import { nounsOf } from "./nouns.js";
import { decimal, plural } from "./numbers.js";
import type { ViewOptions } from "./options.js";

interface Score {
  readonly at: number;
  readonly score: number;
  readonly cluster: number;
}

const LETTER = 7.2;
const LONGEST = 16;
/** Room for a name, in pixels. */
const NAMED = 14;

/** A band for each cluster: the silhouettes of its samples, the highest first; a dashed line for the mean of all. */
export function showSilhouettes(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { silhouettes, samples } = findings;
  const { sample, cluster } = nounsOf(findings);
  if (!silhouettes)
    return element("p", { class: "bonmf-none" }, `There is one ${cluster}: nothing lies between ${cluster}s.`);
  const some = silhouettes.samples < samples ? ` Measured on ${plural(silhouettes.samples, sample)}.` : "";
  const note =
    `Towards 1 a ${sample} lies well inside its ${cluster}, at 0 between two, below 0 nearer to another. ` +
    `The mean (dashed) is ${decimal(silhouettes.mean)}.${some}`;
  return element(
    "div",
    {},
    fitWidth((width) => drawBands(findings, width), options.width),
    element("p", { class: "bonmf-hint" }, note),
  );
}

function drawBands(findings: Findings, width: number): Element {
  const { silhouettes, clusters } = findings;
  const bands = silhouettes!.clusters.map(({ scores }, cluster) =>
    Array.from(
      scores,
      (score, p): Score => ({ at: cluster + 0.06 + (0.88 * p) / Math.max(1, scores.length - 1), score, cluster }),
    ),
  );
  const row = Math.max(6, Math.min(40, Math.floor(700 / clusters.length)));
  const names = clusters.map(({ cluster }) => shorten(nameBriefly(findings, cluster), LONGEST));
  const least = Math.min(0, ...bands.flat().map(({ score }) => score));
  const chart = Plot.plot({
    width,
    height: row * clusters.length + 56,
    marginLeft: 16 + Math.min(0.35 * width, LETTER * Math.max(...names.map(widthOf))),
    marginTop: 8,
    marginBottom: 44,
    className: "bonmf-plot",
    x: { domain: [least, 1], grid: true, ticks: 5, label: "silhouette" },
    y: {
      domain: [0, clusters.length],
      reverse: true,
      label: null,
      tickSize: 0,
      ticks: row < NAMED ? [] : clusters.map((_, j) => j + 0.5),
      tickFormat: (at: number) => names[Math.floor(at)] ?? "",
    },
    color: { type: "identity" },
    marks: [
      ...bands.map((band, cluster) =>
        Plot.areaX(band, {
          x1: 0,
          x2: "score",
          y: "at",
          fill: colourCluster(findings, cluster),
          fillOpacity: 0.85,
        }),
      ),
      Plot.ruleX([0]),
      Plot.ruleX([silhouettes!.mean], { stroke: "var(--bonmf-ink)", strokeDasharray: "4 3" }),
    ],
  });
  const known = silhouettes!.clusters.flatMap(({ mean }, j) => (mean === null ? [] : [{ mean, j }]));
  known.sort((a, b) => b.mean - a.mean);
  const [clearest, last] = [known[0], known[known.length - 1]];
  return describe(
    chart,
    `Silhouettes by ${nounsOf(findings).cluster}: clearest is ${nameCluster(findings, clearest.j)} (mean ${decimal(clearest.mean)}), ` +
      `least clear ${nameCluster(findings, last.j)} (${decimal(last.mean)}).`,
  );
}
