import { type DocumentInput, type Topics, topics } from "bonmf";
import type { ReportData } from "bonmf-report";
import type { Data } from "../data/build.js";
import type { VectorDocuments } from "../data/vectors.js";
import { describeData } from "./options.js";
import type { Order } from "./protocol.js";

type Watching = Pick<NonNullable<Parameters<typeof topics>[1]>, "signal" | "onStep">;

/** Topics of documents that are compared by vectors, as `bonmf topics --vectors` finds them. */
export function fitVectors(data: Data, told: VectorDocuments, order: Order, watching: Watching): Promise<Topics> {
  const { k, method, seed, restarts } = order;
  const { scale: _, ...tags } = describeData(order, data).tags;
  return topics(inputOf(told), {
    k,
    method,
    seed,
    restarts: restarts ?? undefined,
    vectorWeight: told.weight,
    tags,
    ...watching,
  });
}

export function inputOf({ counts, vocabulary, documents, vectors }: VectorDocuments): DocumentInput {
  return { counts, vocabulary, documents, vectors };
}

/** What a report tells topics by, which their model knows by vectors. */
export function tellVectors(found: Topics, told: VectorDocuments): NonNullable<ReportData["told"]> {
  return { topics: found, words: found.predict(inputOf(told)).map(({ words }) => words.map(({ word }) => word)) };
}
