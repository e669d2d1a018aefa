// The sieve of a search for neighbours: cosines of members with a panel of 12 queries, all of them f32 unit vectors. What
// reaches a query's limit is handed out to be decided elsewhere, so here the rounding only has to be bounded.

import { SCRATCH, tileOne, tilePair, tileSparse } from "./tile";

// Notes the lanes of a member's three vectors of scores that reach their limit: 8 bytes a hit, place · 16 + lane and the
// score.
@inline function note(scores: usize, limits: usize, place: u32, hits: usize): usize {
  const x = f32x4.ge(v128.load(scores), v128.load(limits));
  const y = f32x4.ge(v128.load(scores, 16), v128.load(limits, 16));
  const z = f32x4.ge(v128.load(scores, 32), v128.load(limits, 32));
  let lanes = i32x4.bitmask(x) | (i32x4.bitmask(y) << 4) | (i32x4.bitmask(z) << 8);
  while (lanes != 0) {
    const lane = ctz(lanes);
    store<u32>(hits, (place << 4) | <u32>lane);
    store<f32>(hits, load<f32>(scores + (<usize>lane) * 4), 4);
    hits += 8;
    lanes &= lanes - 1;
  }
  return hits;
}

// Sifts dense members from … to − 1; returns how many hits there are. Places count from `from`.
export function nearDense(X: usize, m: i32, from: i32, to: i32, panel: usize, limits: usize, hits: usize): i32 {
  const row = (<usize>m) * 4;
  const zero = f32x4.splat(0), out = SCRATCH;
  let at = hits;
  let i = from;
  for (; i + 2 <= to; i += 2) {
    const x = X + row * <usize>i;
    tilePair<f32, f32>(x, x + row, row, panel, zero, zero, zero, out, out + 48);
    at = note(out, limits, i - from, at);
    at = note(out + 48, limits, i - from + 1, at);
  }
  if (i < to) {
    tileOne<f32, f32>(X + row * <usize>i, row, panel, zero, zero, zero, out);
    at = note(out, limits, i - from, at);
  }
  return <i32>((at - hits) / 8);
}

// The same for sparse members.
export function nearSparse(offsets: usize, indices: usize, values: usize, from: i32, to: i32, panel: usize, limits: usize, hits: usize): i32 {
  const zero = f32x4.splat(0), out = SCRATCH;
  let at = hits;
  for (let i = from; i < to; i++) {
    const row = offsets + (<usize>i) * 4;
    tileSparse<f32, f32>(load<u32>(row), load<u32>(row, 4), indices, values, panel, zero, zero, zero, out);
    at = note(out, limits, i - from, at);
  }
  return <i32>((at - hits) / 8);
}
