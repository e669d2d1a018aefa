// The search of the sparse screen (kernel/neighbors/sparse-screen.ts): 32-bit cosines of sparse members with a panel of 12 queries.
// Members that may be among the `count` closest are hits; the caller decides in 64 bits, so here the rounding error need only be
// bounded. A hit takes 8 bytes: a number and the score.

import { SCRATCH, tileSparse } from "../panel";

@inline function maskOf(a: v128, b: v128, c: v128): i32 {
  return i32x4.bitmask(a) | (i32x4.bitmask(b) << 4) | (i32x4.bitmask(c) << 8);
}

// Inserts a score into the best, which are falling. Returns the least score that still matters.
export function keepBest(score: f32, best: usize, count: i32, margin: f32): f32 {
  const last = best + ((<usize>count) - 1) * 4;
  let at = last;
  if (score > load<f32>(at)) {
    for (; at > best && load<f32>(at - 4) < score; at -= 4) store<f32>(at, load<f32>(at - 4));
    store<f32>(at, score);
  }
  return load<f32>(last) - margin;
}

// Compares sparse members from … to − 1 with a panel of 12 queries, each with its limit and its best scores. The number of a hit is
// 16 · (member − from) + lane.
export function searchSparse(offsets: usize, indices: usize, values: usize, from: i32, to: i32, panel: usize, limits: usize, best: usize, count: i32, margin: f32, hits: usize): i32 {
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
      store<f32>(limits + lane * 4, keepBest(score, best + lane * (<usize>count) * 4, count, margin));
    }
  }
  return <i32>((at - hits) / 8);
}
