import { OptionError, quote } from "../errors.js";
import { Dense } from "../matrix/dense.js";
import { normaliseRows } from "../matrix/prototypes.js";
import { Sparse } from "../matrix/sparse.js";
import { assign } from "../measure/hungarian.js";
import type { Model } from "../model/model.js";
import { eachWord } from "../text/stems.js";
import type { Corpus } from "./corpus.js";
import { cosinesBetween } from "./prototypes.js";

/** The words of a topic weigh as much as this share of the documents of a topic of middling size. */
const ANCHOR = 0.05;

/** Where a guided fit begins. */
export interface Seeded {
  /** k × m prototypes in the units of the samples: those of the given words first. */
  readonly init: Dense;
  /** The different documents, and after them one of each list of words, so that topics stay with their words. */
  readonly anchored: Sparse;
  readonly weights: Float64Array;
}

/** @param plain a fit of the different documents without guidance */
export function seedPrototypes(
  plain: Model,
  seedWords: readonly (readonly string[])[],
  corpus: Corpus,
  weights: Float64Array | undefined,
): Seeded {
  const { words, vectors, distinct } = corpus;
  if (vectors) throw new OptionError("seedWords", seedWords, "topics on vectors have no seed words: omit one of them");
  const rows = findSeeds(seedWords, corpus, plain.k);
  const seeds = Sparse.from(
    rows.map((row) => row.map((f) => [f, 1] as const)),
    words.length,
  );
  const S = plain.scaler.transform(seeds).toDense();
  const cosines = cosinesBetween(new Dense(S.samples, S.features, Float64Array.from(S.data)), plain.W);
  const cost = Float64Array.from(
    cosines.flatMap((row) => [...row]),
    (cosine) => 1 - cosine,
  );
  const partners = assign(cost, rows.length, plain.k);
  const W = normaliseRows(Float64Array.from(plain.W.data), plain.k);
  const m = words.length;
  const order = [...partners, ...Array.from({ length: plain.k }, (_, j) => j).filter((j) => !partners.includes(j))];
  const P = new Dense(plain.k, m, W).take(order);
  for (let q = 0; q < S.data.length; q++) P.data[q] += S.data[q];
  const X = corpus.X.take(distinct.firsts);
  const all = weights ?? new Float64Array(X.samples).fill(1);
  const total = all.reduce((sum, weight) => sum + weight, 0);
  const anchors = rows.map(() => (ANCHOR * total) / plain.k);
  return {
    init: plain.scaler.inverse(P),
    anchored: append(X, seeds),
    weights: Float64Array.from([...all, ...anchors]),
  };
}

type Counted = Pick<Corpus, "words" | "countedAs">;

/** The seed words that are not among the words that are counted, each once. */
export function findUnknown(seedWords: readonly (readonly string[])[], corpus: Counted): string[] {
  if (seedWords.length === 0) return [];
  const placeOf = openPlaces(corpus);
  return [...new Set(seedWords.flat())].filter((word) => placeOf(word) === undefined);
}

/** The column of a word that somebody wrote, if it has one. */
function openPlaces({ words, countedAs }: Counted): (word: string) => number | undefined {
  const places = new Map(words.map((word, f) => [word, f]));
  return (word) => places.get(eachWord(String(word).toLowerCase(), countedAs));
}

function findSeeds(seedWords: readonly (readonly string[])[], corpus: Counted, k: number): number[][] {
  if (!Array.isArray(seedWords) || seedWords.length === 0 || !seedWords.every(Array.isArray)) {
    throw new OptionError(
      "seedWords",
      seedWords,
      'seedWords must be lists of words, as in [["goal", "match"], ["tax"]]',
    );
  }
  if (seedWords.length > k) {
    const message = `there are seed words for ${seedWords.length} topics but k is ${k}: raise k or join lists`;
    throw new OptionError("seedWords", seedWords.length, message);
  }
  const placeOf = openPlaces(corpus);
  return seedWords.map((list) => {
    const found = [...new Set(list)].map(placeOf).filter((f) => f !== undefined);
    if (found.length > 0) return found;
    const message = `none of the seed words ${quote(list.join(", "))} is counted: choose words that the documents have`;
    throw new OptionError("seedWords", list, message);
  });
}

/** One matrix after the other. */
export function append(A: Sparse, B: Sparse): Sparse {
  const stored = A.values.length;
  const offsets = new Uint32Array(A.samples + B.samples + 1);
  offsets.set(A.offsets);
  for (let i = 0; i <= B.samples; i++) offsets[A.samples + i] = stored + B.offsets[i];
  const indices = new Uint32Array(stored + B.values.length);
  indices.set(A.indices);
  indices.set(B.indices, stored);
  const values = A.precision === "f64" ? new Float64Array(indices.length) : new Float32Array(indices.length);
  values.set(A.values);
  values.set(B.values, stored);
  return Sparse.trust(A.samples + B.samples, A.features, offsets, indices, values);
}
