// The sieves of a search for neighbours: cosines of members and queries, all of them f32 vectors. What may be among the
// `count` closest is handed out to be decided elsewhere, so here the rounding only has to be bounded. A hit takes 8 bytes, a
// number and the score.

import { SCRATCH, tileSparse } from "./tile";

@inline function add(sum: v128, a: v128, b: v128): v128 { return f32x4.add(sum, f32x4.mul(a, b)); }

@inline function maskOf(a: v128, b: v128, c: v128): i32 {
  return i32x4.bitmask(a) | (i32x4.bitmask(b) << 4) | (i32x4.bitmask(c) << 8);
}

@inline function reaches(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, least: v128): bool {
  const most = f32x4.pmax(f32x4.pmax(f32x4.pmax(a, b), f32x4.pmax(c, d)), f32x4.pmax(e, f));
  return v128.any_true(f32x4.ge(most, least));
}

// Keeps the best scores, falling; returns the least that still matters.
function keep(score: f32, best: usize, count: i32, margin: f32): f32 {
  const last = best + ((<usize>count) - 1) * 4;
  let at = last;
  if (score > load<f32>(at)) {
    for (; at > best && load<f32>(at - 4) < score; at -= 4) store<f32>(at, load<f32>(at - 4));
    store<f32>(at, score);
  }
  return load<f32>(last) - margin;
}

// Dense members in blocks of 24 (kernel/frame says how they lie), `block` bytes each, against one query: blocks from … to − 1,
// those around `middle` first. After `first` features, and whenever their number has doubled, a block is left whose scores
// cannot matter any more: what they lack is no more than the product of what is left of both lengths. A hit's number is
// the member's place · 32 + lane. Returns where the next hit goes.
@inline function siftBlocks(X: usize, block: usize, m: i32, first: i32, from: i32, to: i32, middle: i32, query: usize, best: usize, count: i32, margin: f32, lane: u32, at: usize): usize {
  let limit = load<f32>(best + ((<usize>count) - 1) * 4) - margin;
  let least = f32x4.splat(limit);
  let low = middle, high = middle;
  for (let reach = 1, up = true; low > from || high < to; up = !up) {
    let i: i32, end: i32;
    if (up) { i = high; end = high = min(to, high + reach); }
    else { end = low; i = low = max(from, low - reach); reach *= 4; }
    for (; i < end; i++) {
      let x = X + block * <usize>i, q = query;
      let a = v128.load(x), b = v128.load(x, 16), c = v128.load(x, 32);
      let d = v128.load(x, 48), e = v128.load(x, 64), f = v128.load(x, 80);
      let done: i32 = 0;
      for (let size = min(first, m);;) {
        x += 96;
        for (const stop = q + (<usize>size) * 4; q < stop; q += 4, x += 96) {
          const v = v128.load32_splat(q);
          a = add(a, v, v128.load(x)); b = add(b, v, v128.load(x, 16)); c = add(c, v, v128.load(x, 32));
          d = add(d, v, v128.load(x, 48)); e = add(e, v, v128.load(x, 64)); f = add(f, v, v128.load(x, 80));
        }
        done += size;
        if (done == m) break;
        const tail = v128.load32_splat(q);
        if (!reaches(
          add(a, tail, v128.load(x)), add(b, tail, v128.load(x, 16)), add(c, tail, v128.load(x, 32)),
          add(d, tail, v128.load(x, 48)), add(e, tail, v128.load(x, 64)), add(f, tail, v128.load(x, 80)), least)) break;
        q += 4;
        size = min(done, m - done);
      }
      if (done < m || !reaches(a, b, c, d, e, f, least)) continue;
      let hits = maskOf(f32x4.ge(a, least), f32x4.ge(b, least), f32x4.ge(c, least));
      hits |= maskOf(f32x4.ge(d, least), f32x4.ge(e, least), f32x4.ge(f, least)) << 12;
      const scores = SCRATCH;
      v128.store(scores, a); v128.store(scores, b, 16); v128.store(scores, c, 32);
      v128.store(scores, d, 48); v128.store(scores, e, 64); v128.store(scores, f, 80);
      for (; hits != 0; hits &= hits - 1) {
        const one = <u32>ctz(hits);
        const score = load<f32>(scores + (<usize>one) * 4);
        if (score < limit) continue;
        store<u32>(at, ((24 * <u32>i + one) << 5) | lane);
        store<f32>(at, score, 4);
        at += 8;
        limit = keep(score, best, count, margin);
      }
      least = f32x4.splat(limit);
    }
  }
  return at;
}

// The same for the queries of all lanes whose `middles` are not negative, `query` bytes each. Their middles become negative
// when they are done; it ends early where the next one might find no room for its hits. Returns how many hits there are.
export function nearDense(X: usize, block: usize, m: i32, first: i32, from: i32, to: i32, lanes: u32, middles: usize, queries: usize, query: usize, best: usize, count: i32, margin: f32, hits: usize, room: usize): i32 {
  let at = hits;
  for (let lane: u32 = 0; lane < lanes; lane++) {
    const middle = load<i32>(middles + (<usize>lane) * 4);
    if (middle < 0) continue;
    if (at + (<usize>(to - from)) * 192 > hits + room) break;
    store<i32>(middles + (<usize>lane) * 4, -1);
    at = siftBlocks(X, block, m, first, from, to, middle, queries + query * <usize>lane, best + (<usize>lane) * (<usize>count) * 4, count, margin, lane, at);
  }
  return <i32>((at - hits) / 8);
}

// The codes (kernel/frame) of samples from … to − 1.
@inline function encode<T>(X: usize, m: i32, bits: i32, scales: usize, order: usize, centre: usize, from: i32, to: i32, codes: usize): void {
  for (let i = <usize>from; i < <usize>to; i++) {
    const x = X + i * (<usize>m) * sizeof<T>();
    const scale = load<f64>(scales + i * 8);
    let side: u32 = 0, code: u32 = 0;
    for (let q: usize = 0; q < <usize>bits; q++) {
      const value = <f64>load<T>(x + (<usize>load<u32>(order + q * 4)) * sizeof<T>());
      side ^= u32(value * scale > load<f64>(centre + q * 8));
      code = (code << 1) | side;
    }
    store<u32>(codes + i * 4, code);
  }
}

export function encode32(X: usize, m: i32, bits: i32, scales: usize, order: usize, centre: usize, from: i32, to: i32, codes: usize): void {
  encode<f32>(X, m, bits, scales, order, centre, from, to, codes);
}

export function encode64(X: usize, m: i32, bits: i32, scales: usize, order: usize, centre: usize, from: i32, to: i32, codes: usize): void {
  encode<f64>(X, m, bits, scales, order, centre, from, to, codes);
}

// Less than any score by more than what features can add.
const NOBODY: f32 = -16;

@inline function twice(a: f64, b: f64): v128 { return f64x2.replace_lane(f64x2.splat(a), 1, b); }

// Lays out blocks from … to − 1 as kernel/frame does it for one vector. X holds their members, 24 a block, in the order of the
// blocks; `ids` says which samples these are, −1 where there is none.
@inline function frame<T>(X: usize, m: i32, first: i32, ids: usize, scales: usize, order: usize, centre: usize, from: i32, to: i32, out: usize, block: usize): void {
  const row = (<usize>m) * sizeof<T>();
  let last = first;
  while (last * 2 < m) last *= 2;
  if (last >= m) last = 0;
  for (let i = from; i < to; i++) {
    for (let lane: usize = 0; lane < 24; lane += 2) {
      const begin = out + block * <usize>i + lane * 4;
      const names = ids + ((<usize>i) * 24 + lane) * 4;
      const one = load<i32>(names), two = load<i32>(names, 4);
      const x = X + ((<usize>(i - from)) * 24 + lane) * row, y = x + row;
      // Where there is none, zeros are laid out whatever X holds, and the score is less than any.
      const scale = twice(
        one < 0 ? 0 : load<f64>(scales + (<usize>one) * 8),
        two < 0 ? 0 : load<f64>(scales + (<usize>two) * 8));
      let place = begin + block;
      let squares = f64x2.splat(0), along = f64x2.splat(0);
      for (let end = m, start = last;;) {
        for (let q = end - 1; q >= start; q--) {
          const f = (<usize>load<u32>(order + (<usize>q) * 4)) * sizeof<T>();
          const c = v128.load64_splat(centre + (<usize>q) * 8);
          const r = f64x2.sub(f64x2.mul(twice(<f64>load<T>(x + f), <f64>load<T>(y + f)), scale), c);
          squares = f64x2.add(squares, f64x2.mul(r, r));
          along = f64x2.add(along, f64x2.mul(r, c));
          place -= 96;
          v128.store64_lane(place, f32x4.demote_f64x2_zero(r), 0);
        }
        if (start == 0) break;
        place -= 96;
        v128.store64_lane(place, f32x4.demote_f64x2_zero(f64x2.sqrt(squares)), 0);
        end = start;
        start = start > first ? start / 2 : 0;
      }
      store<f32>(begin, one < 0 ? NOBODY : <f32>f64x2.extract_lane(along, 0));
      store<f32>(begin, two < 0 ? NOBODY : <f32>f64x2.extract_lane(along, 1), 4);
    }
  }
}

export function frame32(X: usize, m: i32, first: i32, ids: usize, scales: usize, order: usize, centre: usize, from: i32, to: i32, out: usize, block: usize): void {
  frame<f32>(X, m, first, ids, scales, order, centre, from, to, out, block);
}

export function frame64(X: usize, m: i32, first: i32, ids: usize, scales: usize, order: usize, centre: usize, from: i32, to: i32, out: usize, block: usize): void {
  frame<f64>(X, m, first, ids, scales, order, centre, from, to, out, block);
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
