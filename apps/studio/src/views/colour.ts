import { run } from "../state/store.js";
import { views } from "./lazy.js";

/** A cluster's colour goes by its number among the clusters found, so that merging others changes nothing. */
export function colourCluster(cluster: number): string {
  return views.value?.colourOf(cluster, run.value?.info.counts.length) ?? "gray";
}
