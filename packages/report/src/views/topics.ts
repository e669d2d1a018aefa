import * as Plot from "@observablehq/plot";
import type { Findings, TopicFindings } from "../findings.js";
import { describe } from "./alternative.js";
import { element, fitWidth } from "./element.js";
import { scroll, showGrid } from "./grid.js";
import { shorten } from "./letters.js";
import { choosable, colourCluster, nameBriefly, swatch } from "./naming.js";
import { count, hundredths, percent, plural } from "./numbers.js";
import type { ViewOptions } from "./options.js";

/** Words of a topic that are shown. */
const WORDS = 10;
/** Between likely and telling, as Sievert and Shirley found best. */
const LAMBDA = 0.6;
let sliders = 0;

function nameTopic(findings: Findings, j: number): string {
  return findings.clusters[j].name ?? findings.topics!.names[j];
}

/** The words of every topic, and a slider between those that are likely and those that are found nearly nowhere else. */
export function showTopicWords(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { topics, clusters } = findings;
  if (!topics) return element("p", { class: "bonmf-none" }, "The samples are no texts.");
  const id = `bonmf-relevance-${++sliders}`;
  const input = element("input", { id, type: "range", min: 0, max: 1, step: 0.05, value: LAMBDA });
  const told = element("output", { for: id });
  const lists = clusters.map(() => element("ol", { class: "bonmf-topic-words" }));
  const order = clusters.map(({ cluster }) => cluster).sort((a, b) => clusters[b].size - clusters[a].size || a - b);
  const rank = () => {
    const lambda = Number(input.value);
    told.textContent = `λ = ${lambda.toFixed(2)}`;
    for (const [j, list] of lists.entries()) list.replaceChildren(...rankWords(topics, j, lambda));
  };
  input.addEventListener("input", rank);
  rank();
  const cards = order.map((j) =>
    element(
      "article",
      { class: "bonmf-topic", style: `--bonmf-colour: ${colourCluster(findings, j)}` },
      element(
        "header",
        {},
        element(
          "h3",
          { title: nameTopic(findings, j), dir: "auto" },
          swatch(findings, j),
          choosable(shorten(nameTopic(findings, j), 60), options.onCluster && (() => options.onCluster?.(j))),
        ),
        element(
          "p",
          { class: "bonmf-hint" },
          `${plural(clusters[j].size, "document")}, ${percent(clusters[j].share)}`,
          element("br"),
          `NPMI ${hundredths(topics.npmi[j])}, C_V ${hundredths(topics.cv[j])}`,
        ),
      ),
      lists[j],
    ),
  );
  return element(
    "div",
    { class: "bonmf-topics" },
    element(
      "div",
      { class: "bonmf-cutter" },
      element("label", { for: id }, "Words that are"),
      element("span", { class: "bonmf-range" }, "rare elsewhere", input, "likely here"),
      told,
    ),
    element("div", { class: "bonmf-topic-grid" }, ...cards),
    element(
      "p",
      { class: "bonmf-hint" },
      `Of the ten most telling words of all topics, ${percent(topics.diversity, 0)} are different.`,
    ),
  );
}

function rankWords({ words }: TopicFindings, j: number, lambda: number): HTMLElement[] {
  const ranked = words[j]
    .map(({ word, share, lift }) => ({ word, share, relevance: lambda * share + (1 - lambda) * lift }))
    // Words that are in no other topic are equally rare.
    .sort((a, b) => b.relevance - a.relevance || b.share - a.share || (a.word < b.word ? -1 : 1))
    .slice(0, WORDS);
  const most = Math.max(...ranked.map(({ share }) => share));
  return ranked.map(({ word, share }) =>
    element(
      "li",
      { title: `${word}: ${percent(Math.exp(share), 2)} of the topic's words` },
      element("span", { class: "bonmf-name", dir: "auto" }, word),
      element("span", {
        class: "bonmf-bar",
        style: `--bonmf-filled: ${Math.exp(share - most).toFixed(4)}`,
        "aria-hidden": "true",
      }),
    ),
  );
}

/** How alike every two topics are. */
export function showTopicSimilarity(findings: Findings): HTMLElement {
  const { topics, clusters } = findings;
  if (!topics?.similarity)
    return element("p", { class: "bonmf-none" }, "There are too many topics for a table of pairs.");
  const { similarity } = topics;
  const others = similarity.flatMap((row, i) => row.filter((_, j) => i !== j));
  const most = Math.max(...others, 1e-9);
  const heads = clusters.map(({ cluster }) =>
    element("th", { scope: "col", title: nameTopic(findings, cluster) }, swatch(findings, cluster), String(cluster)),
  );
  const rows = clusters.map(({ cluster: i }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", title: nameTopic(findings, i) }, `${i} ${shorten(nameTopic(findings, i), 28)}`),
      ...clusters.map(({ cluster: j }) => {
        if (i === j) return element("td", {}, element("span", { class: "bonmf-zero" }, "–"));
        const title = `${nameTopic(findings, i)} and ${nameTopic(findings, j)}: cosine ${hundredths(similarity[i][j])}`;
        const share = Math.max(0, similarity[i][j] / most).toFixed(3);
        return element("td", { style: `--bonmf-share: ${share}`, title }, similarity[i][j].toFixed(2));
      }),
    ),
  );
  return showGrid({
    name: "How alike topics are",
    caption: "Cosines between the prototypes of topics: 1 the same direction, 0 no word in common.",
    heads,
    rows,
    digits: 4,
  });
}

/** Topics that are named at their line. */
const NAMED = 8;

/** The share of each topic in each span of time, and the words of a topic there. */
export function showTopicTimes(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const time = findings.topics?.time;
  if (!time) return element("p", { class: "bonmf-none" }, "The documents have no dates.");
  const id = `bonmf-time-${++sliders}`;
  const choice = element(
    "select",
    { id },
    ...findings.clusters.map(({ cluster }) =>
      element("option", { value: cluster }, shorten(nameTopic(findings, cluster), 60)),
    ),
  );
  const table = element("div", {});
  const show = () => table.replaceChildren(listSpans(findings, Number(choice.value)));
  choice.addEventListener("change", show);
  show();
  return element(
    "div",
    { class: "bonmf-times" },
    fitWidth((width) => drawTimes(findings, width), options.width),
    element("div", { class: "bonmf-cutter" }, element("label", { for: id }, "Words over time of"), choice),
    table,
  );
}

function drawTimes(findings: Findings, width: number): Element {
  const { edges, names, totals, topics } = findings.topics!.time!;
  const points = topics.flatMap(({ counts }, j) =>
    counts.map((size, b) => ({
      ...{ j, b },
      at: new Date((edges[b] + edges[b + 1]) / 2),
      // The line has a gap where there are no documents.
      share: totals[b] > 0 ? size / totals[b] : Number.NaN,
      size,
    })),
  );
  const latest =
    topics.length > NAMED
      ? []
      : spreadNames(
          points.filter(({ b }) => b === totals.length - 1),
          Math.max(...points.map(({ share }) => share || 0)),
        );
  const chart = Plot.plot({
    width,
    height: 300,
    marginLeft: 48,
    marginRight: latest.length > 0 ? Math.min(0.3 * width, 170) : 20,
    className: "bonmf-plot",
    x: { label: null, type: "utc" },
    y: { label: "share of the documents", grid: true, tickFormat: (share: number) => percent(share, 0), zero: true },
    color: { type: "identity" },
    marks: [
      Plot.ruleY([0]),
      Plot.line(points, {
        x: "at",
        y: "share",
        z: "j",
        stroke: (point) => colourCluster(findings, point.j),
        strokeWidth: 2,
      }),
      Plot.dot(points, {
        x: "at",
        y: "share",
        r: 2.5,
        fill: (point) => colourCluster(findings, point.j),
        title: (point) =>
          `${nameTopic(findings, point.j)}, ${names[point.b]}: ${count(point.size)}, ${percent(point.share)}`,
      }),
      Plot.text(latest, {
        x: "at",
        y: "y",
        dx: 8,
        textAnchor: "start",
        text: (point) => shorten(nameTopic(findings, point.j), 22),
      }),
    ],
  });
  const [first, last] = [names[0], names[names.length - 1]];
  return describe(chart, `Shares of ${plural(topics.length, "topic")} in the documents from ${first} to ${last}.`);
}

/** The share of the chart's height that a name takes. */
const LINE = 0.06;

/** Names at the ends of lines, moved apart where they would lie on each other. */
function spreadNames<Point extends { readonly share: number }>(
  ends: readonly Point[],
  most: number,
): (Point & { y: number })[] {
  const sorted = [...ends].sort((a, b) => a.share - b.share);
  let least = Number.NEGATIVE_INFINITY;
  return sorted.map((end) => {
    const y = Math.max(end.share, least);
    least = y + LINE * most;
    return { ...end, y };
  });
}

function listSpans(findings: Findings, j: number): HTMLElement {
  const { names, totals, topics } = findings.topics!.time!;
  const { counts, words } = topics[j];
  const rows = counts.map((size, b) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, names[b]),
      element("td", {}, count(size)),
      element("td", {}, percent(totals[b] > 0 ? size / totals[b] : null)),
      element("td", { dir: "auto" }, words[b].join(", ") || "–"),
    ),
  );
  const heads = ["From", "Documents", "Share", "Words"].map((head) => element("th", { scope: "col" }, head));
  return scroll(
    `${nameBriefly(findings, j)} over time`,
    element(
      "table",
      { class: "bonmf-table" },
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows),
    ),
  );
}
