// The cyclic rule of kernel/plain/rules.ts for eight columns of codes at a time, samples of H or features of W: each entry waits for
// the one before, columns do not wait for each other. Lanes are columns; one that has settled stays as it is.

const LANES: usize = 8;
const LINE: usize = 64;

// Columns of k numbers to lines of eight, and back.
@inline function transpose(columns: usize, k: usize, samples: usize, lines: usize, back: bool): void {
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

// Sweeps until every lane has moved by no more than `settled` of what it moved in the first, at most `sweeps` times. `lines`: k of
// codes, k of WtX, and three more.
@inline function settleLines(lines: usize, G: usize, k: usize, sweeps: i32, settled: f64, stay: bool): void {
  const WtX = lines + k * LINE, moving = WtX + k * LINE, moved = moving + LINE, least = moved + LINE;
  memory.fill(moving, 0xff, LINE);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    improveAll(lines, WtX, G, k, moving, moved, stay);
    let go = false;
    for (let lane: usize = 0; lane < LINE; lane += 16) {
      const now = v128.load(moved + lane);
      if (sweep == 0) v128.store(least + lane, f64x2.mul(f64x2.splat(settled), now));
      const goes = v128.and(v128.load(moving + lane), f64x2.gt(now, v128.load(least + lane)));
      v128.store(moving + lane, goes);
      if (v128.any_true(goes)) go = true;
    }
    if (!go) return;
  }
}

// Each entry of H (count × k) in turn its non-negative optimum, for WtX (count × k) and G (k × k).
// `scratch`: 64(2k + 3) bytes.
export function cycleCodes(H: usize, WtX: usize, G: usize, width: i32, count: i32, sweeps: i32, settled: f64, scratch: usize): void {
  const k = <usize>width, wide = k * 8;
  // Lanes without a sample hold what an earlier one left, which may be anything.
  memory.fill(scratch, 0, 2 * k * LINE);
  for (let left = <usize>count; left > 0; H += LANES * wide, WtX += LANES * wide) {
    const samples = min<usize>(left, LANES);
    transpose(H, k, samples, scratch, false);
    transpose(WtX, k, samples, scratch + k * LINE, false);
    settleLines(scratch, G, k, sweeps, settled, false);
    transpose(H, k, samples, scratch, true);
    left -= samples;
  }
}

// The same for the rows of W (k × m), by XHt (k × m) and HHt (k × k): an entry that nothing uses stays. `scratch`: 64(2k + 3) bytes.
export function cycleRows(W: usize, XHt: usize, HHt: usize, k: i32, m: i32, sweeps: i32, settled: f64, scratch: usize): void {
  const row = (<usize>m) * 8, products = scratch + (<usize>k) * LINE;
  memory.fill(scratch, 0, 2 * (<usize>k) * LINE);
  for (let from: usize = 0; from < row; from += LINE) {
    const bytes = min<usize>(LINE, row - from);
    for (let r: usize = 0, at = from; r < <usize>k; r++, at += row) {
      memory.copy(scratch + r * LINE, W + at, bytes);
      memory.copy(products + r * LINE, XHt + at, bytes);
    }
    settleLines(scratch, HHt, <usize>k, sweeps, settled, true);
    for (let r: usize = 0, at = from; r < <usize>k; r++, at += row) memory.copy(W + at, scratch + r * LINE, bytes);
  }
}
