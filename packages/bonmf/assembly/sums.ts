// Exact sums of clusters.

import { Plan } from "./plan";

// Row j of S (f64, k × m) += sign · round(scale · x), each term rounded to its feature's grid, so that sums are exact.
@inline function addDense<T>(x: usize, m: i32, scale: f64, sign: f64, C: usize, S: usize): void {
  const size = sizeof<T>();
  const scales = f64x2.splat(scale), signs = f64x2.splat(sign);
  let f: i32 = 0;
  for (; f + 2 <= m; f += 2) {
    const v = size == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(x)) : v128.load(x);
    const c = v128.load(C);
    const r = f64x2.sub(f64x2.add(f64x2.mul(v, scales), c), c);
    v128.store(S, f64x2.add(v128.load(S), f64x2.mul(r, signs)));
    x += 2 * size; C += 16; S += 16;
  }
  if (f < m) {
    const c = load<f64>(C);
    store<f64>(S, load<f64>(S) + sign * ((<f64>load<T>(x) * scale + c) - c));
  }
}

@inline function addSparse<T>(offsets: usize, indices: usize, values: usize, i: usize, scale: f64, sign: f64, C: usize, S: usize): void {
  const size = sizeof<T>();
  const end = <usize>load<u32>(offsets + i * 4, 4);
  for (let p = <usize>load<u32>(offsets + i * 4); p < end; p++) {
    const f = (<usize>load<u32>(indices + p * 4)) * 8;
    const c = load<f64>(C + f);
    store<f64>(S + f, load<f64>(S + f) + sign * ((<f64>load<T>(values + p * size) * scale + c) - c));
  }
}

const NONE: u32 = 0xffffffff;

// Takes moved samples (id, old label) out of their old cluster's sums and into the new one's.
@inline export function move<T>(p: Plan, count: i32): void {
  const m = p.m, C = p.grid, sums = p.sums;
  const row = (<usize>m) * 8;
  for (let s: usize = 0; s < <usize>count; s++) {
    const at = <usize>load<u32>(p.moved + s * 8);
    const old = load<u32>(p.moved + s * 8, 4);
    const now = load<u32>(p.labels + at * 4);
    // No scales: all are 1.
    const scale: f64 = p.scales == 0 ? 1 : load<f64>(p.scales + at * 8);
    if (scale == 0) continue;
    if (p.sparse) {
      if (old != NONE) addSparse<T>(p.X, p.indices, p.values, at, scale, -1, C, sums + (<usize>old) * row);
      if (now != NONE) addSparse<T>(p.X, p.indices, p.values, at, scale, 1, C, sums + (<usize>now) * row);
    } else {
      const x = p.X + at * (<usize>m) * sizeof<T>();
      if (old != NONE) addDense<T>(x, m, scale, -1, C, sums + (<usize>old) * row);
      if (now != NONE) addDense<T>(x, m, scale, 1, C, sums + (<usize>now) * row);
    }
  }
}
