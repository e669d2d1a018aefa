/** Where the map is on the screen: pixels are k · (map in pixels) + (x, y), as in d3-zoom. */
export interface Camera {
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

/** The frame on the page, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
  /** Pixels for a step of 1 on the map, before the camera. */
  readonly unit: number;
}

/** Map coordinates: samples lie in −1 … 1 around the middle, but for a few; y goes up. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

export const WHOLE: Camera = { k: 1, x: 0, y: 0 };
export const CLOSEST = 400;
/** Pixels left free around what is zoomed to. */
const MARGIN = 46;

/** Pixels left free around the whole map at either side, above and below: for contours, and for what moves the camera. */
const ASIDE = 30;
const ABOVE = 46;

/** How large the map is drawn, so that it fills a frame. */
export function fillFrame(width: number, height: number, x: Float32Array, y: Float32Array): number {
  return Math.min(roomFor(width, ASIDE) / reach(x), roomFor(height, ABOVE) / reach(y)) / 2;
}

function roomFor(side: number, margin: number): number {
  return Math.max(side - 2 * margin, side / 2);
}

/** Far outliers stay outside; a line of samples is no reason to go near. */
function reach(values: Float32Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const far = Math.abs(values[i]);
    if (far > most && far <= 1) most = far;
  }
  return Math.max(0.25, most);
}

export function toScreen({ k, x, y }: Camera, size: Size, mapX: number, mapY: number): [number, number] {
  const { width, height, unit } = size;
  return [k * (width / 2 + mapX * unit) + x, k * (height / 2 - mapY * unit) + y];
}

export function toMap({ k, x, y }: Camera, { width, height, unit }: Size, px: number, py: number): [number, number] {
  return [((px - x) / k - width / 2) / unit, (height / 2 - (py - y) / k) / unit];
}

/** Pixels for a step of 1 on the map. */
export function unitOf({ k }: Camera, { unit }: Size): number {
  return k * unit;
}

/** The camera that shows a part of the map as large as it can. */
export function frameBox(size: Size, { left, right, low, high }: Box): Camera {
  const { width, height, unit } = size;
  const wide = Math.max((right - left) * unit, 1e-9);
  const tall = Math.max((high - low) * unit, 1e-9);
  const k = Math.min(CLOSEST, roomFor(width, MARGIN) / wide, roomFor(height, MARGIN) / tall);
  const [px, py] = toScreen(WHOLE, size, (left + right) / 2, (low + high) / 2);
  return { k, x: width / 2 - k * px, y: height / 2 - k * py };
}
