// The errors of logistic regression, as in kernel/plain/logistic.ts: the same operations in the same order, two numbers at a time.

import { lnTwo } from "./ln";

// MOST_FACTOR of src/kernel/sums.ts: 2^960.
const MOST_FACTOR: f64 = reinterpret<f64>(<u64>(1023 + 960) << 52);

// eˣ of two numbers that are at most 0, as in src/exp.ts; 0 below −708.
@inline function expPair(x: v128): v128 {
  const n = f64x2.floor(f64x2.add(f64x2.mul(x, f64x2.splat(1.4426950408889634)), f64x2.splat(0.5)));
  const high = f64x2.mul(n, f64x2.splat(0.6931471803691238)), low = f64x2.mul(n, f64x2.splat(1.9082149292705877e-10));
  const r = f64x2.sub(f64x2.sub(x, high), low);
  let sum = f64x2.splat(1.0 / 6227020800.0);
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 479001600.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 39916800.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 3628800.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 362880.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 40320.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 5040.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 720.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 120.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 24.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(1.0 / 6.0));
  sum = f64x2.add(f64x2.mul(sum, r), f64x2.splat(0.5));
  const near = f64x2.add(f64x2.splat(1), f64x2.add(r, f64x2.mul(f64x2.mul(r, r), sum)));
  const exponent = i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(n));
  const power = i64x2.shl(i64x2.add(exponent, i64x2.splat(1023)), 52);
  return v128.andnot(f64x2.mul(near, power), f64x2.lt(x, f64x2.splat(-708)));
}

// Two samples of one score each; labels are 0 or 1, as f64.
@inline function findPair(score: v128, label: v128, scores: usize, totals: usize, lags: usize): void {
  const zero = f64x2.splat(0), one = f64x2.splat(1);
  const small = expPair(f64x2.neg(f64x2.abs(score)));
  const total = f64x2.add(one, small);
  const p = f64x2.div(v128.bitselect(small, one, f64x2.lt(score, zero)), total);
  v128.store(scores, f64x2.sub(p, label));
  v128.store(totals, total);
  v128.store(lags, f64x2.sub(f64x2.max(zero, score), f64x2.mul(label, score)));
}

// The scores of one sample: the errors in their place, Σ exp(score − the largest) and the largest score less the own one.
@inline function findOne(scores: usize, k: i32, bias: usize, label: u32, total: usize, lag: usize): void {
  let most: f64 = -Infinity;
  for (let r: i32 = 0; r < k; r++) {
    const at = scores + (<usize>r << 3);
    const score = load<f64>(at) + load<f64>(bias + (<usize>r << 3));
    store<f64>(at, score);
    if (score > most) most = score;
  }
  store<f64>(lag, most - load<f64>(scores + (<usize>label << 3)));
  const shift = f64x2.splat(most);
  const end = scores + (<usize>k << 3);
  let sum: f64 = 0;
  let at = scores;
  for (; at + 16 <= end; at += 16) {
    const e = expPair(f64x2.sub(v128.load(at), shift));
    v128.store(at, e);
    sum += f64x2.extract_lane(e, 0);
    sum += f64x2.extract_lane(e, 1);
  }
  if (at < end) {
    const e = f64x2.extract_lane(expPair(f64x2.sub(f64x2.splat(load<f64>(at)), shift)), 0);
    store<f64>(at, e);
    sum += e;
  }
  for (at = scores; at < end; at += 8) store<f64>(at, load<f64>(at) / sum);
  const own = scores + (<usize>label << 3);
  store<f64>(own, load<f64>(own) - 1);
  store<f64>(total, sum);
}

// `count` samples of k scores each; of an odd number with one score, a pair reaches beyond the last.
export function findErrors(scores: usize, k: i32, count: i32, bias: usize, labels: usize, totals: usize, lags: usize): void {
  if (k == 1) {
    const shift = f64x2.splat(load<f64>(bias));
    for (; count > 0; count -= 2, scores += 16, labels += 8, totals += 16, lags += 16) {
      const label = f64x2.convert_low_i32x4_u(v128.load64_zero(labels));
      findPair(f64x2.add(v128.load(scores), shift), label, scores, totals, lags);
    }
    return;
  }
  for (; count > 0; count--, scores += <usize>k << 3, labels += 4, totals += 8, lags += 8) {
    findOne(scores, k, bias, load<u32>(labels), totals, lags);
  }
}

@inline function ln(x: f64): f64 {
  return f64x2.extract_lane(lnTwo(f64x2.splat(x)), 0);
}

// Adds the log losses of `count` samples to sums[0], but for the product of those totals whose weight is 1, which is sums[1]; and their
// errors, multiplied by the weights in place, to the k sums that follow. No weights: all are 1.
export function sumErrors(errors: usize, k: i32, count: i32, totals: usize, lags: usize, weights: usize, sums: usize): void {
  let loss = load<f64>(sums), factor = load<f64>(sums, 8);
  const HHt = sums + 16;
  for (let s: usize = 0; s < <usize>count; s++) {
    const own: f64 = weights == 0 ? 1 : load<f64>(weights + (s << 3));
    const total = load<f64>(totals + (s << 3));
    loss += own * load<f64>(lags + (s << 3));
    if (own != 1) loss += own * ln(total);
    else factor *= total;
    if (factor > MOST_FACTOR) {
      loss += ln(factor);
      factor = 1;
    }
  }
  store<f64>(sums, loss);
  store<f64>(sums, factor, 8);
  if (k == 1) {
    let sum = load<f64>(HHt);
    for (; count > 0; count--, errors += 8) {
      if (weights != 0) {
        store<f64>(errors, load<f64>(errors) * load<f64>(weights));
        weights += 8;
      }
      sum += load<f64>(errors);
    }
    store<f64>(HHt, sum);
    return;
  }
  const end = HHt + (<usize>k << 3);
  for (; count > 0; count--) {
    const own: f64 = weights == 0 ? 1 : load<f64>(weights);
    if (weights != 0) weights += 8;
    const scale = f64x2.splat(own);
    let at = HHt;
    for (; at + 16 <= end; at += 16, errors += 16) {
      const error = f64x2.mul(v128.load(errors), scale);
      v128.store(errors, error);
      v128.store(at, f64x2.add(v128.load(at), error));
    }
    if (at < end) {
      const error = load<f64>(errors) * own;
      store<f64>(errors, error);
      store<f64>(at, load<f64>(at) + error);
      errors += 8;
    }
  }
}
