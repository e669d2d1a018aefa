import * as Plot from "@observablehq/plot";
import type { Findings, Hierarchy } from "../findings.js";
import { cutHierarchy } from "../hierarchy.js";
import { describe } from "./alternative.js";
import { drawPixels } from "./canvas.js";
import { element, fitWidth } from "./element.js";
import { isolate, shorten, widthOf } from "./letters.js";
import { makeSvg } from "./map-labels.js";
import { colourCluster, nameBriefly, nameCluster } from "./naming.js";
import { nounsOf } from "./nouns.js";
import { decimal, plural } from "./numbers.js";
import type { ViewOptions } from "./options.js";

/** A node of the tree, laid out: `at` among the leaves, which are one apart. */
interface Node {
  readonly at: number;
  readonly distance: number;
}

const ROW = 22;
/** Of leaves with pictures. */
const TALL_ROW = 40;
const LEAST_ROW = 9;
/** Smaller pictures show nothing. */
const LEAST_PICTURE = 14;
const LETTER = 7.2;
/** Longest name at a leaf, in characters. */
const LONGEST = 18;
/** Sets of a cut that are named. */
const MOST_NAMED = 8;
let sliders = 0;

/** The tree of the clusters by their prototypes; a slider cuts it, and says which clusters would be one. */
export function showHierarchy(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { hierarchy } = findings;
  if (!hierarchy)
    return element(
      "p",
      { class: "bonmf-none" },
      `There is no tree of one ${nounsOf(findings).cluster}, or of very many.`,
    );
  const top = hierarchy.merges[hierarchy.merges.length - 1].distance;
  const id = `bonmf-cut-${++sliders}`;
  const input = element("input", { id, type: "range", min: 0, max: 1000, value: 0 });
  const words = element("p", { class: "bonmf-hint", "aria-live": "polite" });
  const merge = options.onMerge && element("button", { type: "button", class: "bonmf-chip" }, "Merge these");
  const distance = () => (Number(input.value) / 1000) * top;
  const stage = element("div", {});
  const cut = () => {
    const joined = cutHierarchy(hierarchy, distance()).filter((set) => set.length > 1);
    words.textContent = describeCut(findings, joined, distance());
    if (merge) merge.hidden = joined.length === 0;
    for (const line of stage.querySelectorAll<SVGLineElement>(".bonmf-cut")) placeCut(line, distance() / (top || 1));
  };
  const draw = (width: number) => drawTree(findings, hierarchy, width, top);
  stage.append(fitWidth(draw, options.width, cut));
  input.addEventListener("input", cut);
  merge?.addEventListener("click", () =>
    options.onMerge?.(cutHierarchy(hierarchy, distance()).filter((set) => set.length > 1)),
  );
  cut();
  return element(
    "div",
    { class: "bonmf-hierarchy" },
    stage,
    element("div", { class: "bonmf-cutter" }, element("label", { for: id }, "Cut the tree at"), input, words, merge),
  );
}

function describeCut(findings: Findings, joined: readonly (readonly number[])[], distance: number): string {
  const { clusters } = findings;
  const { cluster } = nounsOf(findings);
  if (joined.length === 0) return `Nothing is merged: ${plural(clusters.length, cluster)}.`;
  const left = clusters.length - joined.reduce((sum, set) => sum + set.length - 1, 0);
  const named = joined.slice(0, MOST_NAMED).map((set) => set.map((j) => isolate(nameBriefly(findings, j))).join(" + "));
  const more = joined.length > MOST_NAMED ? ` and ${joined.length - MOST_NAMED} more` : "";
  return `At ${decimal(distance)}, ${plural(clusters.length, cluster)} become ${left}: ${named.join(", ")}${more}.`;
}

function layOut({ merges, order }: Hierarchy): Node[] {
  const nodes: Node[] = [];
  for (const [at, leaf] of order.entries()) nodes[leaf] = { at, distance: 0 };
  for (const [i, { left, right, distance }] of merges.entries()) {
    nodes[order.length + i] = { at: (nodes[left].at + nodes[right].at) / 2, distance };
  }
  return nodes;
}

function drawTree(findings: Findings, hierarchy: Hierarchy, width: number, top: number): Element {
  const k = findings.clusters.length;
  const { order } = hierarchy;
  const nodes = layOut(hierarchy);
  const { pictures } = findings;
  const row = Math.max(LEAST_ROW, Math.min(pictures ? TALL_ROW : ROW, Math.floor((pictures ? 1400 : 900) / k)));
  const faces = pictures && row - 4 >= LEAST_PICTURE ? listFaces(findings, order, row - 4) : [];
  const beside = Math.max(0, ...faces.map((face) => face.width + 8));
  const names = order.map((j) => shorten(nameBriefly(findings, j), LONGEST));
  const marginLeft = 16 + beside + Math.min(0.35 * width, LETTER * Math.max(...names.map(widthOf)));
  const lines = hierarchy.merges.map(({ left, right, distance }) => [
    { x: nodes[left].distance, y: nodes[left].at },
    { x: distance, y: nodes[left].at },
    { x: distance, y: nodes[right].at },
    { x: nodes[right].distance, y: nodes[right].at },
  ]);
  const chart = Plot.plot({
    width,
    height: row * k + 52,
    marginLeft,
    marginTop: 8,
    marginBottom: 44,
    className: "bonmf-plot",
    x: {
      domain: [0, top || 1],
      grid: true,
      ticks: 5,
      nice: false,
      label: hierarchy.metric === "cosine" ? "1 − cosine between prototypes" : "distance between prototypes",
    },
    y: {
      domain: [-0.5, k - 0.5],
      reverse: true,
      label: null,
      ticks: row < 12 ? [] : order.map((_, at) => at),
      tickSize: 0,
      tickPadding: 8 + beside,
      tickFormat: (at: number) => names[at] ?? "",
    },
    marks: [
      ...lines.map((points) => Plot.line(points, { x: "x", y: "y", stroke: "var(--bonmf-soft)", strokeWidth: 1.5 })),
      Plot.dot(order, {
        x: 0,
        y: (_, at) => at,
        r: 4.5,
        fill: (j: number) => colourCluster(findings, j),
        title: (j: number) => nameCluster(findings, j),
      }),
    ],
    color: { type: "identity" },
  });
  for (const { at, href, ...size } of faces) {
    const place = { x: marginLeft - 8 - size.width, y: 8 + (at + 0.5) * row - size.height / 2, ...size };
    chart.append(
      makeSvg("image", { href, ...place, class: pictures?.ink ? "bonmf-glyph bonmf-inked" : "bonmf-glyph" }),
    );
  }
  addCut(chart, marginLeft, width - 20, row * k);
  const [first] = hierarchy.merges;
  const alike = `${nameCluster(findings, first.left)} and ${nameCluster(findings, first.right)}`;
  return describe(
    chart,
    `Tree of ${plural(k, nounsOf(findings).cluster)} by their prototypes; most alike are ${alike}.`,
  );
}

/** The prototypes of the leaves, as large as a row allows. */
function listFaces({ clusters, pictures }: Findings, order: readonly number[], most: number) {
  if (!pictures) return [];
  const scale = most / Math.max(pictures.width, pictures.height);
  const size = { width: scale * pictures.width, height: scale * pictures.height };
  return order.flatMap((j, at) => {
    const { picture } = clusters[j];
    return picture ? [{ at, href: drawPixels(picture, pictures, pictures, "").toDataURL(), ...size }] : [];
  });
}

function addCut(chart: Element, from: number, to: number, height: number): void {
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  line.setAttribute("class", "bonmf-cut");
  line.dataset.from = String(from);
  line.dataset.to = String(to);
  line.setAttribute("y1", "4");
  line.setAttribute("y2", String(height + 12));
  chart.append(line);
}

function placeCut(line: SVGLineElement, share: number): void {
  const [from, to] = [Number(line.dataset.from), Number(line.dataset.to)];
  const x = String(from + share * (to - from));
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
}
