// The sieve of a search for neighbours among sparse members: cosines of members and queries, all of them f32 vectors. What may
// be among the `count` closest is handed out to be decided elsewhere, so here the rounding only has to be bounded. A hit takes
// 8 bytes, a number and the score.

import { SCRATCH, tileSparse } from "../tile";

@inline function maskOf(a: v128, b: v128, c: v128): i32 {
  return i32x4.bitmask(a) | (i32x4.bitmask(b) << 4) | (i32x4.bitmask(c) << 8);
}

// Keeps the best scores, falling; returns the least that still matters.
export function keep(score: f32, best: usize, count: i32, margin: f32): f32 {
  const last = best + ((<usize>count) - 1) * 4;
  let at = last;
  if (score > load<f32>(at)) {
    for (; at > best && load<f32>(at - 4) < score; at -= 4) store<f32>(at, load<f32>(at - 4));
    store<f32>(at, score);
  }
  return load<f32>(last) - margin;
}

// Sparse members from … to − 1 against a panel of 12 queries, each with its limit and its best scores. A hit's number is the
// member's place, counted from `from`, · 16 + lane.
export function nearSparse(offsets: usize, indices: usize, values: usize, from: i32, to: i32, panel: usize, limits: usize, best: usize, count: i32, margin: f32, hits: usize): i32 {
  const zero = f32x4.splat(0), scores = SCRATCH;
  let at = hits;
  for (let i = from; i < to; i++) {
    const row = offsets + (<usize>i) * 4;
    tileSparse<f32, f32>(load<u32>(row), load<u32>(row, 4), indices, values, panel, zero, zero, zero, scores);
    let lanes = maskOf(
      f32x4.ge(v128.load(scores), v128.load(limits)),
      f32x4.ge(v128.load(scores, 16), v128.load(limits, 16)),
      f32x4.ge(v128.load(scores, 32), v128.load(limits, 32)));
    for (; lanes != 0; lanes &= lanes - 1, at += 8) {
      const lane = <usize>ctz(lanes);
      const score = load<f32>(scores + lane * 4);
      store<u32>(at, ((i - from) << 4) | <u32>lane);
      store<f32>(at, score, 4);
      store<f32>(limits + lane * 4, keep(score, best + lane * (<usize>count) * 4, count, margin));
    }
  }
  return <i32>((at - hits) / 8);
}
