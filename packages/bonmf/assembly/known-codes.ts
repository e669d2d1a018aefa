// Codes of samples with gaps, to the bits of kernel/plain/known-codes.ts. Samples list what is missing of them, or what they know
// (`known`): offsets and features. W is m × k here, a row a feature; G = WᵀW of all features. What a sample lists is taken from what
// all features give, or added up. Rows of W and G are read a little beyond their ends.

import { cycleEach, LINE, putBoth, transpose } from "./cyclic";
import { solveAll } from "./nnls";

const LEAST: f64 = 1e-12;

// ⟨w, h⟩, even and odd entries apart.
@inline function dotPairs(w: usize, h: usize, wide: usize): f64 {
  let sums = f64x2.splat(0);
  const end = w + wide;
  for (; w + 16 <= end; w += 16, h += 16) sums = f64x2.add(sums, f64x2.mul(v128.load(w), v128.load(h)));
  let even = f64x2.extract_lane(sums, 0);
  if (w < end) even += load<f64>(w) * load<f64>(h);
  return even + f64x2.extract_lane(sums, 1);
}

// to += share · from, numbers of `bytes` in all.
@inline function addScaled(to: usize, from: usize, share: f64, bytes: usize): void {
  const shares = f64x2.splat(share), end = from + bytes;
  for (; from + 16 <= end; from += 16, to += 16) v128.store(to, f64x2.add(v128.load(to), f64x2.mul(shares, v128.load(from))));
  if (from < end) store<f64>(to, load<f64>(to) + share * load<f64>(from));
}

// `below` (count × k), G·h of each sample, becomes that of its known features.
export function correctProducts(offsets: usize, features: usize, known: i32, W: usize, k: i32, count: i32, H: usize, below: usize): void {
  const wide = (<usize>k) * 8;
  if (known) memory.fill(below, 0, wide * <usize>count);
  for (; count > 0; count--, offsets += 4, H += wide, below += wide) {
    const end = features + 4 * <usize>load<u32>(offsets, 4);
    for (let at = features + 4 * <usize>load<u32>(offsets); at < end; at += 4) {
      const w = W + wide * <usize>load<u32>(at), seen = dotPairs(w, H, wide);
      addScaled(below, w, known ? seen : -seen, wide);
    }
  }
}

// S (m × k(k + 1)/2) += the lower triangle of shares · hᵀ, at every feature that a sample lists. `scratch`: 4k(k + 1) + 8 bytes.
export function addListed(offsets: usize, features: usize, k: i32, count: i32, H: usize, shares: usize, S: usize, scratch: usize): void {
  const wide = (<usize>k) * 8, bytes = <usize>(4 * k * (k + 1));
  for (; count > 0; count--, offsets += 4, H += wide, shares += wide) {
    let at = features + 4 * <usize>load<u32>(offsets);
    const end = features + 4 * <usize>load<u32>(offsets, 4);
    if (at == end) continue;
    // What a row writes beyond its end, the next one writes over.
    for (let r: usize = 0, to = scratch; r < wide; r += 8, to += r) {
      const share = v128.load64_splat(shares + r);
      for (let s: usize = 0; s <= r; s += 16) v128.store(to + s, f64x2.mul(share, v128.load(H + s)));
    }
    for (; at < end; at += 4) {
      const sums = S + bytes * <usize>load<u32>(at);
      let t: usize = 0;
      for (; t + 16 <= bytes; t += 16) v128.store(sums + t, f64x2.add(v128.load(sums + t), v128.load(scratch + t)));
      if (t < bytes) store<f64>(sums + t, load<f64>(sums + t) + load<f64>(scratch + t));
    }
  }
}

// Bytes of a row of G, or of a sample's own: a multiple of four numbers. There is a row more than k.
@inline function rowOf(k: i32): usize { return (<usize>(k + 3) >> 2) * 32; }

// The lower triangle of WᵀW of the features that a sample has, as rows of G; two rows by four columns at a time, which may reach beyond the diagonal.
@inline function putGram(at: usize, end: usize, known: i32, W: usize, k: i32, G: usize, own: usize): void {
  const wide = (<usize>k) * 8, row = rowOf(k), sign = f64x2.splat(known ? 1 : -1);
  for (let r: usize = 0, to: usize = 0; r < wide; r += 16, to += 2 * row) {
    for (let s: usize = 0; s <= r + 8; s += 32) {
      const g = G + to + s;
      let a = f64x2.splat(0), b = a, c = a, d = a;
      if (!known) {
        a = v128.load(g); b = v128.load(g, 16);
        c = v128.load(g + row); d = v128.load(g + row, 16);
      }
      for (let p = at; p < end; p += 4) {
        const w = W + wide * <usize>load<u32>(p);
        const x = f64x2.mul(sign, v128.load64_splat(w + r)), y = f64x2.mul(sign, v128.load64_splat(w + r, 8));
        const u = v128.load(w + s), v = v128.load(w + s, 16);
        a = f64x2.add(a, f64x2.mul(x, u)); b = f64x2.add(b, f64x2.mul(x, v));
        c = f64x2.add(c, f64x2.mul(y, u)); d = f64x2.add(d, f64x2.mul(y, v));
      }
      const o = own + to + s;
      v128.store(o, a); v128.store(o, b, 16);
      v128.store(o + row, c); v128.store(o + row, d, 16);
    }
  }
  for (let r: usize = 0; r < <usize>k; r++) {
    const p = r * (row + 8);
    if (!(load<f64>(own + p) > LEAST * load<f64>(G + p))) store<f64>(own + p, 0);
  }
}

// H (count × k) by non-negative least squares from b = WtX (count × k). G and `own`: k + 1 rows; `square`: k² + 8 numbers; `scratch` as for `solveAll`.
export function solveKnown(offsets: usize, features: usize, known: i32, W: usize, G: usize, k: i32, count: i32, b: usize, H: usize, own: usize, square: usize, scratch: usize): void {
  const wide = (<usize>k) * 8, row = rowOf(k);
  for (; count > 0; count--, offsets += 4, b += wide, H += wide) {
    putGram(features + 4 * <usize>load<u32>(offsets), features + 4 * <usize>load<u32>(offsets, 4), known, W, k, G, own);
    for (let r: usize = 0; r < <usize>k; r++) {
      for (let s: usize = 0; s <= r; s++) {
        const value = load<f64>(own + r * row + s * 8);
        store<f64>(square + r * wide + s * 8, value);
        store<f64>(square + s * wide + r * 8, value);
      }
    }
    solveAll(square, k, 1, b, H, scratch);
  }
}

// Puts the places 0 … count − 1 of samples in the order of how many features they list, those that list none first. `counts`: scratch for as
// many numbers as one may list, and two more. Returns how many list none.
export function orderByListed(offsets: usize, count: i32, most: i32, counts: usize, ids: usize): i32 {
  memory.fill(counts, 0, 4 * <usize>(most + 2));
  for (let at = offsets; at < offsets + 4 * <usize>count; at += 4) {
    const listed = counts + 4 * <usize>(load<u32>(at, 4) - load<u32>(at));
    store<u32>(listed, load<u32>(listed, 4) + 1, 4);
  }
  for (let listed = counts; listed < counts + 4 * <usize>most; listed += 4) store<u32>(listed, load<u32>(listed, 4) + load<u32>(listed), 4);
  const none = <i32>(most > 0 ? load<u32>(counts, 4) : count);
  for (let s: i32 = 0; s < count; s++) {
    const at = offsets + 4 * <usize>s, place = counts + 4 * <usize>(load<u32>(at, 4) - load<u32>(at));
    store<u32>(ids + 4 * <usize>load<u32>(place), s);
    store<u32>(place, load<u32>(place) + 1);
  }
  return none;
}

// G of lane `lane`, from its lower triangle.
@inline function putLane<T>(own: usize, k: usize, lane: usize, lines: usize): void {
  const row = rowOf(<i32>k);
  for (let r: usize = 0; r < k; r++, own += row) {
    for (let s: usize = 0; s <= r; s++) {
      const value = <T>load<f64>(own + s * 8);
      putBoth<T>(lines, k, r, s, lane, value);
    }
  }
}

// As cycleCodes, each by its sample's own G: entry after entry of `count` columns of H its non-negative optimum, or with `bits` 0 or 1. `ids`: their
// places. In 32 bits W and G are in units, too. G and `own`: k + 1 rows; `scratch`: 64(k² + 4k + 3) bytes.
@inline export function cycleKnown<T>(offsets: usize, features: usize, known: bool, ids: usize, W: usize, G: usize, width: i32, count: i32, WtX: usize, H: usize, bits: bool, sweeps: i32, settled: f64, beyond: f64, units: usize, own: usize, scratch: usize): void {
  const k = <usize>width, wide = k * 8, lanes = LINE / sizeof<T>(), each = scratch + (4 * k + 3) * LINE;
  // Lanes without a sample hold what an earlier one left, which may be anything.
  memory.fill(scratch, 0, (k * k + 4 * k + 3) * LINE);
  for (let left = <usize>count; left > 0; ids += 4 * lanes) {
    const samples = min<usize>(left, lanes);
    for (let lane: usize = 0; lane < samples; lane++) {
      const at = offsets + 4 * <usize>load<u32>(ids + lane * 4);
      putGram(features + 4 * <usize>load<u32>(at), features + 4 * <usize>load<u32>(at, 4), known, W, width, G, own);
      putLane<T>(own, k, lane, each);
    }
    transpose<T>(H, ids, k, samples, scratch, units, false);
    transpose<T>(WtX, ids, k, samples, scratch + k * LINE, units + wide, false);
    cycleEach<T>(scratch, each, k, sweeps, settled, beyond, false, bits);
    transpose<T>(H, ids, k, samples, scratch, units + 2 * wide, true);
    left -= samples;
  }
}
