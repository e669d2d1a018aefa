// Codes of samples with gaps, to the bits of kernel/plain/known-codes.ts. Samples list what is missing of them, or what they know
// (`known`): offsets and features. W is m × k here, a row a feature; G = WᵀW of all features. What a sample lists is taken from what
// all features give, or added up, without a matrix of its own where the rule allows.

import { beyondOf, goOn, LANES, LINE, transpose } from "./cyclic";
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

// S (m × k(k + 1)/2) += the lower triangle of shares · hᵀ, at every feature that a sample lists. `scratch`: 4k(k + 1) bytes.
export function addListed(offsets: usize, features: usize, k: i32, count: i32, H: usize, shares: usize, S: usize, scratch: usize): void {
  const wide = (<usize>k) * 8, bytes = <usize>(4 * k * (k + 1));
  for (; count > 0; count--, offsets += 4, H += wide, shares += wide) {
    let at = features + 4 * <usize>load<u32>(offsets);
    const end = features + 4 * <usize>load<u32>(offsets, 4);
    if (at == end) continue;
    let to = scratch;
    for (let r: usize = 0; r < wide; r += 8) {
      const share = load<f64>(shares + r);
      for (let s: usize = 0; s <= r; s += 8, to += 8) store<f64>(to, share * load<f64>(H + s));
    }
    for (; at < end; at += 4) {
      const sums = S + bytes * <usize>load<u32>(at);
      let t: usize = 0;
      for (; t + 16 <= bytes; t += 16) v128.store(sums + t, f64x2.add(v128.load(sums + t), v128.load(scratch + t)));
      if (t < bytes) store<f64>(sums + t, load<f64>(sums + t) + load<f64>(scratch + t));
    }
  }
}

// WᵀW of the features that a sample has.
@inline function putGram(at: usize, end: usize, known: i32, W: usize, k: i32, G: usize, own: usize): void {
  const wide = (<usize>k) * 8;
  if (known) memory.fill(own, 0, wide * <usize>k);
  else memory.copy(own, G, wide * <usize>k);
  for (; at < end; at += 4) {
    const w = W + wide * <usize>load<u32>(at);
    for (let r: usize = 0; r < wide; r += 8) {
      const share = load<f64>(w + r);
      addScaled(own + r * <usize>k, w, known ? share : -share, wide);
    }
  }
  for (let r: usize = 0; r < wide * <usize>k; r += wide + 8) if (!(load<f64>(own + r) > LEAST * load<f64>(G + r))) store<f64>(own + r, 0);
}

// H (count × k) by non-negative least squares from b = WtX (count × k). `own`: 8(k² + 8) bytes; `scratch` as for `solveAll`.
export function solveKnown(offsets: usize, features: usize, known: i32, W: usize, G: usize, k: i32, count: i32, b: usize, H: usize, own: usize, scratch: usize): void {
  const wide = (<usize>k) * 8;
  for (; count > 0; count--, offsets += 4, b += wide, H += wide) {
    putGram(features + 4 * <usize>load<u32>(offsets), features + 4 * <usize>load<u32>(offsets, 4), known, W, k, G, own);
    solveAll(own, k, 1, b, H, scratch);
  }
}

// The cyclic rule, for eight samples at a time as in cyclic.ts: lanes are samples. Each keeps e = ⟨w, h⟩ of the features it lists.


// One line: Σ a·b over lines that lie together.
@inline function dotLines(a: usize, b: usize, bytes: usize, to: usize): void {
  let p = f64x2.splat(0), q = p, r = p, s = p;
  for (const end = a + bytes; a < end; a += LINE, b += LINE) {
    p = f64x2.add(p, f64x2.mul(v128.load(a), v128.load(b)));
    q = f64x2.add(q, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    r = f64x2.add(r, f64x2.mul(v128.load(a, 32), v128.load(b, 32)));
    s = f64x2.add(s, f64x2.mul(v128.load(a, 48), v128.load(b, 48)));
  }
  v128.store(to, p);
  v128.store(to, q, 16);
  v128.store(to, r, 32);
  v128.store(to, s, 48);
}

// One line: row r of G times lines of codes.
@inline function dotRow(g: usize, lines: usize, bytes: usize, to: usize): void {
  let p = f64x2.splat(0), q = p, r = p, s = p;
  for (const end = lines + bytes; lines < end; lines += LINE, g += 8) {
    const v = v128.load64_splat(g);
    p = f64x2.add(p, f64x2.mul(v, v128.load(lines)));
    q = f64x2.add(q, f64x2.mul(v, v128.load(lines, 16)));
    r = f64x2.add(r, f64x2.mul(v, v128.load(lines, 32)));
    s = f64x2.add(s, f64x2.mul(v, v128.load(lines, 48)));
  }
  v128.store(to, p);
  v128.store(to, q, 16);
  v128.store(to, r, 32);
  v128.store(to, s, 48);
}

// Working memory for eight samples, in lines: k of codes, WtX, codes before, their sum and own diagonals; then six single ones (two of G·h, those
// that are moving, what they moved by, what ends them, one free), `listed` of e, and k times `listed` of W.
@inline function codesAt(lines: usize, k: usize, part: usize): usize { return lines + part * k * LINE; }

// G·v of row r by known features, one line: the sum over all features less what is listed, or that alone.
function knownRow(g: usize, v: usize, k: usize, w: usize, e: usize, listed: usize, known: bool, to: usize): void {
  dotLines(w, e, listed * LINE, to + LINE);
  if (known) memory.copy(to, to + LINE, LINE);
  else {
    dotRow(g, v, k * LINE, to);
    for (let at = to; at < to + LINE; at += 16) v128.store(at, f64x2.sub(v128.load(at), v128.load(at, <usize>LINE)));
  }
}

// e of each listed feature for lines of codes.
@inline function putSeen(v: usize, k: usize, W: usize, e: usize, listed: usize): void {
  memory.fill(e, 0, listed * LINE);
  for (let r: usize = 0; r < k; r++, v += LINE) {
    for (let t: usize = 0; t < listed * LINE; t += LINE, W += LINE) {
      for (let at: usize = 0; at < LINE; at += 16) {
        v128.store(e + t + at, f64x2.add(v128.load(e + t + at), f64x2.mul(v128.load(W + at), v128.load(v + at))));
      }
    }
  }
}

// 1 where that is nearer the optimum, else 0.
@inline function bitOf(residual: v128, own: v128): v128 {
  return v128.and(f64x2.splat(1), f64x2.gt(residual, f64x2.mul(f64x2.splat(0.5), own)));
}

// An entry of two lanes: its value, and by how much that changes it. `all` and `seen`: G·h of all features, and of those listed.
@inline function improveTwo(h: usize, WtX: usize, all: v128, seen: v128, own: usize, moving: usize, moved: usize, known: bool, bits: bool): v128 {
  const before = v128.load(h), mine = v128.load(own);
  const counts = bits ? i64x2.splat(-1) : f64x2.gt(mine, f64x2.splat(0));
  const left = f64x2.sub(v128.load(WtX), known ? seen : f64x2.sub(all, seen));
  const best = bits ? bitOf(f64x2.add(left, f64x2.mul(mine, before)), mine) : f64x2.max(f64x2.splat(0), f64x2.add(before, f64x2.div(left, mine)));
  const value = v128.and(v128.bitselect(best, before, v128.load(moving)), counts);
  const change = f64x2.sub(value, before), counted = v128.and(change, counts);
  v128.store(moved, f64x2.add(v128.load(moved), f64x2.mul(bits ? counted : f64x2.mul(mine, counted), counted)));
  v128.store(h, value);
  return change;
}

@inline function addTwo(e: usize, w: usize, change: v128): void { v128.store(e, f64x2.add(v128.load(e), f64x2.mul(v128.load(w), change))); }

// One sweep over the entries.
function improveKnown(lines: usize, G: usize, k: usize, listed: usize, known: bool, bits: bool): void {
  const WtX = codesAt(lines, k, 1), own = codesAt(lines, k, 4), moving = codesAt(lines, k, 5) + 2 * LINE, moved = moving + LINE;
  const e = codesAt(lines, k, 5) + 6 * LINE, W = e + listed * LINE;
  memory.fill(moved, 0, LINE);
  let g = G, w = W;
  for (let at: usize = 0; at < k * LINE; at += LINE) {
    let a = f64x2.splat(0), b = a, c = a, d = a;
    if (known) g += k * 8;
    else {
      for (let h = lines; h < WtX; h += LINE, g += 8) {
        const v = v128.load64_splat(g);
        a = f64x2.add(a, f64x2.mul(v, v128.load(h)));
        b = f64x2.add(b, f64x2.mul(v, v128.load(h, 16)));
        c = f64x2.add(c, f64x2.mul(v, v128.load(h, 32)));
        d = f64x2.add(d, f64x2.mul(v, v128.load(h, 48)));
      }
    }
    let p = f64x2.splat(0), q = p, r = p, s = p;
    for (let t = e, u = w; t < W; t += LINE, u += LINE) {
      p = f64x2.add(p, f64x2.mul(v128.load(u), v128.load(t)));
      q = f64x2.add(q, f64x2.mul(v128.load(u, 16), v128.load(t, 16)));
      r = f64x2.add(r, f64x2.mul(v128.load(u, 32), v128.load(t, 32)));
      s = f64x2.add(s, f64x2.mul(v128.load(u, 48), v128.load(t, 48)));
    }
    const h = lines + at, x = WtX + at, mine = own + at;
    p = improveTwo(h, x, a, p, mine, moving, moved, known, bits);
    q = improveTwo(h + 16, x + 16, b, q, mine + 16, moving + 16, moved + 16, known, bits);
    r = improveTwo(h + 32, x + 32, c, r, mine + 32, moving + 32, moved + 32, known, bits);
    s = improveTwo(h + 48, x + 48, d, s, mine + 48, moving + 48, moved + 48, known, bits);
    for (let t = e; t < W; t += LINE, w += LINE) {
      addTwo(t, w, p);
      addTwo(t + 16, w + 16, q);
      addTwo(t + 32, w + 32, r);
      addTwo(t + 48, w + 48, s);
    }
  }
}

@inline function settleKnown(lines: usize, G: usize, k: usize, listed: usize, known: bool, bits: bool, sweeps: i32, settled: f64): void {
  const moving = codesAt(lines, k, 5) + 2 * LINE;
  memory.fill(moving, 0xff, LINE);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    improveKnown(lines, G, k, listed, known, bits);
    if (!goOn<f64>(moving, settled, sweep == 0)) return;
  }
}

// Lanes go on in the direction they went where that leaves their loss no higher than it was before.
@inline function relaxKnown(lines: usize, G: usize, k: usize, listed: usize, known: bool, share: f64): void {
  const size = k * LINE, WtX = lines + size, before = WtX + size, both = before + size, row = codesAt(lines, k, 5);
  const change = row + 2 * LINE, e = row + 6 * LINE, W = e + listed * LINE;
  const beyond = f64x2.splat(share);
  for (let at: usize = 0; at < size; at += 16) {
    const b = v128.load(before + at);
    v128.store(both + at, f64x2.add(beyondOf<f64>(v128.load(lines + at), b, beyond), b));
  }
  putSeen(both, k, W, e, listed);
  memory.fill(change, 0, LINE);
  for (let r: usize = 0; r < k; r++) {
    knownRow(G + r * k * 8, both, k, W + r * listed * LINE, e, listed, known, row);
    for (let at: usize = 0; at < LINE; at += 16) {
      const place = r * LINE + at, b = v128.load(before + place);
      const above = f64x2.sub(v128.load(row + at), f64x2.mul(f64x2.splat(2), v128.load(WtX + place)));
      const by = f64x2.mul(f64x2.sub(beyondOf<f64>(v128.load(lines + place), b, beyond), b), above);
      v128.store(change + at, f64x2.add(v128.load(change + at), by));
    }
  }
  for (let at: usize = 0; at < size; at += 16) {
    const h = v128.load(lines + at), falls = f64x2.le(v128.load(change + (at & (LINE - 1))), f64x2.splat(0));
    v128.store(lines + at, v128.bitselect(beyondOf<f64>(h, v128.load(before + at), beyond), h, falls));
  }
}

// W of the features that each lane lists, as lines, and the lanes' own diagonals.
@inline function gatherListed(offsets: usize, features: usize, samples: usize, W: usize, G: usize, k: usize, listed: usize, known: bool, lines: usize): void {
  const own = codesAt(lines, k, 4), to = codesAt(lines, k, 5) + (6 + listed) * LINE;
  memory.fill(to, 0, listed * k * LINE);
  for (let s: usize = 0; s < samples; s++) {
    const from = <usize>load<u32>(offsets + s * 4), count = <usize>load<u32>(offsets + s * 4, 4) - from;
    for (let t: usize = 0; t < count; t++) {
      const w = W + k * 8 * <usize>load<u32>(features + (from + t) * 4);
      for (let r: usize = 0; r < k; r++) store<f64>(to + (r * listed + t) * LINE + s * 8, load<f64>(w + r * 8));
    }
  }
  for (let r: usize = 0; r < k; r++) {
    const whole = load<f64>(G + r * (k + 1) * 8), line = own + r * LINE, w = to + r * listed * LINE;
    const start = f64x2.splat(known ? 0 : whole), least = f64x2.splat(LEAST * whole);
    for (let at: usize = 0; at < LINE; at += 16) {
      let mine = start;
      for (let t: usize = 0; t < listed * LINE; t += LINE) {
        const v = v128.load(w + t + at), square = f64x2.mul(v, v);
        mine = known ? f64x2.add(mine, square) : f64x2.sub(mine, square);
      }
      v128.store(line + at, v128.and(mine, f64x2.gt(mine, least)));
    }
  }
}

// Each entry of H (count × k) in turn its non-negative optimum, or with `bits` 0 or 1, for WtX (count × k). `scratch`: 64(5k + 6 + (k + 1)·listed) bytes, where
// no sample lists more.
export function cycleKnown(offsets: usize, features: usize, known: bool, W: usize, G: usize, width: i32, count: i32, WtX: usize, H: usize, bits: bool, sweeps: i32, settled: f64, beyond: f64, scratch: usize): void {
  const k = <usize>width, wide = k * 8;
  // Lanes without a sample hold what an earlier one left, which may be anything.
  memory.fill(scratch, 0, 2 * k * LINE);
  for (let left = <usize>count; left > 0; offsets += 4 * LANES, H += LANES * wide, WtX += LANES * wide) {
    const samples = min<usize>(left, LANES);
    let listed: usize = 0;
    for (let s: usize = 0; s < samples; s++) listed = max<usize>(listed, <usize>(load<u32>(offsets + s * 4, 4) - load<u32>(offsets + s * 4)));
    transpose<f64>(H, k, samples, scratch, 0, false);
    transpose<f64>(WtX, k, samples, scratch + k * LINE, 0, false);
    memory.copy(codesAt(scratch, k, 2), scratch, k * LINE);
    gatherListed(offsets, features, samples, W, G, k, listed, known, scratch);
    const e = codesAt(scratch, k, 5) + 6 * LINE;
    putSeen(scratch, k, e + listed * LINE, e, listed);
    settleKnown(scratch, G, k, listed, known, bits, sweeps, settled);
    if (beyond > 0) relaxKnown(scratch, G, k, listed, known, beyond);
    transpose<f64>(H, k, samples, scratch, 0, true);
    left -= samples;
  }
}
