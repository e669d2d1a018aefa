import { type Camera, type Size, toScreen } from "./camera.js";

/** A label's box in pixels; (x, y) is its middle. */
export interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedLabel {
  readonly group: number;
  readonly box: LabelBox;
}

type FindPlaces = (boxes: readonly LabelBox[]) => readonly (LabelBox | null)[];

/**
 * Labels that stand at their groups and not on each other. Large groups come first; a label without room is left out.
 *
 * @param anchors x, y of each group on the map; NaN: no label
 * @param measure the width and height of a group's label
 * @param taken where something else stands
 */
export function placeLabels(
  anchors: Float32Array,
  counts: readonly number[],
  measure: (group: number) => readonly [number, number],
  camera: Camera,
  size: Size,
  find: FindPlaces,
  taken: readonly LabelBox[] = [],
): PlacedLabel[] {
  const wanted: PlacedLabel[] = [];
  for (let group = 0; group < anchors.length / 2; group++) {
    const [x, y] = toScreen(camera, size, anchors[2 * group], anchors[2 * group + 1]);
    // Also false for NaN.
    if (!(x >= 0 && y >= 0 && x <= size.width && y <= size.height)) continue;
    const [width, height] = measure(group);
    const inside = (at: number, reach: number, side: number) => Math.min(side - reach / 2, Math.max(reach / 2, at));
    wanted.push({ group, box: { x: inside(x, width, size.width), y: inside(y, height, size.height), width, height } });
  }
  wanted.sort((a, b) => counts[b.group] - counts[a.group] || a.group - b.group);
  const places = find([...taken, ...wanted.map(({ box }) => box)]).slice(taken.length);
  return wanted.flatMap(({ group }, w) => {
    const box = places[w];
    return box && box.y - box.height / 2 >= 0 && box.y + box.height / 2 <= size.height ? [{ group, box }] : [];
  });
}
