// Scores of samples against packed prototypes.

import { SCRATCH, tileOne, tilePair, tileSparse } from "./tile";

@inline function width<T>(): i32 { return 48 / sizeof<T>(); }

// The largest lane of a vector, in every lane.
@inline function spreadMax<T>(v: v128): v128 {
  if (sizeof<T>() == 8) return f64x2.max(v, v128.shuffle<f64>(v, v, 1, 0));
  v = f32x4.max(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.max(v, v128.shuffle<f32>(v, v, 1, 0, 3, 2));
}

// The columns of three vectors that hold `value`, as bits.
@inline function columnsOf<T>(a: v128, b: v128, c: v128, value: v128): u32 {
  const x = v128.eq<T>(a, value), y = v128.eq<T>(b, value), z = v128.eq<T>(c, value);
  if (sizeof<T>() == 4) return i32x4.bitmask(x) | (i32x4.bitmask(y) << 4) | (i32x4.bitmask(z) << 8);
  return i64x2.bitmask(x) | (i64x2.bitmask(y) << 2) | (i64x2.bitmask(z) << 4);
}

// One sample's scores, three vectors at `scores`, against the best so far; labels names the panel's columns. Of equal
// scores the lowest label wins, whatever the order of the columns.
@inline function keep<T>(scores: usize, labels: usize, best: usize, second: usize, label: usize): void {
  const a = v128.load(scores), b = v128.load(scores, 16), c = v128.load(scores, 32);
  const top = spreadMax<T>(v128.max<T>(v128.max<T>(a, b), c));
  const most = v128.extract_lane<T>(top, 0);
  const before = load<T>(best);
  const next = load<T>(second);
  if (most <= next) return;
  let columns = columnsOf<T>(a, b, c, top);
  let at = load<u32>(labels + (<usize>ctz(columns)) * 4);
  let runner = most;
  if (popcnt(columns) == 1) {
    const none = v128.splat<T>(-Infinity);
    const x = v128.bitselect(none, a, v128.eq<T>(a, top)), y = v128.bitselect(none, b, v128.eq<T>(b, top));
    const z = v128.bitselect(none, c, v128.eq<T>(c, top));
    runner = v128.extract_lane<T>(spreadMax<T>(v128.max<T>(v128.max<T>(x, y), z)), 0);
  } else {
    while ((columns &= columns - 1) != 0) at = min<u32>(at, load<u32>(labels + (<usize>ctz(columns)) * 4));
  }
  if (most > before) {
    store<T>(best, most);
    store<T>(second, max<T>(before, runner));
    store<u32>(label, at);
  } else {
    store<T>(second, most);
    if (most == before) store<u32>(label, min<u32>(load<u32>(label), at));
  }
}

// Scores of `count` dense samples, named by ids, against one panel: all are kept in `best`, 48 bytes a sample, or only the
// best two.
@inline export function scoreDense<T>(all: bool, X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  const size = sizeof<T>();
  const row = (<usize>m) * size;
  const p = v128.load(bias), q = v128.load(bias, 16), r = v128.load(bias, 32);
  let s: usize = 0;
  for (; s + 2 <= <usize>count; s += 2) {
    const x = X + row * (<usize>load<u32>(ids + s * 4)), y = X + row * (<usize>load<u32>(ids + s * 4, 4));
    const out = all ? best + s * 48 : SCRATCH;
    tilePair<T, T>(x, y, row, panel, p, q, r, out, out + 48);
    if (all) continue;
    keep<T>(out, labels, best + s * size, second + s * size, label + s * 4);
    keep<T>(out + 48, labels, best + (s + 1) * size, second + (s + 1) * size, label + (s + 1) * 4);
  }
  if (s < <usize>count) {
    const out = all ? best + s * 48 : SCRATCH;
    tileOne<T, T>(X + row * (<usize>load<u32>(ids + s * 4)), row, panel, p, q, r, out);
    if (!all) keep<T>(out, labels, best + s * size, second + s * size, label + s * 4);
  }
}

// The same of sparse samples.
@inline export function scoreSparse<T>(all: bool, offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  const size = sizeof<T>();
  const p = v128.load(bias), q = v128.load(bias, 16), r = v128.load(bias, 32);
  for (let s: usize = 0; s < <usize>count; s++) {
    const row = offsets + (<usize>load<u32>(ids + s * 4)) * 4;
    const out = all ? best + s * 48 : SCRATCH;
    tileSparse<T, T>(load<u32>(row), load<u32>(row, 4), indices, values, panel, p, q, r, out);
    if (!all) keep<T>(out, labels, best + s * size, second + s * size, label + s * 4);
  }
}

// Gives sample i the column of its largest score; of equal ones the lowest. One that changed is listed with its old label.
// Returns how many are listed.
@inline function relabel<T>(i: i32, scores: usize, labels: usize, moved: usize, changed: i32): i32 {
  const a = v128.load(scores), b = v128.load(scores, 16), c = v128.load(scores, 32);
  const label = ctz(columnsOf<T>(a, b, c, spreadMax<T>(v128.max<T>(v128.max<T>(a, b), c))));
  const at = labels + (<usize>i) * 4;
  const old = load<u32>(at);
  if (old == label) return changed;
  store<u32>(at, label);
  store<u32>(moved + (<usize>changed) * 8, i);
  store<u32>(moved + (<usize>changed) * 8, old, 4);
  return changed + 1;
}

// Labels samples from … to − 1 by the only panel, without any bounds.
@inline export function labelDense<T>(X: usize, m: i32, from: i32, to: i32, panel: usize, bias: usize, labels: usize, moved: usize): i32 {
  const row = (<usize>m) * sizeof<T>();
  const p = v128.load(bias), q = v128.load(bias, 16), r = v128.load(bias, 32);
  let changed: i32 = 0;
  let i = from;
  for (; i + 2 <= to; i += 2) {
    const x = X + row * (<usize>i);
    tilePair<T, T>(x, x + row, row, panel, p, q, r, SCRATCH, SCRATCH + 48);
    changed = relabel<T>(i, SCRATCH, labels, moved, changed);
    changed = relabel<T>(i + 1, SCRATCH + 48, labels, moved, changed);
  }
  if (i < to) {
    tileOne<T, T>(X + row * (<usize>i), row, panel, p, q, r, SCRATCH);
    changed = relabel<T>(i, SCRATCH, labels, moved, changed);
  }
  return changed;
}

@inline export function labelSparse<T>(offsets: usize, indices: usize, values: usize, from: i32, to: i32, panel: usize, bias: usize, labels: usize, moved: usize): i32 {
  const p = v128.load(bias), q = v128.load(bias, 16), r = v128.load(bias, 32);
  let changed: i32 = 0;
  for (let i = from; i < to; i++) {
    const row = offsets + (<usize>i) * 4;
    tileSparse<T, T>(load<u32>(row), load<u32>(row, 4), indices, values, panel, p, q, r, SCRATCH);
    changed = relabel<T>(i, SCRATCH, labels, moved, changed);
  }
  return changed;
}
