// The sieve of a search for neighbours: cosines of members with a panel of 12 queries, all of them f32 unit vectors. What
// reaches a query's limit is handed out to be decided elsewhere, so here the rounding only has to be bounded.

// Notes the lanes whose score reaches their limit: 8 bytes a hit, place · 16 + lane and the score.
@inline function note(a: v128, b: v128, c: v128, limits: usize, place: u32, scratch: usize, hits: usize): usize {
  const x = f32x4.ge(a, v128.load(limits)), y = f32x4.ge(b, v128.load(limits, 16)), z = f32x4.ge(c, v128.load(limits, 32));
  if (!v128.any_true(v128.or(v128.or(x, y), z))) return hits;
  v128.store(scratch, a);
  v128.store(scratch, b, 16);
  v128.store(scratch, c, 32);
  let lanes = i32x4.bitmask(x) | (i32x4.bitmask(y) << 4) | (i32x4.bitmask(z) << 8);
  while (lanes != 0) {
    const lane = ctz(lanes);
    store<u32>(hits, (place << 4) | <u32>lane);
    store<f32>(hits, load<f32>(scratch + (<usize>lane) * 4), 4);
    hits += 8;
    lanes &= lanes - 1;
  }
  return hits;
}

// Sifts dense members from … to − 1; returns how many hits there are. Places count from `from`.
export function nearDense(X: usize, m: i32, from: i32, to: i32, panel: usize, limits: usize, scratch: usize, hits: usize): i32 {
  const row = (<usize>m) * 4;
  let at = hits;
  let i = from;
  for (; i + 3 <= to; i += 3) {
    let x = X + row * <usize>i;
    const end = x + row;
    let w = panel;
    let a0 = f32x4.splat(0), a1 = a0, a2 = a0, b0 = a0, b1 = a0, b2 = a0, c0 = a0, c1 = a0, c2 = a0;
    while (x < end) {
      const w0 = v128.load(w), w1 = v128.load(w, 16), w2 = v128.load(w, 32);
      let v = v128.load32_splat(x);
      a0 = f32x4.add(a0, f32x4.mul(v, w0));
      a1 = f32x4.add(a1, f32x4.mul(v, w1));
      a2 = f32x4.add(a2, f32x4.mul(v, w2));
      v = v128.load32_splat(x + row);
      b0 = f32x4.add(b0, f32x4.mul(v, w0));
      b1 = f32x4.add(b1, f32x4.mul(v, w1));
      b2 = f32x4.add(b2, f32x4.mul(v, w2));
      v = v128.load32_splat(x + row + row);
      c0 = f32x4.add(c0, f32x4.mul(v, w0));
      c1 = f32x4.add(c1, f32x4.mul(v, w1));
      c2 = f32x4.add(c2, f32x4.mul(v, w2));
      x += 4; w += 48;
    }
    at = note(a0, a1, a2, limits, i - from, scratch, at);
    at = note(b0, b1, b2, limits, i - from + 1, scratch, at);
    at = note(c0, c1, c2, limits, i - from + 2, scratch, at);
  }
  for (; i < to; i++) {
    let x = X + row * <usize>i;
    const end = x + row;
    let w = panel;
    let a0 = f32x4.splat(0), a1 = a0, a2 = a0;
    while (x < end) {
      const v = v128.load32_splat(x);
      a0 = f32x4.add(a0, f32x4.mul(v, v128.load(w)));
      a1 = f32x4.add(a1, f32x4.mul(v, v128.load(w, 16)));
      a2 = f32x4.add(a2, f32x4.mul(v, v128.load(w, 32)));
      x += 4; w += 48;
    }
    at = note(a0, a1, a2, limits, i - from, scratch, at);
  }
  return <i32>((at - hits) / 8);
}

// The same for sparse members.
export function nearSparse(offsets: usize, indices: usize, values: usize, from: i32, to: i32, panel: usize, limits: usize, scratch: usize, hits: usize): i32 {
  let at = hits;
  let p = <usize>load<u32>(offsets + (<usize>from) * 4);
  for (let i = from; i < to; i++) {
    const end = <usize>load<u32>(offsets + (<usize>i) * 4, 4);
    let a0 = f32x4.splat(0), a1 = a0, a2 = a0;
    for (; p < end; p++) {
      const w = panel + (<usize>load<u32>(indices + p * 4)) * 48;
      const v = v128.load32_splat(values + p * 4);
      a0 = f32x4.add(a0, f32x4.mul(v, v128.load(w)));
      a1 = f32x4.add(a1, f32x4.mul(v, v128.load(w, 16)));
      a2 = f32x4.add(a2, f32x4.mul(v, v128.load(w, 32)));
    }
    at = note(a0, a1, a2, limits, i - from, scratch, at);
  }
  return <i32>((at - hits) / 8);
}
