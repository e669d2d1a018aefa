import type { Model } from "bonmf";

export interface Telling {
  readonly name: string;
  /** The prototype's value and the mean over all samples, in the scaler's units. */
  readonly value: number;
  readonly mean: number;
}

/**
 * For each cluster the features by which its prototype exceeds the overall mean most. Where codes are not 0/1 the length
 * of a prototype means nothing, so all are brought to length 1 first.
 */
export function findTelling(model: Model, top: number): Telling[][] {
  const { k } = model;
  const m = model.W.features;
  const rows = Array.from({ length: k }, (_, j) => scaleRow(model, j));
  const mean = new Float64Array(m);
  const n = model.labels.length;
  rows.forEach((row, j) => {
    for (let f = 0; f < m; f++) mean[f] += (row[f] * model.counts[j]) / n;
  });
  const names = nameFeatures(model);
  return rows.map((row) => pickLargest(row, mean, top).map((f) => ({ name: names[f], value: row[f], mean: mean[f] })));
}

function scaleRow({ W, codes }: Model, j: number): ArrayLike<number> {
  const row = W.row(j);
  if (codes.form === "labels") return row;
  let length = 0;
  for (let f = 0; f < row.length; f++) length += row[f] ** 2;
  return length === 0 ? row : Float64Array.from(row, (value) => value / Math.sqrt(length));
}

/** The places of the `top` largest positive differences, largest first; ties by place. */
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

/** Names of W's features; those without are counted from 1, as LIBSVM files do. */
function nameFeatures(model: Model): readonly string[] {
  if (model.outputNames) return model.outputNames;
  return model.scaler.featureNames(Array.from({ length: model.scaler.features }, (_, f) => `#${f + 1}`));
}
