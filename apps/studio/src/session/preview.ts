import type { Matrix } from "bonmf";
import { type ColumnSummary, countHoles, findLists, formatShort, summarizeTable, textAt } from "bonmf-data";
import type { Data } from "../data/build.js";
import { firstChoice } from "../data/choice.js";
import type { Source } from "../data/source.js";
import { toGreys } from "./explore.js";
import type { ColumnInfo, Preview, Summary } from "./protocol.js";

const HEAD = 40;
const WIDE = 200;
/** Most features that people type one by one. */
const MOST_MEANS = 64;

/** What people see of a source before they choose. */
export function makePreview(source: Source): Preview {
  const { name, kind, form, rows } = source;
  const shared = { name, kind, form, rows, parts: source.parts ?? null, choice: firstChoice(source) };
  const count = Math.min(HEAD, rows);
  if (source.form === "table") {
    const head = Array.from({ length: count }, (_, i) => source.columns.map((column) => textAt(column, i)));
    const columns = summarizeTable(source).columns.map(describe);
    const missing = columns.reduce((sum, column) => sum + column.missing, 0);
    const vectors = [...findLists(source.columns).keys(), ...(source.vectors ? [source.vectors.name] : [])];
    return { ...shared, columns, missing, head, broken: [], hasLabels: false, vectors };
  }
  const { X, features, labels } = source.loaded;
  const shown = Math.min(WIDE, X.features);
  const columns = Array.from({ length: shown }, (_, f) => ({
    name: features?.[f] ?? `#${f + 1}`,
    type: "number" as const,
    numeric: true,
    missing: 0,
    least: null,
    most: null,
    different: null,
  }));
  const head = Array.from({ length: count }, (_, i) => Array.from(X.row(i).subarray(0, shown), formatShort));
  const { broken = [] } = source;
  return { ...shared, columns, missing: countHoles(X), head, broken, hasLabels: labels !== null, vectors: [] };
}

function describe({ name, type, missing, min, max, distinct, numbers }: ColumnSummary): ColumnInfo {
  return {
    name,
    type,
    numeric: type === "number" || type === "boolean" || (numbers?.share ?? 0) > 0,
    missing: missing ?? 0,
    least: min,
    most: max,
    different: distinct,
  };
}

/** A summary of the chosen samples, with a suggested k. */
export function summarise(data: Data, kept: boolean): Summary {
  const { X, features, labels, image, texts, notes, roles } = data;
  const classes = labels && [...new Set(labels)].sort(compare);
  const form = image ? "picture" : texts ? "text" : "table";
  return {
    samples: X.samples,
    features: X.features,
    featureNames: form === "table" ? (features ?? null) : null,
    sparse: X.kind === "sparse",
    form,
    image,
    ink: isInk(data),
    pictures: image && Array.from({ length: Math.min(HEAD, X.samples) }, (_, i) => toGreys(X.row(i))),
    vectorWeight: data.told?.weight ?? null,
    classes,
    k: Math.min(X.samples, classes && classes.length > 1 && classes.length <= 40 ? classes.length : 5),
    roles,
    kept,
    notes,
    means: form === "table" && X.features <= MOST_MEANS ? meansOf(X) : null,
  };
}

function meansOf(X: Matrix): number[] {
  const means = new Float64Array(X.features);
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, value) => {
      means[f] += value / X.samples;
    });
  }
  return Array.from(means);
}

/** Whether large values are dark, as ink is. Of picture files and arrays of pictures, 0 is black. */
function isInk({ X, kind }: Data): boolean {
  if (kind === "images" || kind === "npy" || kind === "npz") return false;
  const values = X.kind === "dense" ? X.data : X.values;
  let filled = 0;
  for (let p = 0; p < values.length; p++) if (values[p] > 0) filled++;
  return filled <= (2 / 3) * X.samples * X.features;
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : 1;
}
