import {
  BonmfError,
  type Classifier,
  DataError,
  type Distance,
  type EngineName,
  predict as findClusters,
  type Label,
  loadClassifier,
  loadModel,
  type Matrix,
  type Model,
  Sparse,
  type Topics,
  type TopicWord,
} from "bonmf";
import type { Merged } from "bonmf-report";
import type { Options } from "../command.js";
import { UserError } from "../errors.js";
import { pause } from "../pause.js";
import type { Data } from "../read/data.js";
import { checkSchemeOptions, schemeOptions } from "./classifier-options.js";
import { groupsOf, namesOf, openTopics, readModel } from "./model-file.js";

/** The answer for one sample. A plain model has no classes, and gives what follows the cluster only in full answers. */
export interface Prediction {
  /** Null for a document that is in no topic: the model has it in cluster 0. */
  readonly cluster: number | null;
  readonly cosine?: number;
  readonly margin?: number;
  readonly distance?: Distance | null;
  /** The weights in all clusters, for methods that give them. */
  readonly weights?: ArrayLike<number>;
  readonly label?: Label | null;
  readonly share?: number;
  readonly neighbor?: { readonly index: number; readonly closeness: number } | null;
  readonly rejected?: string | null;
  /** Of topics: the number and the name, null for a document without any of the words, and the words that decided. */
  readonly topic?: number | null;
  readonly name?: string | null;
  readonly words?: readonly TopicWord[];
  /** The share of the topic's documents that fit better. */
  readonly outlier?: number;
  /** What spoke for the class, for linear schemes: strongest first. */
  readonly evidence?: readonly { readonly name: string; readonly amount: number }[] | null;
  /** Of the class given, or that would have been given. */
  readonly probability?: number;
  /** Of every class, in the classifier's order. */
  readonly probabilities?: ArrayLike<number>;
}

/** A model, and the classifier or the topics where there are any. */
export interface Predictor {
  readonly model: Model;
  readonly classifier: Classifier | null;
  readonly topics?: Topics | null;
  /** Whether to say how badly each document fits its topic. */
  readonly outliers?: boolean;
  /** Clusters that a person took together in the studio. */
  readonly merged?: Merged | null;
  /** Whether those are topics: documents without any of the words are in none. */
  readonly ofTopics?: boolean;
  /** Names of clusters, "" for none; null where no cluster has one. */
  readonly names?: readonly string[] | null;
}

/** What is wanted beside the clusters and classes. */
export interface Wanted {
  /** How clearly samples belong to their clusters, and their weights there. */
  readonly full: boolean;
  /** Of the classes. */
  readonly probabilities: boolean;
  /** Where clusters are found, where nothing else is wanted; default the CPU. */
  readonly engine?: EngineName | undefined;
  readonly onNote?: (note: string) => void;
}

/** Reads a model or classifier file; the options may change how the classifier predicts. */
export async function openPredictor(path: string, options: Options): Promise<Predictor> {
  const bytes = await readModel(path);
  const change = schemeOptions(options);
  try {
    const classifier = await loadClassifier(bytes, path, change);
    checkSchemeOptions(options, classifier.scheme, classifier.metric);
    return { model: classifier.model, classifier };
  } catch (error) {
    if (!(error instanceof BonmfError && error.code === "no-classifier")) throw error;
  }
  if (Object.values(change).some((value) => value !== undefined)) {
    throw new UserError(
      `${path} is a model without classes: --scheme and its options need a classifier`,
      "bonmf classify DATA --label COLUMN --out FILE makes a classifier",
    );
  }
  const topics = await openTopics(bytes, path);
  const model = topics?.model ?? loadModel(bytes, path);
  const groups = groupsOf(model);
  const merges = groups?.some((group, cluster) => group !== cluster);
  // Topics cannot be merged without their documents: clusters of words can, as a person did in the studio.
  if (topics && !(merges && model.featureNames)) return { model, classifier: null, topics: nameTopics(topics) };
  const merged = merges ? (await import("bonmf-report")).mergeClusters(model, groups) : null;
  const names = namesOf(model)?.some(Boolean) ? namesOf(model) : null;
  return { model, classifier: null, merged, ofTopics: topics !== null, names };
}

/** Topics with the names that a person gave them in the studio. */
function nameTopics(topics: Topics): Topics {
  const names = topics.list.length === topics.model.k ? (namesOf(topics.model) ?? []) : [];
  const ids = topics.list.map(({ id }) => id);
  return names.reduce((named, name, j) => {
    const taken = name === "" || named.list.some((topic) => topic.name === name);
    return taken ? named : named.rename(ids[j], name);
  }, topics);
}

const LEAST = 256;
const MOST = 8192;
/** The target for one step: Ctrl-C is handled between steps. */
const MILLISECONDS = 100;

/** Predicts in steps, so that Ctrl-C is handled in between. */
export async function predict(
  predictor: Predictor,
  { X, vectors }: Pick<Data, "X" | "vectors">,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Prediction[]> {
  const { engine, onNote } = wanted;
  if (engine !== undefined && engine !== "cpu") {
    const { model, classifier, topics, merged } = predictor;
    if (!wanted.full && !classifier && !topics && !merged) {
      const labels = findClusters(model, X, { engine, onNote, signal }).finally(() => signal.throwIfAborted());
      return Array.from(await labels, (cluster) => ({ cluster }));
    }
    if (engine === "gpu") onNote?.("the CPU computes: the GPU finds clusters alone (--columns none)");
  }
  const predictions: Prediction[] = [];
  let step = LEAST;
  for (let from = 0; from < X.samples; ) {
    await pause(signal);
    const start = performance.now();
    const to = Math.min(from + step, X.samples);
    for (const one of relocating(
      (i) => from + i,
      () => predictBatch(predictor, X.slice(from, to), wanted, vectors?.slice(from, to)),
    ))
      predictions.push(one);
    if (performance.now() - start < MILLISECONDS) step = Math.min(2 * step, MOST);
    from = to;
  }
  return predictions;
}

function predictBatch(
  predictor: Predictor,
  X: Matrix,
  { full, probabilities }: Wanted,
  vectors?: Matrix,
): readonly Prediction[] {
  const { model, classifier } = predictor;
  if (classifier) {
    const answers = classifier.explain(X);
    return probabilities ? addProbabilities(classifier, X, answers) : answers;
  }
  const { topics = null, outliers = false } = predictor;
  if (topics) return predictTopics(topics, X, vectors, { full, outliers });
  const { merged, ofTopics } = predictor;
  if (!full && !merged) return Array.from(model.predict(X), (cluster) => ({ cluster }));
  const members = merged
    ? merged.explain(X).map((member, i) => ({
        ...member,
        cluster: ofTopics && isZero(X, i) ? null : merged.numbers[member.cluster],
      }))
    : model.explain(X);
  if (!hasWeights(predictor)) return members;
  const H = model.transform(X);
  return members.map((member, i) => ({ ...member, weights: H.row(i) }));
}

function isZero(X: Matrix, sample: number): boolean {
  let zero = true;
  X.each(sample, (_, value) => {
    zero &&= value === 0;
  });
  return zero;
}

function predictTopics(
  topics: Topics,
  X: Matrix,
  vectors: Matrix | undefined,
  { full, outliers }: { readonly full: boolean; readonly outliers: boolean },
): readonly Prediction[] {
  const counts = X.kind === "sparse" ? X : Sparse.fromDense(X);
  const documents = { counts, vocabulary: topics.words, vectors };
  const weights = full ? topics.weights(documents) : null;
  const scores = outliers ? topics.outliers(documents) : null;
  return topics.predict(documents).map((one, i) => ({
    ...one,
    cluster: one.topic === null ? null : one.cluster,
    ...(weights && { weights: weights.row(i) }),
    ...(scores && { outlier: scores[i] }),
  }));
}

function addProbabilities(classifier: Classifier, X: Matrix, answers: readonly Prediction[]): readonly Prediction[] {
  const P = classifier.probabilities(X);
  return answers.map((answer, i) => ({ ...answer, probabilities: P.row(i) }));
}

/** Whether samples have a weight in every cluster, and not one cluster each. */
export function hasWeights({ model, classifier, topics }: Predictor): boolean {
  return classifier === null && (model.codes.form === "real" || Boolean(topics));
}

/** Runs work on a part of the samples; its errors name the index among all samples. */
export function relocating<T>(placeOf: (sample: number) => number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw relocate(error, placeOf);
  }
}

export function relocate(error: unknown, placeOf: (sample: number) => number): unknown {
  if (!(error instanceof DataError) || error.place.sample === undefined) return error;
  return new DataError(error.code, error.message, { ...error.place, sample: placeOf(error.place.sample) });
}
