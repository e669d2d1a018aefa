import * as Plot from "@observablehq/plot";
import type { Findings } from "../findings.js";
import { describe } from "./alternative.js";
import { colourOf } from "./colour.js";
import { element, fitWidth } from "./element.js";
import { findFreePlaces } from "./free-places.js";
import { colourCluster, nameBriefly, nameCluster, shorten } from "./naming.js";
import { count, plural } from "./numbers.js";
import type { ViewOptions } from "./options.js";
import { showPoint } from "./point.js";

/** One sample of the map. */
interface Point {
  readonly p: number;
  readonly x: number;
  readonly y: number;
  readonly group: number;
}

interface Colouring {
  readonly title: string;
  readonly of: ArrayLike<number>;
  readonly names: readonly string[];
  /** A short label for the map. */
  readonly marks: readonly string[];
  readonly colours: readonly string[];
}

const MOST_CHIPS = 40;
const MOST_COLOURS = 100;
const MARGIN = 14;
const INSET = 10;
/** About the size of a letter of a label, in pixels. */
const LETTER = 8;
const LINE = 17;
/** Longest label on the map, in characters. */
const LONGEST = 18;
/** Radio buttons are grouped by name, and a page may show several maps. */
let switches = 0;

/** The map of the samples. The pointer or the arrow keys select one and show its details. */
export function showMap(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { map, agreement, clusters } = findings;
  const colourings: Colouring[] = [
    {
      title: "clusters",
      of: map.clusters,
      names: clusters.map(({ cluster }) => nameCluster(findings, cluster)),
      marks: clusters.map(({ cluster }) => nameBriefly(findings, cluster)),
      colours: clusters.map(({ cluster }) => colourCluster(findings, cluster)),
    },
  ];
  if (map.classes && agreement && agreement.classes.length <= MOST_COLOURS) {
    const { classes } = agreement;
    const colours = classes.map((_, c) => colourOf(c, classes.length));
    colourings.push({ title: "classes", of: map.classes, names: classes, marks: classes, colours });
  }
  // The first selection: the sample closest to a prototype.
  const model = map.cosines.reduce((best, cosine, p) => (cosine > map.cosines[best] ? p : best), 0);
  const hint = element("p", { class: "bonmf-hint" }, "Point at a sample, or use the arrow keys on the map.");
  const aside = element(
    "div",
    { class: "bonmf-point", "aria-live": "polite" },
    showPoint(findings, model, options),
    hint,
  );
  const stage = element("div", { class: "bonmf-stage" });
  const legend = element("div", { class: "bonmf-legend", role: "group", "aria-label": "Show only" });
  const show = (p: number) => aside.replaceChildren(showPoint(findings, p, options), hint);

  /** The selected groups; while there are any, all others fade. */
  const lit = new Set<number>();
  const light = () => {
    stage.classList.toggle("bonmf-some", lit.size > 0);
    for (const dots of stage.querySelectorAll("[class*=bonmf-group-]")) {
      const group = Number(/bonmf-group-(\d+)/.exec(dots.getAttribute("class") ?? "")?.[1]);
      dots.classList.toggle("bonmf-on", lit.has(group));
    }
  };

  function paint(colouring: Colouring): void {
    lit.clear();
    const chips = makeChips(colouring, lit, light);
    legend.replaceChildren(...chips);
    legend.hidden = chips.length === 0;
    const draw = (width: number) => drawChart(findings, colouring, width, show, options);
    stage.replaceChildren(fitWidth(draw, options.width, light));
    light();
  }

  paint(colourings[0]);
  return element(
    "div",
    { class: "bonmf-map" },
    element("div", { class: "bonmf-tools" }, chooseColouring(colourings, paint), legend),
    stage,
    aside,
  );
}

function makeChips({ names, colours }: Colouring, lit: Set<number>, light: () => void): HTMLElement[] {
  if (names.length > MOST_CHIPS || names.length < 2) return [];
  return names.map((name, g) => {
    const swatch = element("span", { class: "bonmf-swatch", style: `--bonmf-colour: ${colours[g]}` });
    const chip = element("button", { type: "button", class: "bonmf-chip", "aria-pressed": "false" }, swatch, name);
    chip.addEventListener("click", () => {
      if (!lit.delete(g)) lit.add(g);
      chip.setAttribute("aria-pressed", String(lit.has(g)));
      light();
    });
    return chip;
  });
}

function chooseColouring(colourings: readonly Colouring[], paint: (colouring: Colouring) => void): HTMLElement | null {
  if (colourings.length < 2) return null;
  const name = `bonmf-colour-${++switches}`;
  const choices = colourings.map((colouring, c) => {
    const input = element("input", { type: "radio", name, value: colouring.title, checked: c === 0 });
    input.addEventListener("change", () => paint(colouring));
    return element("label", {}, input, element("span", {}, colouring.title));
  });
  return element("fieldset", { class: "bonmf-switch" }, element("legend", {}, "Colour by"), ...choices);
}

function drawChart(
  findings: Findings,
  { of, names, marks, colours, title }: Colouring,
  width: number,
  show: (p: number) => void,
  options: ViewOptions,
): Element {
  const { map, samples } = findings;
  const points = Array.from(map.x, (x, p): Point => ({ p, x, y: map.y[p], group: of[p] }));
  const groups = names.map((_, g) => points.filter(({ group }) => group === g));
  const r = (width < 500 ? 0.75 : 1) * (points.length > 1500 ? 2.2 : points.length > 400 ? 3 : 4);
  const height = Math.round(Math.min(560, Math.max(300, width * 0.68)));
  const chart = Plot.plot({
    width,
    height,
    margin: MARGIN,
    inset: INSET,
    className: "bonmf-plot",
    axis: null,
    color: { type: "identity" },
    marks: [
      ...groups.map((members, g) =>
        Plot.dot(members, {
          x: "x",
          y: "y",
          r,
          fill: colours[g],
          fillOpacity: 0.8,
          className: `bonmf-group-${g}`,
        }),
      ),
      Plot.text(names.length > MOST_CHIPS ? [] : placeNames(points, groups, marks, width, height), {
        x: "x",
        y: "y",
        text: ({ group }) => shorten(marks[group], LONGEST),
        className: "bonmf-names",
      }),
      // Plot finds the nearest; the ring below shows it.
      Plot.dot(points, Plot.pointer({ x: "x", y: "y", r: 0, maxRadius: 30 })),
    ],
  });
  const shown =
    points.length < samples ? `${count(points.length)} of ${plural(samples, "sample")}` : plural(samples, "sample");
  chart.setAttribute("tabindex", "0");
  describe(chart, `Map of ${shown} in ${names.length} ${title}; arrow keys go from sample to sample.`, "application");
  follow(chart, points, map, show, options);
  return chart;
}

/** Shows the point under the pointer, or the one that the arrow keys reached. */
function follow(
  chart: (SVGSVGElement | HTMLElement) & Plot.Plot,
  points: readonly Point[],
  { samples }: Findings["map"],
  show: (p: number) => void,
  { onSample }: ViewOptions,
): void {
  const [scaleX, scaleY] = [chart.scale("x"), chart.scale("y")];
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  ring.setAttribute("class", "bonmf-ring");
  ring.setAttribute("r", "7");
  const place = (point: Point) => [Number(scaleX?.apply(point.x)), Number(scaleY?.apply(point.y))];
  let at: Point | undefined;
  const go = (point: Point | undefined) => {
    if (!point || point === at) return;
    at = point;
    show(point.p);
    const [cx, cy] = place(point);
    ring.setAttribute("cx", String(cx));
    ring.setAttribute("cy", String(cy));
    chart.append(ring);
  };
  const choose = () => at && onSample?.(samples[at.p]);
  chart.addEventListener("input", () => go(chart.value as Point | undefined));
  chart.addEventListener("click", choose);
  chart.addEventListener("keydown", (event) => {
    const { key } = event as KeyboardEvent;
    if (key === "Enter") choose();
    const step = STEPS.get(key);
    if (!step) return;
    event.preventDefault();
    go(at ? stepFrom(at, points, place, step) : points[0]);
  });
}

const STEPS = new Map(
  Object.entries<readonly [number, number]>({
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  }),
);

/** The nearest point in a direction; sideways distance counts more. */
function stepFrom(
  from: Point,
  points: readonly Point[],
  place: (point: Point) => number[],
  [ux, uy]: readonly [number, number],
): Point | undefined {
  const [x0, y0] = place(from);
  let best: Point | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const point of points) {
    const [x, y] = place(point);
    const ahead = (x - x0) * ux + (y - y0) * uy;
    const aside = Math.abs((x - x0) * uy) + Math.abs((y - y0) * ux);
    if (ahead > 0 && aside <= 2 * ahead && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = point;
    }
  }
  return best;
}

/** Where the groups' labels stand, those of large groups first; a label without room is left out. */
function placeNames(
  points: readonly Point[],
  groups: readonly (readonly Point[])[],
  marks: readonly string[],
  width: number,
  height: number,
): Point[] {
  const toX = makeScale(points, "x", width);
  const toY = makeScale(points, "y", height);
  const middles = groups
    .flatMap((members, g) => (members.length > 0 ? [{ size: members.length, point: middle(members, g) }] : []))
    .sort((a, b) => b.size - a.size)
    .map(({ point }) => point);
  const places = findFreePlaces(
    middles.map((point) => ({
      x: toX.apply(point.x),
      y: -toY.apply(point.y),
      width: LETTER * shorten(marks[point.group], LONGEST).length + LETTER,
      height: LINE,
    })),
  );
  return middles.flatMap((point, i) => {
    const place = places[i];
    return place ? [{ ...point, y: toY.invert(-place.y) }] : [];
  });
}

/** Pixels along an axis, as the chart has them but for its origin. */
function makeScale(points: readonly Point[], axis: "x" | "y", size: number) {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    least = Math.min(least, point[axis]);
    most = Math.max(most, point[axis]);
  }
  const unit = (size - 2 * (MARGIN + INSET)) / (most - least || 1);
  return { apply: (value: number) => value * unit, invert: (pixels: number) => pixels / unit };
}

/** The position of a group's label: the member nearest to the coordinate medians. */
function middle(members: readonly Point[], group: number): Point {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const x = median(members.map((point) => point.x));
  const y = median(members.map((point) => point.y));
  const distance = (point: Point) => (point.x - x) ** 2 + (point.y - y) ** 2;
  const nearest = members.reduce((best, point) => (distance(point) < distance(best) ? point : best));
  return { ...nearest, group };
}
