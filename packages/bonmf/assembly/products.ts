// Products in 64 bits, whatever the precision of the samples: every sum runs in feature order, or sample order, as in
// kernel/plain/rows.ts. Prototypes are packed in panels of six columns, feature after feature: lanes are columns.

import { addTo, splat, tileOne, tilePair, tileSparse } from "./panel";

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

// Dot products of samples with one prototype each, the one their label names. Four at a time, so that latencies overlap.
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

// One or two features of `count` samples, from x on, against up to three vectors of their shares: what is added to rows
// s and s + wide of the sums stays in registers.
@inline function shareTile<T>(x: usize, row: usize, count: i32, h: usize, wide: usize, s: usize, vectors: i32, pair: bool): void {
  const size = sizeof<T>();
  const zero = f64x2.splat(0);
  let a0 = v128.load(s), a1 = vectors > 1 ? v128.load(s, 16) : zero, a2 = vectors > 2 ? v128.load(s, 32) : zero;
  let b0 = zero, b1 = zero, b2 = zero;
  if (pair) {
    b0 = v128.load(s + wide);
    if (vectors > 1) b1 = v128.load(s + wide, 16);
    if (vectors > 2) b2 = v128.load(s + wide, 32);
  }
  for (; count > 0; count--, x += row, h += wide) {
    const h0 = v128.load(h), h1 = vectors > 1 ? v128.load(h, 16) : zero, h2 = vectors > 2 ? v128.load(h, 32) : zero;
    const v = splat<T, f64>(x);
    a0 = addTo<f64>(a0, h0, v);
    if (vectors > 1) a1 = addTo<f64>(a1, h1, v);
    if (vectors > 2) a2 = addTo<f64>(a2, h2, v);
    if (pair) {
      const u = splat<T, f64>(x + size);
      b0 = addTo<f64>(b0, h0, u);
      if (vectors > 1) b1 = addTo<f64>(b1, h1, u);
      if (vectors > 2) b2 = addTo<f64>(b2, h2, u);
    }
  }
  v128.store(s, a0);
  if (vectors > 1) v128.store(s, a1, 16);
  if (vectors > 2) v128.store(s, a2, 32);
  if (pair) {
    v128.store(s + wide, b0);
    if (vectors > 1) v128.store(s + wide, b1, 16);
    if (vectors > 2) v128.store(s + wide, b2, 32);
  }
}

// The last column of an odd number.
@inline function shareLast<T>(x: usize, row: usize, count: i32, h: usize, wide: usize, s: usize): void {
  let sum = load<f64>(s);
  for (; count > 0; count--, x += row, h += wide) sum += load<f64>(h) * <f64>load<T>(x);
  store<f64>(s, sum);
}

@inline function shareFeatures<T>(x: usize, row: usize, count: i32, h: usize, k: i32, s: usize, pair: bool): void {
  const wide = (<usize>k) * 8;
  for (; k >= 6; k -= 6, h += 48, s += 48) shareTile<T>(x, row, count, h, wide, s, 3, pair);
  if (k >= 4) {
    shareTile<T>(x, row, count, h, wide, s, 2, pair);
    k -= 4; h += 32; s += 32;
  } else if (k >= 2) {
    shareTile<T>(x, row, count, h, wide, s, 1, pair);
    k -= 2; h += 16; s += 16;
  }
  if (k == 0) return;
  shareLast<T>(x, row, count, h, wide, s);
  if (pair) shareLast<T>(x + sizeof<T>(), row, count, h, wide, s + wide);
}

// S (m × k) += x · shares (count × k): every sum in the order of the samples.
@inline export function shareDense<T>(X: usize, m: i32, count: i32, shares: usize, k: i32, S: usize): void {
  const row = (<usize>m) * sizeof<T>(), wide = (<usize>k) * 8;
  let x = X;
  for (; m >= 2; m -= 2, x += 2 * sizeof<T>(), S += 2 * wide) shareFeatures<T>(x, row, count, shares, k, S, true);
  if (m > 0) shareFeatures<T>(x, row, count, shares, k, S, false);
}

// One sample's values against up to five vectors of its shares, which stay in registers.
@inline export function shareValues<T, A>(from: usize, end: usize, indices: usize, values: usize, h: usize, wide: usize, S: usize, vectors: i32): void {
  const zero = v128.splat<A>(0);
  const h0 = v128.load(h), h1 = vectors > 1 ? v128.load(h, 16) : zero, h2 = vectors > 2 ? v128.load(h, 32) : zero;
  const h3 = vectors > 3 ? v128.load(h, 48) : zero, h4 = vectors > 4 ? v128.load(h, 64) : zero;
  for (let p = from; p < end; p++) {
    const s = S + (<usize>load<u32>(indices + p * 4)) * wide;
    const v = splat<T, A>(values + p * sizeof<T>());
    v128.store(s, addTo<A>(v128.load(s), h0, v));
    if (vectors > 1) v128.store(s, addTo<A>(v128.load(s, 16), h1, v), 16);
    if (vectors > 2) v128.store(s, addTo<A>(v128.load(s, 32), h2, v), 32);
    if (vectors > 3) v128.store(s, addTo<A>(v128.load(s, 48), h3, v), 48);
    if (vectors > 4) v128.store(s, addTo<A>(v128.load(s, 64), h4, v), 64);
  }
}

@inline export function shareSparse<T>(offsets: usize, indices: usize, values: usize, count: i32, shares: usize, k: i32, S: usize): void {
  const wide = (<usize>k) * 8;
  for (; count > 0; count--, offsets += 4, shares += wide) {
    const from = <usize>load<u32>(offsets), end = <usize>load<u32>(offsets, 4);
    let h = shares, s = S, left = k;
    for (; left >= 10; left -= 10, h += 80, s += 80) shareValues<T, f64>(from, end, indices, values, h, wide, s, 5);
    for (; left >= 6; left -= 6, h += 48, s += 48) shareValues<T, f64>(from, end, indices, values, h, wide, s, 3);
    for (; left >= 2; left -= 2, h += 16, s += 16) shareValues<T, f64>(from, end, indices, values, h, wide, s, 1);
    if (left == 0) continue;
    const share = load<f64>(h);
    for (let p = from; p < end; p++) {
      const at = s + (<usize>load<u32>(indices + p * 4)) * wide;
      store<f64>(at, load<f64>(at) + share * <f64>load<T>(values + p * sizeof<T>()));
    }
  }
}

// The multiplicative rules of kernel/plain/rules.ts for columns H, products WtX and gram·H, `count` numbers each:
// h ∘ (WtX + αh) ⊘ gram·h, or h ∘ √(WtX ⊘ gram·h).
export function multiplyCodes(H: usize, WtX: usize, below: usize, count: i32, alpha: f64, root: bool): void {
  for (; count >= 2; count -= 2, H += 16, WtX += 16, below += 16) {
    const h = v128.load(H), w = v128.load(WtX), b = v128.load(below);
    const v = root
      ? f64x2.mul(h, f64x2.sqrt(f64x2.div(w, b)))
      : f64x2.div(f64x2.mul(h, f64x2.add(w, f64x2.mul(f64x2.splat(alpha), h))), b);
    v128.store(H, v128.and(v, f64x2.eq(f64x2.sub(v, v), f64x2.splat(0))));
  }
  if (count > 0) {
    const h = load<f64>(H), w = load<f64>(WtX), b = load<f64>(below);
    const v = root ? h * Math.sqrt(w / b) : (h * (w + alpha * h)) / b;
    store<f64>(H, v - v == 0 ? v : 0);
  }
}

// `count` numbers, raised to at least `floor`.
export function raise(from: usize, count: i32, floor: f64, to: usize): void {
  const least = f64x2.splat(floor);
  for (; count >= 2; count -= 2, from += 16, to += 16) v128.store(to, f64x2.max(least, v128.load(from)));
  if (count > 0) store<f64>(to, Math.max(floor, load<f64>(from)));
}
