import { ari, classReport, clusteringAccuracy, DataError, Dense, type Label, type Model, nmi, purity } from "bonmf";
import type { Found } from "./effects.js";
import type { Agreement } from "./findings.js";
import { pause } from "./pause.js";

export { type Found, measureEffects } from "./effects.js";

// What tells clusters apart, without the page and the map: for programs that only need a table.

/** Largest confusion matrix shown. */
const MOST_CLASSES = 100;
const MOST_CELLS = 10_000;

export interface Majority {
  readonly label: Label;
  readonly share: number;
}

/** The most frequent class of each cluster and its share there; null for a cluster without members. */
export function findMajorities(labels: readonly Label[], clusters: ArrayLike<number>, k: number): (Majority | null)[] {
  const tallies = Array.from({ length: k }, () => new Map<Label, number>());
  labels.forEach((label, i) => {
    const tally = tallies[clusters[i]];
    tally.set(label, (tally.get(label) ?? 0) + 1);
  });
  return tallies.map((tally) => {
    let total = 0;
    let best: [Label, number] | null = null;
    for (const entry of tally) {
      total += entry[1];
      if (best === null || entry[1] > best[1]) best = entry;
    }
    return best && { label: best[0], share: best[1] / total };
  });
}

/** Compares clusters with classes; `places` gives the class of each sample as a place in `classes`. */
export async function compareClasses(
  labels: readonly Label[],
  clusters: Uint32Array,
  majorities: readonly (Majority | null)[],
  signal?: AbortSignal,
): Promise<{ agreement: Agreement; places: Uint32Array }> {
  const k = majorities.length;
  const report = classReport(
    labels,
    Array.from(clusters, (j) => majorities[j]!.label),
  );
  const names = report.classes.map(({ label }) => label);
  const placeOf = new Map(names.map((label, place) => [label, place]));
  const places = Uint32Array.from(labels, (label) => placeOf.get(label)!);
  await pause(signal);
  const scores = await measureAgreement(labels, clusters, signal);
  const rank = majorities.map((majority) => (majority ? placeOf.get(majority.label)! : names.length));
  const agreement = {
    classes: names.map(String),
    ...scores,
    counts: isSmall(names.length, k) ? countCells(places, clusters, names.length, k) : null,
    order: rank.map((_, j) => j).sort((a, b) => rank[a] - rank[b] || a - b),
    table: report.classes.map(({ label, support, precision, recall, f1 }, place) => ({
      label: String(label),
      samples: support,
      precision,
      recall,
      f1,
      clusters: rank.flatMap((most, j) => (most === place ? [j] : [])),
    })),
    baseline: { label: String(report.majority.label), share: report.majority.share },
  };
  return { agreement, places };
}

function isSmall(classes: number, k: number): boolean {
  return classes <= MOST_CLASSES && classes * k <= MOST_CELLS;
}

function countCells(places: Uint32Array, clusters: Uint32Array, classes: number, k: number): number[][] {
  const counts = Array.from({ length: classes }, () => new Array<number>(k).fill(0));
  places.forEach((place, i) => {
    counts[place][clusters[i]]++;
  });
  return counts;
}

/** How clusters agree with classes. */
export interface Scores {
  /** The share of samples in the majority class of their cluster. */
  readonly labelAccuracy: number;
  /** The same under the best one-to-one matching; null where there are too many classes to match. */
  readonly clusteringAccuracy: number | null;
  readonly nmi: number;
  readonly ari: number;
}

export async function measureAgreement(
  labels: readonly Label[],
  clusters: ArrayLike<number>,
  signal?: AbortSignal,
): Promise<Scores> {
  const labelAccuracy = purity(labels, clusters);
  await pause(signal);
  const clusteringAccuracy = matchClusters(labels, clusters);
  await pause(signal);
  const information = nmi(labels, clusters);
  await pause(signal);
  return { labelAccuracy, clusteringAccuracy, nmi: information, ari: ari(labels, clusters) };
}

/** Clustering accuracy; null where there are too many classes to match, and the other scores are still valid. */
function matchClusters(labels: readonly Label[], clusters: ArrayLike<number>): number | null {
  try {
    return clusteringAccuracy(labels, clusters);
  } catch (error) {
    if (error instanceof DataError && error.code === "size") return null;
    throw error;
  }
}

/**
 * For each cluster the features by which its prototype differs most from the mean of all prototypes by their size, where no
 * samples are at hand to measure effects. Where codes are not 0/1 the length of a prototype means nothing, so all are brought to
 * length 1 first.
 *
 * @param names of the samples' features; unnamed features are numbered from 1
 * @param directions "high": only features above the mean, as for words; "both": also those below it
 */
export function findDistinctive(
  model: Model,
  top: number,
  names: readonly string[] | null = model.featureNames,
  directions: "high" | "both" = "high",
): Found[][] {
  const m = model.W.features;
  const rows = Array.from({ length: model.k }, (_, j) => scaleRow(model, j));
  const mean = new Float64Array(m);
  rows.forEach((row, j) => {
    for (let f = 0; f < m; f++) mean[f] += (row[f] * model.counts[j]) / model.samples;
  });
  const { scaler } = model;
  // The constant that `lift` adds is nobody's feature.
  const told = scaler.name === "lift" ? scaler.features : m;
  const named = scaler.featureNames(names ?? Array.from({ length: scaler.features }, (_, f) => `#${f + 1}`));
  // Nobody reads the weights of words.
  const [shown, usual] = directions === "both" ? restoreUnits(model, rows, mean) : scaledUnits(rows, mean);
  const strength = directions === "high" ? (gain: number) => gain : Math.abs;
  return rows.map((row, j) =>
    pickLargest(told, (f) => strength(row[f] - mean[f]), top).map((f) => ({
      feature: f,
      name: named[f],
      direction: row[f] > mean[f] ? "high" : "low",
      value: shown(j, f),
      mean: usual(f),
      effect: null,
    })),
  );
}

type Restored = [value: (j: number, f: number) => number, mean: (f: number) => number];

/** In the samples' own units where the scaler can restore them: of one-hot codes, whose prototypes have a meaningful length. */
function restoreUnits({ scaler, codes, k }: Model, rows: readonly ArrayLike<number>[], mean: Float64Array): Restored {
  if (codes.form !== "labels" || scaler.name === "split") return scaledUnits(rows, mean);
  const restored = scaler.inverse(
    Dense.from(
      [...rows, mean].map((row) => Array.from(row)),
      "f64",
    ),
  );
  return [(j, f) => restored.at(j, f), (f) => restored.at(k, f)];
}

function scaledUnits(rows: readonly ArrayLike<number>[], mean: Float64Array): Restored {
  return [(j, f) => rows[j][f], (f) => mean[f]];
}

function scaleRow({ W, codes }: Model, j: number): ArrayLike<number> {
  const row = W.row(j);
  if (codes.form === "labels") return row;
  let normSq = 0;
  for (let f = 0; f < row.length; f++) normSq += row[f] ** 2;
  return normSq === 0 ? row : Float64Array.from(row, (value) => value / Math.sqrt(normSq));
}

/** The `top` features of largest positive gain, largest first; ties by index. */
function pickLargest(features: number, gain: (f: number) => number, top: number): number[] {
  const best: number[] = [];
  for (let f = 0; f < features; f++) {
    if (gain(f) <= 0 || (best.length === top && gain(f) <= gain(best[top - 1]))) continue;
    let place = best.length;
    while (place > 0 && gain(best[place - 1]) < gain(f)) place--;
    best.splice(place, 0, f);
    if (best.length > top) best.pop();
  }
  return best;
}
