import { DataError, OptionError, quote } from "../errors.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { learnSteps } from "../scale/scaler.js";
import { finishSteps } from "../steps.js";
import type { Corpus } from "./corpus.js";
import type { Blend, Documents, TopicsState } from "./state.js";

/** The weight of vectors where none is given: words count as much. */
const EVEN = 0.5;

/** The documents as the method sees them: the weight says which part vectors have. */
export function blendCorpus(corpus: Corpus, weight: number | undefined): Corpus {
  if (weight !== undefined && !(weight >= 0 && weight <= 1)) {
    throw new OptionError("vectorWeight", weight, `vectorWeight must be from 0 to 1, not ${quote(weight)}`);
  }
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
  const { idf } = finishSteps(learnSteps("sqrt-tfidf", X.take(distinct.firsts), distinct.weights)).state();
  const blend = { weight: weight ?? EVEN, idf };
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
  const most = X.values.length + (vectors.kind === "dense" ? vectors.data : vectors.values).length;
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
