import type { Matrix, Model } from "bonmf";
import { NONE, spellColumns, textAt, watchNames } from "bonmf-data";
import type { Merged } from "bonmf-report";
import type { Data } from "../data/build.js";
import type { Source, TableSource } from "../data/source.js";
import type { Classified } from "./protocol.js";

const PART = 4096;

/**
 * The rows of a table with their clusters, as the command writes them; samples without columns by name or number.
 *
 * @param only the samples that are wanted; null: all rows, also those left out of the fit
 */
export function writeAssignments(
  source: Source,
  data: Data,
  model: Model,
  merged: Merged,
  names: readonly string[] | null,
  only: Uint32Array | null = null,
): string {
  const columns = source.form === "table" && source.kind !== "text" ? listCells(source) : null;
  const freeName = watchNames(columns?.map(({ name }) => name) ?? []);
  const added = listColumns(model, columns === null && data.labels !== null, names).map(freeName);
  const before = columns ? columns.map(({ name }) => name) : [data.ids ? "id" : "sample"];
  const lines = [[...before, ...added].map(protect).join(",")];
  const dropped = new Set(data.dropped);
  const rows = columns ? source.rows : data.X.samples;
  const wanted = only && new Set(only);
  const results = describeSamples(data, model, merged, columns === null, names);
  for (let row = 0, i = 0; row < rows; row++) {
    const own = columns
      ? columns.map(({ codes, cells }) => (codes[row] === NONE ? "" : cells[codes[row]]))
      : [protect(String(data.ids?.[i] ?? i))];
    const result = columns && dropped.has(row) ? added.map(() => "") : results.next().value!;
    const isSample = !columns || !dropped.has(row);
    if (wanted === null || (isSample && wanted.has(i))) lines.push([...own, ...result].join(","));
    if (isSample) i++;
  }
  return `${lines.join("\n")}\n`;
}

/** Other samples by the clusters of a run. */
export function classifyAll(source: Source, data: Data, model: Model, merged: Merged): Classified {
  const csv = writeAssignments(source, data, model, merged, null);
  const sizes = new Map<number, number>();
  for (let from = 0; from < data.X.samples; from += PART) {
    for (const { cluster } of merged.explain(data.X.slice(from, Math.min(data.X.samples, from + PART)))) {
      const number = merged.numbers[cluster];
      sizes.set(number, (sizes.get(number) ?? 0) + 1);
    }
  }
  const clusters = [...sizes].map(([cluster, samples]) => ({ cluster, samples }));
  return { csv, samples: data.X.samples, clusters: clusters.sort((a, b) => b.samples - a.samples) };
}

function listColumns({ method, codes, k }: Model, labelled: boolean, names: readonly string[] | null): string[] {
  const closeness = method === "kmeans" ? "distance" : "cosine";
  const weights = codes.form === "real" ? Array.from({ length: k }, (_, j) => `weight_${j}`) : [];
  return ["cluster", ...(names ? ["name"] : []), ...(labelled ? ["label"] : []), closeness, "margin", ...weights];
}

/** The cells that are added, sample by sample. */
function* describeSamples(
  { X, labels }: Data,
  model: Model,
  merged: Merged,
  labelled: boolean,
  names: readonly string[] | null,
): Generator<string[]> {
  const { numbers } = merged;
  for (let from = 0; from < X.samples; from += PART) {
    const part: Matrix = X.slice(from, Math.min(X.samples, from + PART));
    const H = model.codes.form === "real" ? model.transform(part) : null;
    for (const [i, { cluster: place, cosine, margin, distance }] of merged.explain(part).entries()) {
      const cluster = numbers[place];
      yield [
        String(cluster),
        ...(names ? [protect(names[cluster])] : []),
        ...(labelled && labels ? [protect(String(labels[from + i]))] : []),
        ...(distance ? [distance.own, distance.margin] : [cosine, margin]).map(formatNumber),
        ...(H ? Array.from(H.row(i), formatNumber) : []),
      ];
    }
  }
}

function formatNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Columns as they are written, their different cells ready for CSV. */
function listCells({ columns, rows }: TableSource) {
  return spellColumns(columns, rows).map(({ name, codes, texts }) => ({ name, codes, cells: texts.map(protect) }));
}

export function writeTable({ columns, rows }: TableSource): string {
  const lines = Array.from({ length: rows }, (_, i) => columns.map((column) => protect(textAt(column, i))).join(","));
  return `${columns.map(({ name }) => protect(name)).join(",")}\n${lines.join("\n")}\n`;
}

/** A cell of CSV. */
function protect(text: string): string {
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
