// The cyclic rule of kernel/plain/rules.ts for eight samples at a time: each entry waits for the one before, samples do not wait
// for each other. Lanes are samples.

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

@inline function improve(h: usize, WtX: usize, sum: v128, own: v128): void {
  const best = f64x2.add(v128.load(h), f64x2.div(f64x2.sub(v128.load(WtX), sum), own));
  v128.store(h, f64x2.max(f64x2.splat(0), best));
}

// One sweep over the k lines of codes, by as many lines of WtX.
function improveAll(codes: usize, WtX: usize, G: usize, k: usize): void {
  const wide = k * 8, end = codes + k * LINE;
  let row = G;
  for (let r: usize = 0; r < k; r++, row += wide) {
    const at = codes + r * LINE, w = WtX + r * LINE;
    if (!(load<f64>(row + r * 8) > 0)) {
      memory.fill(at, 0, LINE);
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
    improve(at, w, a, own);
    improve(at + 16, w + 16, b, own);
    improve(at + 32, w + 32, c, own);
    improve(at + 48, w + 48, d, own);
  }
}

// Each entry of H (count × k) in turn its non-negative optimum, `sweeps` times, for WtX (count × k) and G (k × k).
// `scratch`: 128k bytes.
export function cycleCodes(H: usize, WtX: usize, G: usize, width: i32, count: i32, sweeps: i32, scratch: usize): void {
  const k = <usize>width, wide = k * 8, end = scratch + k * LINE;
  for (let left = <usize>count; left > 0; H += LANES * wide, WtX += LANES * wide) {
    const samples = min<usize>(left, LANES);
    transpose(H, k, samples, scratch, false);
    transpose(WtX, k, samples, end, false);
    for (let sweep = 0; sweep < sweeps; sweep++) improveAll(scratch, end, G, k);
    transpose(H, k, samples, scratch, true);
    left -= samples;
  }
}
