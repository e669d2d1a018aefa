import type { Model } from "bonmf";
import type { ReportData } from "./report-data.js";
import { numberRows } from "./sample-names.js";

/** Whether samples are shown by their words. */
export function isText({ scaler }: Model, { recipe }: Pick<ReportData, "recipe">): boolean {
  return !!recipe?.text || recipe?.kind === "text" || scaler.name.endsWith("tfidf");
}

/** Documents that hold any of the words; null: all do. The others are in no topic. */
export function findWorded(model: Model, data: ReportData): Uint32Array | null {
  const { X, told } = data;
  const labels = told?.topics.labels;
  if (!labels && (X.kind !== "sparse" || !isText(model, data))) return null;
  const offsets = labels || X.kind !== "sparse" ? null : X.offsets;
  const rows = Uint32Array.from({ length: X.samples }, (_, i) => i).filter((i) =>
    labels ? labels[i] >= 0 : offsets![i] < offsets![i + 1],
  );
  // Where none has any there is nothing else to show.
  return rows.length === X.samples || rows.length === 0 ? null : rows;
}

/** The report's data of some samples alone, which keep their names. `told.topics` and `dates` stay those of all. */
export function takeSamples(data: ReportData, rows: Uint32Array): ReportData {
  const { X, weights, labels, ids, texts, told, positions, dropped } = data;
  const rowOf = numberRows(dropped);
  const kept = new Set(rows);
  const gone = Array.from({ length: X.samples }, (_, i) => i).filter((i) => !kept.has(i));
  const take = <T>(all: ArrayLike<T>) => Array.from(rows, (i) => all[i]);
  return {
    ...data,
    X: X.take(rows),
    dropped: [...(dropped ?? []), ...gone.map(rowOf)],
    ...(weights && { weights: take(weights) }),
    ...(labels && { labels: take(labels) }),
    ...(ids && { ids: take(ids) }),
    ...(texts && { texts: take(texts) }),
    ...(told && { told: { ...told, words: take(told.words) } }),
    ...(positions && {
      positions: { x: Float32Array.from(take(positions.x)), y: Float32Array.from(take(positions.y)) },
    }),
  };
}
