// One look at 32-bit samples.

import { SCRATCH } from "./panel";

// What a block's samples add up to, as engine/survey.ts has it: Σω‖x‖², Σω·values, Σω, of the all-zero samples how many
// there are and Σω, and how many samples have a negative value.
@unmanaged
export class Totals {
  normSq: f64; total: f64; weight: f64; zeros: f64; zeroWeight: f64; negatives: f64;
}

@inline function weightOf(weights: usize, i: i32): f64 { return weights == 0 ? 1 : load<f64>(weights + (<usize>i) * 8); }

// Stores ‖x‖ of sample i, given its square, and counts it if it is zero.
@inline function noteLength(t: Totals, i: i32, square: f64, weight: f64, norms: usize): void {
  if (square == 0) {
    t.zeros += 1;
    t.zeroWeight += weight;
  }
  store<f64>(norms + (<usize>i) * 8, Math.sqrt(square));
}

// Dense samples: ‖x‖² in four interleaved accumulators, the largest |value| of each column, and whether a value is not finite.
// Returns the number of the first bad sample, or −1.
export function surveyDense32(X: usize, m: i32, from: i32, to: i32, norms: usize, weights: usize, totals: Totals, most: usize): i32 {
  let normSq = totals.normSq, total = totals.total, weightAll = totals.weight;
  for (let i = from; i < to; i++) {
    let x = X + (<usize>i) * (<usize>m) * 4;
    let top = most;
    let lo = f64x2.splat(0), hi = f64x2.splat(0), sl = f64x2.splat(0), sh = f64x2.splat(0);
    // As whole numbers, finite magnitudes are the lowest.
    let highest = i32x4.splat(0), below = highest;
    let f: i32 = 0;
    for (; f + 4 <= m; f += 4) {
      const v = v128.load(x);
      const size = f32x4.abs(v);
      highest = i32x4.max_u(highest, size);
      below = v128.or(below, f32x4.lt(v, f32x4.splat(0)));
      v128.store(top, f32x4.pmax(v128.load(top), size));
      const a = f64x2.promote_low_f32x4(v), b = f64x2.promote_low_f32x4(v128.shuffle<i32>(v, v, 2, 3, 2, 3));
      lo = f64x2.add(lo, f64x2.mul(a, a)); hi = f64x2.add(hi, f64x2.mul(b, b));
      sl = f64x2.add(sl, a); sh = f64x2.add(sh, b);
      x += 16; top += 16;
    }
    let q0 = f64x2.extract_lane(lo, 0), q1 = f64x2.extract_lane(lo, 1), q2 = f64x2.extract_lane(hi, 0);
    const q3 = f64x2.extract_lane(hi, 1);
    let s0 = f64x2.extract_lane(sl, 0), s1 = f64x2.extract_lane(sl, 1), s2 = f64x2.extract_lane(sh, 0);
    const s3 = f64x2.extract_lane(sh, 1);
    let wrong = v128.any_true(i32x4.gt_u(highest, i32x4.splat(0x7f7fffff)));
    let negative = v128.any_true(below);
    for (let lane = 0; f < m; f++, lane++) {
      const v = load<f32>(x);
      if (v - v != 0) wrong = true;
      if (v < 0) negative = true;
      store<f32>(top, max<f32>(load<f32>(top), abs<f32>(v)));
      const d = <f64>v;
      if (lane == 0) { q0 += d * d; s0 += d; } else if (lane == 1) { q1 += d * d; s1 += d; } else { q2 += d * d; s2 += d; }
      x += 4; top += 4;
    }
    if (wrong) return i;
    if (negative) totals.negatives += 1;
    const square = (q0 + q1) + (q2 + q3), weight = weightOf(weights, i);
    normSq += weight * square;
    total += weight * ((s0 + s1) + (s2 + s3));
    weightAll += weight;
    noteLength(totals, i, square, weight, norms);
  }
  totals.normSq = normSq;
  totals.total = total;
  totals.weight = weightAll;
  return -1;
}

// The same of sparse samples, without the zeros.
export function surveySparse32(offsets: usize, indices: usize, values: usize, from: i32, to: i32, norms: usize, weights: usize, totals: Totals, most: usize): i32 {
  const parts = SCRATCH;
  for (let i = from; i < to; i++) {
    const end = <usize>load<u32>(offsets + (<usize>i) * 4, 4);
    const zero = f64x2.splat(0);
    for (let at: usize = 0; at < 64; at += 16) v128.store(parts + at, zero);
    let wrong = false, negative = false;
    for (let p = <usize>load<u32>(offsets + (<usize>i) * 4); p < end; p++) {
      const v = load<f32>(values + p * 4);
      const f = <usize>load<u32>(indices + p * 4);
      if (v - v != 0) wrong = true;
      if (v < 0) negative = true;
      const top = most + f * 4, size = abs<f32>(v);
      if (size > load<f32>(top)) store<f32>(top, size);
      const d = <f64>v;
      const part = parts + (f & 3) * 16;
      v128.store(part, f64x2.add(v128.load(part), f64x2.replace_lane(f64x2.splat(d), 0, d * d)));
    }
    if (wrong) return i;
    if (negative) totals.negatives += 1;
    const sum = f64x2.add(
      f64x2.add(v128.load(parts), v128.load(parts, 16)),
      f64x2.add(v128.load(parts, 32), v128.load(parts, 48)),
    );
    const square = f64x2.extract_lane(sum, 0), weight = weightOf(weights, i);
    totals.normSq += weight * square;
    totals.total += weight * f64x2.extract_lane(sum, 1);
    totals.weight += weight;
    noteLength(totals, i, square, weight, norms);
  }
  return -1;
}
