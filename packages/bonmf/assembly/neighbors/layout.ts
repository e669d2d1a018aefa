// The memory layout of the neighbour screen (kernel/neighbors/neighbor-screen.ts explains the bound). Members and queries are
// stored as residuals, their differences from the centre of a cluster, quantised to 16 bits.

// Written by kernel/neighbors/screen-struct.ts in this order.
@unmanaged
export class Screen {
  // The error of a sum of 16-bit products, beside that of rounding the factors.
  sumError: f64;
  // A score below the worst of the best by more than `margin` cannot matter, nor can a cosine by more than `slack`.
  margin: f64; slack: f64;
  // The range of query lengths for which the error bound holds.
  shortest: f64; longest: f64;
  n: i32; m: i32; sparse: i32;
  // How many leading features are stored, those of largest variance; half the numbers a vector takes: the leading features and
  // the length of the rest.
  leading: i32; pairs: i32;
  // Dense: rows. Sparse: offsets.
  X: usize; indices: usize; values: usize;
  // f64 × n: 1/‖z‖. u32: 24 members a tile, −1 for none; the first tile of each cluster; the number of its members.
  scales: usize; ids: usize; starts: usize; sizes: usize;
  // n each: f64, the squared length of a member's residual; i32, the next equal member, or −1.
  residualSquares: usize; nextEqual: usize;
  // A tile is 24 biases of 32 bits, then the numbers of its members in pairs.
  tiles: usize;
  // By cluster: f64 × m, the centre; f64 × m, sums of squares; u32 × leading, the leading features; of sparse members u32 × m,
  // the place of each feature among the leading ones.
  centres: usize; squareSums: usize; orders: usize; slots: usize;
  // i32 by tile: the largest first number in this tile and those before it; the smallest in this tile and those after it.
  prefixMaxima: usize; suffixMinima: usize;
  // f64 by cluster: the factor that makes residuals 16-bit numbers; the rounding error of one such number.
  quantScales: usize; quantErrors: usize;
  // For two queries: the bounds of a block of tiles, and their maxima by four lanes. f64 × leading: a sparse member's residual.
  bounds: usize; tileMaxima: usize; residual: usize;
  // The queries, as given and with length 1; f64 each: 1/‖x‖, or 0 where the error bound does not hold; the codes of two queries;
  // the order in which queries are searched.
  queries: usize; unitQueries: usize; queryScales: usize; queryCodes: usize; list: usize;
  // The best scores of a query, falling.
  best: usize;
  // The results of each query: the end of its hits, the worst of its best scores, the number of members visited.
  ends: usize; worsts: usize; visits: usize;
}

// Members of a tile, and the bytes of 32 bits for each.
export const WIDTH: usize = 24;
export const ROW: usize = 4 * WIDTH;
// The bound of an empty place in a tile.
export const NO_MEMBER: i32 = -(1 << 30);
// The length of the longest residual of a member, quantised; a query's may be twice as long.
export const LONGEST: f64 = 16384;

@inline export function loadTwo<T>(x: usize): v128 {
  if (sizeof<T>() == 8) return v128.load(x);
  return f64x2.promote_low_f32x4(v128.load64_zero(x));
}

@inline export function sumLanes(v: v128): f64 { return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1); }

// The squared length of the residual, ‖x · scale − c‖².
@inline export function residualOf<T>(s: Screen, j: usize, x: usize, scale: f64): f64 {
  const m = <usize>s.m, by = f64x2.splat(scale);
  let c = s.centres + j * m * 8, sum = f64x2.splat(0);
  const even = x + (m & ~1) * sizeof<T>();
  for (; x < even; x += 2 * sizeof<T>(), c += 16) {
    const r = f64x2.sub(f64x2.mul(loadTwo<T>(x), by), v128.load(c));
    sum = f64x2.add(sum, f64x2.mul(r, r));
  }
  let all = sumLanes(sum);
  if (m & 1) {
    const r = <f64>load<T>(x) * scale - load<f64>(c);
    all += r * r;
  }
  return all;
}

// The same for sparse sample i, from ‖c‖². Leaves the leading features of the residual in `s.residual`.
@inline export function residualSparse<T>(s: Screen, j: usize, i: usize, scale: f64, square: f64): f64 {
  const row = s.residual, leading = <u32>s.leading, order = s.orders + j * 4 * <usize>leading;
  const centre = s.centres + j * 8 * <usize>s.m, slots = s.slots + j * 4 * <usize>s.m;
  for (let q: usize = 0; q < <usize>leading; q++) {
    store<f64>(row + q * 8, -load<f64>(centre + (<usize>load<u32>(order + q * 4)) * 8));
  }
  const end = <usize>load<u32>(s.X + i * 4, 4);
  for (let p = <usize>load<u32>(s.X + i * 4); p < end; p++) {
    const f = <usize>load<u32>(s.indices + p * 4);
    const z = <f64>load<T>(s.values + p * sizeof<T>()) * scale, c = load<f64>(centre + f * 8);
    square += z * (z - 2 * c);
    const slot = load<u32>(slots + f * 4);
    if (slot < leading) store<f64>(row + (<usize>slot) * 8, z - c);
  }
  return max<f64>(0, square);
}

@inline function putNumber(out: usize, apart: usize, q: usize, value: f64): void {
  store<i16>(out + (q >> 1) * apart + (q & 1) * 2, <i16><i32>nearest<f64>(value));
}

// Writes the 16-bit residual of x · scale from the centre of cluster j, pairs `apart` bytes from each other. Where x is 0 the
// leading features are read from `s.residual`.
@inline export function quantize<T>(s: Screen, j: usize, x: usize, scale: f64, square: f64, out: usize, apart: usize): void {
  const leading = <usize>s.leading, unit = load<f64>(s.quantScales + j * 8);
  const order = s.orders + j * 4 * leading, centre = s.centres + j * 8 * <usize>s.m;
  let left = square;
  for (let q: usize = 0; q < leading; q++) {
    let r: f64;
    if (x == 0) r = load<f64>(s.residual + q * 8);
    else {
      const f = <usize>load<u32>(order + q * 4);
      r = <f64>load<T>(x + f * sizeof<T>()) * scale - load<f64>(centre + f * 8);
    }
    left -= r * r;
    putNumber(out, apart, q, r * unit);
  }
  if (leading < 2 * <usize>s.pairs) putNumber(out, apart, leading, leading < <usize>s.m ? sqrt<f64>(max<f64>(0, left)) * unit : 0);
}

// Scales queries from … to − 1 to length 1.
@inline function normalize<T>(s: Screen, from: i32, to: i32): void {
  const row = (<usize>s.m) * sizeof<T>();
  for (let i = <usize>from; i < <usize>to; i++) {
    const x = s.queries + i * row, out = s.unitQueries + i * row;
    let sum: f64 = 0;
    for (let f: usize = 0; f < row; f += sizeof<T>()) sum += <f64>load<T>(x + f) * <f64>load<T>(x + f);
    const length = sqrt<f64>(sum), scale: f64 = length >= s.shortest && length <= s.longest ? 1 / length : 0;
    for (let f: usize = 0; f < row; f += sizeof<T>()) store<T>(out + f, <T>(<f64>load<T>(x + f) * scale));
    store<f64>(s.queryScales + i * 8, scale);
  }
}

export function normalizeQueries32(s: Screen, from: i32, to: i32): void { normalize<f32>(s, from, to); }
export function normalizeQueries64(s: Screen, from: i32, to: i32): void { normalize<f64>(s, from, to); }

// Quantises query i for cluster j. Returns the constant that turns bounds into cosines.
export function quantizeQuery<T>(s: Screen, i: usize, j: usize, codes: usize): f64 {
  const x = s.queries + i * (<usize>s.m) * sizeof<T>(), scale = load<f64>(s.queryScales + i * 8), numbers = (<usize>s.pairs) * 2;
  const square = residualOf<T>(s, j, x, scale), unit = load<f64>(s.quantScales + j * 8);
  // The residual of a query far away does not fit into 16 bits: then no member is ruled out.
  if (square * unit * unit > 4 * LONGEST * LONGEST) {
    for (let q: usize = 0; q < numbers; q += 2) store<i32>(codes + q * 2, 0);
    return 8;
  }
  quantize<T>(s, j, x, scale, square, codes, 4);
  let along: f64 = sqrt<f64>(<f64>numbers) * LONGEST + <f64>numbers;
  for (let q: usize = 0; q < numbers; q++) along += <f64>abs<i32>(load<i16>(codes + q * 2));
  return 1 - 0.5 * square + (load<f64>(s.quantErrors + j * 8) * along + s.sumError) / (unit * unit);
}
