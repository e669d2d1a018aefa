import type { Rgba, View } from "./pen.js";

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of each pixel, not premultiplied. */
  readonly data: Uint8ClampedArray;
}

interface Points {
  /** x, y, x, y, … on the map, where they set out and where they go. */
  readonly from: Float32Array;
  readonly to: Float32Array;
  /** A place in the palette for each. */
  readonly groups: Float32Array;
  readonly count: number;
}

/** Smaller points are squares without soft edges, as the graphics card draws them. */
const SOFT = 2.5;

/** Paints discs over what is there already. */
export function paintPoints(
  picture: Picture,
  { from, to, groups, count }: Points,
  palette: readonly Rgba[],
  opacity: number,
  { unit, centre, size, moved, grown }: View,
): void {
  const { width, height, data } = picture;
  const radius = size / 2;
  for (let p = 0; p < count; p++) {
    const colour = palette[groups[p]];
    if (colour === undefined || colour[3] === 0) continue;
    const x = centre[0] + unit * (from[2 * p] * grown * (1 - moved) + to[2 * p] * moved);
    const y = centre[1] - unit * (from[2 * p + 1] * grown * (1 - moved) + to[2 * p + 1] * moved);
    const [left, right] = [Math.max(0, Math.round(x - radius)), Math.min(width, Math.round(x + radius))];
    const [top, bottom] = [Math.max(0, Math.round(y - radius)), Math.min(height, Math.round(y + radius))];
    const strength = opacity * (colour[3] / 255);
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const edge = size < SOFT ? 1 : radius - Math.sqrt((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2);
        if (edge > 0) blend(data, 4 * (row * width + column), colour, strength * Math.min(1, edge));
      }
    }
  }
}

/** One colour over another. */
function blend(data: Uint8ClampedArray, at: number, [red, green, blue]: Rgba, alpha: number): void {
  const below = (data[at + 3] / 255) * (1 - alpha);
  const sum = alpha + below;
  data[at] = (red * alpha + data[at] * below) / sum;
  data[at + 1] = (green * alpha + data[at + 1] * below) / sum;
  data[at + 2] = (blue * alpha + data[at + 2] * below) / sum;
  data[at + 3] = 255 * sum;
}
