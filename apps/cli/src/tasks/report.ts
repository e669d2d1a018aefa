import type { Matrix, Model, Stopped } from "bonmf";
import type { Terminal } from "../command.js";
import type { Data } from "../read/data.js";
import { count, decimal, duration, percent, plural } from "../show/numbers.js";
import { tame } from "../show/text.js";
import { tabulateClusters } from "./clusters.js";
import type { Targets } from "./fit.js";
import type { Loaded } from "./load.js";
import type { Scores } from "./scores.js";

/** What is said of the samples; they need not be in memory. */
type Shown = Pick<Loaded, "source"> & {
  readonly data: Pick<Data, "kind" | "recipe" | "labels"> & { readonly X: Pick<Matrix, "samples" | "features"> };
};

export interface Result {
  readonly model: Model;
  readonly loaded: Shown;
  /** Where the samples were swept. */
  readonly engine: "memory" | "disk";
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  readonly threads: number;
  readonly scores: Scores;
  readonly targets: Targets;
}

/** More clusters make a table that nobody reads to the end. */
export const MOST_CLUSTERS = 30;

/** What every fit says as JSON, wherever it ran. */
export function outline(model: Model) {
  return {
    method: model.method,
    k: model.k,
    seed: model.seed,
    samples: model.samples,
    features: model.scaler.features,
    iterations: model.iterations,
    converged: model.converged,
    objective: model.potential,
    relativeError: model.relativeError,
    counts: [...model.counts],
  };
}

/** What `bonmf fit --json` prints: a contract, described in docs/cli.md. */
export function reportJson({ model, engine, seconds, threads, scores, targets }: Result) {
  return {
    ...outline(model),
    engine,
    seconds,
    threads,
    labelAccuracy: scores.labelAccuracy,
    nmi: scores.nmi,
    ari: scores.ari,
    clusteringAccuracy: scores.clusteringAccuracy,
    model: targets.model,
    assignments: targets.assignments,
  };
}

/** The same for people. */
export function report(result: Result, terminal: Terminal): string {
  const { model, loaded, seconds, threads, scores, targets } = result;
  const { data, source } = loaded;
  const { style } = terminal;
  const shape = `${plural(data.X.samples, "sample")} × ${plural(data.X.features, "feature")}`;
  const pixels = data.recipe.image !== undefined;
  const shown = Array.from({ length: Math.min(model.k, MOST_CLUSTERS) }, (_, j) => j);
  const lines = [
    `${style.bold(tame(source))}  ${shape} (${data.kind}), read in ${duration(seconds.read)}`,
    `${style.bold(describeFit(model))}  ${plural(model.iterations, "iteration")}, ${explainStop(model)}, ` +
      `in ${duration(seconds.fit)} on ${plural(threads, "thread")}`,
    `relative error ${decimal(model.relativeError)}`,
    "",
    tabulateClusters(model, { clusters: shown, top: pixels ? 0 : 8, classes: data.labels }, terminal),
  ];
  if (model.k > MOST_CLUSTERS) {
    const rest = targets.model ? `; bonmf inspect ${targets.model} shows all` : "";
    lines.push(style.dim(`… and ${count(model.k - MOST_CLUSTERS)} more${rest}`));
  }
  if (data.labels) lines.push("", describeScores(scores));
  if (targets.model || targets.assignments || targets.page) lines.push("");
  if (targets.model) lines.push(`model written to ${style.accent(tame(targets.model))}`);
  if (targets.assignments) lines.push(`assignments written to ${style.accent(tame(targets.assignments))}`);
  if (targets.page) lines.push(`report written to ${style.accent(tame(targets.page))}`);
  return lines.join("\n");
}

/** "bonmf, k = 10, seed 0", with whatever is not as usual. */
export function describeFit({ settings, scaler, restart }: Model): string {
  const parts: string[] = [settings.method, `k = ${settings.k}`, `seed ${settings.seed}`];
  if (scaler.name !== "none") parts.push(`scale ${scaler.name}`);
  if (settings.update !== "mean") parts.push(`update ${settings.update}`);
  if (settings.restarts > 1) parts.push(`best of ${settings.restarts} runs (number ${restart + 1})`);
  return parts.join(", ");
}

const REASONS: Readonly<Record<Stopped, string>> = {
  "fixed-point": "until no label changed",
  tolerance: "until it settled",
  cycle: "until it went round in a circle",
  iterations: "which is the limit (more with --max-iterations)",
  aborted: "then interrupted (go on with bonmf fit … --resume)",
};

export function explainStop({ stopped }: Model): string {
  return REASONS[stopped];
}

function describeScores({ labelAccuracy, clusteringAccuracy, nmi, ari }: Scores): string {
  return [
    `label accuracy ${percent(labelAccuracy ?? Number.NaN)}`,
    `clustering accuracy ${percent(clusteringAccuracy ?? Number.NaN)}`,
    `NMI ${(nmi ?? Number.NaN).toFixed(3)}`,
    `ARI ${(ari ?? Number.NaN).toFixed(3)}`,
  ].join("   ");
}
