import * as Plot from "@observablehq/plot";
import type { Findings } from "../findings.js";
import { describe } from "./alternative.js";
import { fitWidth } from "./element.js";
import { shorten } from "./letters.js";
import { colourCluster, nameBriefly, nameCluster } from "./naming.js";
import { nounsOf } from "./nouns.js";
import { count, percent, wholeTicks } from "./numbers.js";
import type { ViewOptions } from "./options.js";

/** Narrowest bar that shows its number, in pixels. */
const NARROWEST = 30;
const LETTER = 7;

/** How many samples each cluster has. */
export function showSizes(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { clusters } = findings;
  const k = clusters.length;
  const nouns = nounsOf(findings);
  const most = clusters.reduce((best, one) => (one.size > best.size ? one : best));
  const least = clusters.reduce((best, one) => (one.size < best.size ? one : best));
  const text =
    `Sizes of ${k} ${nouns.cluster}s: from ${count(least.size)} ${nouns.sample}s in ${nameCluster(findings, least.cluster)} to ` +
    `${count(most.size)} in ${nameCluster(findings, most.cluster)}.`;
  return fitWidth((width) => {
    const roomy = width / k >= NARROWEST;
    const letters = Math.floor(width / k / LETTER) - 1;
    const every = Math.ceil((k * 18) / width);
    return describe(
      Plot.plot({
        width,
        height: 210,
        marginLeft: Math.max(44, 16 + LETTER * count(most.size).length),
        marginRight: 4,
        marginTop: 36,
        marginBottom: 40,
        className: "bonmf-plot",
        x: {
          label: nouns.cluster,
          labelOffset: 36,
          padding: k > 40 ? 0.1 : 0.25,
          tickSize: 0,
          ticks: clusters.flatMap(({ cluster }) => (cluster % every === 0 ? [cluster] : [])),
          tickFormat: (j: number) => (roomy ? shorten(nameBriefly(findings, j), letters) : String(clusters[j].number)),
        },
        y: { label: `${nouns.sample}s`, grid: true, ticks: wholeTicks(0, most.size, 4), tickFormat: count },
        marks: [
          Plot.barY(clusters, {
            x: "cluster",
            y: "size",
            fill: ({ cluster }: { cluster: number }) => colourCluster(findings, cluster),
            ry1: 3,
            tip: { format: { fill: false, x: (j: number) => nameBriefly(findings, j) } },
            channels: { share: ({ share }: { share: number }) => percent(share) },
          }),
          roomy ? Plot.textY(clusters, { x: "cluster", y: "size", text: (c) => count(c.size), dy: -7 }) : null,
          Plot.ruleY([0]),
        ],
        color: { type: "identity" },
      }),
      text,
    );
  }, options.width);
}
