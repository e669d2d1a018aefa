import { computed } from "@preact/signals";
import { selectSamples } from "./selection.js";
import { nameCluster, run, store } from "./store.js";

/** How many samples each cluster shown has, by number. */
export const clusterSizes = computed(() => {
  const { value: now } = run;
  return now ? countClusters(now.info.labels, now.groups) : new Map<number, number>();
});

/** How many of the selected samples each cluster shown has; null while nothing is selected. */
export const selectedCounts = computed(() => {
  const [now, selection] = [run.value, store.selection.value];
  if (!now || !selection) return null;
  const { labels } = now.info;
  return countClusters(
    selection.samples.map((i) => labels[i]),
    now.groups,
  );
});

function countClusters(labels: ArrayLike<number>, groups: readonly number[]): Map<number, number> {
  const sizes = new Uint32Array(groups.length);
  for (let i = 0; i < labels.length; i++) sizes[groups[labels[i]]]++;
  return new Map(Array.from(sizes.entries()).filter(([, size]) => size > 0));
}

/** Whether all samples of a cluster are selected. */
export function isWhole(cluster: number): boolean {
  const size = clusterSizes.value.get(cluster) ?? 0;
  return size > 0 && selectedCounts.value?.get(cluster) === size;
}

/**
 * Selects the samples of a cluster; those of a cluster that is selected leave the selection.
 *
 * @param add whether what is selected stays so
 */
export function selectCluster(cluster: number, add: boolean): void {
  const { value: now } = run;
  if (!now) return;
  const { labels } = now.info;
  const isMember = (i: number) => now.groups[labels[i]] === cluster;
  const before = Array.from(store.selection.value?.samples ?? []);
  const others = before.filter((i) => !isMember(i));
  const name = nameCluster(now.names, cluster);
  if (isWhole(cluster) && (add || others.length === 0)) {
    selectSamples(others, store.selection.value?.from ?? name);
    return;
  }
  const members = Array.from(labels.keys()).filter(isMember);
  const kept = add ? others : [];
  selectSamples([...kept, ...members], kept.length > 0 ? `${store.selection.value?.from}, ${name}` : name);
}
