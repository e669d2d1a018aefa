import type { Label, Matrix, Model, Stopped } from "bonmf";
import { describePlan } from "bonmf-data/recipe";
import type { Reference } from "bonmf-report";
import { type Found, findDistinctive, findMajorities, measureAgreement, measureEffects } from "bonmf-report/clusters";
import { nameObjective } from "bonmf-report/objective";
import { refuseReference, warnOfChance } from "bonmf-report/reference";
import type { Style, Terminal } from "../command.js";
import type { Input } from "../input/input.js";
import { escapeControls } from "../show/escape.js";
import { type Column, clip, count, decimal, duration, percent, plural, table, widthOf } from "../show/text.js";

/** Where results go; null where they are not asked for. */
export interface Targets {
  readonly model: string | null;
  readonly assignments: string | null;
  readonly prototypes: string | null;
  readonly page: string | null;
}

export interface FitResult {
  readonly model: Model;
  readonly input: Input;
  /** What data without groups gives; null where it was not measured. */
  readonly reference: Reference | null;
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  /** Threads of this process. */
  readonly threads: number;
  readonly scores: Scores;
  /** What sets each cluster apart; null for pixels. */
  readonly telling: readonly (readonly Found[])[] | null;
  /** Of the clusters, where a resumed model has them. */
  readonly names: readonly string[] | null;
  readonly targets: Targets;
}

/** The largest number of clusters in the table. */
const MOST_CLUSTERS = 30;

/** What `bonmf fit --json` prints: a contract, described in docs/cli.md. */
export function reportJson(result: FitResult) {
  const { model, input, reference, seconds, threads, scores, targets } = result;
  return {
    method: model.method,
    k: model.k,
    seed: model.seed,
    samples: model.samples,
    features: model.scaler.features,
    plan: describePlan(input.recipe),
    iterations: model.iterations,
    converged: model.converged,
    scale: { name: model.scaler.name, reason: model.tags.scale ?? null },
    starts: measureStarts(model),
    objective: model.potential,
    ...describeObjective(model),
    explained: model.explained,
    relativeError: model.relativeError,
    reference,
    counts: [...model.counts],
    dead: model.dead,
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
    prototypes: targets.prototypes,
    clusters: describeClusters(result),
  };
}

/** The same for people. */
export function report(result: FitResult, terminal: Terminal): string {
  const { model, input, reference, scores, names, targets, telling: distinctive } = result;
  const { style } = terminal;
  const onCluster = input.place === "cluster";
  const shown = Array.from({ length: Math.min(model.k, MOST_CLUSTERS) }, (_, j) => j);
  const lines = [
    ...(reference && !reference.better ? [style.bold(warnOfChance(reference)), ""] : []),
    ...describeRun(result, style),
    "",
    tabulateClusters(model, { clusters: shown, distinctive, classes: input.labels, names }, terminal),
  ];
  if (model.k > MOST_CLUSTERS) {
    const rest = targets.model ? `; bonmf inspect ${targets.model} shows all` : "";
    lines.push(style.dim(`… and ${count(model.k - MOST_CLUSTERS)} more${rest}`));
  }
  if (input.labels) lines.push("", describeScores(scores));
  const written = [
    ["model written to", targets.model],
    [`assignments written${onCluster ? " by the cluster" : ""} to`, targets.assignments],
    ["prototypes written to", targets.prototypes],
    ["report written to", targets.page],
  ].flatMap(([what, path]) => (path ? [`${what} ${style.accent(nameTarget(path))}`] : []));
  return [...lines, ...(written.length > 0 ? ["", ...written] : [])].join("\n");
}

/** How many features are named for a cluster. */
const TELLING = 8;

/** What sets clusters apart: measured where the samples are in memory, else told by the prototypes; null for pixels. */
export async function findTelling(model: Model, input: Input, signal?: AbortSignal): Promise<Found[][] | null> {
  const { place, recipe, X, options } = input;
  // Rows on a cluster may have no names.
  if (recipe.image || (place === "cluster" && !model.featureNames)) return null;
  if (showsWords(model, recipe)) return findDistinctive(model, TELLING);
  const whole = model.settings.missing === "mask" ? model.impute(X as Matrix) : (X as Matrix);
  return place === "memory"
    ? measureEffects(whole, model.labels, model.k, TELLING, model.featureNames, options.weights, signal)
    : findDistinctive(model, TELLING, model.featureNames, "both");
}

/** Words that a cluster has less of than others tell nothing. */
export function showsWords({ scaler }: Model, recipe: Input["recipe"] | null): boolean {
  return recipe?.text !== undefined || recipe?.kind === "text" || scaler.name.endsWith("tfidf");
}

function describeClusters({ model: { counts, samples }, telling: found }: FitResult) {
  return Array.from(counts, (size, cluster) => ({
    cluster,
    size,
    share: size / samples,
    features: (found?.[cluster] ?? []).map(describeFeature),
  }));
}

/** A feature of a cluster in `--json`. */
export function describeFeature({ name, direction, value, mean, effect }: Found) {
  if (effect === null) return { name, direction, value, mean };
  const { d, from, to, sd } = effect;
  return { name, direction, value, sd, elsewhere: mean, effect: d, interval: [from, to] };
}

function nameTarget(path: string): string {
  return path === "-" ? "standard output" : escapeControls(path);
}

/** What was read and how it was fitted, in a few lines. */
function describeRun({ model, input, reference, seconds, threads }: FitResult, { bold }: Style): string[] {
  const { name, url, kind, samples, features } = input;
  const shape = `${plural(samples, "sample")} × ${plural(features, "feature")}`;
  const read = url === undefined ? ` (${kind}), read in` : `, on ${url}, checked in`;
  const where = url !== undefined ? "" : ` on ${usesGpu(model) ? "the GPU" : plural(threads, "thread")}`;
  const starts = describeStarts(model);
  const dead = describeDead(model);
  return [
    `${bold(escapeControls(name))}  ${shape}${read} ${duration(seconds.read)}`,
    `${bold(describeFit(model))}  ${plural(model.iterations, "iteration")}, ${explainStop(model)}, ` +
      `in ${duration(seconds.fit)}${where}`,
    describeErrors(model),
    ...(dead === null ? [] : [dead]),
    ...(starts === null ? [] : [starts]),
    reference ? describeReference(reference) : `not compared with data without groups: ${explainMissing(model, input)}`,
  ];
}

/** Whether the GPU computed the last sweep. */
function usesGpu({ kernel }: Model): boolean {
  return kernel?.startsWith("WebGPU") ?? false;
}

/** "2 of 8 components are used by no sample (3, 5)…"; null where all are used. One-hot clusters show their sizes. */
export function describeDead({ dead, codes, k }: Model): string | null {
  if (codes.form !== "real" || dead.length === 0) return null;
  const named = dead.slice(0, 10).join(", ") + (dead.length > 10 ? " …" : "");
  const are = dead.length === 1 ? "component is" : "components are";
  return `${dead.length} of ${k} ${are} used by no sample (${named}): fewer say as much, or try --init sample`;
}

/** What `objective` is, for `--json`. */
export function describeObjective({ settings: { loss, l1W, l2W, l1H, l2H } }: Model) {
  return { loss, penalties: { l1W, l2W, l1H, l2H } };
}

/** How much better the prototypes are than a single one, and what they leave. */
export function describeErrors(model: Model): string {
  const { explained, relativeError, potential } = model;
  const share = explained === null ? "explained: not recorded" : `explained ${percent(explained)}`;
  const errors = `${share} (one prototype: 0 %), relative error ${decimal(relativeError)}`;
  const objective = nameObjective(model);
  return objective === null ? errors : `${objective} ${decimal(potential)}; of the squared error ${errors}`;
}

function explainMissing(model: Model, { place, X, sample, options }: Input): string {
  if (place === "cluster") return "the samples are on a cluster";
  return refuseReference(model, sample ?? (X as Matrix), sample?.weights ?? options.weights) ?? "it was interrupted";
}

function describeReference({ samples, own, chance }: Reference): string {
  const parts = [
    `data without groups: explained ${percent(chance.explained)} (here ${percent(own.explained)})`,
    `silhouette ${chance.silhouette.toFixed(2)} (here ${own.silhouette.toFixed(2)})`,
    `closeness ${chance.cosine.toFixed(2)} (here ${own.cosine.toFixed(2)})`,
  ];
  return `${parts.join(", ")}, on ${plural(samples, "sample")}`;
}

/** "bonmf, k = 10, seed 0", with all settings that are not the default. */
export function describeFit({ settings, scaler, restart }: Model): string {
  const parts: string[] = [settings.method, `k = ${settings.k}`, `seed ${settings.seed}`];
  if (scaler.name !== "none") parts.push(`scale ${scaler.name}`);
  if (settings.update !== "mean") parts.push(`update ${settings.update}`);
  if (settings.restarts > 1) parts.push(`best of ${settings.restarts} starts (number ${restart + 1})`);
  return parts.join(", ");
}

/** Objectives closer than this, relative to the best, are those of one answer: sums in another order. */
const SAME = 1e-9;

/** How much the result depends on the start; null where the model does not say. */
export function measureStarts({ settings, potential, potentials }: Model) {
  if (potentials.length < settings.restarts) return null;
  const apart = potentials.map((each) => Math.abs(each - potential) / (Math.abs(potential) || 1));
  return {
    runs: potentials.length,
    /** Starts that found the best answer. */
    best: apart.filter((share) => share <= SAME).length,
    /** How far the worst objective is from the best, relative to the best. */
    spread: apart.reduce((most, share) => Math.max(most, share), 0),
    objectives: [...potentials],
  };
}

/** "3 of 10 starts found this answer; the objectives of all are within 0.3 %"; null for one start. */
export function describeStarts(model: Model): string | null {
  const starts = measureStarts(model);
  if (starts === null || starts.runs === 1) return null;
  const { runs, best, spread } = starts;
  if (best === runs) return `all ${runs} starts found this answer`;
  return `${best} of ${runs} starts found this answer; the objectives of all are within ${Number((100 * spread).toPrecision(2))} %`;
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

/** What is told of a feature in a line. */
export type Told = Pick<Found, "name" | "direction" | "effect">;

export interface View {
  /** Which clusters, in order. */
  readonly clusters: readonly number[];
  /** Of all clusters. Default: as the model counts. */
  readonly sizes?: ArrayLike<number>;
  /** k lists of features; null for features without meaningful names, such as pixels. */
  readonly distinctive: readonly (readonly Told[])[] | null;
  /** Show all their names, however long the line; else those that fit. */
  readonly full?: boolean;
  readonly classes?: readonly Label[] | null;
  /** Of all clusters, "" for none. */
  readonly names?: readonly string[] | null;
  /** What is told of clusters. Default: those of `bonmf fit`. */
  readonly titles?: { readonly cluster: string; readonly distinctive: string };
}

const TITLES = { cluster: "cluster", distinctive: "most distinctive" };

/** One line a cluster: size, share, name, majority class, most distinctive features. */
export function tabulateClusters(model: Model, view: View, { style, width }: Terminal): string {
  const n = model.samples;
  const { titles = TITLES } = view;
  const columns: Column[] = [
    { title: titles.cluster, right: true },
    { title: "size", right: true },
    { title: "share", right: true },
  ];
  const { names, sizes = model.counts } = view;
  const rows = view.clusters.map((j) => [String(j), count(sizes[j]), percent(sizes[j] / n)]);
  if (names) {
    columns.push({ title: "name" });
    rows.forEach((row, r) => {
      row.push(clip(escapeControls(names[view.clusters[r]]), 24) || "–");
    });
  }
  if (view.classes) {
    const majorities = findMajorities(view.classes, model.labels, model.k);
    columns.push({ title: "class" }, { title: "of it", right: true });
    rows.forEach((row, r) => {
      const most = majorities[view.clusters[r]];
      row.push(most ? clip(escapeControls(String(most.label)), 24) : "–", most ? percent(most.share) : "–");
    });
  }
  const { distinctive } = view;
  if (distinctive) {
    const used = widthOf(
      table(columns, rows, style)
        .split("\n")
        .sort((a, b) => widthOf(b) - widthOf(a))[0],
    );
    const room = view.full ? Number.POSITIVE_INFINITY : Math.max(24, width - used - 2);
    columns.push({ title: titles.distinctive });
    rows.forEach((row, r) => {
      row.push(joinNames(distinctive[view.clusters[r]].map(nameFeature), room));
    });
  }
  return table(columns, rows, style);
}

/** With an arrow, except for words. */
function nameFeature({ name, direction }: Told, _: number, all: readonly Told[]): string {
  const text = escapeControls(name);
  if (all.every(({ effect }) => effect === null) && all.every((one) => one.direction === "high")) return text;
  return `${text} ${direction === "high" ? "↑" : "↓"}`;
}

/** As many whole names as fit. */
function joinNames(names: readonly string[], room: number): string {
  let text = "";
  for (const name of names) {
    const longer = text === "" ? name : `${text}, ${name}`;
    if (widthOf(longer) > room) return text === "" ? clip(name, room) : text;
    text = longer;
  }
  return text === "" ? "–" : text;
}

/** How clusters agree with classes; null where there are no classes. */
export interface Scores {
  /** The share of samples in the majority class of their cluster. */
  readonly labelAccuracy: number | null;
  /** The same under the best one-to-one matching. */
  readonly clusteringAccuracy: number | null;
  readonly nmi: number | null;
  readonly ari: number | null;
}

export async function scoreClusters(
  classes: readonly Label[] | null,
  clusters: ArrayLike<number>,
  signal?: AbortSignal,
): Promise<Scores> {
  if (classes === null) return { labelAccuracy: null, clusteringAccuracy: null, nmi: null, ari: null };
  return measureAgreement(classes, clusters, signal);
}
