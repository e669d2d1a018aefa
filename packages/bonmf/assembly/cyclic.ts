// The cyclic rule of kernel/plain/cycle.ts for a line of columns of codes at a time, samples of H or features of W: each entry waits for
// the one before, columns do not wait for each other. Lanes are columns; one that has settled stays as it is. T is the precision of
// the lines; in 32 bits codes, products and G have units (kernel/plain/cycle.ts), powers of two.

import { addTo } from "./panel";

// Of 64 bits.
export const LANES: usize = 8;
export const LINE: usize = 64;

@inline function toLine<T>(from: usize, to: usize, unit: usize): void {
  if (sizeof<T>() == 8) store<f64>(to, load<f64>(from));
  else store<f32>(to, <f32>(load<f64>(from) * load<f64>(unit)));
}

@inline function fromLine<T>(to: usize, from: usize, unit: usize): void {
  if (sizeof<T>() == 8) store<f64>(to, load<f64>(from));
  else store<f64>(to, <f64>load<f32>(from) * load<f64>(unit));
}

// Columns of k numbers to lines, and back: those whose places are at `ids`, or with 0 the first. `units`: one for each entry; in 64 bits
// there are none.
@inline export function transpose<T>(columns: usize, ids: usize, k: usize, samples: usize, lines: usize, units: usize, back: bool): void {
  for (let s: usize = 0; s < samples; s++) {
    const column = columns + k * 8 * (ids == 0 ? s : <usize>load<u32>(ids + s * 4));
    for (let r: usize = 0; r < k; r++) {
      const one = column + r * 8, other = lines + r * LINE + s * sizeof<T>();
      if (back) fromLine<T>(one, other, units + r * 8);
      else toLine<T>(one, other, units + r * 8);
    }
  }
}

// `moving`: ones for the lanes that go on; `moved`: how much lower their loss is, the sum of own · change². Where every lane has a G of
// its own, one without an optimum becomes 0, or stays.
@inline function improve<T>(h: usize, WtX: usize, sum: v128, own: v128, moving: usize, moved: usize, each: bool, stay: bool): void {
  const before = v128.load(h);
  const best = v128.max<T>(v128.splat<T>(0), v128.add<T>(before, v128.div<T>(v128.sub<T>(v128.load(WtX), sum), own)));
  let value = v128.bitselect(best, before, v128.load(moving));
  if (each) value = v128.bitselect(value, stay ? before : v128.splat<T>(0), v128.gt<T>(own, v128.splat<T>(0)));
  const change = v128.sub<T>(value, before);
  v128.store(moved, addTo<T>(v128.load(moved), v128.mul<T>(own, change), change));
  v128.store(h, value);
}

// 1 where that is nearer the optimum, else 0; `moved`: how many of them changed.
@inline function improveBit<T>(h: usize, WtX: usize, sum: v128, own: v128, moving: usize, moved: usize): void {
  const before = v128.load(h), residual = addTo<T>(v128.sub<T>(v128.load(WtX), sum), own, before);
  const best = v128.and(v128.splat<T>(1), v128.gt<T>(residual, v128.mul<T>(v128.splat<T>(<T>0.5), own)));
  const value = v128.bitselect(best, before, v128.load(moving)), change = v128.sub<T>(value, before);
  v128.store(moved, addTo<T>(v128.load(moved), change, change));
  v128.store(h, value);
}

// Bytes from a number of G to the next: where every lane has a G of its own (`each`), a line.
@inline function stepOf<T>(each: bool): usize { return each ? LINE : sizeof<T>(); }
@inline function loadG<T>(g: usize, lane: usize, each: bool): v128 { return each ? v128.load(g + lane) : v128.load_splat<T>(g); }

// One sweep over the k lines of codes, by as many lines of WtX. An entry without an optimum becomes 0, or stays.
@inline function improveBy<T>(codes: usize, WtX: usize, G: usize, k: usize, moving: usize, moved: usize, each: bool, stay: bool, bits: bool): void {
  const step = stepOf<T>(each), end = codes + k * LINE;
  let row = G;
  memory.fill(moved, 0, LINE);
  for (let r: usize = 0; r < k; r++, row += k * step) {
    const at = codes + r * LINE, w = WtX + r * LINE, own = row + r * step;
    if (!each && !(load<T>(own) > 0)) {
      if (!stay) memory.fill(at, 0, LINE);
      continue;
    }
    let a = v128.splat<T>(0), b = a, c = a, d = a;
    for (let g = row, h = codes; h < end; g += step, h += LINE) {
      const v = loadG<T>(g, 0, each);
      a = addTo<T>(a, v, v128.load(h));
      b = addTo<T>(b, each ? loadG<T>(g, 16, each) : v, v128.load(h, 16));
      c = addTo<T>(c, each ? loadG<T>(g, 32, each) : v, v128.load(h, 32));
      d = addTo<T>(d, each ? loadG<T>(g, 48, each) : v, v128.load(h, 48));
    }
    if (bits) {
      improveBit<T>(at, w, a, loadG<T>(own, 0, each), moving, moved);
      improveBit<T>(at + 16, w + 16, b, loadG<T>(own, 16, each), moving + 16, moved + 16);
      improveBit<T>(at + 32, w + 32, c, loadG<T>(own, 32, each), moving + 32, moved + 32);
      improveBit<T>(at + 48, w + 48, d, loadG<T>(own, 48, each), moving + 48, moved + 48);
    } else {
      improve<T>(at, w, a, loadG<T>(own, 0, each), moving, moved, each, stay);
      improve<T>(at + 16, w + 16, b, loadG<T>(own, 16, each), moving + 16, moved + 16, each, stay);
      improve<T>(at + 32, w + 32, c, loadG<T>(own, 32, each), moving + 32, moved + 32, each, stay);
      improve<T>(at + 48, w + 48, d, loadG<T>(own, 48, each), moving + 48, moved + 48, each, stay);
    }
  }
}

function improveAll<T>(codes: usize, WtX: usize, G: usize, k: usize, moving: usize, moved: usize, stay: bool): void {
  improveBy<T>(codes, WtX, G, k, moving, moved, false, stay, false);
}
function improveEach<T>(codes: usize, WtX: usize, G: usize, k: usize, moving: usize, moved: usize, stay: bool, bits: bool): void {
  improveBy<T>(codes, WtX, G, k, moving, moved, true, stay, bits);
}

// Whether some of the lanes that were moving still move; behind `moving` stand the lines of how far they moved, and of the least that counts.
@inline function goOn<T>(moving: usize, settled: f64, first: bool): bool {
  const moved = moving + LINE, least = moved + LINE;
  let go = false;
  for (let lane: usize = 0; lane < LINE; lane += 16) {
    const now = v128.load(moved + lane);
    if (first) v128.store(least + lane, v128.mul<T>(v128.splat<T>(<T>settled), now));
    const goes = v128.and(v128.load(moving + lane), v128.gt<T>(now, v128.load(least + lane)));
    v128.store(moving + lane, goes);
    if (v128.any_true(goes)) go = true;
  }
  return go;
}

// Sweeps until every lane has moved by no more than `settled` of what it moved in the first, at most `sweeps` times.
@inline function settleLines<T>(lines: usize, G: usize, k: usize, sweeps: i32, settled: f64, each: bool, stay: bool, bits: bool): void {
  const WtX = lines + k * LINE, moving = WtX + 3 * k * LINE, moved = moving + LINE;
  memory.fill(moving, 0xff, LINE);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    if (each) improveEach<T>(lines, WtX, G, k, moving, moved, stay, bits);
    else improveAll<T>(lines, WtX, G, k, moving, moved, stay);
    if (!goOn<T>(moving, settled, sweep == 0)) return;
  }
}

@inline function beyondOf<T>(h: v128, before: v128, beyond: v128): v128 {
  return v128.max<T>(v128.splat<T>(0), addTo<T>(h, beyond, v128.sub<T>(h, before)));
}

// What the loss of a vector of lanes changes by, from entry r: (c − b)·(G(c + b) − 2WtX), b before and c beyond.
@inline function changeOf<T>(h: usize, before: usize, WtX: usize, sum: v128, beyond: v128): v128 {
  const b = v128.load(before);
  const above = v128.sub<T>(sum, v128.mul<T>(v128.splat<T>(2), v128.load(WtX)));
  return v128.mul<T>(v128.sub<T>(beyondOf<T>(v128.load(h), b, beyond), b), above);
}

// Lanes go on in the direction they went, by the share `beyond` of the way, where that leaves their loss no higher than it was before.
@inline function relaxBy<T>(lines: usize, G: usize, k: usize, share: f64, each: bool): void {
  const step = stepOf<T>(each), size = k * LINE, WtX = lines + size, before = WtX + size, both = before + size, change = both + size, end = both + size;
  const beyond = v128.splat<T>(<T>share);
  for (let at: usize = 0; at < size; at += 16) {
    const b = v128.load(before + at);
    v128.store(both + at, v128.add<T>(beyondOf<T>(v128.load(lines + at), b, beyond), b));
  }
  memory.fill(change, 0, LINE);
  let g = G;
  for (let at: usize = 0; at < size; at += LINE) {
    let p = v128.splat<T>(0), q = p, r = p, s = p;
    for (let v = both; v < end; v += LINE, g += step) {
      const own = loadG<T>(g, 0, each);
      p = addTo<T>(p, own, v128.load(v));
      q = addTo<T>(q, each ? loadG<T>(g, 16, each) : own, v128.load(v, 16));
      r = addTo<T>(r, each ? loadG<T>(g, 32, each) : own, v128.load(v, 32));
      s = addTo<T>(s, each ? loadG<T>(g, 48, each) : own, v128.load(v, 48));
    }
    const h = lines + at, b = before + at, w = WtX + at;
    v128.store(change, v128.add<T>(v128.load(change), changeOf<T>(h, b, w, p, beyond)));
    v128.store(change, v128.add<T>(v128.load(change, 16), changeOf<T>(h + 16, b + 16, w + 16, q, beyond)), 16);
    v128.store(change, v128.add<T>(v128.load(change, 32), changeOf<T>(h + 32, b + 32, w + 32, r, beyond)), 32);
    v128.store(change, v128.add<T>(v128.load(change, 48), changeOf<T>(h + 48, b + 48, w + 48, s, beyond)), 48);
  }
  for (let at: usize = 0; at < size; at += 16) {
    const h = v128.load(lines + at);
    const falls = v128.le<T>(v128.load(change + (at & (LINE - 1))), v128.splat<T>(0));
    v128.store(lines + at, v128.bitselect(beyondOf<T>(h, v128.load(before + at), beyond), h, falls));
  }
}

function relaxAll<T>(lines: usize, G: usize, k: usize, share: f64): void { relaxBy<T>(lines, G, k, share, false); }
function relaxEach<T>(lines: usize, G: usize, k: usize, share: f64): void { relaxBy<T>(lines, G, k, share, true); }

// `lines`: k of codes, k of WtX, 2k + 3 for working.
@inline export function cycleLines<T>(lines: usize, G: usize, k: usize, sweeps: i32, settled: f64, beyond: f64, stay: bool): void {
  memory.copy(lines + 2 * k * LINE, lines, k * LINE);
  settleLines<T>(lines, G, k, sweeps, settled, false, stay, false);
  if (beyond > 0) relaxAll<T>(lines, G, k, beyond);
}

// The same where every lane has a G of its own: k² lines.
@inline export function cycleEach<T>(lines: usize, G: usize, k: usize, sweeps: i32, settled: f64, beyond: f64, stay: bool, bits: bool): void {
  memory.copy(lines + 2 * k * LINE, lines, k * LINE);
  settleLines<T>(lines, G, k, sweeps, settled, true, stay, bits);
  if (beyond > 0) relaxEach<T>(lines, G, k, beyond);
}

// Each entry of `count` columns of H in turn its non-negative optimum, for as many of WtX and G (k × k) in T, in these units: k of codes,
// k of products, k of codes back. `ids`: the places of these columns, or 0: the first. `scratch`: 64(4k + 3) bytes.
@inline export function cycleCodes<T>(H: usize, WtX: usize, ids: usize, G: usize, width: i32, count: i32, sweeps: i32, settled: f64, beyond: f64, units: usize, scratch: usize): void {
  const k = <usize>width, wide = k * 8, lanes = LINE / sizeof<T>();
  // Lanes without a sample hold what an earlier one left, which may be anything.
  memory.fill(scratch, 0, 2 * k * LINE);
  for (let left = <usize>count; left > 0;) {
    const samples = min<usize>(left, lanes);
    transpose<T>(H, ids, k, samples, scratch, units, false);
    transpose<T>(WtX, ids, k, samples, scratch + k * LINE, units + wide, false);
    cycleLines<T>(scratch, G, k, sweeps, settled, beyond, false);
    transpose<T>(H, ids, k, samples, scratch, units + 2 * wide, true);
    left -= samples;
    if (ids != 0) ids += samples * 4;
    else {
      H += samples * wide;
      WtX += samples * wide;
    }
  }
}

// Entry (r, s) of a lane's G, and (s, r).
@inline export function putBoth<T>(G: usize, k: usize, r: usize, s: usize, lane: usize, value: T): void {
  store<T>(G + (r * k + s) * LINE + lane * sizeof<T>(), value);
  store<T>(G + (s * k + r) * LINE + lane * sizeof<T>(), value);
}

// Some features of k rows, `row` bytes apart, to lines, and back.
@inline function copyRows<T>(rows: usize, row: usize, k: usize, features: usize, lines: usize, units: usize, back: bool): void {
  for (let r: usize = 0; r < k; r++, rows += row, lines += LINE, units += 8) {
    if (sizeof<T>() == 8) {
      if (back) memory.copy(rows, lines, features * 8);
      else memory.copy(lines, rows, features * 8);
      continue;
    }
    for (let f: usize = 0; f < features; f++) {
      if (back) fromLine<T>(rows + f * 8, lines + f * 4, units);
      else toLine<T>(rows + f * 8, lines + f * 4, units);
    }
  }
}

// The same for the rows of W (k × m), by XHt (k × m) and HHt (k × k): an entry that nothing uses stays. `scratch`: 64(4k + 3) bytes.
@inline export function cycleRows<T>(W: usize, XHt: usize, HHt: usize, width: i32, m: i32, sweeps: i32, settled: f64, beyond: f64, units: usize, scratch: usize): void {
  const k = <usize>width, row = (<usize>m) * 8, lanes = LINE / sizeof<T>(), products = scratch + k * LINE;
  memory.fill(scratch, 0, 2 * k * LINE);
  for (let from: usize = 0; from < <usize>m; from += lanes) {
    const features = min<usize>(lanes, <usize>m - from), at = from * 8;
    copyRows<T>(W + at, row, k, features, scratch, units, false);
    copyRows<T>(XHt + at, row, k, features, products, units + k * 8, false);
    cycleLines<T>(scratch, HHt, k, sweeps, settled, beyond, true);
    copyRows<T>(W + at, row, k, features, scratch, units + k * 16, true);
  }
}

const LEAST: f64 = 1e-12;

// The same for `count` features of m, where each has an HHᵀ of its own, `known` (count triangles). An entry of which less is known than rounding leaves of that of all
// features stays. `scratch`: 64(k² + 4k + 3) bytes.
export function cycleRowsEach(W: usize, XHt: usize, known: usize, HHt: usize, width: i32, m: i32, count: i32, sweeps: i32, settled: f64, beyond: f64, scratch: usize): void {
  const k = <usize>width, row = (<usize>m) * 8, G = scratch + (4 * k + 3) * LINE;
  memory.fill(scratch, 0, (k * k + 4 * k + 3) * LINE);
  for (let from: usize = 0; from < <usize>count; from += LANES) {
    const features = min<usize>(LANES, <usize>count - from), at = from * 8;
    copyRows<f64>(W + at, row, k, features, scratch, 0, false);
    copyRows<f64>(XHt + at, row, k, features, scratch + k * LINE, 0, false);
    for (let f: usize = 0; f < features; f++) {
      for (let r: usize = 0; r < k; r++) {
        for (let s: usize = 0; s <= r; s++, known += 8) {
          const value = load<f64>(known);
          const kept = r != s || value > LEAST * load<f64>(HHt + r * (k + 1) * 8) ? value : 0;
          putBoth<f64>(G, k, r, s, f, kept);
        }
      }
    }
    cycleEach<f64>(scratch, G, k, sweeps, settled, beyond, true, false);
    copyRows<f64>(W + at, row, k, features, scratch, 0, true);
  }
}
