import { type Matrix, type Model, mapSamples, type Positions } from "bonmf";
import type { Assignments } from "./assignments.js";
import type { SampleMap } from "./findings.js";
import { clip } from "./passage.js";
import { type Previews, pickWords, readValues, VALUES, WORDS } from "./previews.js";
import type { ReportData } from "./report-data.js";
import { makeNamer } from "./sample-names.js";
import { chooseRows } from "./subsample.js";

/** Not the fit's: samples stay where they are in every report. */
const SEED = 0;
/** Of the beginnings of all documents, and of each. */
const CHARACTERS = 400_000;
const MOST_CHARACTERS = 200;

/** @param places the class of each sample; null without labels */
export async function drawMap(
  model: Model,
  { X, ids, texts, told, dropped, positions }: ReportData,
  assignments: Assignments,
  previews: Previews,
  places: Uint32Array | null,
  signal?: AbortSignal,
): Promise<SampleMap> {
  const samples = chooseRows(X.samples, SEED);
  const clusters = samples.map((i) => assignments.clusters[i]);
  const Z = model.prepare(X.take(samples));
  return {
    samples,
    ...(positions ? takePlaces(positions, samples) : await placeSamples(Z, model, signal)),
    clusters,
    cosines: Float32Array.from(samples, (i) => assignments.cosines[i]),
    margins: Float32Array.from(samples, (i) => assignments.margins[i]),
    ids: Array.from(samples, makeNamer({ ids, texts, dropped })),
    classes: places && samples.map((i) => places[i]),
    pixels: previews.pictures && drawAll(samples, previews),
    words: previews.form === "text" ? listWords(nameWords(samples, Z, previews, told)) : null,
    texts: texts && previews.form === "text" ? Array.from(samples, beginning(texts, samples.length)) : null,
    values: previews.form === "table" ? listValues(X, samples, assignments, previews) : null,
  };
}

/** How document i begins, in one line. */
function beginning(texts: readonly string[], shown: number): (i: number) => string {
  const length = Math.min(MOST_CHARACTERS, Math.floor(CHARACTERS / shown));
  return (i) => {
    const text = clip(texts[i], 2 * length)
      .replace(/\s+/gu, " ")
      .trim();
    return text.length > length ? `${clip(text, length).trim()} …` : text;
  };
}

function takePlaces({ x, y }: Positions, samples: Uint32Array): Positions {
  return { x: Float32Array.from(samples, (i) => x[i]), y: Float32Array.from(samples, (i) => y[i]) };
}

/** From the samples alone, compared as the method does. */
function placeSamples(Z: Matrix, { method }: Model, signal: AbortSignal | undefined): Promise<Positions> {
  return mapSamples(Z, { metric: method === "kmeans" ? "euclidean" : "cosine", seed: SEED, signal });
}

function drawAll(samples: Uint32Array, { draw, pictures }: Previews): Uint8Array {
  const { dot } = pictures!;
  const each = dot.width * dot.height;
  const pixels = new Uint8Array(samples.length * each);
  samples.forEach((i, p) => {
    pixels.set(draw(i, dot), p * each);
  });
  return pixels;
}

/** The words of each sample, at most WORDS. */
function nameWords(
  samples: Uint32Array,
  Z: Matrix,
  { words }: Previews,
  told: ReportData["told"],
): (readonly string[])[] {
  return Array.from(samples, (i, p) => told?.words[i] ?? pickWords(Z, p, WORDS).map((f) => words[f]));
}

/** The vocabulary is limited to the words shown. */
function listWords(lists: readonly (readonly string[])[]): SampleMap["words"] {
  const vocabulary = [...new Set(lists.flat())].sort((a, b) => (a < b ? -1 : 1));
  const placeOf = new Map(vocabulary.map((word, place) => [word, place]));
  const places = new Uint32Array(lists.length * WORDS).fill(vocabulary.length);
  lists.forEach((list, p) => {
    list.forEach((word, w) => {
      places[p * WORDS + w] = placeOf.get(word)!;
    });
  });
  return { vocabulary, places, each: WORDS };
}

function listValues(
  X: Matrix,
  samples: Uint32Array,
  { clusters }: Assignments,
  previews: Previews,
): SampleMap["values"] {
  const numbers = new Float32Array(samples.length * VALUES).fill(Number.NaN);
  samples.forEach((i, p) => {
    readValues(X, i, previews.distinctive[clusters[i]]).forEach(({ value }, v) => {
      numbers[p * VALUES + v] = value;
    });
  });
  return { numbers, each: VALUES };
}
