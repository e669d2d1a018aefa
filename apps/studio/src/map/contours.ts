import { contourDensity } from "d3-contour";

// Missing in the types, documented at d3js.org/d3-contour/density#density_contours.
declare module "d3-contour" {
  interface ContourDensity<Datum> {
    contours(data: readonly Datum[]): ((density: number) => ContourMultiPolygon) & { readonly max: number };
  }
}

/** One line of equal density, all its rings. */
export interface Contour {
  /** The share of the largest density. */
  readonly level: number;
  /** Map coordinates: x, y, x, y, … for each ring. */
  readonly rings: readonly Float32Array[];
}

/** Shares of the largest density that have a line. */
const LEVELS = [0.08, 0.2, 0.4, 0.6, 0.8];
/** Sides of the grid in its own pixels; the map reaches from −1 to 1 and has a margin. */
const SIDE = 512;
const REACH = 1.15;
const CELL = 2;

/** @param shown 0 for samples to leave out; null: none */
export function drawContours(x: Float32Array, y: Float32Array, shown: Uint8Array | null): Contour[] {
  const samples: number[] = [];
  for (let i = 0; i < x.length; i++) if (shown === null || shown[i] !== 0) samples.push(i);
  if (samples.length < 3) return [];
  const toGrid = (value: number) => ((value + REACH) / (2 * REACH)) * SIDE;
  const toMap = (value: number) => (value / SIDE) * 2 * REACH - REACH;
  const density = contourDensity<number>()
    .x((i) => toGrid(x[i]))
    .y((i) => toGrid(y[i]))
    .size([SIDE, SIDE])
    .cellSize(CELL)
    // A quarter of Scott's rule for a cloud that fills the map: its parts are what people look for.
    .bandwidth((SIDE / 16) * samples.length ** (-1 / 6));
  const contours = density.contours(samples);
  return LEVELS.map((level) => {
    const { coordinates } = contours(level * contours.max);
    const rings = coordinates.flatMap((polygon) =>
      polygon.map((ring) => Float32Array.from(ring.flatMap(([gx, gy]) => [toMap(gx), toMap(gy)]))),
    );
    return { level, rings };
  });
}
