// Exact sums of clusters.

import { AssignState } from "./structs";

export const NONE: u32 = 0xffffffff;

// Each term of a sample is rounded to its feature's grid, so that sums are exact.
@inline function roundTwo<T>(x: usize, scales: v128, C: usize): v128 {
  const v = sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(x)) : v128.load(x);
  const c = v128.load(C);
  return f64x2.sub(f64x2.add(f64x2.mul(v, scales), c), c);
}
@inline function round<T>(x: usize, scale: f64, C: usize): f64 {
  const c = load<f64>(C);
  return (<f64>load<T>(x) * scale + c) - c;
}

// Moves a dense sample from one row of sums (f64 × m) to another.
@inline function moveDense<T>(x: usize, m: i32, scale: f64, C: usize, out: usize, into: usize): void {
  const scales = f64x2.splat(scale), end = C + (<usize>m) * 8;
  for (; C + 16 <= end; C += 16, x += 2 * sizeof<T>(), out += 16, into += 16) {
    const r = roundTwo<T>(x, scales, C);
    v128.store(out, f64x2.sub(v128.load(out), r));
    v128.store(into, f64x2.add(v128.load(into), r));
  }
  if (C < end) {
    const r = round<T>(x, scale, C);
    store<f64>(out, load<f64>(out) - r);
    store<f64>(into, load<f64>(into) + r);
  }
}
// Adds a dense sample that had no label.
@inline function addDense<T>(x: usize, m: i32, scale: f64, C: usize, into: usize): void {
  const scales = f64x2.splat(scale), end = C + (<usize>m) * 8;
  for (; C + 16 <= end; C += 16, x += 2 * sizeof<T>(), into += 16) v128.store(into, f64x2.add(v128.load(into), roundTwo<T>(x, scales, C)));
  if (C < end) store<f64>(into, load<f64>(into) + round<T>(x, scale, C));
}

// The same of a sparse sample.
@inline function moveSparse<T>(offsets: usize, indices: usize, values: usize, i: usize, scale: f64, C: usize, out: usize, into: usize): void {
  const end = <usize>load<u32>(offsets + i * 4, 4);
  for (let p = <usize>load<u32>(offsets + i * 4); p < end; p++) {
    const f = (<usize>load<u32>(indices + p * 4)) * 8;
    const r = round<T>(values + p * sizeof<T>(), scale, C + f);
    store<f64>(out + f, load<f64>(out + f) - r);
    store<f64>(into + f, load<f64>(into + f) + r);
  }
}
@inline function addSparse<T>(offsets: usize, indices: usize, values: usize, i: usize, scale: f64, C: usize, into: usize): void {
  const end = <usize>load<u32>(offsets + i * 4, 4);
  for (let p = <usize>load<u32>(offsets + i * 4); p < end; p++) {
    const f = (<usize>load<u32>(indices + p * 4)) * 8;
    store<f64>(into + f, load<f64>(into + f) + round<T>(values + p * sizeof<T>(), scale, C + f));
  }
}

// Sets the label of sample i; a change is recorded with the old label.
@inline export function relabel(p: AssignState, i: u32, label: u32): void {
  const at = p.labels + (<usize>i) * 4;
  const old = load<u32>(at);
  if (old == label) return;
  store<u32>(at, label);
  const note = p.moved + (<usize>(p.changed++)) * 8;
  store<u32>(note, i);
  store<u32>(note, old, 4);
}

// Mixes a sample's number and labels, one in each half, into 32 bits twice, as kernel/sums.ts does.
@inline function mixLabels(id: u32, labels: v128): v128 {
  const salted = v128.xor(i32x4.splat(id), i32x4(0, 0x5bd1e995, 0, 0x5bd1e995));
  let h = v128.xor(i32x4.mul(salted, i32x4.splat(0x9e3779b1)), i32x4.mul(i32x4.add(labels, i32x4.splat(1)), i32x4.splat(0x85ebca77)));
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 16)), i32x4.splat(0x85ebca6b));
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 13)), i32x4.splat(0xc2b2ae35));
  return v128.xor(h, i32x4.shr_u(h, 16));
}

// Moves the samples recorded from `first` on from the sums, counts and fingerprints of their old cluster to the new one's.
@inline export function moveSums<T>(p: AssignState, first: u32): void {
  const m = p.m, C = p.grid, sums = p.sums, counts = p.counts, labels = p.labels, weights = p.weights, scales = p.scales;
  const X = p.X, indices = p.indices, values = p.values, sparse = p.sparse, offset = p.offset, grid = p.weightGrid;
  const touched = p.touched;
  const row = (<usize>m) * 8, width = (<usize>m) * sizeof<T>();
  // Of labels that samples have now, and that they had.
  let hash = i32x4(p.hash0, p.hash1, 0, 0);
  const end = p.moved + (<usize>p.changed) * 8;
  for (let note = p.moved + (<usize>first) * 8; note < end; note += 8) {
    const i = load<u32>(note), old = load<u32>(note, 4);
    const at = <usize>i;
    const now = load<u32>(labels + at * 4);
    const weight: f64 = weights == 0 ? 1 : load<f64>(weights + at * 8) + grid - grid;
    const into = counts + (<usize>now) * 8, out = counts + (<usize>old) * 8;
    const mixed = mixLabels(offset + i, i64x2.replace_lane(i32x4.splat(old), 0, (<u64>now << 32) | now));
    if (old != NONE) {
      store<f64>(out, load<f64>(out) - weight);
      store<u8>(touched + <usize>old, 1);
      hash = v128.xor(hash, mixed);
    } else hash = v128.xor(hash, v128.and(mixed, i64x2(-1, 0)));
    store<f64>(into, load<f64>(into) + weight);
    store<u8>(touched + <usize>now, 1);
    // No scales: all are 1.
    const scale: f64 = scales == 0 ? 1 : load<f64>(scales + at * 8);
    if (scale == 0) continue;
    const from = sums + (<usize>old) * row, to = sums + (<usize>now) * row;
    if (sparse) {
      if (old == NONE) addSparse<T>(X, indices, values, at, scale, C, to);
      else moveSparse<T>(X, indices, values, at, scale, C, from, to);
    } else if (old == NONE) addDense<T>(X + at * width, m, scale, C, to);
    else moveDense<T>(X + at * width, m, scale, C, from, to);
  }
  p.hash0 = i32x4.extract_lane(hash, 0) ^ i32x4.extract_lane(hash, 2);
  p.hash1 = i32x4.extract_lane(hash, 1) ^ i32x4.extract_lane(hash, 3);
}

// Adds what another thread has gathered of cluster j to the sums and counts of all, and clears it.
@inline function gatherOne(to: AssignState, from: AssignState, j: usize): void {
  const touched = from.touched + j;
  if (load<u8>(touched) == 0) return;
  store<u8>(touched, 0);
  const count = to.counts + j * 8, more = from.counts + j * 8;
  store<f64>(count, load<f64>(count) + load<f64>(more));
  store<f64>(more, 0);
  const row = (<usize>to.m) * 8;
  let sum = to.sums + j * row, part = from.sums + j * row;
  const end = part + row;
  for (; part + 16 <= end; part += 16, sum += 16) {
    v128.store(sum, f64x2.add(v128.load(sum), v128.load(part)));
    v128.store(part, f64x2.splat(0));
  }
  if (part < end) {
    store<f64>(sum, load<f64>(sum) + load<f64>(part));
    store<f64>(part, 0);
  }
}

// The same of all the states from `others` on, `apart` bytes from each other.
export function gatherSums(to: AssignState, others: usize, count: i32, apart: usize, j: i32): void {
  for (let t = 0; t < count; t++) gatherOne(to, changetype<AssignState>(others + (<usize>t) * apart), <usize>j);
}
