import { ari, classReport, clusteringAccuracy, DataError, type Label, nmi, purity } from "bonmf";
import type { Agreement } from "./findings.js";

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
export function compareClasses(
  labels: readonly Label[],
  clusters: Uint32Array,
  majorities: readonly (Majority | null)[],
): { agreement: Agreement; places: Uint32Array } {
  const k = majorities.length;
  const report = classReport(
    labels,
    Array.from(clusters, (j) => majorities[j]!.label),
  );
  const names = report.classes.map(({ label }) => label);
  const placeOf = new Map(names.map((label, place) => [label, place]));
  const places = Uint32Array.from(labels, (label) => placeOf.get(label)!);
  const rank = majorities.map((majority) => (majority ? placeOf.get(majority.label)! : names.length));
  const agreement = {
    classes: names.map(String),
    labelAccuracy: purity(labels, clusters),
    clusteringAccuracy: matchClusters(labels, clusters),
    nmi: nmi(labels, clusters),
    ari: ari(labels, clusters),
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

/** Clustering accuracy; null where there are too many classes to match, and the other scores are still valid. */
export function matchClusters(labels: readonly Label[], clusters: ArrayLike<number>): number | null {
  try {
    return clusteringAccuracy(labels, clusters);
  } catch (error) {
    if (error instanceof DataError && error.code === "size") return null;
    throw error;
  }
}
