import type { Matrix, Model } from "bonmf";
import type { DistinctiveFeature } from "./findings.js";

export interface Found extends DistinctiveFeature {
  /** The column of W. */
  readonly feature: number;
}

/**
 * For each cluster the features by which its prototype exceeds the overall mean most. Where codes are not 0/1 the length
 * of a prototype means nothing, so all are brought to length 1 first.
 *
 * @param names of the samples' features; unnamed features are numbered from 1
 */
export function findDistinctive(
  model: Model,
  top: number,
  names: readonly string[] | null = model.featureNames,
): Found[][] {
  const m = model.W.features;
  const rows = Array.from({ length: model.k }, (_, j) => scaleRow(model, j));
  const mean = new Float64Array(m);
  rows.forEach((row, j) => {
    for (let f = 0; f < m; f++) mean[f] += (row[f] * model.counts[j]) / model.samples;
  });
  const { scaler } = model;
  const named = scaler.featureNames(names ?? Array.from({ length: scaler.features }, (_, f) => `#${f + 1}`));
  return rows.map((row) =>
    pickLargest(row, mean, top).map((f) => ({
      feature: f,
      name: named[f],
      value: row[f],
      mean: mean[f],
      own: null,
    })),
  );
}

function scaleRow({ W, codes }: Model, j: number): ArrayLike<number> {
  const row = W.row(j);
  if (codes.form === "labels") return row;
  let normSq = 0;
  for (let f = 0; f < row.length; f++) normSq += row[f] ** 2;
  return normSq === 0 ? row : Float64Array.from(row, (value) => value / Math.sqrt(normSq));
}

/** Indices of the `top` largest positive differences, largest first; ties by index. */
function pickLargest(row: ArrayLike<number>, mean: ArrayLike<number>, top: number): number[] {
  const best: number[] = [];
  const gain = (f: number) => row[f] - mean[f];
  for (let f = 0; f < row.length; f++) {
    if (gain(f) <= 0 || (best.length === top && gain(f) <= gain(best[top - 1]))) continue;
    let place = best.length;
    while (place > 0 && gain(best[place - 1]) < gain(f)) place--;
    best.splice(place, 0, f);
    if (best.length > top) best.pop();
  }
  return best;
}

/** Adds values in the samples' own units: mean of the members, mean of all, range over clusters. */
export function measureDistinctive(
  found: Found[][],
  X: Matrix,
  clusters: Uint32Array,
  sizes: ArrayLike<number>,
): Found[][] {
  // A scaler may map one feature to several columns.
  const features = [...new Set(found.flat().map(({ feature }) => feature % X.features))];
  const slots = new Int32Array(X.features).fill(-1);
  features.forEach((f, slot) => {
    slots[f] = slot;
  });
  const k = sizes.length;
  const sums = new Float64Array(features.length * k);
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, value) => {
      if (slots[f] >= 0) sums[slots[f] * k + clusters[i]] += value;
    });
  }
  const owns = features.map((_, slot) => {
    const totals = Array.from(sums.subarray(slot * k, slot * k + k));
    const averages = totals.map((sum, j) => (sizes[j] > 0 ? sum / sizes[j] : Number.NaN));
    const present = averages.filter((average) => !Number.isNaN(average));
    return {
      averages,
      overall: totals.reduce((sum, total) => sum + total, 0) / X.samples,
      least: Math.min(...present),
      most: Math.max(...present),
    };
  });
  return found.map((list, j) =>
    list.map((one) => {
      const { averages, overall, least, most } = owns[slots[one.feature % X.features]];
      return { ...one, own: sizes[j] > 0 ? { average: averages[j], overall, least, most } : null };
    }),
  );
}
