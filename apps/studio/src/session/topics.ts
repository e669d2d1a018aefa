import {
  type ChooseOptions,
  chooseTopics,
  type DocumentInput,
  type KChoice,
  type Sparse,
  type Topics,
  topics,
} from "bonmf";
import type { ReportData } from "bonmf-report";
import type { Data } from "../data/build.js";
import type { VectorDocuments } from "../data/vectors.js";
import { findsTopics } from "./finds-topics.js";
import { describeData } from "./options.js";
import type { Order } from "./protocol.js";

/** How a search is watched, and what of it is known. */
export type Searching = Pick<ChooseOptions, "ks" | "from" | "signal" | "onProgress">;
type Watching = Pick<NonNullable<Parameters<typeof topics>[1]>, "signal" | "onStep">;

/** The documents of an order that finds topics; null for other orders. */
export function documentsOf(order: Order, { texts, told, X, features }: Data): DocumentInput | null {
  if (!findsTopics(order, { texts: texts !== null, vectors: told !== undefined })) return null;
  return told ? inputOf(told) : { counts: X as Sparse, vocabulary: features!, documents: texts! };
}

/** Topics as `bonmf topics` finds them. */
export function fitTopics(data: Data, documents: DocumentInput, order: Order, watching: Watching): Promise<Topics> {
  const { scale: _, ...tags } = describeData(order, data).tags;
  return topics(documents, { ...compare(data, order), k: order.k, tags, ...watching });
}

/** How many topics there are, as `bonmf topics` finds out. */
export function chooseNumber(
  data: Data,
  documents: DocumentInput,
  order: Order,
  searching: Searching,
): Promise<KChoice> {
  return chooseTopics(documents, { ...compare(data, order), ...searching });
}

function compare({ told }: Data, { method, seed, restarts }: Order) {
  return { method, seed, restarts: restarts ?? undefined, vectorWeight: told?.weight };
}

export function inputOf({ counts, vocabulary, documents, vectors }: VectorDocuments): DocumentInput {
  return { counts, vocabulary, documents, vectors };
}

/** What a report tells topics by, which their model knows by vectors. */
export function tellVectors(found: Topics, told: VectorDocuments): NonNullable<ReportData["told"]> {
  return { topics: found, words: found.predict(inputOf(told)).map(({ words }) => words.map(({ word }) => word)) };
}
