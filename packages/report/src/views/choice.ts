import * as Plot from "@observablehq/plot";
import type { Choice, Findings, Trial } from "../findings.js";
import { describe } from "./alternative.js";
import { element, fitWidth } from "./element.js";
import { showSaves } from "./figure.js";
import { scroll } from "./grid.js";
import { type Nouns, nounsOf } from "./nouns.js";
import { count, decimal, plural, wholeTicks } from "./numbers.js";
import type { ViewOptions } from "./options.js";

interface Series {
  readonly title: string | ((nouns: Nouns) => string);
  readonly of: Exclude<keyof Trial, "k">;
  /** What data without clusters gives. */
  readonly reference?: Exclude<keyof Trial, "k">;
}

const SERIES: readonly Series[] = [
  { title: "held-out error", of: "heldOut" },
  { title: "separation", of: "separation", reference: "reference" },
  { title: ({ whole }) => `contrast to ${whole}`, of: "contrast" },
  { title: "stability", of: "stability" },
  { title: "silhouette", of: "silhouette" },
  { title: "relative error", of: "relativeError" },
];

/** How many clusters there are, why, and what was measured for every number of clusters. */
export function showChoice(
  { choice, samples, topics = null }: Pick<Findings, "choice" | "samples"> & Partial<Pick<Findings, "topics">>,
  options: ViewOptions = {},
) {
  const nouns = nounsOf({ topics });
  const { sample, cluster } = nouns;
  if (!choice) return element("p", { class: "bonmf-none" }, `The number of ${cluster}s was given.`);
  const { k, structure, reason, runnerUp, trials, sampled } = choice;
  const measured = sampled > 0 && sampled < samples ? ` Gaps were measured on ${plural(sampled, sample)}.` : "";
  // Where there are clusters, the reason names the runner-up.
  const other = structure === false && runnerUp !== null ? ` The runner-up is k = ${runnerUp}.` : "";
  const plots = showTrials(trials, k, options, nouns);
  const found = element("h3", {}, structure === false ? `No ${cluster}s` : plural(k, cluster));
  return element(
    "div",
    { class: "bonmf-figures" },
    element(
      "figure",
      {},
      element("figcaption", {}, found, showSaves(`How many ${cluster}s`, plots, options)),
      element("p", { class: "bonmf-reason" }, `${reason}${other}${measured}`),
      plots,
    ),
    showNumbers(choice, nouns),
  );
}

/** A plot of each measure by the number of clusters; the recommended one is marked. */
export function showTrials(
  trials: readonly Trial[],
  k: number | null,
  options: ViewOptions = {},
  nouns: Nouns = nounsOf({ topics: null }),
): HTMLElement {
  const plots = SERIES.filter(({ of }) => trials.some((trial) => trial[of] !== null)).map((series) =>
    fitWidth((width) => drawSeries(trials, k, series, nouns, width), options.width),
  );
  return element("div", { class: "bonmf-plots" }, ...plots);
}

function drawSeries(
  trials: readonly Trial[],
  k: number | null,
  { title, of: y, reference }: Series,
  nouns: Nouns,
  width: number,
) {
  const isChosen = (trial: Trial) => trial.k === k;
  const marks = { x: "k", y, stroke: "var(--bonmf-accent)" };
  const label = reference ? `${nameOf(title, nouns)} (dashed: ${nouns.whole})` : nameOf(title, nouns);
  const chart = Plot.plot({
    width,
    height: 212,
    marginTop: 26,
    marginLeft: 48,
    marginBottom: 44,
    className: "bonmf-plot",
    x: {
      label: `${nouns.cluster}s`,
      labelOffset: 40,
      ticks: wholeTicks(trials[0].k, trials[trials.length - 1].k, 10),
      tickFormat: "d",
    },
    y: { label, grid: true, ticks: 4, nice: true },
    marks: [
      reference && Plot.lineY(trials, { x: "k", y: reference, stroke: "var(--bonmf-soft)", strokeDasharray: "4 3" }),
      Plot.lineY(trials, { ...marks, strokeWidth: 2 }),
      Plot.dot(trials, {
        ...marks,
        fill: (trial: Trial) => (isChosen(trial) ? "var(--bonmf-accent)" : "var(--bonmf-paper)"),
        r: (trial: Trial) => (isChosen(trial) ? 6 : 3.5),
        tip: { format: { fill: false, r: false, stroke: false } },
      }),
    ],
  });
  const at = trials.find(isChosen)?.[y] ?? null;
  const chosen = at === null ? "" : `; ${decimal(at)} for ${k}`;
  return describe(chart, `${label} for ${trials[0].k} to ${trials[trials.length - 1].k} ${nouns.cluster}s${chosen}.`);
}

function nameOf(title: Series["title"], nouns: Nouns): string {
  return typeof title === "string" ? title : title(nouns);
}

function showNumbers({ trials, k }: Choice, nouns: Nouns): HTMLElement {
  const { sample, cluster } = nouns;
  const columns = SERIES.flatMap(({ title, of, reference }) => [
    { title: nameOf(title, nouns), of },
    ...(reference ? [{ title: nouns.whole, of: reference }] : []),
  ]).filter(({ of }) => trials.some((trial) => trial[of] !== null));
  const rows = trials.map((trial) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, `${count(trial.k)}${trial.k === k ? " *" : ""}`),
      ...columns.map(({ of }) => element("td", {}, trial[of]?.toFixed(3).replace("-", "−") ?? "–")),
    ),
  );
  const mark = trials.some((trial) => trial.k === k) ? "* recommended. " : "";
  const heldOut = trials.some((trial) => trial.heldOut !== null)
    ? "Held-out error: the squared error of entries hidden from a fit, relative to that of one prototype. "
    : "";
  const separation = `Separation: how much sparser ${sample}s are between ${cluster}s than inside.`;
  const heads = [`${cluster}s`, ...columns.map(({ title }) => title)];
  return scroll(
    `Measures by number of ${cluster}s`,
    element(
      "table",
      { class: "bonmf-table bonmf-trials" },
      element("caption", {}, `${mark}${heldOut}${separation}`),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows),
    ),
  );
}
