import { toMap, toScreen, unitOf } from "../map/camera.js";
import type { Geometry } from "../map/client.js";
import { mapView } from "../state/map.js";
import { clearSelection, selectSamples, toggleSample } from "../state/selection.js";
import { store } from "../state/store.js";
import { clusterGroups } from "./colouring.js";
import { selectGroup } from "./map-legend.js";
import type { Stage } from "./stage.js";

/** How near the pointer must be to a sample, in pixels. */
const NEAR = 12;
/** The least step of an arrow key, in pixels. */
const STEP = 6;
const ARROWS = new Map<string, readonly [number, number]>([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, 1]],
  ["ArrowDown", [0, -1]],
]);

interface Map {
  readonly stage: Stage;
  readonly geometry: Geometry;
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Places of the clusters' labels: x, y, x, y, … */
  readonly anchors: Float32Array | null;
}

/** The sample that is under a point, of all samples, drawn or not. */
export function findNear({ stage, geometry }: Map, event: MouseEvent): Promise<number | null> {
  const [x, y] = stage.at(event).map;
  return geometry.nearest(x, y, NEAR / unitOf(stage.camera.value, stage.size.value));
}

/** A click selects a sample; with Ctrl it joins the others. On nothing, it clears. */
export async function click(map: Map, event: MouseEvent): Promise<void> {
  const sample = await findNear(map, event);
  if (sample === null) {
    clearSelection();
    mapView.pointed.value = null;
    return;
  }
  if (event.ctrlKey || event.metaKey) toggleSample(sample, "the map");
  else selectSamples([sample], "the map");
  mapView.pointed.value = { sample, pinned: true };
}

/** Selects what is inside a line, in pixels; with Ctrl beside what is selected. */
export async function encircle(
  { stage, geometry }: Map,
  corners: readonly (readonly [number, number])[],
  more: boolean,
  what: string,
): Promise<void> {
  const places = corners.flatMap(([px, py]) => toMap(stage.camera.value, stage.size.value, px, py));
  const found = await geometry.inside(places);
  const before = more ? store.selection.value?.samples : undefined;
  selectSamples(before ? [...before, ...found] : found, what);
}

/** Arrows go from sample to sample, Page Up and Down from cluster to cluster, Enter selects, Escape clears. */
export async function press(map: Map, event: KeyboardEvent): Promise<void> {
  const { key, shiftKey } = event;
  const { stage } = map;
  const at = mapView.pointed.value?.sample ?? null;
  const arrow = ARROWS.get(key);
  const keys = ["PageUp", "PageDown", "Enter", "+", "-", "0"];
  if (!arrow && !keys.includes(key) && !(key === "Escape" && (at !== null || store.selection.value))) return;
  event.preventDefault();
  event.stopPropagation();
  if (arrow) await step(map, at, arrow);
  else if (key === "PageUp" || key === "PageDown") await nextCluster(map, at, key === "PageDown" ? 1 : -1);
  else if (key === "Enter" && at !== null) choose(at, shiftKey);
  else if (key === "Escape") {
    clearSelection();
    mapView.pointed.value = null;
  } else if (key === "+" || key === "-") stage.nearer(key === "+" ? 1.5 : 1 / 1.5);
  else if (key === "0") stage.reset();
}

function choose(sample: number, whole: boolean): void {
  const groups = clusterGroups.value;
  if (whole && groups) selectGroup(groups, groups.of[sample]);
  else toggleSample(sample, "the map");
}

async function step(map: Map, at: number | null, [ux, uy]: readonly [number, number]): Promise<void> {
  const { stage, geometry } = map;
  const { width, height } = stage.size.value;
  const least = STEP / unitOf(stage.camera.value, stage.size.value);
  const next =
    at === null
      ? await geometry.nearest(...toMap(stage.camera.value, stage.size.value, width / 2, height / 2), 4)
      : await geometry.step(at, ux, uy, least);
  if (next !== null) point(map, next);
}

/** The clusters in the order of their numbers. */
async function nextCluster(map: Map, at: number | null, direction: 1 | -1): Promise<void> {
  const groups = clusterGroups.value;
  if (!groups || !map.anchors) return;
  const numbers = groups.counts.flatMap((size, number) => (size > 0 ? [number] : []));
  const place = at === null ? (direction > 0 ? -1 : 0) : numbers.indexOf(groups.of[at]);
  const number = numbers[(place + direction + numbers.length) % numbers.length];
  const next = await map.geometry.nearest(map.anchors[2 * number], map.anchors[2 * number + 1], 1e-3);
  if (next !== null) point(map, next);
}

function point({ stage, x, y }: Map, sample: number): void {
  mapView.pointed.value = { sample, pinned: true };
  stage.reveal(...toScreen(stage.camera.value, stage.size.value, x[sample], y[sample]));
}
