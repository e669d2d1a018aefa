// What samples know of prototypes, where they have gaps: matrix/gaps lists what is missing of each sample, or what is known. To the
// bits of kernel/plain/gaps.ts.

import { ScoreInput } from "./structs";

// Less of a unit vector is known to a sample than rounding leaves.
@inline function leastOf<T>(): T { return <T>(sizeof<T>() == 4 ? 2 ** -16 : 1e-12); }

// By angle, scores are divided by the length that the sample knows; a prototype that it knows nothing of scores no more than 0.
@inline function divideByLength<T>(out: usize, square: v128): void {
  const score = v128.load(out);
  const seen = v128.gt<T>(square, v128.splat<T>(leastOf<T>()));
  v128.store(out, v128.bitselect(v128.div<T>(score, v128.sqrt<T>(square)), v128.pmin<T>(score, v128.splat<T>(0)), seen));
}

// Corrects sample i's scores, three vectors, against a panel: what a prototype has at missing features does not count.
export function correctScores<T>(d: ScoreInput, i: usize, panel: usize, out: usize): void {
  let at = d.gapFeatures + 4 * <usize>load<u32>(d.gapOffsets + i * 4);
  const end = d.gapFeatures + 4 * <usize>load<u32>(d.gapOffsets + i * 4, 4);
  if (at == end) return;
  let a = v128.splat<T>(0), b = a, c = a;
  for (; at < end; at += 4) {
    const w = panel + 48 * <usize>load<u32>(at);
    const x = v128.load(w), y = v128.load(w, 16), z = v128.load(w, 32);
    a = v128.add<T>(a, v128.mul<T>(x, x));
    b = v128.add<T>(b, v128.mul<T>(y, y));
    c = v128.add<T>(c, v128.mul<T>(z, z));
  }
  if (!d.angular) {
    const half = v128.splat<T>(<T>(d.gapsKnown ? -0.5 : 0.5));
    v128.store(out, v128.add<T>(v128.load(out), v128.mul<T>(half, a)));
    v128.store(out, v128.add<T>(v128.load(out, 16), v128.mul<T>(half, b)), 16);
    v128.store(out, v128.add<T>(v128.load(out, 32), v128.mul<T>(half, c)), 32);
    return;
  }
  if (!d.gapsKnown) {
    const one = v128.splat<T>(1);
    a = v128.sub<T>(one, a); b = v128.sub<T>(one, b); c = v128.sub<T>(one, c);
  }
  divideByLength<T>(out, a);
  divideByLength<T>(out + 16, b);
  divideByLength<T>(out + 32, c);
}

// The score of sample i against one prototype, from its product and bias: for bounds only.
export function scoreKnown<T>(d: ScoreInput, i: usize, w: usize, dot: f64, bias: f64): f64 {
  if (d.gapOffsets == 0) return dot + bias;
  let at = d.gapFeatures + 4 * <usize>load<u32>(d.gapOffsets + i * 4), sum: f64 = 0;
  const end = d.gapFeatures + 4 * <usize>load<u32>(d.gapOffsets + i * 4, 4);
  for (; at < end; at += 4) {
    const value = <f64>load<T>(w + sizeof<T>() * <usize>load<u32>(at));
    sum += value * value;
  }
  if (!d.angular) return d.gapsKnown ? dot - sum / 2 : dot + bias + sum / 2;
  const square = d.gapsKnown ? sum : 1 - sum;
  return square > <f64>leastOf<T>() ? dot / Math.sqrt(square) : 0;
}
