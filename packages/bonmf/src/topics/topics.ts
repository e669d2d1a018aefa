import type { KChoice } from "../choose/choice.js";
import { OptionError, quote } from "../errors.js";
import { checkKnown } from "../known-options.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { cv, cvOfNumbers, diversity } from "../measure/coherence.js";
import type { Label } from "../measure/labels.js";
import { type Linkage, linkage } from "../measure/linkage.js";
import type { Model } from "../model/model.js";
import { WATCH_OPTIONS, type WatchOptions } from "../model/options.js";
import { countedAs } from "../text/word-counts.js";
import { isOnVectors, seeDocuments } from "./blend.js";
import { countKnown, type DocumentInput } from "./corpus.js";
import { acceptProposal, findTopic, mergeTopics, needDocuments, splitTopic } from "./edit.js";
import { groupByClass, groupByTime, type Moments, type TopicsOverTime, type TopicsPerClass } from "./groups.js";
import { foldDocuments } from "./partial-fit.js";
import { cosinesBetween, topicPrototypes } from "./prototypes.js";
import { WordReader } from "./read-words.js";
import { splitSentences } from "./sentences.js";
import { COHERENT, type Documents, fitOwn, isEmpty, lazily, type Proposal, type TopicsState } from "./state.js";
import { labelTopics, rankByRelevance, tellTopics } from "./tell.js";
import type { TopicWord } from "./topic-words.js";
import { predictTopics, scoreOutliers, type TopicPrediction, weighTopics } from "./weigh.js";

/** One topic. */
export interface Topic {
  /** Stays with the topic, whatever becomes of the others. */
  readonly id: number;
  /** From its most telling words, or given; no two topics have the same. */
  readonly name: string;
  /** How many documents it has. */
  readonly size: number;
  /** Its 20 likeliest words: the share of its words that each is. */
  readonly likely: readonly TopicWord[];
  /** The 20 words that tell it from the other topics, by their part of the divergence. */
  readonly telling: readonly TopicWord[];
  /** The coherence of its ten most telling words, from −1 to 1: see {@link npmi}. */
  readonly npmi: number;
  /** The documents nearest to its prototype, by their number, the nearest first; of equal documents one. */
  readonly typical: readonly number[];
  /** The other topics, the most alike first. */
  readonly neighbours: readonly { readonly id: number; readonly similarity: number }[];
  /**
   * Words between telling and likely (Sievert and Shirley 2014), as pyLDAvis ranks them.
   *
   * @param lambda 1: the likeliest; 0: those that occur nearly nowhere else
   * @param count how many; default 10
   */
  relevance(lambda: number, count?: number): TopicWord[];
}

/** Soft weights of the sentences of a document. */
export interface SentenceWeights {
  readonly text: string;
  /** The share of each topic, in the order of `list`; zeros for a sentence without words. */
  readonly weights: Float64Array;
}

/** Ten thousand documents tell the coherence in windows as well as more do. */
const MEASURED = 10_000;

/**
 * Topics: an immutable record around a {@link Model}. Made by {@link topics} and {@link loadTopics}; methods that change
 * something return another.
 *
 * @example
 * ```ts
 * import { topics } from "bonmf";
 * const documents = [
 *   "The cat chased a mouse", "A mouse fears the cat", "Cat and mouse",
 *   "Stocks fell with bonds", "Bonds and stocks rose", "The bank sold bonds",
 * ];
 * const found = await topics(documents, { k: 2, maxShare: 0.6 });
 * const [{ topic, words }] = found.predict(["My cat likes the mouse"]);
 * topic === found.labels[0]; // → true
 * words.map(({ word }) => word).sort(); // → ["cat", "mouse"]
 * found.rename(topic, "pets").list.some(({ name }) => name === "pets"); // → true
 * ```
 */
export class Topics {
  /** The model: one cluster a topic, unless topics were merged. */
  readonly model: Model;
  /** The m words that are counted. */
  readonly words: readonly string[];
  /** The topics, the largest first at the first fit. */
  readonly list: readonly Topic[];
  /** The id of each document's topic; −1 for a document that has none of the words. */
  readonly labels: Int32Array;
  /** How many documents have none of the words. */
  readonly empty: number;
  /** Why there are so many topics, where the number was chosen; `choice.structure` is false where there are none. */
  readonly choice: KChoice | null;
  /** New topics that {@link partialFit} proposes. */
  readonly proposals: readonly Proposal[];
  /** Seed words of this fit that are not among `words`: the documents lack them, or a limit leaves them out. */
  readonly unknownSeeds: readonly string[];
  /** @internal */
  readonly state: TopicsState;
  readonly #similarity: () => Dense;

  /** @internal */
  constructor(state: TopicsState) {
    this.state = state;
    this.model = state.model;
    this.words = state.words;
    this.choice = state.choice;
    this.proposals = state.proposals;
    this.unknownSeeds = state.unknownSeeds ?? [];
    this.#similarity = lazily(() => Dense.from(cosinesBetween(...twice(topicPrototypes(state))), "f64"));
    this.list = Object.freeze(describeTopics(state, this.#similarity));
    this.labels = labelDocuments(state);
    this.empty = state.measures.empty.length;
    Object.freeze(this);
  }

  /** The cosine of the angle between the prototypes of two topics, k × k, in the order of `list`. */
  get similarity(): Dense {
    return this.#similarity();
  }

  /** The share of different words among the ten most telling of all topics. */
  get diversity(): number {
    return diversity(this.list.map(topWords));
  }

  /** What the model sees of the documents: counts, vectors, or both joined; null where they are not at hand. */
  get seen(): Matrix | null {
    const { documents } = this.state;
    return documents && (documents.vectors ?? documents.X);
  }

  /** How much of the likeness of two documents is that of their vectors: 0 where words alone count. */
  get vectorWeight(): number {
    return this.state.blend?.weight ?? (isOnVectors(this.model) ? 1 : 0);
  }

  /** The topic with this id. */
  topic(id: number): Topic {
    return this.list[findTopic(this.state, id)];
  }

  /** The coherence C_V of each topic's ten most telling words, over at most 10,000 of the documents. See {@link cv}. */
  coherence(): number[] {
    const { X, texts } = needDocuments(this.state, "coherence");
    const lists = this.list.map(topWords);
    if (texts === null) return cv(lists, { X, words: this.words });
    const step = Math.max(1, Math.floor(texts.length / MEASURED));
    const some = Array.from({ length: Math.ceil(texts.length / step) }, (_, i) => texts.at(i * step)!);
    const reader = new WordReader(some, lists.flat(), countedAs(this.words, this.state.rules));
    return cvOfNumbers(lists, reader, reader.nameOf);
  }

  /** The tree of topics, by average linkage of 1 − similarity. Its things are places in `list`. */
  hierarchy(): Linkage {
    const k = this.list.length;
    return linkage(
      this.list.map((_, i) => Float64Array.from({ length: k }, (_, j) => (i === j ? 0 : 1 - this.similarity.at(i, j)))),
    );
  }

  /** Several topics become one, with the id of the largest. No other document changes its topic. */
  merge(ids: readonly number[]): Topics {
    return new Topics(mergeTopics(this.state, ids));
  }

  /** The topics in `count` groups, as {@link hierarchy} joins them. */
  reduce(count: number): Topics {
    const groups = this.hierarchy().cut(count);
    return groups
      .map((group) => group.map((place) => this.list[place].id))
      .filter((ids) => ids.length > 1)
      .reduce<Topics>((topics, ids) => topics.merge(ids), this);
  }

  /**
   * A topic becomes several: what was merged into it, else `parts` (default 2) clusters of its documents. The largest part keeps the
   * id; all parts are named anew. Documents of other topics that are nearer to a new one go there.
   */
  async split(id: number, parts = 2, watch: WatchOptions = {}): Promise<Topics> {
    checkKnown(watch, WATCH_OPTIONS, "split");
    if (!Number.isInteger(parts) || parts < 2) {
      throw new OptionError("parts", parts, `a topic is split into 2 or more, not ${quote(parts)}`);
    }
    return new Topics(await splitTopic(this.state, id, parts, watch));
  }

  /** Another name for a topic; it stays when the topics are fitted again with `previous`. */
  rename(id: number, name: string): Topics {
    const place = findTopic(this.state, id);
    const other = this.list.find((topic) => topic.name === name && topic.id !== id);
    if (typeof name !== "string" || name === "" || other) {
      const why = other ? `topic ${other.id} has the name ${quote(name)} already` : "a name is a text";
      throw new OptionError("name", name, `${why}: choose another`);
    }
    const given = this.state.given.map((old, j) => (j === place ? name : old));
    return new Topics({ ...this.state, given });
  }

  /**
   * How many documents each topic has in each span of time, and by which words: in `bins` equal spans, or in days, weeks, months,
   * years or the like, at most 24 of them.
   *
   * @param dates one a document: a Date, a text such as "2024-12-31", milliseconds since 1970, or null
   */
  overTime(dates: Moments, bins?: number): TopicsOverTime {
    return groupByTime(this.state, dates, bins);
  }

  /** How many documents of each class each topic has, and by which words. @param labels one a document */
  perClass(labels: ArrayLike<Label>): TopicsPerClass {
    return groupByClass(this.state, labels);
  }

  /** The topic of each document, and the words that decided. For documents of the fit these are their `labels`. */
  predict(input: DocumentInput): TopicPrediction[] {
    return predictTopics(
      this.state,
      this.#count(input),
      this.list.map(({ name }) => name),
    );
  }

  /**
   * The share of every topic in each document, n × k, in the order of `list`: the document as a sum of prototypes. Rows add up
   * to 1, or 0 where a document has none of the words.
   *
   * @param input default: the documents of the fit
   */
  weights(input?: DocumentInput): Dense {
    return weighTopics(this.state, input === undefined ? needDocuments(this.state, "weights") : this.#count(input));
  }

  /** The share of every topic in each sentence of each document. */
  sentenceWeights(texts: readonly string[]): SentenceWeights[][] {
    if (isOnVectors(this.model)) {
      throw new OptionError("texts", texts, "topics on vectors need a vector of each sentence: call weights with them");
    }
    const sentences = texts.map(splitSentences);
    const all = sentences.flat();
    if (all.length === 0) return sentences.map(() => []);
    const shares = this.weights(all);
    let at = 0;
    return sentences.map((list) => list.map((text) => ({ text, weights: Float64Array.from(shares.row(at++)) })));
  }

  /**
   * How badly each document fits its topic, from 0 to 1: the share of the topic's documents that fit better. A document without
   * any of the words has 1.
   *
   * @param input default: the documents of the fit
   */
  outliers(input?: DocumentInput): Float64Array {
    const documents = input === undefined ? needDocuments(this.state, "outliers") : this.#count(input);
    const { model, topicOf, measures } = this.state;
    const { X, vectors } = documents;
    const clusters = input === undefined ? model.labels : model.predict(vectors ?? X);
    const cosines = fitOwn(model, vectors ?? X, clusters);
    const places = Int32Array.from(clusters, (cluster, i) => (isEmpty(documents, i) ? -1 : topicOf[cluster]));
    return scoreOutliers(measures.fits, cosines, places);
  }

  /**
   * Takes new documents in: the fit goes on with all documents from the topics that are known, which keep their ids. Topics from
   * a file without documents go on with the new ones alone: each goes to the nearest topic, whose prototype moves with it. New
   * words are counted from now on. Where documents fit no topic and are like each other, `proposals` of the result names them,
   * and {@link accept} makes them a topic.
   */
  async partialFit(input: DocumentInput, watch: Pick<WatchOptions, "signal"> = {}): Promise<Topics> {
    return new Topics(await foldDocuments(this.state, input, watch.signal));
  }

  /** A proposal of {@link partialFit} becomes a topic. */
  accept(proposal: Proposal): Topics {
    return new Topics(acceptProposal(this.state, proposal));
  }

  #count(input: DocumentInput): Documents {
    return seeDocuments(this.state, countKnown(input, this.words, this.state.rules));
  }
}

function twice(P: Dense): [Dense, Dense] {
  return [P, P];
}

function topWords({ telling }: Topic): string[] {
  return telling.slice(0, COHERENT).map(({ word }) => word);
}

/** What takes longer is found when it is asked for. */
function describeTopics(state: TopicsState, similarity: () => Dense): Topic[] {
  const { ids, measures } = state;
  const words = tellTopics(state);
  const names = labelTopics(state, words);
  const rankNeighbours = (j: number) => {
    const row = similarity().row(j);
    const others = ids.map((_, other) => other).filter((other) => other !== j);
    others.sort((a, b) => row[b] - row[a] || a - b);
    return others.map((other) => ({ id: ids[other], similarity: row[other] }));
  };
  return ids.map((id, j) => {
    const neighbours = lazily(() => rankNeighbours(j));
    return Object.freeze({
      id,
      name: names[j],
      size: measures.sizes[j],
      get likely() {
        return words[j].likely;
      },
      telling: words[j].telling,
      get npmi() {
        return measures.npmi[j];
      },
      get typical() {
        return measures.typical[j];
      },
      get neighbours() {
        return neighbours();
      },
      relevance: (lambda: number, count = 10) => {
        if (!(lambda >= 0 && lambda <= 1)) {
          throw new OptionError("lambda", lambda, `lambda must be from 0 to 1, not ${quote(lambda)}`);
        }
        return rankByRelevance(state, j, lambda, count);
      },
    });
  });
}

function labelDocuments({ model, topicOf, ids, measures }: TopicsState): Int32Array {
  const labels = new Int32Array(model.samples);
  for (let i = 0; i < labels.length; i++) labels[i] = ids[topicOf[model.labels[i]]];
  for (const i of measures.empty) labels[i] = -1;
  return labels;
}
