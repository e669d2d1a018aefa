// Products of 32-bit samples in 32 bits. WᵀX: each one accumulator in feature order. XHᵀ: the samples of one call are
// summed in 32 bits, one after the other, and that sum is added to one of 64 bits: with a grid (kernel/sums), rounded to it, so
// that those sums are exact and have the same bits in any order. Or each product is rounded by itself (addTermsSparse32).

import { addTo, putThree, SCRATCH, splat, tileOn, tileOne, tileSparse, tileSparseTwo } from "./panel";
import { shareValues } from "./products";

// Bytes of a sample that are multiplied at a time: what belongs to them of a panel stays in the nearest cache.
const STRIP: usize = 1024;

// Dot products of `count` samples, from X on, with panels of twelve columns; 48 bytes a sample and panel.
export function dotPanelsDense32(X: usize, m: i32, count: i32, W: usize, panels: i32, out: usize): void {
  const row = (<usize>m) * 4, wide = (<usize>panels) * 48;
  memory.fill(out, 0, wide * <usize>count);
  for (let from: usize = 0; from < row; from += STRIP) {
    const bytes = min<usize>(STRIP, row - from);
    for (let p: usize = 0; p < <usize>panels; p++) {
      const panel = W + (p * row + from) * 12;
      let x = X + from, to = out + p * 48, left = count;
      for (; left >= 2; left -= 2, x += 2 * row, to += 2 * wide) tileOn<f32, f32>(x, x + row, bytes, panel, to, to + wide);
      if (left > 0) tileOne<f32, f32>(x, bytes, panel, v128.load(to), v128.load(to, 16), v128.load(to, 32), to);
    }
  }
}

export function dotPanelsSparse32(offsets: usize, indices: usize, values: usize, count: i32, W: usize, panels: i32, apart: usize, out: usize): void {
  const wide = (<usize>panels) * 48;
  const zero = f32x4.splat(0);
  memory.fill(SCRATCH, 0, 96);
  for (; panels > 0; panels -= 2, W += 2 * apart, out += 96) {
    let at = offsets, to = out;
    for (let s: i32 = 0; s < count; s++, at += 4, to += wide) {
      if (panels > 1) tileSparseTwo<f32, f32>(load<u32>(at), load<u32>(at, 4), indices, values, W, apart, SCRATCH, to);
      else tileSparse<f32, f32>(load<u32>(at), load<u32>(at, 4), indices, values, W, zero, zero, zero, to);
    }
  }
}

// Rows of 32-bit numbers, `wide` bytes each, as k of 64 bits, each column times its scale.
export function promote(from: usize, wide: usize, count: i32, scales: usize, k: i32, to: usize): void {
  for (; count > 0; count--, from += wide) {
    let x = from, scale = scales, left = k;
    for (; left >= 2; left -= 2, x += 8, scale += 16, to += 16) {
      v128.store(to, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(x)), v128.load(scale)));
    }
    if (left == 0) continue;
    store<f64>(to, <f64>load<f32>(x) * load<f64>(scale));
    to += 8;
  }
}

// Rows of k numbers of 64 bits, each column times its scale, as 32-bit numbers; the tiny ones as 0. Two columns of a row
// are `each` bytes from those of the row before, and `apart` bytes from the two columns before.
// An odd column is followed by 0.
export function demote(from: usize, k: i32, count: i32, scales: usize, tiny: f32, to: usize, each: usize, apart: usize): void {
  const row = (<usize>k) * 8;
  const least = f32x4.splat(tiny);
  for (; k > 0; k -= 2, from += 16, scales += 16, to += apart) {
    const scale = v128.load(scales);
    let h = from, out = to;
    for (let s: i32 = 0; s < count; s++, h += row, out += each) {
      const v = f32x4.demote_f64x2_zero(f64x2.mul(k > 1 ? v128.load(h) : v128.load64_zero(h), scale));
      v128.store64_lane(out, v128.and(v, f32x4.ge(f32x4.abs(v), least)), 0);
    }
  }
}

// Adds a vector of T to numbers of 64 bits. With a grid, two numbers of it for each half, 32-bit numbers are rounded to it first.
@inline function addWide<T>(s: usize, v: v128): void {
  if (sizeof<T>() == 8) {
    v128.store(s, f64x2.add(v128.load(s), v));
    return;
  }
  v128.store(s, f64x2.add(v128.load(s), f64x2.promote_low_f32x4(v)));
  v128.store(s, f64x2.add(v128.load(s, 16), f64x2.promote_low_f32x4(v128.shuffle<f32>(v, v, 2, 3, 2, 3))), 16);
}

@inline function addRounded(s: usize, v: v128, low: v128, high: v128): void {
  const a = f64x2.promote_low_f32x4(v), b = f64x2.promote_low_f32x4(v128.shuffle<f32>(v, v, 2, 3, 2, 3));
  v128.store(s, f64x2.add(v128.load(s), f64x2.sub(f64x2.add(a, low), low)));
  v128.store(s, f64x2.add(v128.load(s, 16), f64x2.sub(f64x2.add(b, high), high)), 16);
}

// Adds a tile's vector; `grid` is the address of its features' numbers, or 0.
@inline function addTile<T>(s: usize, v: v128, grid: usize): void {
  if (sizeof<T>() == 8 || grid == 0) addWide<T>(s, v);
  else addRounded(s, v, v128.load(grid), v128.load(grid, 16));
}

// Up to three vectors of features of `count` samples, 48 bytes apart, times two shares each: added to rows s and t.
@inline function sumTile<T>(x: usize, row: usize, h: usize, count: i32, s: usize, t: usize, vectors: i32, grid: usize): void {
  const zero = v128.splat<T>(0);
  let a0 = zero, a1 = zero, a2 = zero, b0 = zero, b1 = zero, b2 = zero;
  const end = x + (<usize>count) * row;
  while (x < end) {
    const x0 = v128.load(x), x1 = vectors > 1 ? v128.load(x, 16) : zero, x2 = vectors > 2 ? v128.load(x, 32) : zero;
    const p = v128.load_splat<T>(h);
    a0 = addTo<T>(a0, p, x0);
    if (vectors > 1) a1 = addTo<T>(a1, p, x1);
    if (vectors > 2) a2 = addTo<T>(a2, p, x2);
    const q = v128.load_splat<T>(h, sizeof<T>());
    b0 = addTo<T>(b0, q, x0);
    if (vectors > 1) b1 = addTo<T>(b1, q, x1);
    if (vectors > 2) b2 = addTo<T>(b2, q, x2);
    x += row; h += 2 * sizeof<T>();
  }
  const wide: usize = 128 / sizeof<T>();
  const next = grid == 0 ? 0 : grid + wide, last = grid == 0 ? 0 : grid + 2 * wide;
  addTile<T>(s, a0, grid);
  addTile<T>(t, b0, grid);
  if (vectors > 1) { addTile<T>(s + wide, a1, next); addTile<T>(t + wide, b1, next); }
  if (vectors > 2) { addTile<T>(s + 2 * wide, a2, last); addTile<T>(t + 2 * wide, b2, last); }
}

// Bytes of a sample that are copied together: whole cache lines, four tiles.
const GROUP: usize = 192;

// S (k rows of `wide` bytes, an even number of them) += shares · X, for shares in couples: [column pair][sample][2]. Samples
// that are long, or a power of two apart, would drive each other out of the cache: they are copied to `scratch` first.
@inline function shareRows<T>(X: usize, m: i32, count: i32, couples: usize, k: i32, S: usize, wide: usize, scratch: usize, grid: usize): void {
  const row = (<usize>m) * sizeof<T>(), couple = (<usize>count) * 2 * sizeof<T>();
  const far = row > 4096 || row % 512 == 0;
  for (let from: usize = 0; from < row; from += GROUP) {
    const bytes = min<usize>(GROUP, row - from);
    if (far) {
      for (let t: usize = 0; t < bytes; t += 48) {
        let x = X + from + t, to = scratch + t * <usize>count;
        for (let s: i32 = 0; s < count; s++, x += row, to += 48) putThree(to, v128.load(x), v128.load(x, 16), v128.load(x, 32));
      }
    }
    for (let t: usize = 0; t < bytes; t += 48) {
      const x = far ? scratch + t * <usize>count : X + from + t, next = far ? 48 : row, left = bytes - t;
      const at = (from + t) * (8 / sizeof<T>()), g = grid == 0 ? 0 : grid + at;
      let h = couples, s = S + at;
      for (let j: i32 = 0; j < k; j += 2, h += couple, s += 2 * wide) {
        if (left > 32) sumTile<T>(x, next, h, count, s, s + wide, 3, g);
        else if (left > 16) sumTile<T>(x, next, h, count, s, s + wide, 2, g);
        else sumTile<T>(x, next, h, count, s, s + wide, 1, g);
      }
    }
  }
}

// S (k rows of 2 · `wide` bytes) += shares · C, for rows of 32-bit codes, `wide` bytes each; shares in couples as above, of which every `part`
// samples are summed in 32 bits. Above the diagonal, and some below it.
export function addGram32(C: usize, wide: usize, count: i32, part: i32, couples: usize, k: i32, S: usize): void {
  for (let at: i32 = 0; at < count; at += part) addGramPart(C + (<usize>at) * wide, wide, min<i32>(part, count - at), couples + (<usize>at) * 8, (<usize>count) * 8, k, S);
}

function addGramPart(C: usize, wide: usize, count: i32, couples: usize, couple: usize, k: i32, S: usize): void {
  const next = 4 * wide;
  for (let from: usize = 0; from < wide; from += 48) {
    const left = wide - from, end = min<i32>(k, <i32>(from >> 2) + 12);
    let h = couples, s = S + 2 * from;
    for (let j: i32 = 0; j < end; j += 2, h += couple, s += next) {
      if (left > 32) sumTile<f32>(C + from, wide, h, count, s, s + 2 * wide, 3, 0);
      else if (left > 16) sumTile<f32>(C + from, wide, h, count, s, s + 2 * wide, 2, 0);
      else sumTile<f32>(C + from, wide, h, count, s, s + 2 * wide, 1, 0);
    }
  }
}

export function addSharesDense32(X: usize, m: i32, count: i32, couples: usize, k: i32, S: usize, wide: usize, scratch: usize, grid: usize): void { shareRows<f32>(X, m, count, couples, k, S, wide, scratch, grid); }
export function shareRows64(X: usize, m: i32, count: i32, couples: usize, k: i32, S: usize, wide: usize, scratch: usize): void { shareRows<f64>(X, m, count, couples, k, S, wide, scratch, 0); }

// One sample's values times up to four vectors of two shares: in 64 bits, each product rounded to its feature's grid.
@inline function addTerms(from: usize, end: usize, indices: usize, values: usize, h: usize, wide: usize, S: usize, grid: usize, vectors: i32): void {
  const zero = f64x2.splat(0);
  const h0 = v128.load(h), h1 = vectors > 1 ? v128.load(h, 16) : zero, h2 = vectors > 2 ? v128.load(h, 32) : zero;
  const h3 = vectors > 3 ? v128.load(h, 48) : zero;
  for (let p = from; p < end; p++) {
    const f = <usize>load<u32>(indices + p * 4);
    const s = S + f * wide, c = v128.load_splat<f64>(grid + f * 8);
    const v = splat<f32, f64>(values + p * 4);
    addTerm(s, h0, v, c);
    if (vectors > 1) addTerm(s + 16, h1, v, c);
    if (vectors > 2) addTerm(s + 32, h2, v, c);
    if (vectors > 3) addTerm(s + 48, h3, v, c);
  }
}

@inline function addTerm(s: usize, h: v128, v: v128, c: v128): void {
  v128.store(s, f64x2.add(v128.load(s), f64x2.sub(f64x2.add(f64x2.mul(h, v), c), c)));
}

// S (m rows of k numbers) += x · shares (k numbers a sample).
export function addTermsSparse32(offsets: usize, indices: usize, values: usize, count: i32, shares: usize, k: i32, S: usize, grid: usize): void {
  const wide = (<usize>k) * 8;
  for (; count > 0; count--, offsets += 4, shares += wide) {
    const from = <usize>load<u32>(offsets), end = <usize>load<u32>(offsets, 4);
    let h = shares, s = S, left = k;
    for (; left >= 8; left -= 8, h += 64, s += 64) addTerms(from, end, indices, values, h, wide, s, grid, 4);
    if (left >= 6) { addTerms(from, end, indices, values, h, wide, s, grid, 3); left -= 6; h += 48; s += 48; }
    else if (left >= 4) { addTerms(from, end, indices, values, h, wide, s, grid, 2); left -= 4; h += 32; s += 32; }
    else if (left >= 2) { addTerms(from, end, indices, values, h, wide, s, grid, 1); left -= 2; h += 16; s += 16; }
    if (left == 0) continue;
    const share = load<f64>(h);
    for (let p = from; p < end; p++) {
      const f = <usize>load<u32>(indices + p * 4);
      const at = s + f * wide, c = load<f64>(grid + f * 8);
      store<f64>(at, load<f64>(at) + (share * <f64>load<f32>(values + p * 4) + c - c));
    }
  }
}

// Adds a feature's sums in 32 bits, where there are any, to those in 64 bits, and begins anew. `grid` as for a tile.
@inline function settleRow(t: usize, s: usize, vectors: i32, grid: usize): void {
  const c = grid == 0 ? f64x2.splat(0) : v128.load_splat<f64>(grid);
  for (; vectors > 0; vectors--, t += 16, s += 32) {
    const v = v128.load(t);
    if (!v128.any_true(v)) continue;
    if (grid == 0) addWide<f32>(s, v);
    else addRounded(s, v, c, c);
    v128.store(t, f32x4.splat(0));
  }
}

@inline function shareRun(offsets: usize, count: i32, indices: usize, values: usize, shares: usize, vectors: i32, T: usize): void {
  const wide = (<usize>vectors) * 16;
  for (; count > 0; count--, offsets += 4, shares += wide) {
    const from = <usize>load<u32>(offsets), end = <usize>load<u32>(offsets, 4);
    let h = shares, t = T, left = vectors;
    for (; left >= 5; left -= 5, h += 80, t += 80) shareValues<f32, f32>(from, end, indices, values, h, wide, t, 5);
    for (; left >= 3; left -= 3, h += 48, t += 48) shareValues<f32, f32>(from, end, indices, values, h, wide, t, 3);
    for (; left >= 1; left -= 1, h += 16, t += 16) shareValues<f32, f32>(from, end, indices, values, h, wide, t, 1);
  }
}

// S (m rows of `vectors` · 4 numbers) += x · shares (as many numbers a sample). T, as large in 32 bits, is zero before and
// after, and so is `slots`: 12m bytes. Features that few samples have are summed side by side, which the cache can hold.
export function addSharesSparse32(offsets: usize, indices: usize, values: usize, m: i32, count: i32, shares: usize, vectors: i32, T: usize, slots: usize, S: usize, grid: usize): void {
  const wide = (<usize>vectors) * 16, size = (<usize>m) * 4;
  const first = <usize>load<u32>(offsets), last = <usize>load<u32>(offsets + (<usize>count) * 4);
  if (last - first >= <usize>m) {
    shareRun(offsets, count, indices, values, shares, vectors, T);
    for (let f: usize = 0; f < <usize>m; f++) settleRow(T + f * wide, S + 2 * f * wide, vectors, grid == 0 ? 0 : grid + f * 8);
    return;
  }
  const features = slots + size, places = features + size - first * 4;
  let taken: u32 = 0;
  for (let p = first * 4; p < last * 4; p += 4) {
    const f = load<u32>(indices + p);
    let slot = load<u32>(slots + (<usize>f) * 4);
    if (slot == 0) {
      store<u32>(features + (<usize>taken) * 4, f);
      slot = ++taken;
      store<u32>(slots + (<usize>f) * 4, slot);
    }
    store<u32>(places + p, slot - 1);
  }
  shareRun(offsets, count, places, values, shares, vectors, T);
  for (let s: usize = 0; s < <usize>taken; s++) {
    const f = <usize>load<u32>(features + s * 4);
    settleRow(T + s * wide, S + 2 * f * wide, vectors, grid == 0 ? 0 : grid + f * 8);
    store<u32>(slots + f * 4, 0);
  }
}
