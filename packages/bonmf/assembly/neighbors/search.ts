// The search for neighbours of queries among members that are laid out (screen.ts). With r and s what query and member differ
// from a centre, ⟨r,s⟩ − ½‖s‖² is bounded by sums of 16-bit products: 24 members at a time, two features at a time. Whom the
// bound does not rule out is weighed: its cosine in 32 bits decides whether it is a hit.

import { keep } from "./sparse-search";
import { NOBODY, Screen, layQuery, total } from "./layout";
import { putThree } from "../tile";

// Tiles whose bounds are found before members are weighed.
const BLOCK: i32 = 512;
// Tiles that a query begins with.
const FIRST: i32 = 4;
// How many more than are wanted are weighed first; those that were none of the best count more.
const EAGER: i32 = 7;
const IDLE: i32 = 3;
// In place of a best score while there is none (kernel/neighbors/error-bound).
const NONE: f32 = -4;

// ⟨x,z⟩/‖z‖ for a unit vector x.
@inline function weigh<T>(s: Screen, x: usize, id: usize): f32 {
  const m = <usize>s.m;
  let dot: f64;
  if (s.sparse) {
    let p = <usize>load<u32>(s.X + id * 4);
    const end = <usize>load<u32>(s.X + id * 4, 4);
    let a: T = 0, b: T = 0;
    for (; p + 2 <= end; p += 2) {
      const at = s.indices + p * 4, v = s.values + p * sizeof<T>();
      a += load<T>(v) * load<T>(x + (<usize>load<u32>(at)) * sizeof<T>());
      b += load<T>(v, sizeof<T>()) * load<T>(x + (<usize>load<u32>(at, 4)) * sizeof<T>());
    }
    if (p < end) a += load<T>(s.values + p * sizeof<T>()) * load<T>(x + (<usize>load<u32>(s.indices + p * 4)) * sizeof<T>());
    dot = <f64>(a + b);
  } else {
    let z = s.X + id * m * sizeof<T>();
    const end = x + m * sizeof<T>();
    let a = v128.splat<T>(0), b = a;
    for (; x + 32 <= end; x += 32, z += 32) {
      a = v128.add<T>(a, v128.mul<T>(v128.load(x), v128.load(z)));
      b = v128.add<T>(b, v128.mul<T>(v128.load(x, 16), v128.load(z, 16)));
    }
    if (x + 16 <= end) {
      a = v128.add<T>(a, v128.mul<T>(v128.load(x), v128.load(z)));
      x += 16; z += 16;
    }
    a = v128.add<T>(a, b);
    let rest: T = 0;
    for (; x < end; x += sizeof<T>(), z += sizeof<T>()) rest += load<T>(x) * load<T>(z);
    if (sizeof<T>() == 8) dot = total(a) + <f64>rest;
    else {
      a = f32x4.add(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
      dot = <f64>(f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + <f32>rest);
    }
  }
  return <f32>(dot * load<f64>(s.scales + id * 8));
}

// The least bound that may matter.
@inline function limitOf(s: Screen, unit: f64, base: f64, worst: f32): i32 {
  const limit = (<f64>worst - s.slack - base) * unit * unit;
  return <i32>floor<f64>(min<f64>(max<f64>(limit, <f64>(NOBODY + 1)), <f64>(1 << 30)));
}

// The bounds of tiles from … to − 1 go to `sums`, and to `tops` the largest of each four lanes. Of one query:
function boundTiles(s: Screen, from: i32, to: i32): void {
  const codes = s.codes, end = codes + 4 * <usize>s.pairs;
  let x = s.tiles + (<usize>from) * 96 * (1 + <usize>s.pairs), out = s.sums, tops = s.tops;
  for (let t = from; t < to; t++, out += 96, tops += 16) {
    let a = v128.load(x), b = v128.load(x, 16), c = v128.load(x, 32), d = v128.load(x, 48), e = v128.load(x, 64), f = v128.load(x, 80);
    x += 96;
    for (let q = codes; q < end; q += 4, x += 96) {
      const v = v128.load32_splat(q);
      a = add(a, v, v128.load(x)); b = add(b, v, v128.load(x, 16)); c = add(c, v, v128.load(x, 32));
      d = add(d, v, v128.load(x, 48)); e = add(e, v, v128.load(x, 64)); f = add(f, v, v128.load(x, 80));
    }
    v128.store(out, a); v128.store(out, b, 16); v128.store(out, c, 32);
    v128.store(out, d, 48); v128.store(out, e, 64); v128.store(out, f, 80);
    v128.store(tops, i32x4.max_s(mostOf(a, b, c), mostOf(d, e, f)));
  }
}

// Of two queries at once, whose codes and bounds follow one another: what is read of the members serves both.
function boundTwice(s: Screen, from: i32, to: i32): void {
  const row = 4 * <usize>s.pairs, codes = s.codes, end = codes + row, apart = 96 * <usize>BLOCK;
  let x = s.tiles + (<usize>from) * 96 * (1 + <usize>s.pairs), out = s.sums, tops = s.tops;
  for (let t = from; t < to; t++, x += 96 + 96 * <usize>s.pairs, out += 96, tops += 16) {
    let top = i32x4.splat(NOBODY), other = top;
    for (let half: usize = 0; half < 96; half += 48) {
      let y = x + half;
      let a = v128.load(y), b = v128.load(y, 16), c = v128.load(y, 32), d = a, e = b, f = c;
      for (let q = codes; q < end; q += 4) {
        y += 96;
        const u = v128.load(y), v = v128.load(y, 16), w = v128.load(y, 32);
        const one = v128.load32_splat(q);
        a = add(a, one, u); b = add(b, one, v); c = add(c, one, w);
        const two = v128.load32_splat(q + row);
        d = add(d, two, u); e = add(e, two, v); f = add(f, two, w);
      }
      putThree(out + half, a, b, c);
      putThree(out + half + apart, d, e, f);
      top = i32x4.max_s(top, mostOf(a, b, c));
      other = i32x4.max_s(other, mostOf(d, e, f));
    }
    v128.store(tops, top);
    v128.store(tops + 16 * <usize>BLOCK, other);
  }
}

@inline function add(sum: v128, a: v128, b: v128): v128 { return i32x4.add(sum, i32x4.dot_i16x8_s(a, b)); }

@inline function mostOf(a: v128, b: v128, c: v128): v128 { return i32x4.max_s(i32x4.max_s(a, b), c); }

// The largest bound of some tiles.
function topOf(tops: usize, tiles: i32): i32 {
  let top = v128.load(tops);
  for (let at = tops + 16, end = tops + 16 * <usize>tiles; at < end; at += 16) top = i32x4.max_s(top, v128.load(at));
  top = i32x4.max_s(top, v128.shuffle<i32>(top, top, 2, 3, 0, 1));
  return max<i32>(i32x4.extract_lane(top, 0), i32x4.extract_lane(top, 1));
}

// Where a number is that is known to be there.
@inline function find(at: usize, value: i32): usize {
  const wanted = i32x4.splat(value);
  let hits = 0;
  for (;; at += 16) if ((hits = i32x4.bitmask(i32x4.eq(v128.load(at), wanted))) != 0) break;
  return at + 4 * <usize>ctz(hits);
}

// Takes the largest bound out and returns where it was, counted from the first.
function takeTop(sums: usize, tops: usize, top: i32): usize {
  const tile = (find(tops, top) - tops) >> 4, own = sums + 96 * tile;
  const place = find(own, top);
  store<i32>(place, NOBODY);
  v128.store(tops + 16 * tile, i32x4.max_s(
    mostOf(v128.load(own), v128.load(own, 16), v128.load(own, 32)),
    mostOf(v128.load(own, 48), v128.load(own, 64), v128.load(own, 80))));
  return place - sums;
}

// Weighs one member, and so all that are equal; returns where the next hit goes.
@inline function judge<T>(s: Screen, x: usize, id: i32, count: i32, at: usize): usize {
  const score = weigh<T>(s, x, id);
  if (score < load<f32>(s.best + (<usize>count - 1) * 4) - <f32>s.margin) return at;
  for (; id >= 0; id = load<i32>(s.nexts + (<usize>id) * 4), at += 8) {
    store<i32>(at, id);
    store<f32>(at, score, 4);
    keep(score, s.best, count, 0);
  }
  return at;
}

// Finds hits for query i among tiles from `first` on whose bounds are known; returns where the next one goes.
function pick<T>(s: Screen, i: usize, first: i32, tiles: i32, unit: f64, base: f64, sums: usize, tops: usize, count: i32, at: usize): usize {
  const x = s.unitQueries + i * (<usize>s.m) * sizeof<T>(), names = s.ids + 96 * <usize>first;
  const worst = s.best + (<usize>count - 1) * 4;
  let limit = limitOf(s, unit, base, load<f32>(worst));
  // The largest bounds first: what they belong to is near, and leaves little of the others.
  for (let left = EAGER + (load<f32>(worst) == NONE ? min(count, 64) : 0); left > 0;) {
    const top = topOf(tops, tiles);
    if (top < limit) return at;
    const before = load<f32>(worst);
    at = judge<T>(s, x, load<i32>(names + takeTop(sums, tops, top)), count, at);
    left -= load<f32>(worst) > before ? 1 : IDLE;
    limit = limitOf(s, unit, base, load<f32>(worst));
  }
  for (let tile: usize = 0; tile < <usize>tiles; tile++) {
    if (!v128.any_true(i32x4.ge_s(v128.load(tops + 16 * tile), i32x4.splat(limit)))) continue;
    for (let place = 96 * tile, end = place + 96; place < end; place += 16) {
      let hits = i32x4.bitmask(i32x4.ge_s(v128.load(sums + place), i32x4.splat(limit)));
      for (; hits != 0; hits &= hits - 1) {
        const one = place + 4 * <usize>ctz(hits), before = at;
        if (load<i32>(sums + one) < limit) continue;
        at = judge<T>(s, x, load<i32>(names + one), count, at);
        if (at > before) limit = limitOf(s, unit, base, load<f32>(worst));
      }
    }
  }
  return at;
}

// The same among tiles from … to − 1, less those from `done` to `undone` − 1.
function scan<T>(s: Screen, i: usize, from: i32, to: i32, done: i32, undone: i32, unit: f64, base: f64, count: i32, at: usize): usize {
  for (let t = from; t < to; t += BLOCK) {
    const tiles = min(to - t, BLOCK);
    boundTiles(s, t, t + tiles);
    for (let skip = max(t, done); skip < min(t + tiles, undone); skip++) {
      v128.store(s.tops + 16 * <usize>(skip - t), i32x4.splat(NOBODY));
    }
    at = pick<T>(s, i, t, tiles, unit, base, s.sums, s.tops, count, at);
  }
  return at;
}

// How many tiles the last visit looked at.
let seen: i32 = 0;

// Finds hits for query i in cluster j; returns where the next one goes. Tiles lie in the order of their members' first numbers:
// it begins where the query's would be, and ends where they alone differ too much.
function visit<T>(s: Screen, i: usize, j: usize, count: i32, at: usize): usize {
  const base = layQuery<T>(s, i, j, s.codes), unit = load<f64>(s.units + j * 8);
  const first = load<i32>(s.starts + j * 4), last = load<i32>(s.starts + j * 4, 4), own = <i32>load<i16>(s.codes);
  let from = first, to = last;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (load<i32>(s.highs + (<usize>middle) * 4) < own) from = middle + 1;
    else to = middle;
  }
  from = max(first, from - FIRST / 2);
  to = min(last, from + FIRST);
  at = scan<T>(s, i, from, to, to, to, unit, base, count, at);
  const done = from, undone = to;
  const worst = <f64>load<f32>(s.best + (<usize>count - 1) * 4) - s.slack;
  const reach = base == 8 ? 65536 : <i32>min<f64>(65536, 2 + unit * sqrt<f64>(2 * max<f64>(0, 1 - worst)));
  while (from > first && load<i32>(s.highs + (<usize>from - 1) * 4) >= own - reach) from--;
  while (to < last && load<i32>(s.lows + (<usize>to) * 4) <= own + reach) to++;
  seen = to - from;
  return seen > undone - done ? scan<T>(s, i, from, to, done, undone, unit, base, count, at) : at;
}

// Leaves the hits from … to − 8 that still matter; returns where they end.
function winnow(from: usize, to: usize, least: f32): usize {
  let out = from;
  for (let at = from; at < to; at += 8) {
    if (load<f32>(at, 4) < least) continue;
    store<u64>(out, load<u64>(at));
    out += 8;
  }
  return out;
}

@inline function begin(s: Screen, count: i32): void {
  for (let b: usize = 0; b < <usize>count; b++) store<f32>(s.best + b * 4, NONE);
}

// Says what was found at place p of the list of queries, hits begin … at; returns where they end.
function end(s: Screen, p: usize, count: i32, visited: u32, hits: usize, begin: usize, at: usize): usize {
  const worst = load<f32>(s.best + (<usize>count - 1) * 4);
  at = winnow(begin, at, worst - <f32>s.margin);
  store<u32>(s.ends + p * 4, <u32>((at - hits) / 8));
  store<f32>(s.worsts + p * 4, worst);
  store<u32>(s.visits + p * 4, visited);
  return at;
}

// The hits of the queries at places from … to − 1 of the list. They look into cluster homes[i]; or, where `routes` says for each
// of k clusters how large a cosine can be there, into those that may matter, the best first. Returns the first place that may
// find no room for its hits, or `to`.
@inline function near<T>(s: Screen, from: i32, to: i32, count: i32, homes: usize, routes: usize, k: i32, hits: usize, room: usize): i32 {
  let at = hits;
  // Where visits look at most of a cluster it pays to do so for two queries at once: the more often that was so, the longer it
  // is taken for granted.
  let streak = 0, left = 0;
  for (let p = <usize>from; p < <usize>to; p++) {
    if (at + 16 * <usize>s.n > hits + room) return <i32>p;
    const i = <usize>load<u32>(s.list + p * 4), start = at;
    let visited: u32 = 0;
    begin(s, count);
    if (load<f64>(s.spans + i * 8) == 0) {}
    else if (homes) {
      const j = <usize>load<u32>(homes + i * 4), first = load<i32>(s.starts + j * 4), tiles = load<i32>(s.starts + j * 4, 4) - first;
      const other = p + 1 < <usize>to ? <usize>load<u32>(s.list + p * 4, 4) : i;
      visited = load<u32>(s.sizes + j * 4);
      if (left > 0 && tiles > 0 && tiles <= BLOCK && other != i && load<u32>(homes + other * 4) == <u32>j && load<f64>(s.spans + other * 8) != 0) {
        const unit = load<f64>(s.units + j * 8);
        const one = layQuery<T>(s, i, j, s.codes), two = layQuery<T>(s, other, j, s.codes + 4 * <usize>s.pairs);
        boundTwice(s, first, first + tiles);
        at = pick<T>(s, i, first, tiles, unit, one, s.sums, s.tops, count, at);
        at = end(s, p++, count, visited, hits, start, at);
        begin(s, count);
        const next = at;
        at = pick<T>(s, other, first, tiles, unit, two, s.sums + 96 * <usize>BLOCK, s.tops + 16 * <usize>BLOCK, count, at);
        at = end(s, p, count, visited, hits, next, at);
        left--;
        continue;
      }
      at = visit<T>(s, i, j, count, at);
      left = streak = 2 * seen > tiles ? min(64, 2 * streak + 1) : 0;
    } else for (const route = routes + i * 4 * <usize>k;;) {
      let j: usize = 0;
      for (let o: usize = 1; o < <usize>k; o++) if (load<f32>(route + o * 4) > load<f32>(route + j * 4)) j = o;
      const reach = load<f32>(route + j * 4);
      if (reach < -1 || <f64>reach < <f64>load<f32>(s.best + (<usize>count - 1) * 4) - s.slack) break;
      store<f32>(route + j * 4, -2);
      visited += load<u32>(s.sizes + j * 4);
      at = visit<T>(s, i, j, count, at);
    }
    at = end(s, p, count, visited, hits, start, at);
  }
  return to;
}

export function near32(s: Screen, from: i32, to: i32, count: i32, homes: usize, routes: usize, k: i32, hits: usize, room: usize): i32 {
  return near<f32>(s, from, to, count, homes, routes, k, hits, room);
}
export function near64(s: Screen, from: i32, to: i32, count: i32, homes: usize, routes: usize, k: i32, hits: usize, room: usize): i32 {
  return near<f64>(s, from, to, count, homes, routes, k, hits, room);
}
