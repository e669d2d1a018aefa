// Scores of samples against packed prototypes.

import { correctScores } from "./gaps";
import { ScoreInput } from "./structs";
import { SCRATCH, tileOne, tilePair, tileSparse, tileSparseTwo } from "./panel";

// The halves of a vector swapped, or the neighbours within them.
@inline function swapLanes<T>(v: v128, half: bool): v128 {
  if (sizeof<T>() == 8) return v128.shuffle<f64>(v, v, 1, 0);
  return half ? v128.shuffle<f32>(v, v, 2, 3, 0, 1) : v128.shuffle<f32>(v, v, 1, 0, 3, 2);
}

// The columns of three vectors that hold `value`, as bits.
@inline function columnsOf<T>(a: v128, b: v128, c: v128, value: v128): u32 {
  const x = v128.eq<T>(a, value), y = v128.eq<T>(b, value), z = v128.eq<T>(c, value);
  if (sizeof<T>() == 4) return i32x4.bitmask(x) | (i32x4.bitmask(y) << 4) | (i32x4.bitmask(z) << 8);
  return i64x2.bitmask(x) | (i64x2.bitmask(y) << 2) | (i64x2.bitmask(z) << 4);
}

// One sample's scores, three vectors, against the best so far; labels names the panel's columns. Of equal
// scores the lowest label wins, whatever the order of the columns. (pmax and pmin are one instruction, max and min many.)
@inline function keepBest<T>(scores: usize, labels: usize, best: usize, second: usize, label: usize): void {
  const a = v128.load(scores), b = v128.load(scores, 16), c = v128.load(scores, 32);
  let high = v128.pmax<T>(a, b), low = v128.pmin<T>(a, b);
  low = v128.pmax<T>(low, v128.pmin<T>(high, c));
  high = v128.pmax<T>(high, c);
  let other = swapLanes<T>(high, true);
  low = v128.pmax<T>(v128.pmax<T>(low, swapLanes<T>(low, true)), v128.pmin<T>(high, other));
  high = v128.pmax<T>(high, other);
  if (sizeof<T>() == 4) {
    other = swapLanes<T>(high, false);
    low = v128.pmax<T>(v128.pmax<T>(low, swapLanes<T>(low, false)), v128.pmin<T>(high, other));
    high = v128.pmax<T>(high, other);
  }
  let columns = columnsOf<T>(a, b, c, high);
  let at = load<u32>(labels + (<usize>ctz(columns)) * 4);
  while ((columns &= columns - 1) != 0) at = min<u32>(at, load<u32>(labels + (<usize>ctz(columns)) * 4));
  const before = v128.load_splat<T>(best), next = v128.load_splat<T>(second);
  const runner = v128.pmax<T>(v128.pmax<T>(low, next), v128.pmin<T>(high, before));
  const most = v128.extract_lane<T>(high, 0), last = v128.extract_lane<T>(before, 0);
  if (most > last) {
    store<T>(best, most);
    store<u32>(label, at);
  } else if (most == last) store<u32>(label, min<u32>(load<u32>(label), at));
  v128.store_lane<T>(second, runner, 0);
}

// Scores of `count` dense samples, named by ids, against one panel, of which the best two are kept.
@inline function scoreDense<T>(d: ScoreInput, X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  const size = sizeof<T>();
  const row = (<usize>m) * size;
  const out = SCRATCH;
  const gaps = d.gapOffsets != 0;
  const p = v128.load(bias), q = v128.load(bias, 16), r = v128.load(bias, 32);
  let s: usize = 0;
  for (; s + 2 <= <usize>count; s += 2) {
    const i = <usize>load<u32>(ids + s * 4), j = <usize>load<u32>(ids + s * 4, 4);
    tilePair<T, T>(X + row * i, X + row * j, row, panel, p, q, r, out, out + 48);
    if (gaps) { correctScores<T>(d, i, panel, out); correctScores<T>(d, j, panel, out + 48); }
    keepBest<T>(out, labels, best + s * size, second + s * size, label + s * 4);
    keepBest<T>(out + 48, labels, best + (s + 1) * size, second + (s + 1) * size, label + (s + 1) * 4);
  }
  if (s < <usize>count) {
    const i = <usize>load<u32>(ids + s * 4);
    tileOne<T, T>(X + row * i, row, panel, p, q, r, out);
    if (gaps) correctScores<T>(d, i, panel, out);
    keepBest<T>(out, labels, best + s * size, second + s * size, label + s * 4);
  }
}

// The same of sparse samples.
@inline function scoreSparse<T>(d: ScoreInput, offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  const size = sizeof<T>();
  const out = SCRATCH;
  const p = v128.load(bias), q = v128.load(bias, 16), r = v128.load(bias, 32);
  for (let s: usize = 0; s < <usize>count; s++) {
    const i = <usize>load<u32>(ids + s * 4), row = offsets + i * 4;
    tileSparse<T, T>(load<u32>(row), load<u32>(row, 4), indices, values, panel, p, q, r, out);
    if (d.gapOffsets != 0) correctScores<T>(d, i, panel, out);
    keepBest<T>(out, labels, best + s * size, second + s * size, label + s * 4);
  }
}

// Sparse samples against two panels at once, the second `apart` bytes after the first: their values are read once.
@inline function scoreTwoSparse<T>(d: ScoreInput, offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, apart: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  const size = sizeof<T>();
  const out = SCRATCH, columns = labels + 4 * (48 / size);
  for (let s: usize = 0; s < <usize>count; s++) {
    const i = <usize>load<u32>(ids + s * 4), row = offsets + i * 4;
    tileSparseTwo<T, T>(load<u32>(row), load<u32>(row, 4), indices, values, panel, apart, bias, out);
    if (d.gapOffsets != 0) { correctScores<T>(d, i, panel, out); correctScores<T>(d, i, panel + apart, out + 48); }
    keepBest<T>(out, labels, best + s * size, second + s * size, label + s * 4);
    keepBest<T>(out + 48, columns, best + s * size, second + s * size, label + s * 4);
  }
}

// Scores of `count` samples, named by ids, against the prototypes of group g.
@inline export function scoreGroup<T>(d: ScoreInput, g: i32, ids: usize, count: i32, best: usize, second: usize, label: usize): void {
  const width = 48 / sizeof<T>();
  const X = d.X, m = d.m, apart = (<usize>m) * 48;
  const last = min<i32>((g + 1) * d.panels, (d.k + width - 1) / width);
  for (let p = g * d.panels; p < last; p++) {
    const panel = d.packed + (<usize>p) * apart, bias = d.packedBias + (<usize>p) * 48, names = d.columnLabels + 4 * (<usize>(p * width));
    if (!d.sparse) scoreDense<T>(d, X, m, ids, count, panel, bias, names, best, second, label);
    else if (p + 1 < last) {
      scoreTwoSparse<T>(d, X, d.indices, d.values, ids, count, panel, apart, bias, names, best, second, label);
      p++;
    } else scoreSparse<T>(d, X, d.indices, d.values, ids, count, panel, bias, names, best, second, label);
  }
}
