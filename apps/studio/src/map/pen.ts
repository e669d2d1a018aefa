import type { PointBudget } from "./budget.js";

/** Red, green, blue, alpha: 0 … 255. */
export type Rgba = readonly [number, number, number, number];

/** Some of the points, as a pen keeps them. */
export interface Layer {
  readonly count: number;
  /** Samples that are there at once. */
  set(samples: Uint32Array, x: Float32Array, y: Float32Array): void;
  /** The same samples go to new places. */
  move(samples: Uint32Array, x: Float32Array, y: Float32Array): void;
  /** @param groups a place in the palette for each sample */
  group(samples: Uint32Array, groups: ArrayLike<number>): void;
  /** Draws the first so many; only inside `Pen.draw`. */
  draw(count: number, opacity: number): void;
}

/** One drawing. Lengths are pixels of the canvas. */
export interface View {
  /** For a step of 1 on the map. */
  readonly unit: number;
  /** The middle of the map; y goes down. */
  readonly centre: readonly [number, number];
  /** Diameter of a point. */
  readonly size: number;
  /** How far points have come on their way to new places: 0 … 1. */
  readonly moved: number;
  /** How much larger the map is than where they set out. */
  readonly grown: number;
}

/** Draws points on a canvas of its own. */
export interface Pen {
  readonly canvas: HTMLCanvasElement;
  /** Of the machine, for all maps. */
  readonly budget: PointBudget;
  makeLayer(): Layer;
  /** Colours of the groups, alpha 0 where they are filtered out. */
  colour(palette: readonly Rgba[]): void;
  /** Clears the canvas and draws what `layers` draws. */
  draw(view: View, layers: () => void): void;
  /** Calls back when the last drawing is done. */
  whenDrawn(done: () => void): void;
}

/** x, y, x, y, … of some samples. */
export function interleave(samples: Uint32Array, x: Float32Array, y: Float32Array): Float32Array {
  const places = new Float32Array(2 * samples.length);
  for (let p = 0; p < samples.length; p++) {
    places[2 * p] = x[samples[p]];
    places[2 * p + 1] = y[samples[p]];
  }
  return places;
}

/** The group of each of some samples. */
export function pickGroups(samples: Uint32Array, groups: ArrayLike<number>): Float32Array {
  const values = new Float32Array(samples.length);
  for (let p = 0; p < samples.length; p++) values[p] = groups[samples[p]];
  return values;
}
