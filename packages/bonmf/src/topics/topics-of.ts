import { OptionError, quote } from "../errors.js";
import { checkModel, type Model } from "../model/model.js";
import { countKnown, type DocumentInput } from "./corpus.js";
import { relabel } from "./edit.js";
import { measureTopics, sumWords } from "./state.js";
import { Topics } from "./topics.js";

/** What is known of the clusters of a model. */
export interface KnownTopics {
  /** k names, "" for none. */
  readonly names?: readonly string[] | undefined;
  /** For each of k clusters the lowest number of those it is merged with. */
  readonly groups?: readonly number[] | undefined;
}

/**
 * The topics of a model of words that {@link fit} made, told by its documents or others.
 *
 * @param model a model with `featureNames`, the words
 * @throws OptionError for a model whose features have no names, or names that are not k
 *
 * @example
 * ```ts
 * import { countWords, fit, topicsOf } from "bonmf";
 * const documents = ["cat mouse", "mouse cat", "bond stock", "stock bond"];
 * const { X, words } = countWords(documents);
 * const model = await fit(X, { k: 2, scale: "tfidf", featureNames: words });
 * topicsOf(model, documents).list.map(({ name }) => name).sort(); // → ["bond, stock", "cat, mouse"]
 * ```
 */
export function topicsOf(model: Model, input: DocumentInput, { names, groups }: KnownTopics = {}): Topics {
  checkModel(model, "topicsOf");
  const { featureNames: words, k } = model;
  if (words === null)
    throw new OptionError("model", model, "the model's features have no names: fit it with featureNames");
  for (const [name, list] of Object.entries({ names, groups })) {
    if (list === undefined || list.length === k) continue;
    throw new OptionError(
      name,
      list,
      `${name} must have one entry for each of ${k} clusters, not ${quote(list.length)}`,
    );
  }
  const { X, texts } = countKnown(input, words, {});
  const seen = relabel(model, model.W.data as Float64Array, X);
  const ids = groups ? [...new Set(groups)] : Array.from({ length: k }, (_, j) => j);
  const topicOf = Uint32Array.from({ length: k }, (_, j) => (groups ? ids.indexOf(groups[j]) : j));
  const { counts, holders } = sumWords(X, seen.labels, topicOf, ids.length);
  const documents = { X, texts, vectors: null };
  return new Topics({
    model: seen,
    words,
    topicOf,
    ids,
    given: ids.map((id) => names?.[id] || null),
    nextId: k,
    counts,
    holders,
    measures: measureTopics(seen, topicOf, documents, words, counts),
    rules: { vocabulary: words },
    blend: null,
    documents,
    choice: null,
    proposals: [],
  });
}
