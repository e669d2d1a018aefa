import type { Findings } from "../findings.js";

/** What a page calls a sample, a cluster and a feature. */
export interface Nouns {
  readonly sample: string;
  readonly cluster: string;
  readonly feature: string;
  /** A cluster without parts, which others are compared with. */
  readonly whole: string;
}

const USUAL: Nouns = { sample: "sample", cluster: "cluster", feature: "feature", whole: "one group" };
const OF_TOPICS: Nouns = { sample: "document", cluster: "topic", feature: "word", whole: "one topic" };

export function nounsOf({ topics }: { readonly topics: Findings["topics"] | boolean }): Nouns {
  return topics ? OF_TOPICS : USUAL;
}

export function capitalise(noun: string): string {
  return `${noun[0].toUpperCase()}${noun.slice(1)}`;
}

/** "sample" → "Samples". */
export function titleOf(noun: string): string {
  return `${capitalise(noun)}s`;
}
