import type { KChoice, KTrial, Model } from "bonmf";
import type { Choice } from "bonmf-report";
import type { Style, Terminal } from "../command.js";
import type { Input } from "../input/input.js";
import { escapeControls } from "../show/escape.js";
import { decimal, duration, percent, plural, table, wrap } from "../show/text.js";
import type { Scores } from "./fit-report.js";

export interface ChosenRow extends KTrial, Scores {
  readonly seconds: number;
}

/** A number of clusters and what speaks for it, wherever the samples are. */
export interface Chosen {
  /** 1 where there are no clusters. */
  readonly suggested: number;
  /** Null where gaps were not measured. */
  readonly structure: boolean | null;
  readonly runnerUp: number | null;
  readonly reason: string;
  /** The smallest k first; empty where no k was fitted but the suggested one. */
  readonly rows: readonly ChosenRow[];
  /** What a page shows. */
  readonly trials: Choice["trials"];
  readonly method: string;
  readonly seed: number;
  readonly scale: string | null;
  /** How many samples the gaps were measured on. */
  readonly sampled: number;
  readonly restarts: number | null;
  /** That of the suggested k, where it was among those tried. */
  readonly model: Model | null;
}

/** The files that were written; null where one was not asked for. */
export interface Written {
  readonly model: string | null;
  readonly page: string | null;
}

/** What `bonmf choose --json` prints: a contract, described in docs/cli.md. */
export function toJson(chosen: Chosen, { samples, features }: Input, { model, page }: Written) {
  const { model: _, restarts: __, trials: ___, method, seed, scale, sampled, ...answer } = chosen;
  return { method, seed, scale, samples, features, sampled, ...answer, model, report: page };
}

/** The same for a page. */
export function toReport({ suggested, rows: _, ...choice }: Chosen): Choice {
  return { ...choice, k: suggested };
}

/** What was measured of every k without fitting it to all samples: gaps, and hidden entries. */
export function listMeasured({ path, heldOut, ks }: KChoice): Choice["trials"] {
  const errors = new Map(heldOut.map(({ k, error }) => [k, error]));
  const asked = path.filter(({ k }) => ks.includes(k));
  return asked.map((step) => ({
    ...{ ...step, relativeError: null, silhouette: null },
    heldOut: errors.get(step.k) ?? null,
  }));
}

type Measure = Exclude<keyof ChosenRow, "k" | "iterations" | "converged">;

const three = (value: number) => value.toFixed(3).replace("-", "−");

const MEASURES: readonly { name: Measure; title: string; show: (value: number) => string }[] = [
  { name: "objective", title: "objective", show: decimal },
  { name: "relativeError", title: "relative error", show: decimal },
  { name: "heldOut", title: "held-out error", show: three },
  { name: "separation", title: "separation", show: three },
  { name: "reference", title: "one group", show: three },
  { name: "contrast", title: "contrast", show: three },
  { name: "stability", title: "stability", show: three },
  { name: "silhouette", title: "silhouette", show: three },
  { name: "seconds", title: "time", show: duration },
  { name: "labelAccuracy", title: "label accuracy", show: (value) => percent(value) },
  { name: "nmi", title: "NMI", show: three },
  { name: "ari", title: "ARI", show: three },
];

/** The same for people. */
export function report(chosen: Chosen, input: Input, { model, page }: Written, terminal: Terminal): string {
  const { rows, suggested, method, seed, sampled, restarts } = chosen;
  const { style, width } = terminal;
  const measures = MEASURES.filter(({ name }) => rows.some((row) => row[name] !== null));
  const titles = ["k ", "iterations ", ...measures.map(({ title }) => title)];
  const cells = rows.map((row) => [
    row.k === suggested ? style.good(`${row.k}*`) : `${row.k} `,
    `${row.iterations}${row.converged ? " " : "+"}`,
    ...measures.map(({ name, show }) => (row[name] === null ? "–" : show(row[name]))),
  ]);
  const shape = `${plural(input.samples, "sample")} × ${plural(input.features, "feature")}`;
  const runs = restarts !== null && restarts > 1 ? `, best of ${restarts} runs each` : "";
  const part = sampled > 0 && sampled < input.samples ? `, gaps measured on ${plural(sampled, "sample")}` : "";
  const legend = rows.some(({ converged }) => !converged) ? ["+ stopped at the iteration limit"] : [];
  return [
    `${style.bold(escapeControls(input.name))}  ${shape}, ${method}, seed ${seed}${runs}${part}`,
    "",
    table(
      titles.map((title) => ({ title, right: true })),
      cells,
      style,
    ),
    "",
    ...plot(chosen, width, style),
    ...legend.map(style.dim),
    ...wrap(`${headline(chosen)}${chosen.reason}`, width).map((line, i) => (i === 0 ? emphasise(line, style) : line)),
    ...(model === null ? [] : [`model written to ${style.accent(escapeControls(model))}`]),
    ...(page === null ? [] : [`report written to ${style.accent(escapeControls(page))}`]),
  ].join("\n");
}

function headline({ suggested, structure }: Chosen): string {
  return structure === false ? "" : `* suggested: k = ${suggested}${structure === null ? ", because " : ". "}`;
}

function emphasise(line: string, style: Style): string {
  return line.replace(/^(\* suggested|No clusters):/, (head) => style.good(head));
}

const BARS = "▁▂▃▄▅▆▇█";

const PLOTTED = [
  { name: "heldOut", title: "held-out  " },
  { name: "separation", title: "separation" },
  { name: "reference", title: "one group " },
  { name: "stability", title: "stability " },
] as const;

/** Bars from 0 to 1 for each k, where gaps were measured and the line is wide enough. */
function plot({ rows, suggested }: Chosen, width: number, style: Style): string[] {
  const seen = rows.filter(({ separation }) => separation !== null);
  const column = 3;
  if (seen.length < 2 || PLOTTED[0].title.length + column * seen.length > width) return [];
  const plotted = PLOTTED.filter(({ name }) => seen.some((row) => row[name] !== null));
  const lines = plotted.map(({ name, title }) => {
    const bars = seen.map((row) => {
      const bar = BARS[Math.round(Math.max(0, Math.min(1, row[name] ?? 0)) * (BARS.length - 1))].repeat(2);
      return ` ${row.k === suggested ? style.good(bar) : bar}`;
    });
    return title + bars.join("");
  });
  const axis = `k         ${seen.map(({ k }) => String(k).padStart(column)).join("")}`;
  return [...lines, style.dim(axis), ""];
}
