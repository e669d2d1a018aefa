// The rule `divide` of kernel/plain/divide.ts, sample by sample: x ⊘ Wh where x is not 0, Wᵀ(x ⊘ Wh), the new code, and what the
// W step and the divergence need of it. Of W and of the sums, a feature is a row of `wide` bytes: k numbers, and 0 after an odd k.

import { lnTwo } from "./ln";
import { addTo, splat } from "./panel";
import { shareValues } from "./products";
import { DivideState } from "./structs";

// Less of a prototype is known to a sample than rounding leaves.
const LEAST_KNOWN: f64 = 1e-12;
// Going on in the direction of two steps, an entry keeps at least this share, and no step is longer than so many times theirs.
const LEAST_KEPT: f64 = 0.01;
const LONGEST: f64 = 1024;
// (Wh)_f counts as at least this share of x_f, and as this where x_f is a 0 that is stored.
const LEAST_SHARE: f64 = 8.881784197001252e-16;
const LEAST: f64 = f64.MIN_NORMAL_VALUE;

// ⟨w, h⟩ in four parts by r modulo 4.
@inline function dotParts(w: usize, h: usize, wide: usize): f64 {
  let a = f64x2.splat(0), b = a;
  let r: usize = 0;
  for (; r + 32 <= wide; r += 32) {
    a = addTo<f64>(a, v128.load(w + r), v128.load(h + r));
    b = addTo<f64>(b, v128.load(w + r, 16), v128.load(h + r, 16));
  }
  if (r < wide) a = addTo<f64>(a, v128.load(w + r), v128.load(h + r));
  const sum = f64x2.add(a, b);
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

// Wh and x ⊘ Wh at values from … end − 1.
@inline function divideValues<T>(p: DivideState, from: usize, end: usize, indices: usize, values: usize, wide: usize): void {
  const W = p.W, h = p.h;
  let y = p.products, q = p.quotients;
  for (let at = from; at < end; at++, y += 8, q += 8) {
    const product = dotParts(W + (<usize>load<u32>(indices + at * 4)) * wide, h, wide);
    const x = <f64>load<T>(values + at * sizeof<T>());
    store<f64>(y, product);
    store<f64>(q, x / max<f64>(max<f64>(product, LEAST_SHARE * x), LEAST));
  }
}

// Up to four vectors of Wᵀq, which stay in registers.
@inline function backTile(from: usize, end: usize, indices: usize, q: usize, W: usize, wide: usize, out: usize, vectors: i32): void {
  const zero = f64x2.splat(0);
  let a = zero, b = zero, c = zero, d = zero;
  for (let at = from; at < end; at++, q += 8) {
    const w = W + (<usize>load<u32>(indices + at * 4)) * wide;
    const v = v128.load64_splat(q);
    a = addTo<f64>(a, v, v128.load(w));
    if (vectors > 1) b = addTo<f64>(b, v, v128.load(w, 16));
    if (vectors > 2) c = addTo<f64>(c, v, v128.load(w, 32));
    if (vectors > 3) d = addTo<f64>(d, v, v128.load(w, 48));
  }
  v128.store(out, a);
  if (vectors > 1) v128.store(out, b, 16);
  if (vectors > 2) v128.store(out, c, 32);
  if (vectors > 3) v128.store(out, d, 48);
}

function multiplyBack(p: DivideState, from: usize, end: usize, indices: usize, wide: usize): void {
  let W = p.W, out = p.above, left = wide;
  for (; left >= 64; left -= 64, W += 64, out += 64) backTile(from, end, indices, p.quotients, W, wide, out, 4);
  if (left >= 32) {
    backTile(from, end, indices, p.quotients, W, wide, out, 2);
    left -= 32; W += 32; out += 32;
  }
  if (left > 0) backTile(from, end, indices, p.quotients, W, wide, out, 1);
}

// The new code; whether it still moves.
function multiply(p: DivideState, masses: usize): bool {
  let moved: f64 = 0, mass: f64 = 0;
  for (let r: usize = 0; r < <usize>p.k; r++) {
    const h = load<f64>(p.h + r * 8), own = load<f64>(masses + r * 8);
    const above = h * load<f64>(p.above + r * 8), below = own + p.l1;
    const value = p.l2 > 0 ? (2 * above) / (below + Math.sqrt(below * below + 4 * p.l2 * above)) : above / below;
    const next = value - value == 0 ? value : 0;
    moved += Math.abs(next - h) * own;
    mass += next * own;
    store<f64>(p.h + r * 8, next);
  }
  return moved > p.settled * mass;
}

// How steeply the divergence falls at the code, coming from `second`.
function fallOf(p: DivideState, masses: usize): f64 {
  let sum: f64 = 0;
  for (let r: usize = 0, end = (<usize>p.k) * 8; r < end; r += 8) {
    const h = load<f64>(p.h + r);
    sum += (load<f64>(p.above + r) - (load<f64>(masses + r) + p.l1) - p.l2 * h) * (h - load<f64>(p.second + r));
  }
  return sum;
}

// The code on in the direction of the last two steps; whether it differs from `second`.
function extrapolate(p: DivideState): bool {
  let move: f64 = 0, bend: f64 = 0;
  const end = (<usize>p.k) * 8;
  for (let r: usize = 0; r < end; r += 8) {
    const first = load<f64>(p.first + r), one = first - load<f64>(p.start + r), two = load<f64>(p.second + r) - first - one;
    move += one * one;
    bend += two * two;
  }
  if (!(move > bend)) return false;
  const times = min<f64>(LONGEST, Math.sqrt(move / bend));
  for (let r: usize = 0; r < end; r += 8) {
    const start = load<f64>(p.start + r), first = load<f64>(p.first + r), second = load<f64>(p.second + r);
    const one = first - start, two = second - first - one;
    const next = start + 2 * times * one + times * times * two;
    store<f64>(p.h + r, second > 0 ? max<f64>(next, LEAST_KEPT * second) : 0);
  }
  return true;
}

// Several sweeps: until the code has settled, with steps beyond.
function settle<T>(p: DivideState, from: usize, end: usize, indices: usize, values: usize, wide: usize, masses: usize): void {
  const bytes = (<usize>p.k) * 8;
  let beyond = false, odd = false;
  for (let sweep = 0; sweep < p.sweeps; sweep++) {
    divideValues<T>(p, from, end, indices, values, wide);
    multiplyBack(p, from, end, indices, wide);
    if (beyond && !(fallOf(p, masses) >= 0)) {
      memory.copy(p.h, p.second, bytes);
      beyond = false;
      continue;
    }
    beyond = false;
    memory.copy(odd ? p.first : p.start, p.h, bytes);
    if (!multiply(p, masses)) return;
    if (odd) {
      memory.copy(p.second, p.h, bytes);
      beyond = extrapolate(p);
    }
    odd = !odd;
  }
  if (beyond) memory.copy(p.h, p.second, bytes);
}

// Adds Σ ω (x ln(x ⊘ Wh) − x) and Σ ω ⟨x, Wh⟩ to the totals; each sum in the order of features.
@inline function measureValues<T>(p: DivideState, from: usize, end: usize, values: usize, weight: f64): void {
  let loss: f64 = 0, cross: f64 = 0;
  let y = p.products, q = p.quotients, at = from;
  for (; at + 2 <= end; at += 2, y += 16, q += 16) {
    const first = values + at * sizeof<T>();
    const x = sizeof<T>() == 8 ? v128.load(first) : f64x2.promote_low_f32x4(v128.load64_zero(first));
    const terms = f64x2.sub(f64x2.mul(x, lnTwo(v128.load(q))), x), products = f64x2.mul(x, v128.load(y));
    loss += f64x2.extract_lane(terms, 0);
    loss += f64x2.extract_lane(terms, 1);
    cross += f64x2.extract_lane(products, 0);
    cross += f64x2.extract_lane(products, 1);
  }
  if (at < end) {
    const x = <f64>load<T>(values + at * sizeof<T>());
    loss += x * f64x2.extract_lane(lnTwo(f64x2.splat(load<f64>(q))), 0) - x;
    cross += x * load<f64>(y);
  }
  store<f64>(p.totals, load<f64>(p.totals) + weight * loss);
  store<f64>(p.totals, load<f64>(p.totals, 8) + weight * cross, 8);
}

// S += (ω h)(x ⊘ Wh)ᵀ.
function addValues(p: DivideState, from: usize, end: usize, indices: usize, wide: usize, weight: f64): void {
  for (let r: usize = 0; r < wide; r += 8) store<f64>(p.above + r, weight * load<f64>(p.h + r));
  const places = indices + from * 4, count = end - from;
  let h = p.above, s = p.S, left = wide;
  for (; left >= 80; left -= 80, h += 80, s += 80) shareValues<f64, f64>(0, count, places, p.quotients, h, wide, s, 5);
  for (; left >= 48; left -= 48, h += 48, s += 48) shareValues<f64, f64>(0, count, places, p.quotients, h, wide, s, 3);
  for (; left > 0; left -= 16, h += 16, s += 16) shareValues<f64, f64>(0, count, places, p.quotients, h, wide, s, 1);
}

// Σ of each prototype at the features that a sample knows, by what it lists from … end; the address.
function sumKnown(p: DivideState, from: usize, end: usize, wide: usize): usize {
  const known = p.known;
  if (p.gapsKnown) memory.fill(known, 0, wide);
  else memory.copy(known, p.masses, wide);
  for (let at = from; at < end; at += 4) {
    const w = p.W + (<usize>load<u32>(at)) * wide;
    for (let r: usize = 0; r < wide; r += 16) {
      const sum = v128.load(known + r), own = v128.load(w + r);
      v128.store(known + r, p.gapsKnown ? f64x2.add(sum, own) : f64x2.sub(sum, own));
    }
  }
  const least = f64x2.splat(LEAST_KNOWN);
  for (let r: usize = 0; r < wide; r += 16) {
    const sum = v128.load(known + r);
    v128.store(known + r, v128.and(sum, f64x2.gt(sum, f64x2.mul(least, v128.load(p.masses + r)))));
  }
  return known;
}

// Adds ω h, which is in `above`, and ω (Wh)² at what a sample lists from … end.
function addListed(p: DivideState, from: usize, end: usize, wide: usize, weight: f64): void {
  let square: f64 = 0;
  for (let at = from; at < end; at += 4) {
    const row = (<usize>load<u32>(at)) * wide, product = dotParts(p.W + row, p.h, wide), sums = p.listed + row;
    square += product * product;
    for (let r: usize = 0; r < wide; r += 16) v128.store(sums + r, f64x2.add(v128.load(sums + r), v128.load(p.above + r)));
  }
  store<f64>(p.totals, load<f64>(p.totals, 16) + weight * square, 16);
}

// @param gaps the address of the sample's offsets in what is listed, or 0
function divideOne<T>(p: DivideState, from: usize, end: usize, indices: usize, values: usize, wide: usize, weight: f64, gaps: usize): void {
  const first = gaps ? p.gapFeatures + 4 * <usize>load<u32>(gaps) : 0, last = gaps ? p.gapFeatures + 4 * <usize>load<u32>(gaps, 4) : 0;
  const masses = gaps ? sumKnown(p, first, last, wide) : p.masses;
  if (p.sweeps > 1) settle<T>(p, from, end, indices, values, wide, masses);
  else if (p.sweeps > 0) {
    divideValues<T>(p, from, end, indices, values, wide);
    multiplyBack(p, from, end, indices, wide);
    multiply(p, masses);
  }
  if (!p.summing) return;
  divideValues<T>(p, from, end, indices, values, wide);
  measureValues<T>(p, from, end, values, weight);
  addValues(p, from, end, indices, wide, weight);
  if (gaps) addListed(p, first, last, wide, weight);
}

// The values of a dense sample that are not 0, listed as those of a sparse one.
function listValues<T>(x: usize, m: i32, places: usize, entries: usize): usize {
  let count: usize = 0;
  for (let f: i32 = 0; f < m; f++, x += sizeof<T>()) {
    const value = load<T>(x);
    store<u32>(places + count * 4, f);
    store<T>(entries + count * sizeof<T>(), value);
    count += <usize>(value != <T>0);
  }
  return count;
}

// Renews the codes H (count × k) of `count` samples, from X on: dense values, or offsets.
@inline export function divideCodes<T>(p: DivideState, X: usize, count: i32): void {
  const bytes = (<usize>p.k) * 8, wide = (bytes + 8) & ~15;
  let x = X, H = p.H, weights = p.weights, gaps = p.gapOffsets;
  store<f64>(p.h + wide - 8, 0);
  for (let s: i32 = 0; s < count; s++, H += bytes) {
    const weight = weights != 0 ? load<f64>(weights) : 1;
    if (weights != 0) weights += 8;
    memory.copy(p.h, H, bytes);
    if (p.sparse) {
      divideOne<T>(p, load<u32>(x), load<u32>(x, 4), p.indices, p.values, wide, weight, gaps);
      x += 4;
    } else {
      const listed = listValues<T>(x, p.m, p.places, p.entries);
      divideOne<T>(p, 0, listed, p.places, p.entries, wide, weight, gaps);
      x += (<usize>p.m) * sizeof<T>();
    }
    memory.copy(H, p.h, bytes);
    if (gaps) gaps += 4;
  }
}
