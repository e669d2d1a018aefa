import { DataError, OptionError, quote } from "../errors.js";
import { type Matrix, valuesOf } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { learnSteps } from "../scale/scaler.js";
import { finishSteps } from "../steps.js";
import { type Corpus, compareRows } from "./corpus.js";
import { type Distinct, findDistinct } from "./distinct.js";
import type { Blend, Documents, TopicsState } from "./state.js";

/** The weight of vectors where none is given: words count as much. */
const EVEN = 0.5;

/**
 * What {@link topics} compares documents by, where they have vectors: rows whose cosine is the weighted mean of the cosines of the
 * documents' words and of their vectors. For a map or a fit of your own beside the topics.
 *
 * @param counts n documents × m words
 * @param vectors n vectors, one a document
 * @param vectorWeight from 0, words alone, to 1, vectors alone; default 0.5
 * @throws OptionError for a weight that is none, DataError where counts and vectors are not equally many
 *
 * @example
 * ```ts
 * import { blendVectors, countWords, Dense } from "bonmf";
 * const { X } = countWords(["cat mouse", "mouse cat", "bond stock"]);
 * const vectors = Dense.from([[1, 0], [1, 0.1], [0, -1]]);
 * blendVectors(X, vectors).features === X.features + 2; // → true
 * blendVectors(X, vectors, 1) === vectors; // → true
 * ```
 */
export function blendVectors(counts: Sparse, vectors: Matrix, vectorWeight: number = EVEN): Matrix {
  checkWeight(vectorWeight);
  if (counts.samples !== vectors.samples) {
    throw new DataError("length", `there are ${counts.samples} rows of counts but ${vectors.samples} vectors`);
  }
  if (vectorWeight === 0) return counts;
  if (vectorWeight === 1) return vectors;
  return joinWords(counts, vectors, learnBlend(counts, vectorWeight, findDistinct(compareRows([counts, vectors]))));
}

function checkWeight(weight: number): void {
  if (weight >= 0 && weight <= 1) return;
  throw new OptionError("vectorWeight", weight, `vectorWeight must be from 0 to 1, not ${quote(weight)}`);
}

function learnBlend(X: Sparse, weight: number, { firsts, weights }: Distinct): Blend {
  return { weight, idf: finishSteps(learnSteps("sqrt-tfidf", X.take(firsts), weights)).state().idf };
}

/** The documents as the method sees them: the weight says which part vectors have. */
export function blendCorpus(corpus: Corpus, weight: number | undefined): Corpus {
  if (weight !== undefined) checkWeight(weight);
  const { X, vectors, distinct } = corpus;
  if (vectors === null) {
    if (weight === undefined) return corpus;
    throw new OptionError(
      "vectorWeight",
      weight,
      "vectorWeight needs vectors: give { documents, vectors }, or omit it",
    );
  }
  if (weight === 0) return { ...corpus, vectors: null };
  if (weight === 1) return corpus;
  const blend = learnBlend(X, weight ?? EVEN, distinct);
  return { ...corpus, blend, vectors: joinWords(X, vectors, blend) };
}

/**
 * New documents as the model sees those it knows.
 *
 * @throws OptionError where vectors are missing, DataError where they have another length
 */
export function seeDocuments(
  { model, blend }: Pick<TopicsState, "model" | "blend">,
  { X, texts, vectors }: Documents,
): Documents {
  if (!isOnVectors(model)) return { X, texts, vectors: null };
  if (vectors === null) {
    throw new OptionError("vectors", undefined, "these topics were found on vectors: give { documents, vectors }");
  }
  const length = model.scaler.features - (blend?.idf.length ?? 0);
  if (vectors.features !== length) {
    const message = `the vectors have ${vectors.features} numbers each, but those of the topics have ${length}`;
    throw new DataError("features", `${message}: make them by the same language model`);
  }
  return { X, texts, vectors: blend ? joinWords(X, vectors, blend) : vectors };
}

/** Whether a model of topics knows vectors, and not words alone. */
export function isOnVectors({ featureNames }: TopicsState["model"]): boolean {
  return featureNames === null;
}

/**
 * Scaled words, then the vector, of each document: the cosine of two such rows is the weighted mean of the cosines of their
 * words and of their vectors.
 *
 * @param X n × m counts, or more than m: words that came later are left out
 */
function joinWords(X: Sparse, vectors: Matrix, { weight, idf }: Blend): Sparse {
  const m = idf.length;
  const most = X.values.length + valuesOf(vectors).length;
  const offsets = new Uint32Array(X.samples + 1);
  const indices = new Uint32Array(most);
  const values = new Float32Array(most);
  let at = 0;
  const add = (f: number, value: number) => {
    if (value === 0) return;
    indices[at] = f;
    values[at++] = value;
  };
  for (let i = 0; i < X.samples; i++) {
    const scaled = (f: number, count: number) => (f < m ? Math.sqrt(count) * idf[f] : 0);
    const forWords = Math.sqrt(1 - weight) / lengthOf(X, i, scaled);
    X.each(i, (f, count) => add(f, forWords * scaled(f, count)));
    const forVector = Math.sqrt(weight) / lengthOf(vectors, i);
    vectors.each(i, (f, value) => add(m + f, forVector * value));
    offsets[i + 1] = at;
  }
  return Sparse.trust(X.samples, m + vectors.features, offsets, indices.slice(0, at), values.slice(0, at));
}

/** 1 for a row of zeros. */
function lengthOf(X: Matrix, i: number, scale = (_: number, value: number) => value): number {
  let square = 0;
  X.each(i, (f, value) => {
    square += scale(f, value) ** 2;
  });
  return Math.sqrt(square) || 1;
}
