// Builds the tiles of the neighbour screen (layout.ts): centres, residuals, equal members, order, 16-bit codes.

import { LONGEST, NO_MEMBER, ROW, Screen, WIDTH, loadTwo, quantize, residualOf, residualSparse } from "./layout";

// Sums the unit vectors of every `step`th member of cluster j, and their squares, feature by feature.
@inline function sumMembers<T>(s: Screen, j: usize, step: i32): void {
  const m = <usize>s.m, size = load<i32>(s.sizes + j * 4);
  const sums = s.centres + j * m * 8, squares = s.squareSums + j * m * 8;
  const ids = s.ids + ROW * <usize>load<u32>(s.starts + j * 4);
  for (let place = 0; place < size; place += step) {
    const id = <usize>load<u32>(ids + (<usize>place) * 4);
    const scale = load<f64>(s.scales + id * 8);
    if (s.sparse) {
      const end = <usize>load<u32>(s.X + id * 4, 4);
      for (let p = <usize>load<u32>(s.X + id * 4); p < end; p++) {
        const at = (<usize>load<u32>(s.indices + p * 4)) * 8, z = <f64>load<T>(s.values + p * sizeof<T>()) * scale;
        store<f64>(sums + at, load<f64>(sums + at) + z);
        store<f64>(squares + at, load<f64>(squares + at) + z * z);
      }
      continue;
    }
    const x = s.X + id * m * sizeof<T>();
    let f: usize = 0;
    for (const by = f64x2.splat(scale); f + 2 <= m; f += 2) {
      const z = f64x2.mul(loadTwo<T>(x + f * sizeof<T>()), by);
      v128.store(sums + f * 8, f64x2.add(v128.load(sums + f * 8), z));
      v128.store(squares + f * 8, f64x2.add(v128.load(squares + f * 8), f64x2.mul(z, z)));
    }
    if (f < m) {
      const z = <f64>load<T>(x + f * sizeof<T>()) * scale;
      store<f64>(sums + f * 8, load<f64>(sums + f * 8) + z);
      store<f64>(squares + f * 8, load<f64>(squares + f * 8) + z * z);
    }
  }
}

export function sumMembers32(s: Screen, j: i32, step: i32): void { sumMembers<f32>(s, j, step); }
export function sumMembers64(s: Screen, j: i32, step: i32): void { sumMembers<f64>(s, j, step); }

// ‖c‖².
@inline function centreSquare(s: Screen, j: usize): f64 {
  let sum: f64 = 0;
  for (let c = s.centres + j * 8 * <usize>s.m, end = c + 8 * <usize>s.m; c < end; c += 8) sum += load<f64>(c) * load<f64>(c);
  return sum;
}

// Computes the squared residual lengths of the members of cluster j. Returns the largest.
@inline function measureResiduals<T>(s: Screen, j: usize): f64 {
  const c = centreSquare(s, j), begin = WIDTH * <usize>load<u32>(s.starts + j * 4);
  let most: f64 = 0;
  for (let p = begin, end = p + <usize>load<u32>(s.sizes + j * 4); p < end; p++) {
    const id = <usize>load<u32>(s.ids + p * 4), scale = load<f64>(s.scales + id * 8);
    if (scale == 0) continue;
    const square = s.sparse ? residualSparse<T>(s, j, id, scale, c) : residualOf<T>(s, j, s.X + id * (<usize>s.m) * sizeof<T>(), scale);
    store<f64>(s.residualSquares + id * 8, square);
    most = max<f64>(most, square);
  }
  return most;
}

export function measureResiduals32(s: Screen, j: i32): f64 { return measureResiduals<f32>(s, j); }
export function measureResiduals64(s: Screen, j: i32): f64 { return measureResiduals<f64>(s, j); }

// Whether samples a and b are equal.
@inline function areEqual<T>(s: Screen, a: usize, b: usize): bool {
  if (!s.sparse) {
    const row = (<usize>s.m) * sizeof<T>();
    return memory.compare(s.X + a * row, s.X + b * row, row) == 0;
  }
  const from = <usize>load<u32>(s.X + a * 4), other = <usize>load<u32>(s.X + b * 4), count = <usize>load<u32>(s.X + a * 4, 4) - from;
  if (<usize>load<u32>(s.X + b * 4, 4) - other != count) return false;
  return memory.compare(s.indices + from * 4, s.indices + other * 4, count * 4) == 0 &&
    memory.compare(s.values + from * sizeof<T>(), s.values + other * sizeof<T>(), count * sizeof<T>()) == 0;
}

// Removes zero members from the list of cluster j, and all but the first of equal members; `nextEqual` chains the others to it.
// Returns how many are left. A hash table by residual length finds equal members; `table` has 16 bytes for each member.
@inline function linkEqual<T>(s: Screen, j: usize, table: usize): i32 {
  const size = <usize>load<u32>(s.sizes + j * 4), bits: u64 = 33 - clz<u32>(<u32>size | 1), mask = (1 << <usize>bits) - 1;
  memory.fill(table, 0xff, (mask + 1) * 4);
  let place = s.ids + ROW * <usize>load<u32>(s.starts + j * 4), out = place;
  const begin = place;
  for (const end = place + size * 4; place < end; place += 4) {
    const id = <usize>load<u32>(place), key = load<u64>(s.residualSquares + id * 8);
    if (load<f64>(s.scales + id * 8) == 0) continue;
    let at = <usize>((key * 0x9e3779b97f4a7c15) >> (64 - bits));
    for (;; at = (at + 1) & mask) {
      const other = load<i32>(table + at * 4);
      if (other < 0) {
        store<u32>(table + at * 4, <u32>id);
        store<i32>(s.nextEqual + id * 4, -1);
        store<u32>(out, <u32>id);
        out += 4;
        break;
      }
      if (load<u64>(s.residualSquares + (<usize>other) * 8) != key || !areEqual<T>(s, id, other)) continue;
      store<i32>(s.nextEqual + id * 4, load<i32>(s.nextEqual + (<usize>other) * 4));
      store<u32>(s.nextEqual + (<usize>other) * 4, <u32>id);
      break;
    }
  }
  return <i32>((out - begin) / 4);
}

export function linkEqual32(s: Screen, j: i32, table: usize): i32 { return linkEqual<f32>(s, j, table); }
export function linkEqual64(s: Screen, j: i32, table: usize): i32 { return linkEqual<f64>(s, j, table); }

// Bucket sort of `count` members of cluster j by their first leading feature, so that a tile covers a small range of it. `table`
// has 8 bytes for each member and 4 for each bucket.
@inline function sortMembers<T>(s: Screen, j: usize, count: i32, table: usize): void {
  const n = <usize>count, ids = s.ids + ROW * <usize>load<u32>(s.starts + j * 4), f = <usize>load<u32>(s.orders + j * 4 * <usize>s.leading);
  const middle = load<f64>(s.centres + (j * <usize>s.m + f) * 8), unit = load<f64>(s.quantScales + j * 8) * <f64>(BUCKETS / 2) / LONGEST;
  const counts = table + n * 8, copies = table + n * 4;
  memory.fill(counts, 0, 4 * <usize>BUCKETS + 4);
  for (let i: usize = 0; i < n; i++) {
    const id = <usize>load<u32>(ids + i * 4), z = valueOf<T>(s, id, f) * load<f64>(s.scales + id * 8);
    const bucket = min<i32>(BUCKETS - 1, max<i32>(0, <i32>floor<f64>((z - middle) * unit) + BUCKETS / 2));
    store<i32>(table + i * 4, bucket);
    const at = counts + 4 * <usize>bucket;
    store<u32>(at, load<u32>(at, 4) + 1, 4);
  }
  for (let b: usize = 0; b < <usize>BUCKETS; b++) store<u32>(counts + b * 4, load<u32>(counts + b * 4) + load<u32>(counts + b * 4, 4), 4);
  memory.copy(copies, ids, n * 4);
  for (let i: usize = 0; i < n; i++) {
    const at = counts + 4 * <usize>load<u32>(table + i * 4);
    store<u32>(ids + 4 * <usize>load<u32>(at), load<u32>(copies + i * 4));
    store<u32>(at, load<u32>(at) + 1);
  }
}
const BUCKETS: i32 = 1024;

@inline function valueOf<T>(s: Screen, i: usize, f: usize): f64 {
  if (!s.sparse) return load<T>(s.X + (i * <usize>s.m + f) * sizeof<T>());
  const end = <usize>load<u32>(s.X + i * 4, 4);
  for (let p = <usize>load<u32>(s.X + i * 4); p < end; p++) {
    if (load<u32>(s.indices + p * 4) == <u32>f) return load<T>(s.values + p * sizeof<T>());
  }
  return 0;
}

export function sortMembers32(s: Screen, j: i32, count: i32, table: usize): void { sortMembers<f32>(s, j, count, table); }
export function sortMembers64(s: Screen, j: i32, count: i32, table: usize): void { sortMembers<f64>(s, j, count, table); }

// Fills the tiles of cluster j.
@inline function fillTiles<T>(s: Screen, j: usize): void {
  const size = (<usize>s.pairs + 1) * ROW, unit = load<f64>(s.quantScales + j * 8), c = s.sparse ? centreSquare(s, j) : 0;
  const begin = <usize>load<u32>(s.starts + j * 4), end = <usize>load<u32>(s.starts + j * 4, 4);
  let high: i32 = i32.MIN_VALUE;
  for (let t = begin; t < end; t++) {
    for (let lane: usize = 0; lane < WIDTH; lane++) {
      const out = s.tiles + t * size + lane * 4;
      const id = load<i32>(s.ids + (WIDTH * t + lane) * 4);
      if (id < 0) {
        for (let q: usize = 0; q < <usize>s.pairs; q++) store<i32>(out + ROW + q * ROW, 0);
        store<i32>(out, NO_MEMBER);
        continue;
      }
      const scale = load<f64>(s.scales + (<usize>id) * 8);
      const x: usize = s.sparse ? 0 : s.X + (<usize>id) * (<usize>s.m) * sizeof<T>();
      if (s.sparse) residualSparse<T>(s, j, id, scale, c);
      const square = load<f64>(s.residualSquares + (<usize>id) * 8);
      quantize<T>(s, j, x, scale, square, out + ROW, ROW);
      store<i32>(out, <i32>nearest<f64>(-0.5 * square * unit * unit));
      high = max<i32>(high, load<i16>(out, ROW));
    }
    store<i32>(s.prefixMaxima + t * 4, high);
  }
  let low: i32 = i32.MAX_VALUE;
  for (let t = end; t-- > begin;) {
    for (let lane: usize = 0; lane < WIDTH && load<i32>(s.ids + (WIDTH * t + lane) * 4) >= 0; lane++) {
      low = min<i32>(low, load<i16>(s.tiles + t * size + lane * 4, ROW));
    }
    store<i32>(s.suffixMinima + t * 4, low);
  }
}

export function fillTiles32(s: Screen, j: i32): void { fillTiles<f32>(s, j); }
export function fillTiles64(s: Screen, j: i32): void { fillTiles<f64>(s, j); }
