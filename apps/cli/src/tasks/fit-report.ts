import type { Model, Stopped } from "bonmf";
import type { Style, Terminal } from "../command.js";
import type { Input } from "../input/input.js";
import { count, decimal, duration, percent, plural, replaceControls } from "../show/text.js";
import { tabulateClusters } from "./cluster-table.js";
import type { Scores } from "./scores.js";

/** Where results go; null where they are not asked for. */
export interface Targets {
  readonly model: string | null;
  readonly assignments: string | null;
  readonly page: string | null;
}

export interface FitResult {
  readonly model: Model;
  readonly input: Input;
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  /** Threads of this process. */
  readonly threads: number;
  readonly scores: Scores;
  readonly targets: Targets;
}

/** The largest number of clusters in the table. */
const MOST_CLUSTERS = 30;

/** What `bonmf fit --json` prints: a contract, described in docs/cli.md. */
export function reportJson({ model, input, seconds, threads, scores, targets }: FitResult) {
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
    engine: input.url ?? input.place,
    kernel: model.kernel,
    seconds,
    threads: input.place === "cluster" ? null : threads,
    labelAccuracy: scores.labelAccuracy,
    nmi: scores.nmi,
    ari: scores.ari,
    clusteringAccuracy: scores.clusteringAccuracy,
    model: targets.model,
    assignments: targets.assignments,
  };
}

/** The same for people. */
export function report(result: FitResult, terminal: Terminal): string {
  const { model, input, scores, targets } = result;
  const { style } = terminal;
  const onCluster = input.place === "cluster";
  // The features of pictures are pixels; rows on a cluster may have no names.
  const top = input.recipe.image || (onCluster && !model.featureNames) ? 0 : 8;
  const shown = Array.from({ length: Math.min(model.k, MOST_CLUSTERS) }, (_, j) => j);
  const lines = [
    ...describeRun(result, style),
    "",
    tabulateClusters(model, { clusters: shown, top, classes: input.labels }, terminal),
  ];
  if (model.k > MOST_CLUSTERS) {
    const rest = targets.model ? `; bonmf inspect ${targets.model} shows all` : "";
    lines.push(style.dim(`… and ${count(model.k - MOST_CLUSTERS)} more${rest}`));
  }
  if (input.labels) lines.push("", describeScores(scores));
  const written = [
    ["model written to", targets.model],
    [`assignments written${onCluster ? " by the cluster" : ""} to`, targets.assignments],
    ["report written to", targets.page],
  ].flatMap(([what, path]) => (path ? [`${what} ${style.accent(replaceControls(path))}`] : []));
  return [...lines, ...(written.length > 0 ? ["", ...written] : [])].join("\n");
}

/** What was read and how it was fitted, in three lines. */
function describeRun({ model, input, seconds, threads }: FitResult, { bold }: Style): string[] {
  const { name, url, kind, samples, features } = input;
  const shape = `${plural(samples, "sample")} × ${plural(features, "feature")}`;
  const read = url === undefined ? ` (${kind}), read in` : `, on ${url}, checked in`;
  const where = url === undefined ? ` on ${plural(threads, "thread")}` : "";
  return [
    `${bold(replaceControls(name))}  ${shape}${read} ${duration(seconds.read)}`,
    `${bold(describeFit(model))}  ${plural(model.iterations, "iteration")}, ${explainStop(model)}, ` +
      `in ${duration(seconds.fit)}${where}`,
    `relative error ${decimal(model.relativeError)}`,
  ];
}

/** "bonmf, k = 10, seed 0", with all settings that are not the default. */
export function describeFit({ settings, scaler, restart }: Model): string {
  const parts: string[] = [settings.method, `k = ${settings.k}`, `seed ${settings.seed}`];
  if (scaler.name !== "none") parts.push(`scale ${scaler.name}`);
  if (settings.update !== "mean") parts.push(`update ${settings.update}`);
  if (settings.restarts > 1) parts.push(`best of ${settings.restarts} runs (number ${restart + 1})`);
  return parts.join(", ");
}

const REASONS: Readonly<Record<Stopped, string>> = {
  "fixed-point": "converged: no label changed",
  tolerance: "converged within the tolerance",
  cycle: "stopped: the labels repeat in a cycle",
  iterations: "the limit (raise it with --max-iterations)",
  aborted: "interrupted (continue with bonmf fit … --resume)",
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
