// How members and queries are laid out, so that a few features tell most of them apart (kernel/neighbors/neighbor-screen says why): what they differ
// by from the centre of a cluster, in 16-bit numbers.

// Where everything lies: written by kernel/neighbors/member-tiles.ts in this order.
@unmanaged
export class Screen {
  // What sums of 16-bit products may lack, beside what rounding does to factors.
  blur: f64;
  // Scores lower than the least of the best by more than `margin` do not matter, nor do cosines by more than `slack`.
  margin: f64; slack: f64;
  // The least and the greatest length of a query.
  short: f64; long: f64;
  n: i32; m: i32; sparse: i32;
  // The features that tell most apart, and half as many numbers as a layout has: those features and the length of the rest.
  heads: i32; pairs: i32;
  // Dense: rows. Sparse: offsets.
  X: usize; indices: usize; values: usize;
  // f64 × n: 1/‖z‖. 24 members a tile, −1 where there is none; the first tile of each cluster; how many members it has.
  scales: usize; ids: usize; starts: usize; sizes: usize;
  // n each: f64, the square of what a member differs by from its cluster's centre; an equal member, or −1.
  squares: usize; nexts: usize;
  // 24 biases a tile, then the numbers of its members, two by two.
  tiles: usize;
  // Of each cluster: f64 × m, the centre; f64 × m, how much members differ by each feature; u32 × heads, those that tell most;
  // of sparse members u32 × m, the place of each feature among the heads.
  centres: usize; spreads: usize; orders: usize; slots: usize;
  // Of each tile, i32: the largest first number of its members and of those in tiles before; the smallest, of those after.
  highs: usize; lows: usize;
  // f64 each: what makes differences 16-bit numbers; what rounding may do to one of them.
  units: usize; losses: usize;
  // For two queries: room for the bounds of a block of tiles, the largest of each four lanes, and f64 × heads.
  sums: usize; tops: usize; row: usize;
  // Queries as they are and as unit vectors; f64 each, 1/‖x‖, or 0 where it must be compared elsewhere; two of them laid out;
  // which ones are to be compared, one after another.
  queries: usize; unitQueries: usize; spans: usize; codes: usize; list: usize;
  // The best scores of a query, falling.
  best: usize;
  // What is told of each query: where its hits end, the least of its best scores, how many members it was compared with.
  ends: usize; worsts: usize; visits: usize;
}

// In place of a bound where there is no member.
export const NOBODY: i32 = -(1 << 30);
// The longest difference of a member; a query's may be twice as long.
const LONGEST: f64 = 16384;

@inline export function twoOf<T>(x: usize): v128 {
  if (sizeof<T>() == 8) return v128.load(x);
  return f64x2.promote_low_f32x4(v128.load64_zero(x));
}

@inline export function total(v: v128): f64 { return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1); }

// ‖x · scale − c‖².
@inline export function differ<T>(s: Screen, j: usize, x: usize, scale: f64): f64 {
  const m = <usize>s.m, by = f64x2.splat(scale);
  let c = s.centres + j * m * 8, sum = f64x2.splat(0);
  const even = x + (m & ~1) * sizeof<T>();
  for (; x < even; x += 2 * sizeof<T>(), c += 16) {
    const r = f64x2.sub(f64x2.mul(twoOf<T>(x), by), v128.load(c));
    sum = f64x2.add(sum, f64x2.mul(r, r));
  }
  let all = total(sum);
  if (m & 1) {
    const r = <f64>load<T>(x) * scale - load<f64>(c);
    all += r * r;
  }
  return all;
}

// The same of sparse sample i, from ‖c‖²; its heads are left in `row`.
@inline export function differSparse<T>(s: Screen, j: usize, i: usize, scale: f64, square: f64): f64 {
  const row = s.row, heads = <u32>s.heads, order = s.orders + j * 4 * <usize>heads;
  const centre = s.centres + j * 8 * <usize>s.m, slots = s.slots + j * 4 * <usize>s.m;
  for (let q: usize = 0; q < <usize>heads; q++) {
    store<f64>(row + q * 8, -load<f64>(centre + (<usize>load<u32>(order + q * 4)) * 8));
  }
  const end = <usize>load<u32>(s.X + i * 4, 4);
  for (let p = <usize>load<u32>(s.X + i * 4); p < end; p++) {
    const f = <usize>load<u32>(s.indices + p * 4);
    const z = <f64>load<T>(s.values + p * sizeof<T>()) * scale, c = load<f64>(centre + f * 8);
    square += z * (z - 2 * c);
    const slot = load<u32>(slots + f * 4);
    if (slot < heads) store<f64>(row + (<usize>slot) * 8, z - c);
  }
  return max<f64>(0, square);
}

@inline function put(out: usize, apart: usize, q: usize, value: f64): void {
  store<i16>(out + (q >> 1) * apart + (q & 1) * 2, <i16><i32>nearest<f64>(value));
}

// Lays x · scale out for cluster j, pairs `apart` bytes from each other; x is 0 where its heads are in `row`.
@inline export function layOut<T>(s: Screen, j: usize, x: usize, scale: f64, square: f64, out: usize, apart: usize): void {
  const heads = <usize>s.heads, unit = load<f64>(s.units + j * 8);
  const order = s.orders + j * 4 * heads, centre = s.centres + j * 8 * <usize>s.m;
  let left = square;
  for (let q: usize = 0; q < heads; q++) {
    let r: f64;
    if (x == 0) r = load<f64>(s.row + q * 8);
    else {
      const f = <usize>load<u32>(order + q * 4);
      r = <f64>load<T>(x + f * sizeof<T>()) * scale - load<f64>(centre + f * 8);
    }
    left -= r * r;
    put(out, apart, q, r * unit);
  }
  if (heads < 2 * <usize>s.pairs) put(out, apart, heads, heads < <usize>s.m ? sqrt<f64>(max<f64>(0, left)) * unit : 0);
}

// Makes unit vectors of queries from … to − 1.
@inline function level<T>(s: Screen, from: i32, to: i32): void {
  const row = (<usize>s.m) * sizeof<T>();
  for (let i = <usize>from; i < <usize>to; i++) {
    const x = s.queries + i * row, out = s.unitQueries + i * row;
    let sum: f64 = 0;
    for (let f: usize = 0; f < row; f += sizeof<T>()) sum += <f64>load<T>(x + f) * <f64>load<T>(x + f);
    const length = sqrt<f64>(sum), scale: f64 = length >= s.short && length <= s.long ? 1 / length : 0;
    for (let f: usize = 0; f < row; f += sizeof<T>()) store<T>(out + f, <T>(<f64>load<T>(x + f) * scale));
    store<f64>(s.spans + i * 8, scale);
  }
}

export function level32(s: Screen, from: i32, to: i32): void { level<f32>(s, from, to); }
export function level64(s: Screen, from: i32, to: i32): void { level<f64>(s, from, to); }

// Lays query i out for cluster j; returns what bounds lack to be cosines.
export function layQuery<T>(s: Screen, i: usize, j: usize, codes: usize): f64 {
  const x = s.queries + i * (<usize>s.m) * sizeof<T>(), scale = load<f64>(s.spans + i * 8), numbers = (<usize>s.pairs) * 2;
  const square = differ<T>(s, j, x, scale), unit = load<f64>(s.units + j * 8);
  // Where the query is too far away, nothing is ruled out.
  if (square * unit * unit > 4 * LONGEST * LONGEST) {
    for (let q: usize = 0; q < numbers; q += 2) store<i32>(codes + q * 2, 0);
    return 8;
  }
  layOut<T>(s, j, x, scale, square, codes, 4);
  let along: f64 = sqrt<f64>(<f64>numbers) * LONGEST + <f64>numbers;
  for (let q: usize = 0; q < numbers; q++) along += <f64>abs<i32>(load<i16>(codes + q * 2));
  return 1 - 0.5 * square + (load<f64>(s.losses + j * 8) * along + s.blur) / (unit * unit);
}
