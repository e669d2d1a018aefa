import { fit, type MethodName } from "bonmf";
import type { Call, Terminal } from "../command.js";
import { decimal, duration, percent, plural } from "../show/numbers.js";
import { type Column, table } from "../show/table.js";
import { tame } from "../show/text.js";
import { explainData } from "./explain.js";
import { type Loaded, load } from "./load.js";
import { fitOptions, needK } from "./options.js";
import { type Scores, scoreClusters } from "./scores.js";
import { watch } from "./watch.js";

interface Row extends Scores {
  readonly method: MethodName;
  readonly relativeError: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly seconds: number;
}

/** The columns in which one method can be better than another. */
const MEASURES = {
  relativeError: { title: "relative error", sense: -1, show: decimal },
  seconds: { title: "time", sense: -1, show: duration },
  labelAccuracy: { title: "label accuracy", sense: 1, show: (value: number) => percent(value) },
  clusteringAccuracy: { title: "clustering accuracy", sense: 1, show: (value: number) => percent(value) },
  nmi: { title: "NMI", sense: 1, show: (value: number) => value.toFixed(3) },
  ari: { title: "ARI", sense: 1, show: (value: number) => value.toFixed(3) },
} as const;
type Measure = keyof typeof MEASURES;

const DEFAULT: readonly string[] = ["bonmf", "kmeans", "nmf"];

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const k = needK(options);
  const methods = [...new Set(options.list("methods") ?? DEFAULT)] as MethodName[];
  const loaded = await load(call);
  const rows: Row[] = [];
  for (const method of methods) rows.push(await tryMethod(call, loaded, method, k));
  const { X } = loaded.data;
  const best = findBest(rows);
  const summary = {
    k,
    seed: options.number("seed") ?? 0,
    samples: X.samples,
    features: X.features,
    methods: rows,
    best,
  };
  terminal.out(terminal.json ? JSON.stringify(summary) : report(rows, best, loaded, k, terminal));
}

async function tryMethod(
  { options, signal, terminal }: Call,
  loaded: Loaded,
  method: MethodName,
  k: number,
): Promise<Row> {
  const { data, source } = loaded;
  const given = fitOptions(options);
  const progress = watch(terminal, method, { ...given, method });
  const start = performance.now();
  try {
    const model = await fit(data.X, {
      ...given,
      method,
      k,
      scale: given.scale ?? (data.recipe.text || data.kind === "text" ? "tfidf" : "none"),
      weights: data.weights ?? undefined,
      featureNames: data.features ?? undefined,
      signal,
      onStep: progress.step,
    });
    return {
      method,
      relativeError: model.relativeError,
      iterations: model.iterations,
      converged: model.converged,
      seconds: (performance.now() - start) / 1000,
      ...scoreClusters(data.labels, model.labels),
    };
  } catch (error) {
    throw explainData(error, source);
  } finally {
    progress.end();
  }
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
  { data, source }: Loaded,
  k: number,
  { style }: Terminal,
): string {
  const measures = (Object.keys(MEASURES) as Measure[]).filter((measure) => best[measure] !== null);
  const columns: Column[] = [
    { title: "method" },
    { title: "iterations", right: true },
    ...measures.map((measure) => ({ title: `${MEASURES[measure].title} `, right: true })),
  ];
  const cells = rows.map((row) => [
    row.method,
    `${row.iterations}${row.converged ? " " : "+"}`,
    ...measures.map((measure) => {
      const value = row[measure];
      const text = value === null ? "–" : MEASURES[measure].show(value);
      return best[measure] === row.method ? style.good(`${text}*`) : `${text} `;
    }),
  ]);
  const shape = `${plural(data.X.samples, "sample")} × ${plural(data.X.features, "feature")}, k = ${k}`;
  const legend = rows.some((row) => !row.converged) ? "* best, + stopped at its limit of iterations" : "* best";
  return [`${style.bold(tame(source))}  ${shape}`, "", table(columns, cells, style), "", style.dim(legend)].join("\n");
}
