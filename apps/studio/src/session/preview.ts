import type { ScaleName } from "bonmf";
import { type Column, countMissing, formatShort, textAt } from "bonmf-data";
import type { Data } from "../data/build.js";
import { suggestChoice } from "../data/choice.js";
import type { Source } from "../data/source.js";
import type { ColumnInfo, Preview, Summary } from "./protocol.js";

const HEAD = 40;
const WIDE = 200;

/** What people see of a source before they choose. */
export function makePreview(source: Source): Preview {
  const { name, kind, form, rows } = source;
  const shared = { name, kind, form, rows, choice: suggestChoice(source) };
  const count = Math.min(HEAD, rows);
  if (source.form === "table") {
    const head = Array.from({ length: count }, (_, i) => source.columns.map((column) => textAt(column, i)));
    return { ...shared, columns: source.columns.map(describe), head, hasLabels: false };
  }
  const { X, features, labels } = source.loaded;
  const shown = Math.min(WIDE, X.features);
  const columns = Array.from({ length: shown }, (_, f) => ({
    name: features?.[f] ?? `#${f + 1}`,
    type: "number" as const,
    missing: 0,
    least: null,
    most: null,
    different: null,
  }));
  const head = Array.from({ length: count }, (_, i) => Array.from(X.row(i).subarray(0, shown), formatShort));
  return { ...shared, columns, head, hasLabels: labels !== null };
}

function describe(column: Column): ColumnInfo {
  const { name, type } = column;
  const missing = countMissing(column);
  if (column.type === "text") return { name, type, missing, least: null, most: null, different: column.texts.length };
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of column.numbers) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return {
    name,
    type,
    missing,
    least: least <= most ? least : null,
    most: least <= most ? most : null,
    different: null,
  };
}

/** A summary of the chosen samples, with suggested settings. */
export function summarise(data: Data): Summary {
  const { X, features, labels, image, texts, notes } = data;
  const classes = labels && [...new Set(labels)].sort(compare);
  const { negative, uneven, means, ink } = survey(data);
  const form = image ? "picture" : texts ? "text" : "table";
  const scale: ScaleName = texts ? "tfidf" : negative || uneven ? "minmax" : "none";
  return {
    samples: X.samples,
    features: X.features,
    featureNames: form === "table" ? (features ?? null) : null,
    sparse: X.kind === "sparse",
    form,
    image,
    ink,
    classes,
    negative,
    scale,
    k: Math.min(X.samples, classes && classes.length > 1 && classes.length <= 40 ? classes.length : 5),
    notes,
    means: form === "table" && X.features <= 64 ? Array.from(means) : null,
  };
}

/** Ratio of feature ranges above which scaling is suggested. */
const UNEVEN = 100;

interface Survey {
  readonly negative: boolean;
  readonly uneven: boolean;
  readonly ink: boolean;
  readonly means: Float64Array;
}

function survey({ X, image, texts }: Data): Survey {
  const most = new Float64Array(X.features);
  const means = new Float64Array(X.features);
  let negative = false;
  let filled = 0;
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, value) => {
      if (value < 0) negative = true;
      if (value > 0) filled++;
      if (value > most[f]) most[f] = value;
      means[f] += value / X.samples;
    });
  }
  const reach = most.filter((value) => value > 0).sort();
  const uneven = !image && !texts && reach.length > 1 && reach[reach.length - 1] > UNEVEN * reach[0];
  return { negative, uneven, means, ink: filled <= (2 / 3) * X.samples * X.features };
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : 1;
}
