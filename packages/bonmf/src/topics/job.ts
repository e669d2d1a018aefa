import { OptionError } from "../errors.js";
import { METHODS, takesSigned } from "../factor/methods/index.js";
import type { MethodName } from "../factor/settings.js";
import type { Matrix } from "../matrix/matrix.js";
import { AbortError } from "../model/abort.js";
import { oneOf } from "../model/options.js";
import { COUNT_OPTIONS, type CountOptions } from "../text/word-counts.js";
import { blendCorpus } from "./blend.js";
import { type Corpus, type DocumentInput, readCorpus } from "./corpus.js";
import { pick, type TopicOptions } from "./topic-options.js";

/** Documents, and what is asked of them. */
export interface Job<T extends Asked = TopicOptions> {
  readonly corpus: Corpus;
  /** What the method sees of the documents. */
  readonly clustered: Matrix;
  readonly options: T;
}

/** What says how documents are compared. */
type Asked = Pick<
  TopicOptions,
  keyof CountOptions | "method" | "loss" | "seed" | "vectorWeight" | "signal" | "threads"
>;

/** Counts the words of documents, and joins their vectors. */
export async function openJob<T extends Asked>(input: DocumentInput, options: T): Promise<Job<T>> {
  const { signal, threads, vectorWeight } = options;
  const rules: CountOptions = pick<Asked>(options, COUNT_OPTIONS);
  const counted = await readCorpus(input, rules, { signal, threads, vectorWeight }).catch((error: unknown) => {
    throw signal?.aborted && error === signal.reason ? new AbortError(null, error) : error;
  });
  const corpus = blendCorpus(counted, vectorWeight);
  return { corpus, clustered: corpus.vectors ?? corpus.X, options };
}

/** What `fit` and `chooseK` are given alike. */
export function shared({ corpus, clustered, options }: Job<Asked>) {
  const method = options.method ?? (corpus.vectors ? "spherical" : "bonmf");
  oneOf("method", method, Object.keys(METHODS));
  if (corpus.vectors && !takesSigned(method)) checkSigns(method, corpus.vectors);
  const { weights } = corpus.distinct;
  return {
    X: (corpus.vectors ? null : corpus.different) ?? clustered.take(corpus.distinct.firsts),
    rest: {
      method,
      loss: options.loss,
      seed: options.seed,
      scale: corpus.vectors ? "none" : "sqrt-tfidf",
      threads: options.threads,
      signal: options.signal,
      ...(weights.some((weight) => weight !== 1) && { weights }),
    } as const,
  };
}

/** A scaler would change what the cosines of vectors say. */
function checkSigns(method: MethodName, X: Matrix): void {
  let least = 0;
  for (let i = 0; i < X.samples && least === 0; i++) X.each(i, (_, value) => (least = Math.min(least, value)));
  if (least === 0) return;
  const message = `method "${method}" needs values of 0 or more, and the vectors have negative ones: use "spherical", or omit the vectors`;
  throw new OptionError("method", method, message);
}
