import type { Findings } from "../findings.js";

/** What a page calls a sample, a cluster and a feature. */
export interface Nouns {
  readonly sample: string;
  readonly cluster: string;
  readonly feature: string;
}

const USUAL: Nouns = { sample: "sample", cluster: "cluster", feature: "feature" };
const OF_TOPICS: Nouns = { sample: "document", cluster: "topic", feature: "word" };

export function nounsOf({ topics }: Pick<Findings, "topics">): Nouns {
  return topics ? OF_TOPICS : USUAL;
}

export function capitalise(noun: string): string {
  return `${noun[0].toUpperCase()}${noun.slice(1)}`;
}

/** "sample" → "Samples". */
export function titleOf(noun: string): string {
  return `${capitalise(noun)}s`;
}
