import { computed } from "@preact/signals";
import { makeScale, STEPS } from "../map/scale.js";
import { mapView } from "../state/map.js";
import { listShown } from "../state/merge.js";
import { nameCluster, run } from "../state/store.js";
import { views } from "./lazy.js";

/** Samples in groups with names: clusters, classes, categories. */
export interface Groups {
  readonly kind: "groups";
  readonly title: string;
  /** The group of each sample. */
  readonly of: ArrayLike<number>;
  readonly names: readonly string[];
  readonly counts: readonly number[];
  readonly colours: readonly string[];
}

/** Samples along a scale of colours. */
export interface Shades {
  readonly kind: "shades";
  readonly title: string;
  readonly of: ArrayLike<number>;
  readonly values: Float64Array;
  readonly least: number;
  readonly most: number;
  readonly date: boolean;
  readonly colours: readonly string[];
}

export type Colouring = Groups | Shades;

const SOFT = "var(--bonmf-soft)";

/** The cluster shown of each sample; the same list until labels or merges change. */
const clusterOf = computed(() => {
  const { value: now } = run;
  return now && mergeLabels(now.info.labels, now.groups);
});

let merged: { labels: Uint32Array; groups: string; of: Uint32Array } | null = null;

function mergeLabels(labels: Uint32Array, groups: readonly number[]): Uint32Array {
  const key = groups.join();
  if (merged?.labels !== labels || merged.groups !== key) {
    merged = { labels, groups: key, of: labels.map((cluster) => groups[cluster]) };
  }
  return merged.of;
}

/** The clusters shown; numbers that were merged into others have no members. */
export const clusterGroups = computed((): Groups | null => {
  const { value: now } = run;
  const { value: of } = clusterOf;
  if (!now || !of) return null;
  const k = now.info.counts.length;
  const shown = new Set(listShown(now.groups));
  const counts = new Array<number>(k).fill(0);
  now.info.counts.forEach((size, cluster) => {
    counts[now.groups[cluster]] += size;
  });
  return {
    kind: "groups",
    title: "Clusters",
    of,
    names: counts.map((_, cluster) => (shown.has(cluster) ? nameCluster(now.names, cluster) : "")),
    counts,
    colours: counts.map((_, cluster) => views.value?.colourOf(cluster, k) ?? SOFT),
  };
});

/** What colours the map now; clusters until other values are there. */
export const colouring = computed((): Colouring | null => {
  const { value: colour } = mapView.colour;
  const { value: column } = mapView.column;
  if (colour.by === "cluster" || !column) return clusterGroups.value;
  const title = titleOf(colour);
  if (column.type === "groups") {
    const counts = new Array<number>(column.names.length).fill(0);
    for (const group of column.of) counts[group]++;
    const colours = column.names.map((_, g) => views.value?.colourOf(g, column.names.length) ?? SOFT);
    return { kind: "groups", title, of: column.of, names: column.names, counts, colours };
  }
  const colours = Array.from({ length: STEPS }, (_, s) => views.value?.colourAt(s / (STEPS - 1)) ?? SOFT);
  return {
    kind: "shades",
    title,
    values: column.values,
    date: column.date,
    ...makeScale(column.values),
    colours: [...colours, "color-mix(in oklab, var(--bonmf-soft) 35%, transparent)"],
  };
});

export function titleOf(colour: typeof mapView.colour.value): string {
  switch (colour.by) {
    case "cluster":
      return "Clusters";
    case "class":
      return "Classes";
    case "closeness":
      return "Closeness to the prototype";
    case "feature":
      return colour.feature;
    case "column":
      return colour.column;
  }
}
