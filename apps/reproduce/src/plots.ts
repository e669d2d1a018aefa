import { COLUMNS, findLearner, LEARNERS } from "./columns.js";
import { dot, gridX, line, plot, ruleY } from "./observable-plot.js";
import type { Block } from "./summary.js";
import { Document } from "./svg-document.js";

/** The error after each iteration of the first run, by learner. */
export type Curves = Readonly<Record<string, readonly number[]>>;

/** Classes of the page's style sheet, which knows dark from light. */
export const colourOf = (learner: string) => `var(--c${LEARNERS.findIndex(({ name }) => name === learner)})`;

const WIDTH = 640;
const style = { background: "none", color: "inherit", fontSize: "12px" };

/** The mean with one standard deviation to both sides; a ring for the paper's figure. */
export function plotAccuracy({ lines }: Block): string {
  const rows = lines.map(({ column, title, accuracy: { mean, deviation }, paper }) => ({
    title,
    colour: colourOf(findLearner(column).name),
    mean: 100 * mean,
    low: 100 * (mean - (deviation ?? 0)),
    high: 100 * (mean + (deviation ?? 0)),
    paper: paper?.accuracy,
  }));
  return draw("accuracy of each method", rows, { x: { label: "accuracy (%)", nice: true } }, [
    ruleY(rows, { y: "title", x1: "low", x2: "high", stroke: "colour", strokeWidth: 2 }),
    dot(rows, { y: "title", x: "mean", fill: "colour", r: 4 }),
    dot(known(rows), { y: "title", x: "paper", stroke: "currentColor", r: 5 }),
  ]);
}

/** Training as a dot, classification as a square; rings and hollow squares for the paper's. */
export function plotTime({ lines }: Block): string {
  const rows = lines.flatMap(({ column, title, train, classify, paper }) => {
    const colour = colourOf(findLearner(column).name);
    return [
      { title, colour, symbol: "circle", seconds: train, paper: paper?.train },
      { title, colour, symbol: "square", seconds: classify, paper: paper?.classify },
    ];
  });
  // Nothing takes no time at all, and a logarithm cannot show it.
  const ours = rows.filter(({ seconds }) => seconds !== null && seconds > 1e-4);
  return draw(
    "seconds each method takes",
    rows,
    { x: { label: "seconds", type: "log", tickFormat: (s: number) => `${s}` } },
    [
      dot(ours, { y: "title", x: "seconds", fill: "colour", symbol: "symbol", r: 4 }),
      dot(known(rows), { y: "title", x: "paper", stroke: "currentColor", symbol: "symbol", r: 5 }),
    ],
  );
}

export function plotCurves(curves: Curves): string {
  const points = Object.entries(curves).flatMap(([learner, errors]) =>
    errors.map((error, i) => ({ learner, colour: colourOf(learner), iteration: i + 1, error })),
  );
  const scales = {
    x: { label: "iteration", type: "log", tickFormat: (i: number) => `${i}` },
    y: { label: "‖X − WH‖ / ‖X‖", nice: true },
  };
  return toSvg({
    ...scales,
    ariaLabel: "relative error after each iteration",
    width: WIDTH,
    height: 260,
    marginLeft: 60,
    marks: [line(points, { x: "iteration", y: "error", z: "learner", stroke: "colour" })],
  });
}

function draw(
  ariaLabel: string,
  rows: readonly { title: string }[],
  scales: Record<string, unknown>,
  marks: unknown[],
): string {
  const titles = COLUMNS.map(({ title }) => title).filter((title) => rows.some((row) => row.title === title));
  const y = { domain: titles, label: null };
  const height = 60 + 20 * titles.length;
  return toSvg({ ...scales, ariaLabel, y, width: WIDTH, height, marginLeft: 170, marks: [gridX(), ...marks] });
}

function known<T extends { paper: number | undefined }>(rows: readonly T[]): readonly T[] {
  return rows.filter(({ paper }) => paper !== undefined);
}

function toSvg(options: Record<string, unknown>): string {
  // Colours and symbols are as they will be drawn.
  const literal = { color: { type: "identity" }, symbol: { type: "identity" } };
  return String(plot({ ...literal, ...options, style, document: new Document() }));
}
