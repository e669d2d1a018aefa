import { type Groups, separate } from "./merge.js";

/** Names and merges that a person gave a run's clusters. */
export interface ClusterEdits {
  readonly groups: Groups;
  /** One a cluster; "" where it has none of its own. */
  readonly names: readonly string[];
}

export function noEdits(k: number): ClusterEdits {
  return { groups: separate(k), names: new Array<string>(k).fill("") };
}
