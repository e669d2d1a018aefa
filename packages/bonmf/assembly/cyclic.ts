// The cyclic rule of kernel/plain/rules.ts for eight columns of codes at a time, samples of H or features of W: each entry waits for
// the one before, columns do not wait for each other. Lanes are columns; one that has settled stays as it is.

export const LANES: usize = 8;
export const LINE: usize = 64;

// Columns of k numbers to lines of eight, and back.
@inline export function transpose(columns: usize, k: usize, samples: usize, lines: usize, back: bool): void {
  for (let s: usize = 0; s < samples; s++, columns += k * 8) {
    for (let r: usize = 0; r < k; r++) {
      const one = columns + r * 8, other = lines + r * LINE + s * 8;
      if (back) store<f64>(one, load<f64>(other));
      else store<f64>(other, load<f64>(one));
    }
  }
}

// `moving`: ones for the lanes that go on; `moved`: the sum of squares by which they do.
@inline function improve(h: usize, WtX: usize, sum: v128, own: v128, moving: usize, moved: usize): void {
  const before = v128.load(h);
  const best = f64x2.max(f64x2.splat(0), f64x2.add(before, f64x2.div(f64x2.sub(v128.load(WtX), sum), own)));
  const value = v128.bitselect(best, before, v128.load(moving));
  const change = f64x2.sub(value, before);
  v128.store(moved, f64x2.add(v128.load(moved), f64x2.mul(change, change)));
  v128.store(h, value);
}

// One sweep over the k lines of codes, by as many lines of WtX. An entry without an optimum becomes 0, or stays.
function improveAll(codes: usize, WtX: usize, G: usize, k: usize, moving: usize, moved: usize, stay: bool): void {
  const wide = k * 8, end = codes + k * LINE;
  let row = G;
  memory.fill(moved, 0, LINE);
  for (let r: usize = 0; r < k; r++, row += wide) {
    const at = codes + r * LINE, w = WtX + r * LINE;
    if (!(load<f64>(row + r * 8) > 0)) {
      if (!stay) memory.fill(at, 0, LINE);
      continue;
    }
    let a = f64x2.splat(0), b = a, c = a, d = a;
    let g = row, h = codes;
    while (h < end) {
      const v = v128.load64_splat(g);
      a = f64x2.add(a, f64x2.mul(v, v128.load(h)));
      b = f64x2.add(b, f64x2.mul(v, v128.load(h, 16)));
      c = f64x2.add(c, f64x2.mul(v, v128.load(h, 32)));
      d = f64x2.add(d, f64x2.mul(v, v128.load(h, 48)));
      g += 8; h += LINE;
    }
    const own = v128.load64_splat(row + r * 8);
    improve(at, w, a, own, moving, moved);
    improve(at + 16, w + 16, b, own, moving + 16, moved + 16);
    improve(at + 32, w + 32, c, own, moving + 32, moved + 32);
    improve(at + 48, w + 48, d, own, moving + 48, moved + 48);
  }
}

// Whether some of the lanes that were moving still move; behind `moving` stand the lines of how far they moved, and of the least that counts.
@inline export function goOn(moving: usize, settled: f64, first: bool): bool {
  const moved = moving + LINE, least = moved + LINE;
  let go = false;
  for (let lane: usize = 0; lane < LINE; lane += 16) {
    const now = v128.load(moved + lane);
    if (first) v128.store(least + lane, f64x2.mul(f64x2.splat(settled), now));
    const goes = v128.and(v128.load(moving + lane), f64x2.gt(now, v128.load(least + lane)));
    v128.store(moving + lane, goes);
    if (v128.any_true(goes)) go = true;
  }
  return go;
}

// Sweeps until every lane has moved by no more than `settled` of what it moved in the first, at most `sweeps` times.
@inline function settleLines(lines: usize, G: usize, k: usize, sweeps: i32, settled: f64, stay: bool): void {
  const WtX = lines + k * LINE, moving = WtX + 3 * k * LINE, moved = moving + LINE;
  memory.fill(moving, 0xff, LINE);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    improveAll(lines, WtX, G, k, moving, moved, stay);
    if (!goOn(moving, settled, sweep == 0)) return;
  }
}

@inline export function beyondOf(h: v128, before: v128, beyond: v128): v128 {
  return f64x2.max(f64x2.splat(0), f64x2.add(h, f64x2.mul(beyond, f64x2.sub(h, before))));
}

// What the loss of two lanes changes by, from entry r: (c − b)·(G(c + b) − 2WtX), b before and c beyond.
@inline function changeOf(h: usize, before: usize, WtX: usize, sum: v128, beyond: v128): v128 {
  const b = v128.load(before);
  const above = f64x2.sub(sum, f64x2.mul(f64x2.splat(2), v128.load(WtX)));
  return f64x2.mul(f64x2.sub(beyondOf(v128.load(h), b, beyond), b), above);
}

// Lanes go on in the direction they went, by the share `beyond` of the way, where that leaves their loss no higher than it was before.
function relaxLines(lines: usize, G: usize, k: usize, share: f64): void {
  const size = k * LINE, WtX = lines + size, before = WtX + size, both = before + size, change = both + size, end = both + size;
  const beyond = f64x2.splat(share);
  for (let at: usize = 0; at < size; at += 16) {
    const b = v128.load(before + at);
    v128.store(both + at, f64x2.add(beyondOf(v128.load(lines + at), b, beyond), b));
  }
  memory.fill(change, 0, LINE);
  let g = G;
  for (let at: usize = 0; at < size; at += LINE) {
    let p = f64x2.splat(0), q = p, r = p, s = p;
    for (let v = both; v < end; v += LINE, g += 8) {
      const own = v128.load64_splat(g);
      p = f64x2.add(p, f64x2.mul(own, v128.load(v)));
      q = f64x2.add(q, f64x2.mul(own, v128.load(v, 16)));
      r = f64x2.add(r, f64x2.mul(own, v128.load(v, 32)));
      s = f64x2.add(s, f64x2.mul(own, v128.load(v, 48)));
    }
    const h = lines + at, b = before + at, w = WtX + at;
    v128.store(change, f64x2.add(v128.load(change), changeOf(h, b, w, p, beyond)));
    v128.store(change, f64x2.add(v128.load(change, 16), changeOf(h + 16, b + 16, w + 16, q, beyond)), 16);
    v128.store(change, f64x2.add(v128.load(change, 32), changeOf(h + 32, b + 32, w + 32, r, beyond)), 32);
    v128.store(change, f64x2.add(v128.load(change, 48), changeOf(h + 48, b + 48, w + 48, s, beyond)), 48);
  }
  for (let at: usize = 0; at < size; at += 16) {
    const h = v128.load(lines + at);
    const falls = f64x2.le(v128.load(change + (at & (LINE - 1))), f64x2.splat(0));
    v128.store(lines + at, v128.bitselect(beyondOf(h, v128.load(before + at), beyond), h, falls));
  }
}

// `lines`: k of codes, k of WtX, 2k + 3 for working.
@inline function cycleLines(lines: usize, G: usize, k: usize, sweeps: i32, settled: f64, beyond: f64, stay: bool): void {
  memory.copy(lines + 2 * k * LINE, lines, k * LINE);
  settleLines(lines, G, k, sweeps, settled, stay);
  if (beyond > 0) relaxLines(lines, G, k, beyond);
}

// Each entry of H (count × k) in turn its non-negative optimum, for WtX (count × k) and G (k × k).
// `scratch`: 64(4k + 3) bytes.
export function cycleCodes(H: usize, WtX: usize, G: usize, width: i32, count: i32, sweeps: i32, settled: f64, beyond: f64, scratch: usize): void {
  const k = <usize>width, wide = k * 8;
  // Lanes without a sample hold what an earlier one left, which may be anything.
  memory.fill(scratch, 0, 2 * k * LINE);
  for (let left = <usize>count; left > 0; H += LANES * wide, WtX += LANES * wide) {
    const samples = min<usize>(left, LANES);
    transpose(H, k, samples, scratch, false);
    transpose(WtX, k, samples, scratch + k * LINE, false);
    cycleLines(scratch, G, k, sweeps, settled, beyond, false);
    transpose(H, k, samples, scratch, true);
    left -= samples;
  }
}

// The same for the rows of W (k × m), by XHt (k × m) and HHt (k × k): an entry that nothing uses stays. `scratch`: 64(4k + 3) bytes.
export function cycleRows(W: usize, XHt: usize, HHt: usize, k: i32, m: i32, sweeps: i32, settled: f64, beyond: f64, scratch: usize): void {
  const row = (<usize>m) * 8, products = scratch + (<usize>k) * LINE;
  memory.fill(scratch, 0, 2 * (<usize>k) * LINE);
  for (let from: usize = 0; from < row; from += LINE) {
    const bytes = min<usize>(LINE, row - from);
    for (let r: usize = 0, at = from; r < <usize>k; r++, at += row) {
      memory.copy(scratch + r * LINE, W + at, bytes);
      memory.copy(products + r * LINE, XHt + at, bytes);
    }
    cycleLines(scratch, HHt, <usize>k, sweeps, settled, beyond, true);
    for (let r: usize = 0, at = from; r < <usize>k; r++, at += row) memory.copy(W + at, scratch + r * LINE, bytes);
  }
}
