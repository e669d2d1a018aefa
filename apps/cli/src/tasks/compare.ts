import { chooseRestarts, type MethodName, takesSigned } from "bonmf";
import { chooseStarts } from "bonmf-data/defaults";
import type { Call, Terminal } from "../command.js";
import { type Input, openMemory } from "../input/input.js";
import { escapeControls } from "../show/escape.js";
import { type Column, decimal, duration, percent, plural, table } from "../show/text.js";
import { fitToEnd } from "./fit-driver.js";
import { fitOptions, needK } from "./fit-options.js";
import { type Scores, scoreClusters } from "./fit-report.js";

interface Row extends Scores {
  readonly method: MethodName;
  /** Against the method's own best single prototype, so one method's share says nothing about another's. */
  readonly explained: number | null;
  readonly relativeError: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly seconds: number;
}

/** Measures for which one method can be the best. */
const MEASURES = {
  relativeError: { title: "relative error", sense: -1, show: decimal },
  seconds: { title: "time", sense: -1, show: duration },
  labelAccuracy: { title: "label accuracy", sense: 1, show: (value: number) => percent(value) },
  clusteringAccuracy: { title: "clustering accuracy", sense: 1, show: (value: number) => percent(value) },
  nmi: { title: "NMI", sense: 1, show: (value: number) => value.toFixed(3) },
  ari: { title: "ARI", sense: 1, show: (value: number) => value.toFixed(3) },
} as const;
type Measure = keyof typeof MEASURES;

const DEFAULT: readonly string[] = ["bonmf", "kmeans", "nmf", "hals"];

/** A fit, and the error after each of its iterations. */
interface Tried {
  readonly row: Row;
  readonly errors: readonly number[];
}

/** When `hals` has the error that `nmf` ends with. */
interface Reached {
  readonly iterations: number;
  readonly seconds: number;
}

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const k = needK(options);
  const methods = [...new Set(options.list("methods") ?? DEFAULT)] as MethodName[];
  const opened = await openMemory(call);
  // Errors can be compared on the same samples alone: scaled so that every method can take them.
  const scale = opened.scaleFor?.(methods.find((method) => !takesSigned(method)) ?? "bonmf");
  const input = { ...opened, options: { ...opened.options, scale } };
  const tried: Tried[] = [];
  for (const method of methods) tried.push(await tryMethod(call, input, method, k));
  const rows = tried.map(({ row }) => row);
  const best = findBest(rows);
  const reached = compareMixtures(tried);
  const summary = {
    k,
    seed: options.number("seed") ?? 0,
    samples: input.samples,
    features: input.features,
    methods: rows,
    best,
    ...(reached && { halsReachesNmf: reached }),
  };
  if (terminal.json) return terminal.out(JSON.stringify(summary));
  const note = reached ? describeReached(reached, rows) : "";
  terminal.out(`${report(rows, best, input, k, terminal)}${note}`);
}

function compareMixtures(tried: readonly Tried[]): Reached | null {
  const [nmf, hals] = ["nmf", "hals"].map((method) => tried.find(({ row }) => row.method === method));
  if (!nmf || !hals) return null;
  const iterations = 1 + hals.errors.findIndex((error) => error <= nmf.row.relativeError);
  const seconds = (hals.row.seconds * iterations) / hals.row.iterations;
  return iterations > 0 ? { iterations, seconds } : null;
}

function describeReached({ iterations, seconds }: Reached, rows: readonly Row[]): string {
  const { seconds: before } = rows.find(({ method }) => method === "nmf")!;
  if (seconds >= before) return "";
  const when = `after ${plural(iterations, "iteration")}, in about ${duration(seconds)}`;
  return `\nhals reaches the error of nmf ${when}; nmf takes ${duration(before)} for it`;
}

async function tryMethod({ options, terminal }: Call, input: Input, method: MethodName, k: number): Promise<Tried> {
  const given = { ...fitOptions(options), method };
  const starts = chooseStarts(given, { samples: input.samples, features: input.features, k }, chooseRestarts);
  const { model, seconds } = await fitToEnd(input, terminal, { title: method, options: { ...given, ...starts, k } });
  const row: Row = {
    method,
    explained: model.explained,
    relativeError: model.relativeError,
    iterations: model.iterations,
    converged: model.converged,
    seconds,
    ...(await scoreClusters(input.labels, model.labels, input.signal)),
  };
  return { row, errors: model.history.map(({ relativeError }) => relativeError) };
}

/** The best method by each measure; null where none was measured. */
function findBest(rows: readonly Row[]): Record<Measure, MethodName | null> {
  const best = (measure: Measure) => {
    const { sense } = MEASURES[measure];
    let winner: Row | null = null;
    for (const row of rows) {
      const value = row[measure];
      if (value !== null && (winner === null || sense * value > sense * winner[measure]!)) winner = row;
    }
    return winner?.method ?? null;
  };
  return Object.fromEntries((Object.keys(MEASURES) as Measure[]).map((measure) => [measure, best(measure)])) as Record<
    Measure,
    MethodName | null
  >;
}

function report(
  rows: readonly Row[],
  best: Record<Measure, MethodName | null>,
  { name, samples, features }: Input,
  k: number,
  { style }: Terminal,
): string {
  const measures = (Object.keys(MEASURES) as Measure[]).filter((measure) => best[measure] !== null);
  const columns: Column[] = [
    { title: "method" },
    { title: "iterations", right: true },
    { title: "explained", right: true },
    ...measures.map((measure) => ({ title: `${MEASURES[measure].title} `, right: true })),
  ];
  const cells = rows.map((row) => [
    row.method,
    `${row.iterations}${row.converged ? " " : "+"}`,
    percent(row.explained ?? Number.NaN),
    ...measures.map((measure) => {
      const value = row[measure];
      const text = value === null ? "–" : MEASURES[measure].show(value);
      return best[measure] === row.method ? style.good(`${text}*`) : `${text} `;
    }),
  ]);
  const shape = `${plural(samples, "sample")} × ${plural(features, "feature")}, k = ${k}`;
  const legend = rows.some((row) => !row.converged) ? "* best, + stopped at the iteration limit" : "* best";
  return [
    `${style.bold(escapeControls(name))}  ${shape}`,
    "",
    table(columns, cells, style),
    "",
    style.dim(legend),
  ].join("\n");
}
