// Products in 64 bits, whatever the precision of the samples: every sum runs in feature order, or sample order, as in
// kernel/rows.ts. Prototypes are packed in panels of six columns, feature after feature: lanes are columns.

import { SCRATCH, tileOne, tilePair, tileSparse } from "./tile";

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

// S (m × k) += x · shares (count × k), sample after sample.
@inline export function shareDense<T>(X: usize, m: i32, count: i32, shares: usize, k: i32, S: usize): void {
  const row = (<usize>m) * sizeof<T>(), wide = (<usize>k) * 8;
  for (; count >= 4; count -= 4) {
    let x = X, s = S;
    for (const end = X + row; x < end; x += sizeof<T>(), s += wide) {
      const a = load<T>(x), b = load<T>(x + row), c = load<T>(x + 2 * row), d = load<T>(x + 3 * row);
      if (a == 0 && b == 0 && c == 0 && d == 0) continue;
      const as = f64x2.splat(<f64>a), bs = f64x2.splat(<f64>b), cs = f64x2.splat(<f64>c), ds = f64x2.splat(<f64>d);
      let h = shares;
      let r: i32 = 0;
      for (; r + 2 <= k; r += 2, h += 16) {
        const to = s + (<usize>r) * 8;
        let sum = addTo(v128.load(to), v128.load(h), as);
        sum = addTo(sum, v128.load(h + wide), bs);
        sum = addTo(sum, v128.load(h + 2 * wide), cs);
        v128.store(to, addTo(sum, v128.load(h + 3 * wide), ds));
      }
      if (r < k) {
        const to = s + (<usize>r) * 8;
        let sum = load<f64>(to) + load<f64>(h) * <f64>a;
        sum += load<f64>(h + wide) * <f64>b;
        sum += load<f64>(h + 2 * wide) * <f64>c;
        store<f64>(to, sum + load<f64>(h + 3 * wide) * <f64>d);
      }
    }
    X += 4 * row;
    shares += 4 * wide;
  }
  for (; count > 0; count--) {
    let s = S;
    for (const end = X + row; X < end; X += sizeof<T>(), s += wide) shareOne(<f64>load<T>(X), shares, k, s);
    shares += wide;
  }
}

@inline function shareOne(x: f64, shares: usize, k: i32, S: usize): void {
  const xs = f64x2.splat(x);
  for (; k >= 6; k -= 6, S += 48, shares += 48) {
    const a = addTo(v128.load(S), v128.load(shares), xs);
    const b = addTo(v128.load(S, 16), v128.load(shares, 16), xs);
    const c = addTo(v128.load(S, 32), v128.load(shares, 32), xs);
    v128.store(S, a);
    v128.store(S, b, 16);
    v128.store(S, c, 32);
  }
  for (; k >= 2; k -= 2, S += 16, shares += 16) v128.store(S, addTo(v128.load(S), v128.load(shares), xs));
  if (k > 0) store<f64>(S, load<f64>(S) + load<f64>(shares) * x);
}

@inline export function shareSparse<T>(offsets: usize, indices: usize, values: usize, count: i32, shares: usize, k: i32, S: usize): void {
  const wide = (<usize>k) * 8;
  for (; count > 0; count--, offsets += 4, shares += wide) {
    const end = <usize>load<u32>(offsets, 4);
    for (let p = <usize>load<u32>(offsets); p < end; p++) {
      shareOne(<f64>load<T>(values + p * sizeof<T>()), shares, k, S + (<usize>load<u32>(indices + p * 4)) * wide);
    }
  }
}

// HHt (k × k) += shares · Hᵀ, both count × k, sample after sample.
export function shareCodes(H: usize, shares: usize, count: i32, k: i32, HHt: usize): void {
  const wide = (<usize>k) * 8;
  for (; count > 0; count--, H += wide, shares += wide) {
    for (let r: usize = 0; r < <usize>k; r++) shareOne(load<f64>(shares + r * 8), H, k, HHt + r * wide);
  }
}

// The multiplicative rules of kernel/rules.ts for columns H (count × k), products WtX (count × k) and a gram by
// columns: h ∘ (WtX + αh) ⊘ gram·h, or h ∘ √(WtX ⊘ gram·h).
export function multiplyCodes(H: usize, WtX: usize, count: i32, k: i32, gram: usize, alpha: f64, root: bool): void {
  const wide = (<usize>k) * 8;
  for (; count > 0; count--, H += wide, WtX += wide) {
    let r: usize = 0;
    for (; r + 16 <= wide; r += 16) {
      let below = f64x2.splat(0);
      let g = gram + r;
      for (let s: usize = 0; s < wide; s += 8, g += wide) below = addTo(below, v128.load(g), v128.load64_splat(H + s));
      const h = v128.load(H + r), w = v128.load(WtX + r);
      const v = root
        ? f64x2.mul(h, f64x2.sqrt(f64x2.div(w, below)))
        : f64x2.div(f64x2.mul(h, f64x2.add(w, f64x2.mul(f64x2.splat(alpha), h))), below);
      v128.store(SCRATCH + r, v128.and(v, f64x2.eq(f64x2.sub(v, v), f64x2.splat(0))));
    }
    if (r < wide) {
      let below: f64 = 0;
      for (let s: usize = 0, g = gram + r; s < wide; s += 8, g += wide) below += load<f64>(g) * load<f64>(H + s);
      const h = load<f64>(H + r), w = load<f64>(WtX + r);
      const v = root ? h * Math.sqrt(w / below) : (h * (w + alpha * h)) / below;
      store<f64>(SCRATCH + r, v - v == 0 ? v : 0);
    }
    memory.copy(H, SCRATCH, wide);
  }
}

// The linear rule: H (count × k) becomes gram·WtX, gram by columns, but nothing below `floor`.
export function linearCodes(H: usize, WtX: usize, count: i32, k: i32, gram: usize, floor: f64): void {
  const wide = (<usize>k) * 8;
  const least = f64x2.splat(floor);
  for (; count > 0; count--, H += wide, WtX += wide) {
    let r: usize = 0;
    for (; r + 16 <= wide; r += 16) {
      let sum = f64x2.splat(0);
      for (let s: usize = 0, g = gram + r; s < wide; s += 8, g += wide) sum = addTo(sum, v128.load(g), v128.load64_splat(WtX + s));
      v128.store(H + r, f64x2.max(least, sum));
    }
    if (r < wide) {
      let sum: f64 = 0;
      for (let s: usize = 0, g = gram + r; s < wide; s += 8, g += wide) sum += load<f64>(g) * load<f64>(WtX + s);
      store<f64>(H + r, Math.max(floor, sum));
    }
  }
}
