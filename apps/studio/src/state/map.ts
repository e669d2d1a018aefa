import { signal } from "@preact/signals";
import { type Camera, WHOLE } from "../map/camera.js";
import type { ColourBy, Column } from "../session/protocol.js";
import { store } from "./store.js";

export type LabelKind = "names" | "words" | "pictures" | "none";
export type MapColour = { readonly by: "cluster" } | ColourBy;

/** A sample that the pointer or the keys are on. */
export interface Pointed {
  readonly sample: number;
  /** Whether it stays when the pointer goes. */
  readonly pinned: boolean;
}

/** How the map is looked at; it outlives the page's views. */
export const mapView = {
  colour: signal<MapColour>({ by: "cluster" }),
  /** The values of `colour`; null for clusters, and until they are there. */
  column: signal<Column | null>(null),
  /** The groups that are shown; none: all. */
  only: signal<ReadonlySet<number>>(new Set()),
  /** Null: what suits the data. */
  labels: signal<LabelKind | null>(null),
  contours: signal(true),
  camera: signal<Camera>(WHOLE),
  pointed: signal<Pointed | null>(null),
};

// Another run has other clusters.
store.current.subscribe(() => {
  if (mapView.colour.peek().by === "cluster") mapView.only.value = new Set();
});

/** Other samples are on the map. */
export function resetMap(): void {
  mapView.colour.value = { by: "cluster" };
  mapView.column.value = null;
  mapView.only.value = new Set();
  mapView.camera.value = WHOLE;
  mapView.pointed.value = null;
}

export function setColour(colour: MapColour): void {
  mapView.only.value = new Set();
  mapView.column.value = null;
  mapView.colour.value = colour;
}

/** Shows a group alone, or beside those that are shown alone already. */
export function toggleGroup(group: number): void {
  const next = new Set(mapView.only.value);
  if (!next.delete(group)) next.add(group);
  mapView.only.value = next;
}
