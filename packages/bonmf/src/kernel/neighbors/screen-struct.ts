import type { Floats } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import type { Region } from "../region.js";
import { type Struct, structBytes, writeStruct } from "../simd/structs.js";
import { errorOf, inverse, MOST_BEST } from "./error-bound.js";

/** The most queries of a call, and the most values they may have together. */
const MOST_LANES = 512;
const MOST_VALUES = 2 ** 19;
/** Members of a tile, and the bytes of one row of it, 32 bits for each. */
export const WIDTH = 24;
export const ROW = 4 * WIDTH;
/** Tiles whose bounds are computed together. */
const BLOCK = 512;
/** The most features that are stored one by one. */
export const MOST_LEADING = 511;

/** Between these lengths 32-bit values, and the squares of 64-bit ones, neither overflow nor lose digits in products. */
export const LENGTH_RANGE = { f32: [1e-30, 1e30], f64: [1e-100, 1e100] } as const;

/** How many queries of m features are searched in a call. */
export function countLanes(m: number): number {
  return Math.max(2, Math.min(MOST_LANES, Math.floor(MOST_VALUES / m)));
}

/** How many tiles members of k clusters may need. */
export function countTiles(n: number, k: number): number {
  return Math.ceil(n / WIDTH) + k;
}

/** The bytes that the tiles of k clusters may need. */
export function tileBytes({ samples: n, features: m, precision }: Matrix, k: number): number {
  const tile = 8 + 2 * Math.min(m + 2, MOST_LEADING + 1);
  return n * (24 + tile) + k * (24 * tile + 28 * m) + 2 * countLanes(m) * m * (precision === "f64" ? 8 : 4);
}

/** A `Screen` in a region's memory. */
export interface ScreenStruct {
  /** Its address. */
  readonly at: number;
  readonly fields: Struct<"Screen">;
}

/**
 * Copies the members into the region and reserves all memory whose size does not depend on the leading features.
 *
 * @param Z IN n × m
 * @param lengths IN n
 * @param sizes IN k, how many members each cluster has
 */
export function reserveScreen(region: Region, Z: Matrix, lengths: Float64Array, sizes: Uint32Array): ScreenStruct {
  const { samples: n, features: m, precision } = Z;
  const k = sizes.length;
  const bytes = precision === "f64" ? 8 : 4;
  const dense = Z.kind === "dense";
  const reserve = (size: number) => region.reserve(size, true);
  const put = (array: Floats | Uint32Array): number => {
    const at = reserve(array.byteLength);
    const view = array instanceof Uint32Array ? region.u32 : array instanceof Float64Array ? region.f64 : region.f32;
    view(at, array.length).set(array);
    return at;
  };
  const lanes = countLanes(m);
  const tiles = countTiles(n, k);
  const error = errorOf(m);
  const [shortest, longest] = LENGTH_RANGE[precision];
  const fields: Struct<"Screen"> = {
    sumError: 16 + m / 512,
    margin: 2 * error,
    slack: 3 * error,
    shortest,
    longest,
    n,
    m,
    sparse: Number(!dense),
    leading: 0,
    pairs: 0,
    X: put(dense ? Z.data : Z.offsets),
    indices: dense ? 0 : put(Z.indices),
    values: dense ? 0 : put(Z.values),
    scales: put(lengths.map(inverse)),
    ids: reserve(ROW * tiles),
    starts: reserve(4 * (k + 1)),
    sizes: put(sizes),
    residualSquares: reserve(8 * n),
    nextEqual: reserve(4 * n),
    tiles: 0,
    centres: region.reserve(8 * k * m),
    squareSums: region.reserve(8 * k * m),
    orders: 0,
    slots: dense ? 0 : reserve(4 * k * m),
    prefixMaxima: reserve(4 * tiles),
    suffixMinima: reserve(4 * tiles),
    quantScales: reserve(8 * k),
    quantErrors: reserve(8 * k),
    bounds: reserve(2 * ROW * BLOCK),
    tileMaxima: reserve(32 * BLOCK),
    residual: 0,
    queries: reserve(bytes * lanes * m),
    unitQueries: reserve(bytes * lanes * m),
    queryScales: reserve(8 * lanes),
    queryCodes: 0,
    list: reserve(4 * lanes),
    best: reserve(4 * MOST_BEST),
    ends: reserve(4 * lanes),
    worsts: reserve(4 * lanes),
    visits: reserve(4 * lanes),
  };
  const struct = { at: reserve(structBytes("Screen")), fields };
  writeStruct(region, "Screen", struct.at, fields);
  return struct;
}

/** Reserves the rest once the number of leading features is known. */
export function reserveTiles(region: Region, { at, fields }: ScreenStruct, k: number, leading: number): void {
  const { n, m } = fields;
  const pairs = Math.ceil(leading < m ? (leading + 1) / 2 : m / 2);
  const tiles = region.reserve(ROW * (1 + pairs) * countTiles(n, k), true);
  const orders = region.reserve(4 * k * leading, true);
  const residual = region.reserve(8 * leading, true);
  Object.assign(fields, { leading, pairs, tiles, orders, residual, queryCodes: region.reserve(8 * pairs) });
  writeStruct(region, "Screen", at, fields);
}
