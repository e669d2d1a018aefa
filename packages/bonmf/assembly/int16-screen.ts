// Scores in 16 bits take half the time of those in 32. They decide the label of most samples, with a margin for all rounding
// errors; the others are scored in full. A vector v is quantised to the integers nearest to v · LENGTH / ‖v‖, so that no sum of
// products overflows 32 bits. Samples are scored eight at a time: lanes are samples.

import { putGap } from "./bounds";
import { AssignState } from "./structs";
import { relabel } from "./sums";

const LENGTH: f32 = 32767;
// Beyond these lengths 32-bit factors leave their range.
const SHORT: f64 = 1e-25;
const LONG: f64 = 1e25;

// Added to a small number, it leaves the nearest integer, negative ones as two's complement, in the low 16 bits.
const ROUND: f32 = 12582912;

// Four values as integers of 16 bits.
@inline function wholeFour(x: usize, scale: v128): v128 {
  const bits = f32x4.add(f32x4.mul(v128.load(x), scale), f32x4.splat(ROUND));
  return v128.and(bits, i32x4.splat(0xffff));
}

// Quantises m values; zeros fill the last vector.
export function quantize(x: usize, m: i32, length: f64, out: usize): void {
  const by: f32 = length > SHORT && length < LONG ? LENGTH / <f32>length : 0;
  const scale = f32x4.splat(by);
  const end = x + (<usize>m) * 4;
  for (; x + 32 <= end; x += 32, out += 16) v128.store(out, i16x8.narrow_i32x4_u(wholeFour(x, scale), wholeFour(x + 16, scale)));
  if (x == end) return;
  const four = x + 16 <= end;
  v128.store(out, four ? i16x8.narrow_i32x4_u(wholeFour(x, scale), i32x4.splat(0)) : i16x8.splat(0));
  if (four) { x += 16; out += 8; }
  for (; x < end; x += 4, out += 2) store<u16>(out, <u16>reinterpret<u32>(load<f32>(x) * by + ROUND));
}

// Bytes of one number each of eight samples.
const EIGHT: usize = 32;

// Transposes four rows of four numbers.
@inline function transposeFour(x: usize, y: usize, z: usize, o: usize, to: usize): void {
  const a = v128.load(x), b = v128.load(y), c = v128.load(z), d = v128.load(o);
  const e = v128.shuffle<f32>(a, b, 0, 4, 1, 5), f = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const g = v128.shuffle<f32>(a, b, 2, 6, 3, 7), h = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(e, f, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(e, f, 2, 3, 6, 7), 32);
  v128.store(to, v128.shuffle<f32>(g, h, 0, 1, 4, 5), 64);
  v128.store(to, v128.shuffle<f32>(g, h, 2, 3, 6, 7), 96);
}

@inline function add(sum: v128, x: v128, w: v128): v128 { return i32x4.add(sum, i32x4.dot_i16x8_s(x, w)); }

// Products of eight samples with one prototype, two or three that follow each other, `row` bytes apart: two vectors each. A lane
// has two features.
@inline function dotOne(x: usize, lanes: usize, w: usize, out: usize): void {
  let a = i32x4.splat(0), b = a;
  for (const end = w + lanes * 4; w < end; w += 4, x += EIGHT) {
    const v = v128.load32_splat(w);
    a = add(a, v128.load(x), v); b = add(b, v128.load(x, 16), v);
  }
  v128.store(out, a); v128.store(out, b, 16);
}
@inline function dotTwo(x: usize, lanes: usize, w: usize, row: usize, out: usize): void {
  let a = i32x4.splat(0), b = a, c = a, d = a;
  for (const end = w + lanes * 4; w < end; w += 4, x += EIGHT) {
    const low = v128.load(x), high = v128.load(x, 16);
    let v = v128.load32_splat(w);
    a = add(a, low, v); b = add(b, high, v);
    v = v128.load32_splat(w + row);
    c = add(c, low, v); d = add(d, high, v);
  }
  v128.store(out, a); v128.store(out, b, 16); v128.store(out, c, 32); v128.store(out, d, 48);
}
@inline function dotThree(x: usize, lanes: usize, w: usize, row: usize, out: usize): void {
  let a = i32x4.splat(0), b = a, c = a, d = a, e = a, f = a;
  for (const end = w + lanes * 4; w < end; w += 4, x += EIGHT) {
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
@inline function dotSome(count: i32, x: usize, lanes: usize, w: usize, row: usize, out: usize): void {
  if (count == 3) dotThree(x, lanes, w, row, out);
  else if (count == 2) dotTwo(x, lanes, w, row, out);
  else dotOne(x, lanes, w, out);
}

@inline function scoreOf(sum: usize, scale: f32, norm: v128, bias: f32): v128 {
  return f32x4.add(f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(v128.load(sum)), f32x4.splat(scale)), norm), f32x4.splat(bias));
}

const UP: f32 = 1 + 4.8e-7;
const DOWN: f32 = 1 - 4.8e-7;

// The drift that leaves four samples beyond doubt, whose best two scores are half of base − near and of
// base − far in squares of distances, give or take `rough`: as putScored in bounds.ts, in 32 bits.
@inline function gapsOf(base: v128, near: v128, far: v128, rough: v128, error: v128): v128 {
  const zero = f32x4.splat(0), up = f32x4.splat(UP);
  const most = f32x4.add(f32x4.pmax(zero, f32x4.sub(base, near)), rough);
  const least = f32x4.pmax(zero, f32x4.sub(f32x4.sub(base, far), rough));
  const upper = f32x4.sqrt(f32x4.add(f32x4.mul(most, up), f32x4.add(error, error)));
  return f32x4.sub(f32x4.mul(f32x4.sqrt(least), f32x4.splat(DOWN)), f32x4.mul(upper, up));
}

// For four samples: the drift that leaves their labels beyond doubt, and, as bits, which labels are.
@inline function boundFour(p: AssignState, best: v128, second: v128, norm: v128, gaps: usize): u32 {
  const angular = p.angular, factor = angular ? f32x4.splat(1) : norm;
  const e0 = f32x4.splat(<f32>p.e0), e1 = f32x4.splat(<f32>p.e1), e2 = f32x4.splat(<f32>p.e2);
  const error = f32x4.add(e0, f32x4.mul(f32x4.add(e1, f32x4.mul(e2, factor)), factor));
  const base = angular ? f32x4.splat(2) : f32x4.mul(norm, norm);
  // And what rounding to 32 bits does here.
  const rounding = f32x4.add(error, f32x4.mul(base, f32x4.splat(4.8e-7)));
  const rough = f32x4.add(rounding, f32x4.mul(f32x4.splat(<f32>p.int16Error), factor));
  v128.store(gaps, gapsOf(base, f32x4.add(best, best), f32x4.add(second, second), rough, error));
  const inRange = v128.and(f32x4.gt(norm, f32x4.splat(<f32>SHORT)), f32x4.lt(norm, f32x4.splat(<f32>LONG)));
  return <u32>i32x4.bitmask(v128.and(inRange, f32x4.gt(f32x4.sub(best, second), rough)));
}

// Scores a tile of samples of these lengths. Writes eight labels to `int16Results` and eight gaps after them; returns as
// bits which labels are beyond doubt.
@inline function scoreTile(p: AssignState, tile: usize, normA: v128, normB: v128): u32 {
  const k = p.k, row = <usize>p.int16Bytes, pairs = (<usize>p.m + 1) >> 1, int16Results = p.int16Results, out = int16Results + 64;
  const one = f32x4.splat(1), factorA = p.angular ? one : normA, factorB = p.angular ? one : normB;
  let highA = f32x4.splat(-Infinity), highB = highA, nextA = highA, nextB = highA;
  let labelA = i32x4.splat(0), labelB = labelA;
  let w = p.int16Prototypes;
  for (let j = 0; j < k; ) {
    const left = k - j;
    const taken = left == 1 ? 1 : left == 2 || left == 4 ? 2 : 3;
    dotSome(taken, tile, pairs, w, row, out);
    w += row * taken;
    const end = j + taken;
    for (let at = out; j < end; j++, at += EIGHT) {
      const scale = load<f32>(p.int16Scales + 4 * <usize>j), bias = load<f32>(p.biases + 4 * <usize>j), label = i32x4.splat(j);
      const a = scoreOf(at, scale, factorA, bias), b = scoreOf(at + 16, scale, factorB, bias);
      const overA = f32x4.gt(a, highA), overB = f32x4.gt(b, highB);
      nextA = f32x4.pmax(nextA, f32x4.pmin(highA, a)); nextB = f32x4.pmax(nextB, f32x4.pmin(highB, b));
      highA = f32x4.pmax(highA, a); labelA = v128.bitselect(label, labelA, overA);
      highB = f32x4.pmax(highB, b); labelB = v128.bitselect(label, labelB, overB);
    }
  }
  v128.store(int16Results, labelA); v128.store(int16Results, labelB, 16);
  return boundFour(p, highA, nextA, normA, int16Results + 32) | (boundFour(p, highB, nextB, normB, int16Results + 48) << 4);
}

@inline function normOf(p: AssignState, id: u32): f32 { return <f32>load<f64>(p.norms + 8 * <usize>id); }
@inline function normsOf(p: AssignState, ids: usize): v128 {
  return f32x4(normOf(p, load<u32>(ids)), normOf(p, load<u32>(ids, 4)), normOf(p, load<u32>(ids, 8)), normOf(p, load<u32>(ids, 12)));
}

// A listed sample in 16 bits; the first sweep quantises it.
@inline function codeOf(p: AssignState, id: usize): usize {
  const code = p.int16Samples + id * <usize>p.int16Bytes;
  if (!p.boundsHold) quantize(p.X + id * 4 * <usize>p.m, p.m, load<f64>(p.norms + id * 8), code);
  return code;
}

@inline function transposeRows(a: usize, b: usize, c: usize, d: usize, row: usize, to: usize): void {
  for (const end = a + row; a < end; a += 16, b += 16, c += 16, d += 16, to += 4 * EIGHT) transposeFour(a, b, c, d, to);
}

// Scores the listed samples and gives a label to those beyond doubt; the others stay in the list. Returns how many.
export function screen(p: AssignState, count: i32): i32 {
  const list = p.listed, row = <usize>p.int16Bytes, tile = p.int16Tile, int16Results = p.int16Results;
  const last = <usize>count - 1;
  let left: usize = 0;
  for (let s: usize = 0; s <= last; s += 8) {
    // Fewer than eight left: the last one is repeated. The list has room for that.
    for (let t = last + 1; t < s + 8; t++) store<u32>(list + t * 4, load<u32>(list + last * 4));
    for (let half: usize = 0; half < 8; half += 4) {
      const ids = list + (s + half) * 4;
      const a = codeOf(p, load<u32>(ids)), b = codeOf(p, load<u32>(ids, 4));
      const c = codeOf(p, load<u32>(ids, 8)), d = codeOf(p, load<u32>(ids, 12));
      transposeRows(a, b, c, d, row, tile + half * 4);
    }
    const sure = scoreTile(p, tile, normsOf(p, list + s * 4), normsOf(p, list + s * 4 + 16));
    for (let t: usize = 0, end = min<usize>(8, last + 1 - s); t < end; t++) {
      const i = load<u32>(list + (s + t) * 4);
      if ((sure >> <u32>t) & 1) {
        const label = load<u32>(int16Results + t * 4);
        putGap(p, i, label, load<f32>(int16Results + t * 4, 32));
        relabel(p, i, label);
      } else store<u32>(list + 4 * left++, i);
    }
  }
  p.unresolved += <u32>left;
  return <i32>left;
}
