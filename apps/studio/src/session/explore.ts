import type { Model, Topics } from "bonmf";
import { formatShort } from "bonmf-data";
import { findDistinctive, findPassage, type Merged, makeNamer } from "bonmf-report";
import type { Data } from "../data/build.js";
import type { VectorDocuments } from "../data/vectors.js";
import type { Shown } from "./fitting.js";
import { isolate } from "./isolate.js";
import type { Answer, Detail, Filter, Glimpse, Page, Query, Reason, Row } from "./protocol.js";

/** Cosine and margin of each sample; found once for a run. */
export interface Assignments {
  readonly cosines: Float32Array;
  readonly margins: Float32Array;
}

const PART = 4096;
const CELLS = 400;
const REASONS = 8;
/** Words of a cluster that are marked in its texts. */
const TELLING = 20;

/** Yields to other messages between the parts. */
export async function assignAll(merged: Merged, { X }: Data): Promise<Assignments> {
  const cosines = new Float32Array(X.samples);
  const margins = new Float32Array(X.samples);
  for (let from = 0; from < X.samples; from += PART) {
    const part = merged.explain(X.slice(from, Math.min(X.samples, from + PART)));
    for (const [i, { cosine, margin }] of part.entries()) {
      cosines[from + i] = cosine;
      margins[from + i] = margin;
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { cosines, margins };
}

export function findSamples(data: Data, merged: Shown, assignments: Assignments, query: Query): Page {
  const { sort, from, count } = query;
  const found = matchSamples(data, merged, query);
  if (sort === "typical") found.sort((a, b) => assignments.cosines[b] - assignments.cosines[a]);
  if (sort === "borderline") found.sort((a, b) => assignments.margins[a] - assignments.margins[b]);
  const rows = found.slice(from, from + count).map((i) => showRow(data, merged, assignments, i));
  return { total: found.length, rows };
}

/** Ascending. */
export function matchSamples(data: Data, { model, numbers }: Merged, query: Filter): number[] {
  const { cluster, label, text, among } = query;
  const wanted = cluster === null ? null : numbers.indexOf(cluster);
  const needle = text.trim().toLowerCase();
  const found: number[] = [];
  for (let p = 0; p < (among?.length ?? data.X.samples); p++) {
    const i = among ? among[p] : p;
    if (wanted !== null && model.labels[i] !== wanted) continue;
    if (label !== null && String(data.labels?.[i]) !== label) continue;
    if (needle !== "" && !mentions(data, i, needle)) continue;
    found.push(i);
  }
  return found;
}

export function searchSamples(data: Data, text: string): Uint32Array {
  const needle = text.trim().toLowerCase();
  const found: number[] = [];
  for (let i = 0; i < data.X.samples && needle !== ""; i++) if (mentions(data, i, needle)) found.push(i);
  return Uint32Array.from(found);
}

function mentions(data: Data, i: number, needle: string): boolean {
  const { labels, texts, features, X } = data;
  if (nameOf(data, i).toLowerCase().includes(needle)) return true;
  if (labels && String(labels[i]).toLowerCase().includes(needle)) return true;
  if (texts) return texts[i].toLowerCase().includes(needle);
  if (!features || X.kind === "dense") return false;
  let found = false;
  X.each(i, (f) => {
    found ||= features[f].toLowerCase().includes(needle);
  });
  return found;
}

const namers = new WeakMap<Data, (i: number) => string>();

/** As in the report. */
function nameOf(data: Data, i: number): string {
  const known = namers.get(data) ?? makeNamer(data);
  namers.set(data, known);
  return known(i);
}

export function showRow(data: Data, merged: Shown, { cosines, margins }: Assignments, i: number): Row {
  const { model, numbers } = merged;
  return {
    ...glimpse(data, i),
    cluster: numbers[model.labels[i]],
    cosine: cosines[i],
    margin: margins[i],
    passage: data.texts ? findPassage(data.texts[i], tellingWords(data, merged)[model.labels[i]]) : [],
  };
}

/** What can be said of a sample without a run. */
export function glimpse(data: Data, i: number): Glimpse {
  return {
    sample: i,
    id: nameOf(data, i),
    label: data.labels ? String(data.labels[i]) : null,
    pixels: data.image && toGreys(data.X.row(i)),
    text: data.texts?.[i].slice(0, 240) ?? (data.image ? "" : spellValues(data, i)),
  };
}

const telling = new WeakMap<Shown, readonly (readonly string[])[]>();

/** The words that set each cluster apart. */
function tellingWords({ features }: Data, merged: Shown): readonly (readonly string[])[] {
  const known =
    telling.get(merged) ??
    merged.topics?.list.map(({ telling }) => telling.map(({ word }) => word)) ??
    findDistinctive(merged.model, TELLING, features).map((found) => found.map(({ name }) => name));
  telling.set(merged, known);
  return known;
}

const SPELLED = 6;

/** A few values in words: the largest of a sparse sample, the first of a dense one; of a category the value it has. */
function spellValues({ X, features, groups }: Data, i: number): string {
  const isCategory = (f: number) =>
    groups != null && groups[f] >= 0 && (groups[f] === groups[f - 1] || groups[f] === groups[f + 1]);
  const pairs: [number, number][] = [];
  X.each(i, (f, value) => {
    const said = X.kind === "dense" && !isCategory(f) ? true : value !== 0;
    if (said && (X.kind === "sparse" || pairs.length < SPELLED)) pairs.push([f, value]);
  });
  if (X.kind === "sparse") pairs.sort((a, b) => b[1] - a[1]);
  const spell = ([f, value]: [number, number]) => {
    const name = isolate(features?.[f] ?? `#${f + 1}`);
    return isCategory(f) && value === 1 ? name : `${name} ${formatShort(value)}`;
  };
  return pairs.slice(0, SPELLED).map(spell).join(" · ");
}

/** 0 is black, unless there are values below it. */
export function toGreys(values: ArrayLike<number>): Uint8Array {
  let least = 0;
  let most = 0;
  for (let p = 0; p < values.length; p++) {
    least = Math.min(least, values[p]);
    most = Math.max(most, values[p]);
  }
  const reach = most - least;
  return Uint8Array.from(values, (value) => (reach === 0 ? 0 : Math.round((255 * (value - least)) / reach)));
}

export function showSample(data: Data, merged: Shown, assignments: Assignments, i: number): Detail {
  const row = data.X.row(i);
  const { rival, ...explained } = explainRow(data, merged, row, merged.model.labels[i]);
  const reasons = data.told && merged.topics ? explainDocument(merged.topics, data.told, i) : explained.reasons;
  const cells: [string, string][] = [];
  for (let f = 0; f < row.length && cells.length < CELLS; f++) {
    if (data.image || (data.X.kind === "sparse" && row[f] === 0)) continue;
    cells.push([data.features?.[f] ?? `#${f + 1}`, formatShort(row[f])]);
  }
  const found = showRow(data, merged, assignments, i);
  const words = tellingWords(data, merged)[merged.model.labels[i]];
  const passage = data.texts ? findPassage(data.texts[i], words, { length: Number.POSITIVE_INFINITY }) : [];
  return { ...found, rival, reasons, cells: data.texts ? [] : cells, passage };
}

/** Of a document that is compared by vectors too, the words that speak for its topic. */
function explainDocument(topics: Topics, { counts, vocabulary, vectors }: VectorDocuments, i: number): Reason[] {
  const one = { counts: counts.take([i]), vocabulary, vectors: vectors.take([i]) };
  return topics.predict(one)[0].words.map(({ word, value }) => ({ name: word, weight: value }));
}

/** Cosines of one sample to all prototypes. */
export function measure(model: Model, row: ArrayLike<number>): { cosines: Float64Array; unit: Float64Array } {
  const prepared = model.prepare([row]).row(0);
  const unit = toUnit(prepared);
  const cosines = Float64Array.from({ length: model.k }, (_, j) => {
    const w = toUnit(model.W.row(j));
    return unit.reduce((sum, value, f) => sum + value * w[f], 0);
  });
  return { cosines, unit };
}

/**
 * Why a cluster, given by its place, and not the next: cos(x, w_a) − cos(x, w_b) is a sum over features, and these are its largest terms.
 */
export function explainRow(
  data: Data,
  { model, numbers }: Merged,
  row: ArrayLike<number>,
  cluster: number,
): { rival: number | null; reasons: Reason[]; closest: Answer["closest"] } {
  const { cosines, unit } = measure(model, row);
  let rival: number | null = null;
  for (let j = 0; j < model.k; j++) {
    if (j !== cluster && (rival === null || cosines[j] > cosines[rival])) rival = j;
  }
  const own = toUnit(model.W.row(cluster));
  const other = rival === null ? new Float64Array(own.length) : toUnit(model.W.row(rival));
  const names = model.scaler.featureNames(
    data.features ?? Array.from({ length: model.scaler.features }, (_, f) => `#${f + 1}`),
  );
  // The constant feature of lift is nothing that people know of.
  const told = model.scaler.name === "lift" ? unit.subarray(0, model.scaler.features) : unit;
  const reasons = Array.from(told, (value, f) => ({ name: names[f], weight: value * (own[f] - other[f]) }))
    .filter(({ weight }) => weight !== 0)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, REASONS);
  const closest = numbers.map((number, j) => ({ cluster: number, cosine: cosines[j] }));
  closest.sort((a, b) => b.cosine - a.cosine);
  return { rival: rival === null ? null : numbers[rival], reasons, closest };
}

function toUnit(row: ArrayLike<number>): Float64Array {
  const unit = Float64Array.from(row);
  const length = Math.sqrt(unit.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? unit : unit.map((value) => value / length);
}
