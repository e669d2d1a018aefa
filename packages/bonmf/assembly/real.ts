// Products in 64 bits, whatever the precision of the samples: every sum runs in feature order, or sample order, as in
// kernel/rows.ts. Prototypes are packed in panels of six columns, feature after feature: lanes are columns.

import { tileOne, tilePair, tileSparse } from "./tile";

// Two values that lie side by side.
@inline function pair<T>(x: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(x)) : v128.load(x);
}

@inline function addTo(sum: v128, a: v128, b: v128): v128 { return f64x2.add(sum, f64x2.mul(a, b)); }

// Dot products of `count` dense samples, from X on, with one panel's columns. A sample's results begin `stride` bytes
// after those of the sample before, which may reach into them.
@inline export function dotDense<T>(X: usize, m: i32, count: i32, panel: usize, out: usize, stride: usize): void {
  const row = (<usize>m) * sizeof<T>();
  const zero = f64x2.splat(0);
  for (; count >= 2; count -= 2) {
    tilePair<T, f64>(X, X + row, row, panel, zero, zero, zero, out, out + stride);
    X += 2 * row;
    out += 2 * stride;
  }
  if (count > 0) tileOne<T, f64>(X, row, panel, zero, zero, zero, out);
}

@inline export function dotSparse<T>(offsets: usize, indices: usize, values: usize, count: i32, panel: usize, out: usize, stride: usize): void {
  const zero = f64x2.splat(0);
  for (let s: i32 = 0; s < count; s++) {
    tileSparse<T, f64>(load<u32>(offsets), load<u32>(offsets, 4), indices, values, panel, zero, zero, zero, out);
    offsets += 4;
    out += stride;
  }
}

// Dot products of samples with one prototype each, the one their label names. Four at a time hide each other's waits.
@inline export function ownDense<T>(X: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void {
  const size = sizeof<T>();
  const row = (<usize>m) * size, wide = (<usize>m) * 8;
  let s: i32 = 0;
  for (; s + 4 <= count; s += 4) {
    let x0 = X, x1 = X + row, x2 = X + 2 * row, x3 = X + 3 * row;
    let w0 = W + wide * load<u32>(labels), w1 = W + wide * load<u32>(labels, 4);
    let w2 = W + wide * load<u32>(labels, 8), w3 = W + wide * load<u32>(labels, 12);
    let a: f64 = 0, b: f64 = 0, c: f64 = 0, d: f64 = 0;
    const end = X + row;
    while (x0 < end) {
      a += <f64>load<T>(x0) * load<f64>(w0);
      b += <f64>load<T>(x1) * load<f64>(w1);
      c += <f64>load<T>(x2) * load<f64>(w2);
      d += <f64>load<T>(x3) * load<f64>(w3);
      x0 += size; x1 += size; x2 += size; x3 += size;
      w0 += 8; w1 += 8; w2 += 8; w3 += 8;
    }
    store<f64>(out, a); store<f64>(out, b, 8); store<f64>(out, c, 16); store<f64>(out, d, 24);
    X += 4 * row; labels += 16; out += 32;
  }
  for (; s < count; s++) {
    let w = W + wide * load<u32>(labels);
    let a: f64 = 0;
    const end = X + row;
    for (; X < end; X += size, w += 8) a += <f64>load<T>(X) * load<f64>(w);
    store<f64>(out, a);
    labels += 4; out += 8;
  }
}

@inline export function ownSparse<T>(offsets: usize, indices: usize, values: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void {
  for (let s: i32 = 0; s < count; s++) {
    const w = W + (<usize>m) * 8 * load<u32>(labels);
    const end = <usize>load<u32>(offsets, 4);
    let sum: f64 = 0;
    for (let p = <usize>load<u32>(offsets); p < end; p++) {
      sum += <f64>load<T>(values + p * sizeof<T>()) * load<f64>(w + (<usize>load<u32>(indices + p * 4)) * 8);
    }
    store<f64>(out, sum);
    offsets += 4; labels += 4; out += 8;
  }
}

// S (k × m) += shares · x: the samples' shares (count × k) that are not 0, sample after sample. `list` holds 16 bytes a
// sample: (share, address).
@inline export function shareDense<T>(X: usize, m: i32, count: i32, shares: usize, k: i32, S: usize, list: usize): void {
  const row = (<usize>m) * sizeof<T>();
  for (let r: i32 = 0; r < k; r++) {
    let end = list;
    for (let s: usize = 0; s < <usize>count; s++) {
      const share = load<f64>(shares + (s * (<usize>k) + <usize>r) * 8);
      if (share == 0) continue;
      store<f64>(end, share);
      store<usize>(end, X + s * row, 8);
      end += 16;
    }
    let at = list;
    for (; at + 64 <= end; at += 64) shareFour<T>(at, m, S);
    for (; at < end; at += 16) shareOne<T>(load<usize>(at, 8), m, load<f64>(at), S);
    S += (<usize>m) * 8;
  }
}

@inline function shareFour<T>(list: usize, m: i32, S: usize): void {
  const size = sizeof<T>();
  const a = load<f64>(list), b = load<f64>(list, 16), c = load<f64>(list, 32), d = load<f64>(list, 48);
  let x = load<usize>(list, 8), y = load<usize>(list, 24), z = load<usize>(list, 40), u = load<usize>(list, 56);
  const as = f64x2.splat(a), bs = f64x2.splat(b), cs = f64x2.splat(c), ds = f64x2.splat(d);
  const end = S + ((<usize>m) & ~1) * 8;
  while (S < end) {
    let sum = addTo(v128.load(S), as, pair<T>(x));
    sum = addTo(sum, bs, pair<T>(y));
    sum = addTo(sum, cs, pair<T>(z));
    v128.store(S, addTo(sum, ds, pair<T>(u)));
    x += 2 * size; y += 2 * size; z += 2 * size; u += 2 * size; S += 16;
  }
  if (m & 1) {
    let sum = load<f64>(S) + a * <f64>load<T>(x);
    sum += b * <f64>load<T>(y);
    sum += c * <f64>load<T>(z);
    store<f64>(S, sum + d * <f64>load<T>(u));
  }
}

@inline function shareOne<T>(x: usize, m: i32, share: f64, S: usize): void {
  const shares = f64x2.splat(share);
  const end = S + ((<usize>m) & ~1) * 8;
  for (; S < end; S += 16, x += 2 * sizeof<T>()) v128.store(S, addTo(v128.load(S), shares, pair<T>(x)));
  if (m & 1) store<f64>(S, load<f64>(S) + share * <f64>load<T>(x));
}

@inline export function shareSparse<T>(offsets: usize, indices: usize, values: usize, m: i32, count: i32, shares: usize, k: i32, S: usize): void {
  for (let s: i32 = 0; s < count; s++) {
    const from = <usize>load<u32>(offsets), end = <usize>load<u32>(offsets, 4);
    for (let r: i32 = 0; r < k; r++) {
      const share = load<f64>(shares + (<usize>r) * 8);
      if (share == 0) continue;
      const row = S + (<usize>r) * (<usize>m) * 8;
      for (let p = from; p < end; p++) {
        const at = row + (<usize>load<u32>(indices + p * 4)) * 8;
        store<f64>(at, load<f64>(at) + share * <f64>load<T>(values + p * sizeof<T>()));
      }
    }
    offsets += 4;
    shares += (<usize>k) * 8;
  }
}
