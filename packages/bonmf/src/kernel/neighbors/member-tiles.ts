import { Dense, type Floats } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import { Sparse } from "../../matrix/sparse.js";
import type { Region } from "../region.js";
import { errorOf, inverse, MOST_BEST } from "./error-bound.js";
import { countHeads, MOST_HEADS, orderFeatures } from "./feature-order.js";

/** The fields of assembly/screen.ts in their order: f64 first, then 32-bit numbers and addresses. */
const NUMBERS = ["blur", "margin", "slack", "short", "long"] as const;
const WORDS = [
  ...(["n", "m", "sparse", "heads", "pairs", "X", "indices", "values", "scales", "ids", "starts", "sizes"] as const),
  ...(["squares", "nexts", "tiles", "centres", "spreads", "orders", "slots", "highs", "lows", "units"] as const),
  ...(["losses", "sums", "tops", "row", "queries", "unitQueries", "spans", "codes", "list", "best"] as const),
  ...(["ends", "worsts", "visits"] as const),
] as const;
type Fields = Record<(typeof NUMBERS)[number] | (typeof WORDS)[number], number>;

/** The most queries of a call, and the most values they may have together. */
const MOST_LANES = 512;
const MOST_VALUES = 2 ** 19;
/** Members of a tile, and bytes of one row of 32-bit numbers, one a member. */
const WIDTH = 24;
const ROW = 4 * WIDTH;
/** Members whose bounds are found together. */
const BLOCK = 512;
/** Members of a cluster that its frame is taken from: others would only make the screen let more through. */
const LOOKED_AT = 128;
const NOBODY = 0xffffffff;
/** The longest difference of a member, in units, and the least that it may stand for: with less, sums have lost digits. */
const LONGEST = 2 ** 14;
const LEAST = 2 ** -6;
/** Between these lengths 32-bit values neither overflow nor lose digits when they are multiplied; 64-bit ones, their squares. */
export const TAME = { f32: [1e-30, 1e30], f64: [1e-100, 1e100] } as const;

/** Members in a region, laid out, and room for queries. */
export interface Members {
  /** Where the fields are. */
  readonly at: number;
  readonly fields: Fields;
  /** The members as they were. */
  readonly samples: Matrix;
}

/** How many queries of m features are compared in a call. */
export function countLanes(m: number): number {
  return Math.max(2, Math.min(MOST_LANES, Math.floor(MOST_VALUES / m)));
}

/** The bytes that members of k clusters may take, laid out. */
export function tileBytes({ samples: n, features: m, precision }: Matrix, k: number): number {
  const tile = 8 + 2 * Math.min(m + 2, MOST_HEADS + 1);
  return n * (24 + tile) + k * (24 * tile + 28 * m) + 2 * countLanes(m) * m * (precision === "f64" ? 8 : 4);
}

/**
 * @param Z IN n × m, values of 0 or more
 * @param lengths IN n
 * @param ids IN n, members cluster by cluster
 * @param starts IN k + 1, where they begin
 * @param table the address of room for 16 bytes a member and 8,192 more
 */
export function layOutMembers(
  region: Region,
  Z: Matrix,
  lengths: Float64Array,
  ids: Uint32Array,
  starts: Uint32Array,
  table: number,
): Members {
  const { samples: n, features: m, precision } = Z;
  const k = starts.length - 1;
  const bits = precision === "f64" ? 64 : 32;
  const dense = Z.kind === "dense";
  const floats = (at: number, length: number) => (bits === 64 ? region.f64(at, length) : region.f32(at, length));
  const room = (bytes: number) => region.reserve(bytes, true);
  const put = (array: Floats | Uint32Array): number => {
    const at = room(array.byteLength);
    const view = array instanceof Uint32Array ? region.u32 : array instanceof Float64Array ? region.f64 : region.f32;
    view(at, array.length).set(array);
    return at;
  };
  const lanes = countLanes(m);
  const sizes = new Uint32Array(k).map((_, j) => starts[j + 1] - starts[j]);
  const most = Math.ceil(n / WIDTH) + k;
  const error = errorOf(m);
  const [short, long] = TAME[precision];
  const fields: Fields = {
    blur: 16 + m / 512,
    margin: 2 * error,
    slack: 3 * error,
    short,
    long,
    n,
    m,
    sparse: Number(!dense),
    heads: 0,
    pairs: 0,
    X: put(dense ? Z.data : Z.offsets),
    indices: dense ? 0 : put(Z.indices),
    values: dense ? 0 : put(Z.values),
    scales: room(8 * n),
    ids: room(ROW * most),
    starts: room(4 * (k + 1)),
    sizes: put(sizes),
    squares: room(8 * n),
    nexts: room(4 * n),
    tiles: 0,
    centres: region.reserve(8 * k * m),
    spreads: region.reserve(8 * k * m),
    orders: 0,
    slots: dense ? 0 : room(4 * k * m),
    highs: room(4 * most),
    lows: room(4 * most),
    units: room(8 * k),
    losses: room(8 * k),
    sums: room(2 * ROW * BLOCK),
    tops: room(32 * BLOCK),
    row: 0,
    queries: room((bits / 8) * lanes * m),
    unitQueries: room((bits / 8) * lanes * m),
    spans: room(8 * lanes),
    codes: 0,
    list: room(4 * lanes),
    best: room(4 * MOST_BEST),
    ends: room(4 * lanes),
    worsts: room(4 * lanes),
    visits: room(4 * lanes),
  };
  const at = room(8 * NUMBERS.length + 4 * WORDS.length);
  const writeFields = () => {
    region.f64(at, NUMBERS.length).set(NUMBERS.map((name) => fields[name]));
    region.u32(at + 8 * NUMBERS.length, WORDS.length).set(WORDS.map((name) => fields[name]));
  };
  const kernels = ["study", "measure", "link", "arrange", "layTiles"];
  const [study, measure, link, arrange, layTiles] = kernels.map((name) => region.kernel[name + bits]);
  const scales = region.f64(fields.scales, n);
  for (let i = 0; i < n; i++) scales[i] = inverse(lengths[i]);
  /** Gives clusters whole tiles for their members. */
  const deal = (members: readonly Uint32Array[]) => {
    const names = region.u32(fields.ids, WIDTH * most).fill(NOBODY);
    const firsts = region.u32(fields.starts, k + 1).fill(0);
    members.forEach((list, j) => {
      names.set(list, WIDTH * firsts[j]);
      firsts[j + 1] = firsts[j] + Math.ceil(list.length / WIDTH);
    });
  };
  deal(Array.from(sizes, (_, j) => ids.subarray(starts[j], starts[j + 1])));

  writeFields();
  const frames = Array.from(sizes, (members, j) => {
    const step = Math.max(1, Math.ceil(members / LOOKED_AT));
    study(at, j, step);
    const [sums, squares] = [fields.centres, fields.spreads].map((rows) => region.f64(rows + 8 * j * m, m));
    return orderFeatures(sums, squares, Math.ceil(members / step));
  });
  const heads = countHeads(
    m,
    frames.reduce((sum, { enough }, j) => sum + (enough * sizes[j]) / n, 0),
  );
  const pairs = Math.ceil(heads < m ? (heads + 1) / 2 : m / 2);
  const [tiles, orders, row] = [ROW * (1 + pairs) * most, 4 * k * heads, 8 * heads].map(room);
  Object.assign(fields, { heads, pairs, tiles, orders, row, codes: region.reserve(8 * pairs) });
  writeFields();

  const [units, losses] = [fields.units, fields.losses].map((place) => region.f64(place, k));
  const distinct = frames.map(({ order }, j) => {
    region.u32(orders + 4 * j * heads, heads).set(order.subarray(0, heads));
    if (!dense) {
      const slots = region.u32(fields.slots + 4 * j * m, m).fill(NOBODY);
      for (let q = 0; q < heads; q++) slots[order[q]] = q;
    }
    units[j] = LONGEST / Math.max(LEAST, Math.sqrt(measure(at, j)));
    losses[j] = 0.5 + units[j] * Math.sqrt((m + 8) * 2 ** -50);
    const left = link(at, j, table);
    arrange(at, j, left, table);
    return region.u32(fields.ids + ROW * region.u32(fields.starts, k)[j], left).slice();
  });
  deal(distinct);
  for (let j = 0; j < k; j++) layTiles(at, j);

  if (dense) return { at, fields, samples: new Dense(n, m, floats(fields.X, n * m)) };
  const [offsets, indices] = [region.u32(fields.X, n + 1), region.u32(fields.indices, Z.indices.length)];
  return { at, fields, samples: Sparse.trust(n, m, offsets, indices, floats(fields.values, Z.values.length)) };
}
