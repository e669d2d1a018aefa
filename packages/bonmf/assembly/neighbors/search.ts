// The search of the neighbour screen (layout.ts). For residuals r of a query and s of a member, ⟨r,s⟩ − ½‖s‖² is bounded by sums
// of 16-bit products, 24 members and two numbers at a time. Members that the bound does not rule out are compared: their cosine in
// the samples' precision decides whether they are hits. A hit takes 8 bytes: the member's number and its score.

import { keepBest } from "./sparse-search";
import { NO_MEMBER, ROW, Screen, quantizeQuery, sumLanes } from "./layout";
import { putThree } from "../panel";

// Tiles whose bounds are computed before members are compared.
const BLOCK: i32 = 512;
// Tiles that a search begins with.
const FIRST: i32 = 4;
// How many members, beside those wanted, are compared in the order of their bounds; one that does not improve the best counts
// IDLE times.
const EAGER: i32 = 7;
const IDLE: i32 = 3;
// In place of a missing best score (kernel/neighbors/error-bound.ts).
const NONE: f32 = -4;

// ⟨x,z⟩/‖z‖ for a unit vector x.
@inline function cosineOf<T>(s: Screen, x: usize, id: usize): f32 {
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
    if (sizeof<T>() == 8) dot = sumLanes(a) + <f64>rest;
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
  return <i32>floor<f64>(min<f64>(max<f64>(limit, <f64>(NO_MEMBER + 1)), <f64>(1 << 30)));
}

// Computes the bounds of tiles from … to − 1 for one query, and the maxima of each four lanes.
function boundTiles(s: Screen, from: i32, to: i32): void {
  const codes = s.queryCodes, end = codes + 4 * <usize>s.pairs;
  let x = s.tiles + (<usize>from) * ROW * (1 + <usize>s.pairs), out = s.bounds, tops = s.tileMaxima;
  for (let t = from; t < to; t++, out += ROW, tops += 16) {
    let a = v128.load(x), b = v128.load(x, 16), c = v128.load(x, 32), d = v128.load(x, 48), e = v128.load(x, 64), f = v128.load(x, 80);
    x += ROW;
    for (let q = codes; q < end; q += 4, x += ROW) {
      const v = v128.load32_splat(q);
      a = add(a, v, v128.load(x)); b = add(b, v, v128.load(x, 16)); c = add(c, v, v128.load(x, 32));
      d = add(d, v, v128.load(x, 48)); e = add(e, v, v128.load(x, 64)); f = add(f, v, v128.load(x, 80));
    }
    v128.store(out, a); v128.store(out, b, 16); v128.store(out, c, 32);
    v128.store(out, d, 48); v128.store(out, e, 64); v128.store(out, f, 80);
    v128.store(tops, i32x4.max_s(maxOf(a, b, c), maxOf(d, e, f)));
  }
}

// The same for two queries, whose codes and bounds follow one another: each load of a member serves both.
function boundTilesOfTwo(s: Screen, from: i32, to: i32): void {
  const row = 4 * <usize>s.pairs, codes = s.queryCodes, end = codes + row, apart = ROW * <usize>BLOCK;
  let x = s.tiles + (<usize>from) * ROW * (1 + <usize>s.pairs), out = s.bounds, tops = s.tileMaxima;
  for (let t = from; t < to; t++, x += ROW + ROW * <usize>s.pairs, out += ROW, tops += 16) {
    let top = i32x4.splat(NO_MEMBER), other = top;
    for (let half: usize = 0; half < ROW; half += 48) {
      let y = x + half;
      let a = v128.load(y), b = v128.load(y, 16), c = v128.load(y, 32), d = a, e = b, f = c;
      for (let q = codes; q < end; q += 4) {
        y += ROW;
        const u = v128.load(y), v = v128.load(y, 16), w = v128.load(y, 32);
        const one = v128.load32_splat(q);
        a = add(a, one, u); b = add(b, one, v); c = add(c, one, w);
        const two = v128.load32_splat(q + row);
        d = add(d, two, u); e = add(e, two, v); f = add(f, two, w);
      }
      putThree(out + half, a, b, c);
      putThree(out + half + apart, d, e, f);
      top = i32x4.max_s(top, maxOf(a, b, c));
      other = i32x4.max_s(other, maxOf(d, e, f));
    }
    v128.store(tops, top);
    v128.store(tops + 16 * <usize>BLOCK, other);
  }
}

@inline function add(sum: v128, a: v128, b: v128): v128 { return i32x4.add(sum, i32x4.dot_i16x8_s(a, b)); }

@inline function maxOf(a: v128, b: v128, c: v128): v128 { return i32x4.max_s(i32x4.max_s(a, b), c); }

// The largest bound of some tiles.
function topOf(tops: usize, tiles: i32): i32 {
  let top = v128.load(tops);
  for (let at = tops + 16, end = tops + 16 * <usize>tiles; at < end; at += 16) top = i32x4.max_s(top, v128.load(at));
  top = i32x4.max_s(top, v128.shuffle<i32>(top, top, 2, 3, 0, 1));
  return max<i32>(i32x4.extract_lane(top, 0), i32x4.extract_lane(top, 1));
}

// The address of a value that is known to be there.
@inline function find(at: usize, value: i32): usize {
  const wanted = i32x4.splat(value);
  let hits = 0;
  for (;; at += 16) if ((hits = i32x4.bitmask(i32x4.eq(v128.load(at), wanted))) != 0) break;
  return at + 4 * <usize>ctz(hits);
}

// Removes the largest bound. Returns its offset from the first one.
function takeTop(bounds: usize, tops: usize, top: i32): usize {
  const tile = (find(tops, top) - tops) >> 4, own = bounds + ROW * tile;
  const place = find(own, top);
  store<i32>(place, NO_MEMBER);
  v128.store(tops + 16 * tile, i32x4.max_s(
    maxOf(v128.load(own), v128.load(own, 16), v128.load(own, 32)),
    maxOf(v128.load(own, 48), v128.load(own, 64), v128.load(own, 80))));
  return place - bounds;
}

// Compares a query with one member, and so with all members equal to it. Returns the address of the next hit.
@inline function compare<T>(s: Screen, x: usize, id: i32, count: i32, at: usize): usize {
  const score = cosineOf<T>(s, x, id);
  if (score < load<f32>(s.best + (<usize>count - 1) * 4) - <f32>s.margin) return at;
  for (; id >= 0; id = load<i32>(s.nextEqual + (<usize>id) * 4), at += 8) {
    store<i32>(at, id);
    store<f32>(at, score, 4);
    keepBest(score, s.best, count, 0);
  }
  return at;
}

// Finds the hits of query i among tiles whose bounds are known. Returns the address of the next hit.
function pickHits<T>(s: Screen, i: usize, first: i32, tiles: i32, unit: f64, base: f64, bounds: usize, tops: usize, count: i32, at: usize): usize {
  const x = s.unitQueries + i * (<usize>s.m) * sizeof<T>(), names = s.ids + ROW * <usize>first;
  const worst = s.best + (<usize>count - 1) * 4;
  let limit = limitOf(s, unit, base, load<f32>(worst));
  // Largest bounds first: their members are likely the closest, and raise the limit for the others.
  for (let left = EAGER + (load<f32>(worst) == NONE ? min(count, 64) : 0); left > 0;) {
    const top = topOf(tops, tiles);
    if (top < limit) return at;
    const before = load<f32>(worst);
    at = compare<T>(s, x, load<i32>(names + takeTop(bounds, tops, top)), count, at);
    left -= load<f32>(worst) > before ? 1 : IDLE;
    limit = limitOf(s, unit, base, load<f32>(worst));
  }
  for (let tile: usize = 0; tile < <usize>tiles; tile++) {
    if (!v128.any_true(i32x4.ge_s(v128.load(tops + 16 * tile), i32x4.splat(limit)))) continue;
    for (let place = ROW * tile, end = place + ROW; place < end; place += 16) {
      let hits = i32x4.bitmask(i32x4.ge_s(v128.load(bounds + place), i32x4.splat(limit)));
      for (; hits != 0; hits &= hits - 1) {
        const one = place + 4 * <usize>ctz(hits), before = at;
        if (load<i32>(bounds + one) < limit) continue;
        at = compare<T>(s, x, load<i32>(names + one), count, at);
        if (at > before) limit = limitOf(s, unit, base, load<f32>(worst));
      }
    }
  }
  return at;
}

// The same among tiles from … to − 1, except those from `done` to `undone` − 1.
function scanTiles<T>(s: Screen, i: usize, from: i32, to: i32, done: i32, undone: i32, unit: f64, base: f64, count: i32, at: usize): usize {
  for (let t = from; t < to; t += BLOCK) {
    const tiles = min(to - t, BLOCK);
    boundTiles(s, t, t + tiles);
    for (let skip = max(t, done); skip < min(t + tiles, undone); skip++) {
      v128.store(s.tileMaxima + 16 * <usize>(skip - t), i32x4.splat(NO_MEMBER));
    }
    at = pickHits<T>(s, i, t, tiles, unit, base, s.bounds, s.tileMaxima, count, at);
  }
  return at;
}

// How many tiles the last `searchCluster` scanned.
let seen: i32 = 0;

// Finds the hits of query i in cluster j. Returns the address of the next hit. Tiles are sorted by their members' first numbers:
// the search begins at the query's own, and ends in both directions where the first numbers alone rule all members out.
function searchCluster<T>(s: Screen, i: usize, j: usize, count: i32, at: usize): usize {
  const base = quantizeQuery<T>(s, i, j, s.queryCodes), unit = load<f64>(s.quantScales + j * 8);
  const first = load<i32>(s.starts + j * 4), last = load<i32>(s.starts + j * 4, 4), own = <i32>load<i16>(s.queryCodes);
  let from = first, to = last;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (load<i32>(s.prefixMaxima + (<usize>middle) * 4) < own) from = middle + 1;
    else to = middle;
  }
  from = max(first, from - FIRST / 2);
  to = min(last, from + FIRST);
  at = scanTiles<T>(s, i, from, to, to, to, unit, base, count, at);
  const done = from, undone = to;
  const worst = <f64>load<f32>(s.best + (<usize>count - 1) * 4) - s.slack;
  const reach = base == 8 ? 65536 : <i32>min<f64>(65536, 2 + unit * sqrt<f64>(2 * max<f64>(0, 1 - worst)));
  while (from > first && load<i32>(s.prefixMaxima + (<usize>from - 1) * 4) >= own - reach) from--;
  while (to < last && load<i32>(s.suffixMinima + (<usize>to) * 4) <= own + reach) to++;
  seen = to - from;
  return seen > undone - done ? scanTiles<T>(s, i, from, to, done, undone, unit, base, count, at) : at;
}

// Removes hits whose scores are below `least`. Returns their new end.
function dropWorse(from: usize, to: usize, least: f32): usize {
  let out = from;
  for (let at = from; at < to; at += 8) {
    if (load<f32>(at, 4) < least) continue;
    store<u64>(out, load<u64>(at));
    out += 8;
  }
  return out;
}

@inline function clearBest(s: Screen, count: i32): void {
  for (let b: usize = 0; b < <usize>count; b++) store<f32>(s.best + b * 4, NONE);
}

// Writes the results of the query at place p of the list, whose hits are begin … at. Returns their end.
function writeResult(s: Screen, p: usize, count: i32, visited: u32, hits: usize, begin: usize, at: usize): usize {
  const worst = load<f32>(s.best + (<usize>count - 1) * 4);
  at = dropWorse(begin, at, worst - <f32>s.margin);
  store<u32>(s.ends + p * 4, <u32>((at - hits) / 8));
  store<f32>(s.worsts + p * 4, worst);
  store<u32>(s.visits + p * 4, visited);
  return at;
}

@inline function hasLength(s: Screen, i: usize): bool { return load<f64>(s.queryScales + i * 8) != 0; }

// The queries at places p and p + 1 of the list, both at home in cluster j, at once. Returns the end of their hits.
function searchTwo<T>(s: Screen, p: usize, j: usize, count: i32, visited: u32, hits: usize, at: usize): usize {
  const one = <usize>load<u32>(s.list + p * 4), two = <usize>load<u32>(s.list + p * 4, 4);
  const first = load<i32>(s.starts + j * 4), tiles = load<i32>(s.starts + j * 4, 4) - first, unit = load<f64>(s.quantScales + j * 8);
  const base = quantizeQuery<T>(s, one, j, s.queryCodes), other = quantizeQuery<T>(s, two, j, s.queryCodes + 4 * <usize>s.pairs);
  boundTilesOfTwo(s, first, first + tiles);
  let end = pickHits<T>(s, one, first, tiles, unit, base, s.bounds, s.tileMaxima, count, at);
  end = writeResult(s, p, count, visited, hits, at, end);
  clearBest(s, count);
  const next = end;
  end = pickHits<T>(s, two, first, tiles, unit, other, s.bounds + ROW * <usize>BLOCK, s.tileMaxima + 16 * <usize>BLOCK, count, end);
  return writeResult(s, p + 1, count, visited, hits, next, end);
}

// How many members the last `searchReach` visited.
let visitedMembers: u32 = 0;

// Searches clusters by falling `reach`, the largest cosine that a member of each can have, until the next one cannot matter.
function searchReach<T>(s: Screen, i: usize, reach: usize, k: i32, count: i32, at: usize): usize {
  visitedMembers = 0;
  while (true) {
    let j: usize = 0;
    for (let o: usize = 1; o < <usize>k; o++) if (load<f32>(reach + o * 4) > load<f32>(reach + j * 4)) j = o;
    const largest = load<f32>(reach + j * 4);
    if (largest < -1 || <f64>largest < <f64>load<f32>(s.best + (<usize>count - 1) * 4) - s.slack) break;
    store<f32>(reach + j * 4, -2);
    visitedMembers += load<u32>(s.sizes + j * 4);
    at = searchCluster<T>(s, i, j, count, at);
  }
  return at;
}

// Finds the hits of the queries at places from … to − 1 of the list: in cluster homes[i] where `homes` is given, else in the clusters
// that `reach` (queries × k) admits. Returns the first place whose hits might not fit, or `to`.
@inline function searchAll<T>(s: Screen, from: i32, to: i32, count: i32, homes: usize, reach: usize, k: i32, hits: usize, capacity: usize): i32 {
  let at = hits;
  // Where searches scan most of a cluster it is faster to scan all of it for two queries at once. `left` is how many pairs are
  // searched so before one query tries again alone; it doubles each time that was right.
  let streak = 0, left = 0;
  for (let p = <usize>from; p < <usize>to; p++) {
    if (at + 16 * <usize>s.n > hits + capacity) return <i32>p;
    const i = <usize>load<u32>(s.list + p * 4), start = at;
    let visited: u32 = 0;
    clearBest(s, count);
    if (hasLength(s, i)) {
      if (homes) {
        const j = <usize>load<u32>(homes + i * 4), tiles = load<i32>(s.starts + j * 4, 4) - load<i32>(s.starts + j * 4);
        visited = load<u32>(s.sizes + j * 4);
        if (left > 0 && tiles > 0 && tiles <= BLOCK && p + 1 < <usize>to) {
          const next = <usize>load<u32>(s.list + p * 4, 4);
          if (load<u32>(homes + next * 4) == <u32>j && hasLength(s, next)) {
            at = searchTwo<T>(s, p++, j, count, visited, hits, at);
            left--;
            continue;
          }
        }
        at = searchCluster<T>(s, i, j, count, at);
        left = streak = 2 * seen > tiles ? min(64, 2 * streak + 1) : 0;
      } else {
        at = searchReach<T>(s, i, reach + i * 4 * <usize>k, k, count, at);
        visited = visitedMembers;
      }
    }
    at = writeResult(s, p, count, visited, hits, start, at);
  }
  return to;
}

export function searchScreen32(s: Screen, from: i32, to: i32, count: i32, homes: usize, reach: usize, k: i32, hits: usize, capacity: usize): i32 {
  return searchAll<f32>(s, from, to, count, homes, reach, k, hits, capacity);
}
export function searchScreen64(s: Screen, from: i32, to: i32, count: i32, homes: usize, reach: usize, k: i32, hits: usize, capacity: usize): i32 {
  return searchAll<f64>(s, from, to, count, homes, reach, k, hits, capacity);
}
