import * as Plot from "@observablehq/plot";
import type { Findings } from "../findings.js";
import { describe } from "./alternative.js";
import { element, fitWidth } from "./element.js";
import { type Colouring, type Groups, listColourings, showShades } from "./map-colouring.js";
import { drawLabels, type Spot } from "./map-labels.js";
import { followPointer } from "./map-pointer.js";
import { nounsOf } from "./nouns.js";
import { count, plural } from "./numbers.js";
import type { ViewOptions } from "./options.js";
import { showPoint } from "./point.js";

const MARGIN = 14;
const INSET = 10;
/** Lines of equal density. */
const CONTOURS = 6;
/** Radio buttons are grouped by name, and a page may show several maps. */
let switches = 0;

/** What is drawn: colours, and the groups that are shown; none: all. */
interface Wanted {
  readonly colouring: Colouring;
  readonly only: ReadonlySet<number>;
}

/** The map of the samples. The pointer or the arrow keys select one and show its details. */
export function showMap(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { map } = findings;
  const { sample } = nounsOf(findings);
  const colourings = listColourings(findings);
  // The first selection: the sample closest to a prototype.
  const model = map.cosines.reduce((best, cosine, p) => (cosine > map.cosines[best] ? p : best), 0);
  const hint = element("p", { class: "bonmf-hint" }, `Point at a ${sample}, or use the arrow keys on the map.`);
  const first = showPoint(findings, model, options);
  const aside = element("div", { class: "bonmf-point", "aria-live": "polite" }, first, hint);
  const legend = element("div", { class: "bonmf-legend", role: "group", "aria-label": "Show only" });
  const show = (p: number) => aside.replaceChildren(showPoint(findings, p, options), hint);

  let wanted: Wanted = { colouring: colourings[0], only: new Set() };
  let last = 0;
  const draw = (width: number) => {
    last = width;
    return drawChart(findings, wanted, width, show, options);
  };
  const frame = fitWidth(draw, options.width);
  const paint = (next: Wanted) => {
    const changed = next.colouring !== wanted.colouring;
    wanted = next;
    if (last > 0) frame.replaceChildren(draw(last));
    if (changed) fillLegend();
  };
  const fillLegend = () => {
    const { colouring } = wanted;
    const filter = (only: ReadonlySet<number>) => paint({ colouring, only });
    legend.replaceChildren(
      ...(colouring.shades ? [showShades(colouring.shades)] : makeChips(colouring.groups, sample, filter)),
    );
    legend.hidden = legend.childElementCount === 0;
  };
  fillLegend();
  const choose = chooseColouring(colourings, (colouring) => paint({ colouring, only: new Set() }));
  const tools = element("div", { class: "bonmf-tools" }, choose, legend);
  return element("div", { class: "bonmf-map" }, tools, element("div", { class: "bonmf-stage" }, frame), aside);
}

/** A click shows a group alone; more clicks add others. */
function makeChips(
  { names, colours, of }: Groups,
  noun: string,
  filter: (only: ReadonlySet<number>) => void,
): HTMLElement[] {
  if (names.length < 2) return [];
  const counts = new Uint32Array(names.length);
  for (let p = 0; p < of.length; p++) counts[of[p]]++;
  const only = new Set<number>();
  return names.map((name, g) => {
    const swatch = element("span", { class: "bonmf-swatch", style: `--bonmf-colour: ${colours[g]}` });
    const chip = element("button", { type: "button", class: "bonmf-chip", "aria-pressed": "false" }, swatch, name);
    chip.title = `Show only ${name}: ${plural(counts[g], noun)} on the map`;
    chip.addEventListener("click", () => {
      if (!only.delete(g)) only.add(g);
      chip.setAttribute("aria-pressed", String(only.has(g)));
      filter(new Set(only));
    });
    return chip;
  });
}

function chooseColouring(colourings: readonly Colouring[], paint: (colouring: Colouring) => void): HTMLElement {
  const name = `bonmf-colour-${++switches}`;
  const choices = colourings.map((colouring, c) => {
    const input = element("input", { type: "radio", name, value: colouring.title, checked: c === 0 });
    input.addEventListener("change", () => paint(colouring));
    return element("label", {}, input, element("span", {}, colouring.title));
  });
  return element("fieldset", { class: "bonmf-switch" }, element("legend", {}, "Colour by"), ...choices);
}

interface Dot {
  readonly p: number;
  readonly x: number;
  readonly y: number;
}

function drawChart(
  findings: Findings,
  { colouring, only }: Wanted,
  width: number,
  show: (p: number) => void,
  { onSample }: ViewOptions,
): Element {
  const { map, samples } = findings;
  const { sample } = nounsOf(findings);
  const { groups, shades, title } = colouring;
  const all = Array.from(map.x, (x, p): Dot => ({ p, x, y: map.y[p] }));
  const dots = only.size === 0 ? all : all.filter(({ p }) => only.has(groups.of[p]));
  const r = (width < 500 ? 0.75 : 1) * (all.length > 1500 ? 2.2 : all.length > 400 ? 3 : 4);
  const height = Math.round(Math.min(640, Math.max(300, width * 0.72)));
  const fill = ({ p }: Dot) => shades?.of[p] ?? groups.colours[groups.of[p]];
  const chart = Plot.plot({
    width,
    height,
    margin: MARGIN,
    inset: INSET,
    className: "bonmf-plot",
    axis: null,
    // The same for every filter.
    x: { domain: rangeOf(map.x) },
    y: { domain: rangeOf(map.y) },
    color: { type: "identity" },
    marks: [
      Plot.density(dots, {
        x: "x",
        y: "y",
        bandwidth: (width / 16) * dots.length ** (-1 / 6),
        thresholds: CONTOURS,
        className: "bonmf-contours",
      }),
      // Others stay in sight, but faint.
      Plot.dot(only.size === 0 ? [] : all, { x: "x", y: "y", r, fill, className: "bonmf-others" }),
      Plot.dot(dots, { x: "x", y: "y", r, fill, fillOpacity: 0.8, className: "bonmf-dots" }),
    ],
  }) as SVGSVGElement & Plot.Plot;
  const [scaleX, scaleY] = [chart.scale("x"), chart.scale("y")];
  const spots = dots.map(({ p, x, y }): Spot => ({ p, x: Number(scaleX?.apply(x)), y: Number(scaleY?.apply(y)) }));
  chart.append(drawLabels(findings, groups, spots, width, height));
  const shown = all.length < samples ? `${count(all.length)} of ${plural(samples, sample)}` : plural(samples, sample);
  const what = shades ? `coloured by ${title}` : `in ${groups.names.length} ${title}`;
  chart.setAttribute("tabindex", "0");
  describe(chart, `Map of ${shown} ${what}; arrow keys go from ${sample} to ${sample}.`, "application");
  followPointer(chart, spots, show, (p) => onSample?.(map.samples[p]));
  return chart;
}

function rangeOf(values: Float32Array): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
