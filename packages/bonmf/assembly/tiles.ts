// Small samples against few prototypes: to score all is less work than to keep bounds. Samples lie eight to a tile, feature
// after feature, so that lanes are samples and a prototype's value is one for all.

import { Plan } from "./plan";
import { move, relabel } from "./sums";
import { SCRATCH } from "./tile";

const EIGHT: usize = 32;

// Tiles of n dense samples; what the last one has too many stays as it is.
export function fillTiles(X: usize, m: i32, n: i32, tiles: usize): void {
  const row = (<usize>m) * 4;
  for (let i: usize = 0; i < <usize>n; i++) {
    const x = X + i * row;
    const to = tiles + (i >> 3) * (<usize>m) * EIGHT + (i & 7) * 4;
    for (let f: usize = 0; f < <usize>m; f++) store<f32>(to + f * EIGHT, load<f32>(x + f * 4));
  }
}

@inline function add(sum: v128, x: v128, w: v128): v128 { return f32x4.add(sum, f32x4.mul(x, w)); }

// The scores of a tile against one prototype, two or three that follow each other: two vectors each.
@inline function scoreOne(x: usize, m: usize, w: usize, bias: usize, out: usize): void {
  let a = v128.load32_splat(bias), b = a;
  for (const end = w + m * 4; w < end; w += 4, x += EIGHT) {
    const v = v128.load32_splat(w);
    a = add(a, v128.load(x), v); b = add(b, v128.load(x, 16), v);
  }
  v128.store(out, a); v128.store(out, b, 16);
}
@inline function scoreTwo(x: usize, m: usize, w: usize, bias: usize, out: usize): void {
  const row = m * 4;
  let a = v128.load32_splat(bias), b = a, c = v128.load32_splat(bias, 4), d = c;
  for (const end = w + row; w < end; w += 4, x += EIGHT) {
    const low = v128.load(x), high = v128.load(x, 16);
    let v = v128.load32_splat(w);
    a = add(a, low, v); b = add(b, high, v);
    v = v128.load32_splat(w + row);
    c = add(c, low, v); d = add(d, high, v);
  }
  v128.store(out, a); v128.store(out, b, 16); v128.store(out, c, 32); v128.store(out, d, 48);
}
@inline function scoreThree(x: usize, m: usize, w: usize, bias: usize, out: usize): void {
  const row = m * 4;
  let a = v128.load32_splat(bias), b = a, c = v128.load32_splat(bias, 4), d = c, e = v128.load32_splat(bias, 8), f = e;
  for (const end = w + row; w < end; w += 4, x += EIGHT) {
    const low = v128.load(x), high = v128.load(x, 16);
    let v = v128.load32_splat(w);
    a = add(a, low, v); b = add(b, high, v);
    v = v128.load32_splat(w + row);
    c = add(c, low, v); d = add(d, high, v);
    v = v128.load32_splat(w + 2 * row);
    e = add(e, low, v); f = add(f, high, v);
  }
  v128.store(out, a); v128.store(out, b, 16); v128.store(out, c, 32);
  v128.store(out, d, 48); v128.store(out, e, 64); v128.store(out, f, 80);
}

// Sweeps samples from … to − 1; `from` begins a tile. Of equal scores the lowest label wins.
export function sweepTiles(p: Plan, from: i32, to: i32): void {
  const m = <usize>p.m, k = p.k, row = m * 4, out = SCRATCH, first = p.changed;
  let x = p.tiles + (<usize>from) * row;
  for (let i = from; i < to; i += 8, x += m * EIGHT) {
    let highA = f32x4.splat(-Infinity), highB = highA;
    let labelA = i32x4.splat(0), labelB = labelA;
    let w = p.rows, bias = p.biases;
    for (let j = 0; j < k; ) {
      const left = k - j;
      const taken = left == 1 ? 1 : left == 2 || left == 4 ? 2 : 3;
      if (taken == 3) scoreThree(x, m, w, bias, out);
      else if (taken == 2) scoreTwo(x, m, w, bias, out);
      else scoreOne(x, m, w, bias, out);
      w += row * taken; bias += 4 * taken;
      const end = j + taken;
      for (let at = out; j < end; j++, at += EIGHT) {
        const a = v128.load(at), b = v128.load(at, 16), label = i32x4.splat(j);
        const overA = f32x4.gt(a, highA), overB = f32x4.gt(b, highB);
        highA = v128.bitselect(a, highA, overA); labelA = v128.bitselect(label, labelA, overA);
        highB = v128.bitselect(b, highB, overB); labelB = v128.bitselect(label, labelB, overB);
      }
    }
    const labels = p.labels + (<usize>i) * 4;
    let news = i32x4.bitmask(i32x4.ne(labelA, v128.load(labels))) | (i32x4.bitmask(i32x4.ne(labelB, v128.load(labels, 16))) << 4);
    if (i + 8 > to) news &= (1 << (to - i)) - 1;
    if (news == 0) continue;
    v128.store(out, labelA); v128.store(out, labelB, 16);
    for (; news != 0; news &= news - 1) relabel(p, i + ctz(news), load<u32>(out + (<usize>ctz(news)) * 4));
  }
  move<f32>(p, first);
}
