/** A label's text box, in pixels. */
export interface Box {
  /** The middle. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Tried in this order, in heights of a label. */
const SHIFTS = [0, -1, 1, -2, 2, -3, 3];

/**
 * Labels that do not overlap: earlier ones have the first choice, later ones move up or down.
 *
 * @returns where the middle of each label is; null where there is no room for it
 */
export function findFreePlaces(boxes: readonly Box[]): (Box | null)[] {
  const taken: Box[] = [];
  return boxes.map((box) => {
    const free = SHIFTS.map((shift) => ({ ...box, y: box.y + shift * box.height })).find((tried) =>
      taken.every((other) => !overlap(tried, other)),
    );
    if (free) taken.push(free);
    return free ?? null;
  });
}

function overlap(a: Box, b: Box): boolean {
  return Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;
}
