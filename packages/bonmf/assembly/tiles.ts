// Small samples against few prototypes: to score all is little more work than to look at bounds. Samples lie eight to a
// tile, feature after feature, so that lanes are samples and a prototype's value is one for all. A tile has one budget: how
// far any two prototypes may come together before the label of one of its samples is in doubt.

import { Plan } from "./plan";
import { move, relabel } from "./sums";
import { SCRATCH } from "./tile";

export const EIGHT: usize = 32;

// Four samples' four features become four features' four samples.
@inline export function turnFour(x: usize, y: usize, z: usize, o: usize, to: usize): void {
  const a = v128.load(x), b = v128.load(y), c = v128.load(z), d = v128.load(o);
  const e = v128.shuffle<f32>(a, b, 0, 4, 1, 5), f = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const g = v128.shuffle<f32>(a, b, 2, 6, 3, 7), h = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(e, f, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(e, f, 2, 3, 6, 7), 32);
  v128.store(to, v128.shuffle<f32>(g, h, 0, 1, 4, 5), 64);
  v128.store(to, v128.shuffle<f32>(g, h, 2, 3, 6, 7), 96);
}

// Tiles of n dense samples; what the last one has too many stays as it is.
export function fillTiles(X: usize, m: i32, n: i32, tiles: usize): void {
  const row = (<usize>m) * 4;
  let i: i32 = 0;
  for (; i + 4 <= n; i += 4, X += 4 * row) {
    let to = tiles + (<usize>(i >> 3)) * row * 8 + (<usize>(i & 4)) * 4;
    let x = X;
    const end = X + row;
    for (; x + 16 <= end; x += 16, to += 4 * EIGHT) turnFour(x, x + row, x + 2 * row, x + 3 * row, to);
    for (; x < end; x += 4, to += EIGHT) {
      for (let s: usize = 0; s < 4; s++) store<f32>(to + s * 4, load<f32>(x + s * row));
    }
  }
  for (; i < n; i++, X += row) {
    const to = tiles + (<usize>(i >> 3)) * row * 8 + (<usize>(i & 7)) * 4;
    for (let f: usize = 0; f < <usize>m; f++) store<f32>(to + f * EIGHT, load<f32>(X + f * 4));
  }
}

// Samples and prototypes of f32 begin with a bias; those of i16, two features to a lane (coarse.ts), with nothing.
@inline function begin<T>(bias: usize): v128 { return sizeof<T>() == 4 ? v128.load32_splat(bias) : i32x4.splat(0); }
@inline function add<T>(sum: v128, x: v128, w: v128): v128 {
  return sizeof<T>() == 4 ? f32x4.add(sum, f32x4.mul(x, w)) : i32x4.add(sum, i32x4.dot_i16x8_s(x, w));
}

// The scores of a tile against one prototype, two or three that follow each other, `row` bytes apart: two vectors each.
@inline function scoreOne<T>(x: usize, lanes: usize, w: usize, bias: usize, out: usize): void {
  let a = begin<T>(bias), b = a;
  for (const end = w + lanes * 4; w < end; w += 4, x += EIGHT) {
    const v = v128.load32_splat(w);
    a = add<T>(a, v128.load(x), v); b = add<T>(b, v128.load(x, 16), v);
  }
  v128.store(out, a); v128.store(out, b, 16);
}
@inline function scoreTwo<T>(x: usize, lanes: usize, w: usize, row: usize, bias: usize, out: usize): void {
  let a = begin<T>(bias), b = a, c = begin<T>(bias + 4), d = c;
  for (const end = w + lanes * 4; w < end; w += 4, x += EIGHT) {
    const low = v128.load(x), high = v128.load(x, 16);
    let v = v128.load32_splat(w);
    a = add<T>(a, low, v); b = add<T>(b, high, v);
    v = v128.load32_splat(w + row);
    c = add<T>(c, low, v); d = add<T>(d, high, v);
  }
  v128.store(out, a); v128.store(out, b, 16); v128.store(out, c, 32); v128.store(out, d, 48);
}
@inline function scoreThree<T>(x: usize, lanes: usize, w: usize, row: usize, bias: usize, out: usize): void {
  let a = begin<T>(bias), b = a, c = begin<T>(bias + 4), d = c, e = begin<T>(bias + 8), f = e;
  for (const end = w + lanes * 4; w < end; w += 4, x += EIGHT) {
    const low = v128.load(x), high = v128.load(x, 16);
    let v = v128.load32_splat(w);
    a = add<T>(a, low, v); b = add<T>(b, high, v);
    v = v128.load32_splat(w + row);
    c = add<T>(c, low, v); d = add<T>(d, high, v);
    v = v128.load32_splat(w + 2 * row);
    e = add<T>(e, low, v); f = add<T>(f, high, v);
  }
  v128.store(out, a); v128.store(out, b, 16); v128.store(out, c, 32);
  v128.store(out, d, 48); v128.store(out, e, 64); v128.store(out, f, 80);
}
@inline export function scoreSome<T>(count: i32, x: usize, lanes: usize, w: usize, row: usize, bias: usize, out: usize): void {
  if (count == 3) scoreThree<T>(x, lanes, w, row, bias, out);
  else if (count == 2) scoreTwo<T>(x, lanes, w, row, bias, out);
  else scoreOne<T>(x, lanes, w, bias, out);
}

// 1/‖x‖ by angle (0 has no direction), else ‖x‖.
export function fillSizes(norms: usize, n: i32, angular: i32, to: usize): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    const norm = load<f64>(norms + i * 8);
    store<f32>(to + i * 4, <f32>(angular ? (norm > 0 ? 1 / norm : 0) : norm));
  }
}

const UP: f32 = 1 + 4.8e-7;
const DOWN: f32 = 1 - 4.8e-7;

// How far prototypes may come before four samples are in doubt, whose best two scores are half of base − near and of
// base − far in squares of distances, give or take `rough`: as putScored in bounds.ts, in 32 bits.
@inline export function gapsOf(base: v128, near: v128, far: v128, rough: v128, error: v128): v128 {
  const zero = f32x4.splat(0), up = f32x4.splat(UP);
  const most = f32x4.add(f32x4.pmax(zero, f32x4.sub(base, near)), rough);
  const least = f32x4.pmax(zero, f32x4.sub(f32x4.sub(base, far), rough));
  const upper = f32x4.sqrt(f32x4.add(f32x4.mul(most, up), f32x4.add(error, error)));
  return f32x4.sub(f32x4.mul(f32x4.sqrt(least), f32x4.splat(DOWN)), f32x4.mul(upper, up));
}
// By angle a sample of no length, whose size is 0, keeps its label for good.
@inline function gapsByAngle(best: v128, second: v128, size: v128, error: v128): v128 {
  const twice = f32x4.add(size, size);
  const gaps = gapsOf(f32x4.splat(2), f32x4.mul(twice, best), f32x4.mul(twice, second), error, error);
  return v128.bitselect(f32x4.splat(Infinity), gaps, f32x4.eq(size, f32x4.splat(0)));
}
@inline function gapsByDistance(best: v128, second: v128, size: v128, e0: v128, e1: v128, e2: v128): v128 {
  const error = f32x4.add(e0, f32x4.mul(f32x4.add(e1, f32x4.mul(e2, size)), size));
  return gapsOf(f32x4.mul(size, size), f32x4.add(best, best), f32x4.add(second, second), error, error);
}

// Sweeps samples from … to − 1; `from` begins a tile. Of equal scores the lowest label wins. Returns how many were seen.
export function sweepTiles(p: Plan, from: i32, to: i32): i32 {
  const m = <usize>p.m, k = p.k, row = m * 4, out = SCRATCH, first = p.changed;
  const cap = p.bounded ? <f32>(p.drift * (1 + 2.384185791015625e-7)) : <f32>Infinity;
  const keeps = p.keeps, angular = p.angular, drift = p.drift - p.slack;
  const e0 = f32x4.splat(UP * <f32>p.e0), e1 = f32x4.splat(UP * <f32>p.e1), e2 = f32x4.splat(UP * <f32>p.e2);
  const tiles = p.tiles, budgets = p.budgets, allLabels = p.labels, allSizes = p.sizes;
  let seen: i32 = 0;
  for (let i = from; i < to; i += 8) {
    const budget = budgets + (<usize>(i >> 3)) * 4;
    if (load<f32>(budget) > cap) continue;
    const x = tiles + (<usize>i) * row;
    let highA = f32x4.splat(-Infinity), highB = highA, nextA = highA, nextB = highA;
    let labelA = i32x4.splat(0), labelB = labelA;
    let w = p.rows, bias = p.biases;
    for (let j = 0; j < k; ) {
      const left = k - j;
      const taken = left == 1 ? 1 : left == 2 || left == 4 ? 2 : 3;
      scoreSome<f32>(taken, x, m, w, row, bias, out);
      w += row * taken; bias += 4 * taken;
      const end = j + taken;
      for (let at = out; j < end; j++, at += EIGHT) {
        const a = v128.load(at), b = v128.load(at, 16), label = i32x4.splat(j);
        const overA = f32x4.gt(a, highA), overB = f32x4.gt(b, highB);
        nextA = f32x4.pmax(nextA, f32x4.pmin(highA, a)); nextB = f32x4.pmax(nextB, f32x4.pmin(highB, b));
        highA = f32x4.pmax(highA, a); labelA = v128.bitselect(label, labelA, overA);
        highB = f32x4.pmax(highB, b); labelB = v128.bitselect(label, labelB, overB);
      }
    }
    const labels = allLabels + (<usize>i) * 4, sizes = allSizes + (<usize>i) * 4;
    let news = i32x4.bitmask(i32x4.ne(labelA, v128.load(labels))) | (i32x4.bitmask(i32x4.ne(labelB, v128.load(labels, 16))) << 4);
    const count = min<i32>(8, to - i);
    if (count < 8) news &= (1 << count) - 1;
    seen += count;
    if (keeps) {
      const sizeA = v128.load(sizes), sizeB = v128.load(sizes, 16);
      let gapA = angular ? gapsByAngle(highA, nextA, sizeA, e0) : gapsByDistance(highA, nextA, sizeA, e0, e1, e2);
      let gapB = angular ? gapsByAngle(highB, nextB, sizeB, e0) : gapsByDistance(highB, nextB, sizeB, e0, e1, e2);
      if (count < 8) {
        const none = f32x4.splat(Infinity), lanes = i32x4(0, 1, 2, 3), last = i32x4.splat(count);
        gapA = v128.bitselect(gapA, none, i32x4.lt_s(lanes, last));
        gapB = v128.bitselect(gapB, none, i32x4.lt_s(i32x4.add(lanes, i32x4.splat(4)), last));
      }
      let least = f32x4.pmin(gapA, gapB);
      least = f32x4.pmin(least, v128.shuffle<f32>(least, least, 2, 3, 0, 1));
      least = f32x4.pmin(least, v128.shuffle<f32>(least, least, 1, 0, 3, 2));
      store<f32>(budget, <f32>(<f64>f32x4.extract_lane(least, 0) + drift));
    }
    if (news == 0) continue;
    v128.store(out, labelA); v128.store(out, labelB, 16);
    for (; news != 0; news &= news - 1) relabel(p, i + ctz(news), load<u32>(out + (<usize>ctz(news)) * 4));
  }
  move<f32>(p, first);
  return seen;
}
