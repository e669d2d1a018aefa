// The hot loops of one-hot sweeps, in AssemblyScript. Samples, packed prototypes and bounds lie in linear memory; every
// argument named in capitals or ending in s is a byte address. A score is one accumulator summed in feature order, whatever
// the shape of the block it is computed in, so these loops agree to the bit with kernel/rows.ts.
//
// Prototypes are packed in panels of three vectors (12 columns of f32, 6 of f64), feature after feature: lanes are columns.

// @ts-ignore
@inline function lanes<T>(): i32 { return 16 / sizeof<T>(); }
// @ts-ignore
@inline function width<T>(): i32 { return 3 * lanes<T>(); }

// Scores of one sample's three vectors against the best so far.
// @ts-ignore
@inline function keep<T>(a: v128, b: v128, c: v128, base: u32, scratch: usize, best: usize, second: usize, label: usize): void {
  v128.store(scratch, a);
  v128.store(scratch, b, 16);
  v128.store(scratch, c, 32);
  let most = load<T>(best);
  let next = load<T>(second);
  let at = load<u32>(label);
  for (let j: i32 = 0; j < width<T>(); j++) {
    const s = load<T>(scratch + (<usize>j) * sizeof<T>());
    if (s > most) { next = most; most = s; at = base + j; }
    else if (s > next) next = s;
  }
  store<T>(best, most);
  store<T>(second, next);
  store<u32>(label, at);
}

// Scores of `count` dense samples, named by ids, against one panel.
// @ts-ignore
@inline function scoreDense<T>(X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, base: u32, best: usize, second: usize, label: usize, scratch: usize): void {
  const size = sizeof<T>();
  const row = (<usize>m) * size;
  const b0 = v128.load(bias), b1 = v128.load(bias, 16), b2 = v128.load(bias, 32);
  let s: i32 = 0;
  for (; s + 3 <= count; s += 3) {
    let x = X + row * (<usize>load<u32>(ids + (<usize>s) * 4));
    let y = X + row * (<usize>load<u32>(ids + (<usize>s) * 4, 4));
    let z = X + row * (<usize>load<u32>(ids + (<usize>s) * 4, 8));
    let a0 = b0, a1 = b1, a2 = b2, c0 = b0, c1 = b1, c2 = b2, d0 = b0, d1 = b1, d2 = b2;
    let w = panel;
    const end = x + row;
    while (x < end) {
      const w0 = v128.load(w), w1 = v128.load(w, 16), w2 = v128.load(w, 32);
      let v = v128.load_splat<T>(x);
      a0 = v128.add<T>(a0, v128.mul<T>(v, w0));
      a1 = v128.add<T>(a1, v128.mul<T>(v, w1));
      a2 = v128.add<T>(a2, v128.mul<T>(v, w2));
      v = v128.load_splat<T>(y);
      c0 = v128.add<T>(c0, v128.mul<T>(v, w0));
      c1 = v128.add<T>(c1, v128.mul<T>(v, w1));
      c2 = v128.add<T>(c2, v128.mul<T>(v, w2));
      v = v128.load_splat<T>(z);
      d0 = v128.add<T>(d0, v128.mul<T>(v, w0));
      d1 = v128.add<T>(d1, v128.mul<T>(v, w1));
      d2 = v128.add<T>(d2, v128.mul<T>(v, w2));
      x += size; y += size; z += size; w += 48;
    }
    const at = (<usize>s);
    keep<T>(a0, a1, a2, base, scratch, best + at * size, second + at * size, label + at * 4);
    keep<T>(c0, c1, c2, base, scratch, best + (at + 1) * size, second + (at + 1) * size, label + (at + 1) * 4);
    keep<T>(d0, d1, d2, base, scratch, best + (at + 2) * size, second + (at + 2) * size, label + (at + 2) * 4);
  }
  for (; s < count; s++) {
    let x = X + row * (<usize>load<u32>(ids + (<usize>s) * 4));
    let a0 = b0, a1 = b1, a2 = b2;
    let w = panel;
    const end = x + row;
    while (x < end) {
      const v = v128.load_splat<T>(x);
      a0 = v128.add<T>(a0, v128.mul<T>(v, v128.load(w)));
      a1 = v128.add<T>(a1, v128.mul<T>(v, v128.load(w, 16)));
      a2 = v128.add<T>(a2, v128.mul<T>(v, v128.load(w, 32)));
      x += size; w += 48;
    }
    const at = (<usize>s);
    keep<T>(a0, a1, a2, base, scratch, best + at * size, second + at * size, label + at * 4);
  }
}


// Scores of `count` sparse samples against one panel: the same sums without the zeros.
// @ts-ignore
@inline function scoreSparse<T>(offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, base: u32, best: usize, second: usize, label: usize, scratch: usize): void {
  const size = sizeof<T>();
  const b0 = v128.load(bias), b1 = v128.load(bias, 16), b2 = v128.load(bias, 32);
  for (let s: i32 = 0; s < count; s++) {
    const row = offsets + (<usize>load<u32>(ids + (<usize>s) * 4)) * 4;
    let p = <usize>load<u32>(row);
    const end = <usize>load<u32>(row, 4);
    let a0 = b0, a1 = b1, a2 = b2;
    for (; p < end; p++) {
      const w = panel + (<usize>load<u32>(indices + p * 4)) * 48;
      const v = v128.load_splat<T>(values + p * size);
      a0 = v128.add<T>(a0, v128.mul<T>(v, v128.load(w)));
      a1 = v128.add<T>(a1, v128.mul<T>(v, v128.load(w, 16)));
      a2 = v128.add<T>(a2, v128.mul<T>(v, v128.load(w, 32)));
    }
    const at = (<usize>s);
    keep<T>(a0, a1, a2, base, scratch, best + at * size, second + at * size, label + at * 4);
  }
}

// ⟨x, w⟩ with lanes along the features: for bounds only, where the order of summation does not matter.
// @ts-ignore
@inline function dotDense<T>(x: usize, w: usize, m: i32): f64 {
  const size = sizeof<T>();
  const end = x + (<usize>m) * size;
  let a = v128.splat<T>(0), b = v128.splat<T>(0);
  while (x + 32 <= end) {
    a = v128.add<T>(a, v128.mul<T>(v128.load(x), v128.load(w)));
    b = v128.add<T>(b, v128.mul<T>(v128.load(x, 16), v128.load(w, 16)));
    x += 32; w += 32;
  }
  a = v128.add<T>(a, b);
  let sum: f64 = 0;
  if (size == 4) sum = <f64>f32x4.extract_lane(a, 0) + <f64>f32x4.extract_lane(a, 1) + <f64>f32x4.extract_lane(a, 2) + <f64>f32x4.extract_lane(a, 3);
  else sum = f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1);
  while (x < end) {
    sum += <f64>load<T>(x) * <f64>load<T>(w);
    x += size; w += size;
  }
  return sum;
}

// @ts-ignore
@inline function dotSparse<T>(offsets: usize, indices: usize, values: usize, i: usize, w: usize): f64 {
  const size = sizeof<T>();
  let sum: f64 = 0;
  const end = <usize>load<u32>(offsets + i * 4, 4);
  for (let p = <usize>load<u32>(offsets + i * 4); p < end; p++) {
    sum += <f64>load<T>(values + p * size) * <f64>load<T>(w + (<usize>load<u32>(indices + p * 4)) * size);
  }
  return sum;
}

// Squared distances are base − 2·score·inverse: of unit vectors (by angle: base 2, inverse 1/‖x‖) or of points (base
// ‖x‖², inverse 1). `errorOf` bounds what rounding can do to one.
// @ts-ignore
@inline function baseOf(angular: bool, norm: f64): f64 { return angular ? 2 : norm * norm; }
// @ts-ignore
@inline function inverseOf(angular: bool, norm: f64): f64 { return angular ? (norm > 0 ? 1 / norm : 0) : 1; }
// @ts-ignore
@inline function errorOf(e0: f64, e1: f64, e2: f64, norm: f64): f64 { return e0 + (e1 + e2 * norm) * norm; }

const UP: f64 = 1 + 2.4e-7;
const DOWN: f64 = 1 - 2.4e-7;

// @ts-ignore
@inline function upperOf(angular: bool, norm: f64, score: f64, error: f64): f32 {
  const d = baseOf(angular, norm) - 2 * score * inverseOf(angular, norm);
  return <f32>(Math.sqrt(max<f64>(0, d) + error) * UP);
}
// @ts-ignore
@inline function lowerOf(angular: bool, norm: f64, score: f64, error: f64): f32 {
  const d = baseOf(angular, norm) - 2 * score * inverseOf(angular, norm);
  return <f32>(Math.sqrt(max<f64>(0, d - error)) * DOWN);
}
// No other prototype can score as high: even with both scores off by `error` the order stands.
// @ts-ignore
@inline function isSafe(upper: f64, lower: f64, error: f64): bool {
  return lower > upper && lower * lower - upper * upper > 2 * error;
}

// Moves the bounds of samples from … to − 1 by the prototypes' drifts and lists the samples whose label is not certain.
// drifts: f64 × k; groups: f64 × 3 a group (largest drift, whose, second largest).
export function filter(from: i32, to: i32, labels: usize, uppers: usize, lowers: usize, G: i32, drifts: usize, groups: usize, norms: usize, e0: f64, e1: f64, e2: f64, list: usize): i32 {
  let count: i32 = 0;
  for (let i = from; i < to; i++) {
    const at = <usize>i;
    const label = <usize>load<u32>(labels + at * 4);
    const upper = (<f64>load<f32>(uppers + at * 4) + load<f64>(drifts + label * 8)) * UP;
    store<f32>(uppers + at * 4, <f32>upper);
    let least: f64 = Infinity;
    for (let g: i32 = 0; g < G; g++) {
      const group = groups + (<usize>g) * 24;
      const drift = <f64>label == load<f64>(group, 8) ? load<f64>(group, 16) : load<f64>(group);
      const cell = lowers + (at * <usize>G + <usize>g) * 4;
      const lower = (<f64>load<f32>(cell) - drift) * DOWN;
      store<f32>(cell, <f32>max<f64>(0, lower));
      least = min<f64>(least, lower);
    }
    if (!isSafe(upper, least, errorOf(e0, e1, e2, load<f64>(norms + at * 8)))) store<u32>(list + (<usize>(count++)) * 4, i);
  }
  return count;
}

// @ts-ignore
@inline function leastLower(lowers: usize, i: usize, G: i32): f64 {
  let least: f64 = Infinity;
  for (let g: i32 = 0; g < G; g++) least = min<f64>(least, <f64>load<f32>(lowers + (i * <usize>G + <usize>g) * 4));
  return least;
}

// @ts-ignore
@inline function tighten<T>(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  const size = sizeof<T>();
  let left: i32 = 0;
  for (let s: i32 = 0; s < count; s++) {
    const i = load<u32>(list + (<usize>s) * 4);
    const at = <usize>i;
    const label = <usize>load<u32>(labels + at * 4);
    const w = rows + label * (<usize>m) * size;
    const dot = sparse ? dotSparse<T>(X, indices, values, at, w) : dotDense<T>(X + at * (<usize>m) * size, w, m);
    const norm = load<f64>(norms + at * 8);
    const error = errorOf(e0, e1, e2, norm);
    const upper = upperOf(angular, norm, dot + <f64>load<T>(biases + label * size), error);
    store<f32>(uppers + at * 4, upper);
    if (!isSafe(<f64>upper, leastLower(lowers, at, G), error)) store<u32>(list + (<usize>(left++)) * 4, i);
  }
  return left;
}

// Of the listed samples, those that group g may hold a better prototype for: slots (places in the list) and ids.
export function pick(list: usize, count: i32, g: i32, first: u32, last: u32, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, e0: f64, e1: f64, e2: f64, slots: usize, ids: usize): i32 {
  let picked: i32 = 0;
  for (let s: i32 = 0; s < count; s++) {
    const i = load<u32>(list + (<usize>s) * 4);
    const at = <usize>i;
    const label = load<u32>(labels + at * 4);
    const lower = <f64>load<f32>(lowers + (at * <usize>G + <usize>g) * 4);
    const own = label >= first && label < last;
    if (own || !isSafe(<f64>load<f32>(uppers + at * 4), lower, errorOf(e0, e1, e2, load<f64>(norms + at * 8)))) {
      store<u32>(slots + (<usize>picked) * 4, s);
      store<u32>(ids + (<usize>(picked++)) * 4, i);
    }
  }
  return picked;
}

// Clears `count` running results.
// @ts-ignore
@inline function clear<T>(best: usize, second: usize, label: usize, count: i32): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    store<T>(best + s * sizeof<T>(), <T>-Infinity);
    store<T>(second + s * sizeof<T>(), <T>-Infinity);
    store<u32>(label + s * 4, 0);
  }
}

// Takes a group's results into the listed samples' running ones and resets the group's lower bounds for everything but
// the group's own best; `settle` corrects those of the winner.
// @ts-ignore
@inline function merge<T>(picked: i32, g: i32, slots: usize, ids: usize, best: usize, second: usize, label: usize, tops: usize, runners: usize, winners: usize, owners: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): void {
  const size = sizeof<T>();
  for (let p: usize = 0; p < <usize>picked; p++) {
    const s = <usize>load<u32>(slots + p * 4);
    const at = <usize>load<u32>(ids + p * 4);
    const norm = load<f64>(norms + at * 8);
    const score = load<T>(best + p * size);
    store<f32>(lowers + (at * <usize>G + <usize>g) * 4, lowerOf(angular, norm, <f64>score, errorOf(e0, e1, e2, norm)));
    if (score > load<T>(tops + s * size)) {
      store<T>(tops + s * size, score);
      store<T>(runners + s * size, load<T>(second + p * size));
      store<u32>(winners + s * 4, load<u32>(label + p * 4));
      store<u32>(owners + s * 4, g);
    }
  }
}

// Gives every listed sample its label and bounds; lists those that changed with their old label. Returns how many.
// @ts-ignore
@inline function settle<T>(list: usize, count: i32, tops: usize, runners: usize, winners: usize, owners: usize, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  const size = sizeof<T>();
  let changed: i32 = 0;
  for (let s: usize = 0; s < <usize>count; s++) {
    const i = load<u32>(list + s * 4);
    const at = <usize>i;
    const norm = load<f64>(norms + at * 8);
    const error = errorOf(e0, e1, e2, norm);
    store<f32>(uppers + at * 4, upperOf(angular, norm, <f64>load<T>(tops + s * size), error));
    const cell = lowers + (at * <usize>G + <usize>load<u32>(owners + s * 4)) * 4;
    store<f32>(cell, lowerOf(angular, norm, <f64>load<T>(runners + s * size), error));
    const winner = load<u32>(winners + s * 4);
    const old = load<u32>(labels + at * 4);
    if (winner != old) {
      store<u32>(labels + at * 4, winner);
      store<u32>(moved + (<usize>changed) * 8, i);
      store<u32>(moved + (<usize>(changed++)) * 8, old, 4);
    }
  }
  return changed;
}

// Row j of S (f64, k × m) += sign · round(scale · x), each term rounded to its feature's grid, so that sums are exact.
// @ts-ignore
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

// @ts-ignore
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
// @ts-ignore
@inline function move<T>(sparse: bool, X: usize, indices: usize, values: usize, m: i32, moved: usize, count: i32, labels: usize, scales: usize, C: usize, S: usize): void {
  const row = (<usize>m) * 8;
  for (let s: usize = 0; s < <usize>count; s++) {
    const at = <usize>load<u32>(moved + s * 8);
    const old = load<u32>(moved + s * 8, 4);
    const now = load<u32>(labels + at * 4);
    const scale = load<f64>(scales + at * 8);
    if (scale == 0) continue;
    if (sparse) {
      if (old != NONE) addSparse<T>(X, indices, values, at, scale, -1, C, S + (<usize>old) * row);
      if (now != NONE) addSparse<T>(X, indices, values, at, scale, 1, C, S + (<usize>now) * row);
    } else {
      const x = X + at * (<usize>m) * sizeof<T>();
      if (old != NONE) addDense<T>(x, m, scale, -1, C, S + (<usize>old) * row);
      if (now != NONE) addDense<T>(x, m, scale, 1, C, S + (<usize>now) * row);
    }
  }
}

// ‖x‖² of dense samples in four interleaved accumulators, the column maxima, and whether a value is negative or not
// finite. Returns the number of the first bad sample, or −1.
export function survey32(X: usize, m: i32, from: i32, to: i32, squares: usize, totals: usize, most: usize): i32 {
  const zero = f32x4.splat(0);
  for (let i = from; i < to; i++) {
    let x = X + (<usize>i) * (<usize>m) * 4;
    let top = most;
    let lo = f64x2.splat(0), hi = f64x2.splat(0), sl = f64x2.splat(0), sh = f64x2.splat(0);
    let bad = i32x4.splat(0);
    let f: i32 = 0;
    for (; f + 4 <= m; f += 4) {
      const v = v128.load(x);
      bad = v128.or(bad, v128.or(f32x4.lt(v, zero), f32x4.ne(f32x4.sub(v, v), zero)));
      v128.store(top, f32x4.max(v128.load(top), v));
      const a = f64x2.promote_low_f32x4(v), b = f64x2.promote_low_f32x4(v128.shuffle<i32>(v, v, 2, 3, 2, 3));
      lo = f64x2.add(lo, f64x2.mul(a, a)); hi = f64x2.add(hi, f64x2.mul(b, b));
      sl = f64x2.add(sl, a); sh = f64x2.add(sh, b);
      x += 16; top += 16;
    }
    let q0 = f64x2.extract_lane(lo, 0), q1 = f64x2.extract_lane(lo, 1), q2 = f64x2.extract_lane(hi, 0);
    const q3 = f64x2.extract_lane(hi, 1);
    let s0 = f64x2.extract_lane(sl, 0), s1 = f64x2.extract_lane(sl, 1), s2 = f64x2.extract_lane(sh, 0);
    const s3 = f64x2.extract_lane(sh, 1);
    let wrong = v128.any_true(bad);
    for (let lane = 0; f < m; f++, lane++) {
      const v = load<f32>(x);
      if (v < 0 || v - v != 0) wrong = true;
      store<f32>(top, max<f32>(load<f32>(top), v));
      const d = <f64>v;
      if (lane == 0) { q0 += d * d; s0 += d; } else if (lane == 1) { q1 += d * d; s1 += d; } else { q2 += d * d; s2 += d; }
      x += 4; top += 4;
    }
    if (wrong) return i;
    store<f64>(squares + (<usize>i) * 8, (q0 + q1) + (q2 + q3));
    store<f64>(totals + (<usize>i) * 8, (s0 + s1) + (s2 + s3));
  }
  return -1;
}

export function scoreDense32(X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, base: u32, best: usize, second: usize, label: usize, scratch: usize): void {
  scoreDense<f32>(X, m, ids, count, panel, bias, base, best, second, label, scratch);
}
export function scoreSparse32(offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, base: u32, best: usize, second: usize, label: usize, scratch: usize): void {
  scoreSparse<f32>(offsets, indices, values, ids, count, panel, bias, base, best, second, label, scratch);
}
export function tighten32(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  return tighten<f32>(sparse, X, indices, values, m, rows, biases, list, count, labels, uppers, lowers, G, norms, angular, e0, e1, e2);
}
export function clear32(best: usize, second: usize, label: usize, count: i32): void {
  clear<f32>(best, second, label, count);
}
export function merge32(picked: i32, g: i32, slots: usize, ids: usize, best: usize, second: usize, label: usize, tops: usize, runners: usize, winners: usize, owners: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): void {
  merge<f32>(picked, g, slots, ids, best, second, label, tops, runners, winners, owners, lowers, G, norms, angular, e0, e1, e2);
}
export function settle32(list: usize, count: i32, tops: usize, runners: usize, winners: usize, owners: usize, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  return settle<f32>(list, count, tops, runners, winners, owners, labels, uppers, lowers, G, norms, angular, e0, e1, e2, moved);
}
export function move32(sparse: bool, X: usize, indices: usize, values: usize, m: i32, moved: usize, count: i32, labels: usize, scales: usize, C: usize, S: usize): void {
  move<f32>(sparse, X, indices, values, m, moved, count, labels, scales, C, S);
}
export function scoreDense64(X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, base: u32, best: usize, second: usize, label: usize, scratch: usize): void {
  scoreDense<f64>(X, m, ids, count, panel, bias, base, best, second, label, scratch);
}
export function scoreSparse64(offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, base: u32, best: usize, second: usize, label: usize, scratch: usize): void {
  scoreSparse<f64>(offsets, indices, values, ids, count, panel, bias, base, best, second, label, scratch);
}
export function tighten64(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  return tighten<f64>(sparse, X, indices, values, m, rows, biases, list, count, labels, uppers, lowers, G, norms, angular, e0, e1, e2);
}
export function clear64(best: usize, second: usize, label: usize, count: i32): void {
  clear<f64>(best, second, label, count);
}
export function merge64(picked: i32, g: i32, slots: usize, ids: usize, best: usize, second: usize, label: usize, tops: usize, runners: usize, winners: usize, owners: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): void {
  merge<f64>(picked, g, slots, ids, best, second, label, tops, runners, winners, owners, lowers, G, norms, angular, e0, e1, e2);
}
export function settle64(list: usize, count: i32, tops: usize, runners: usize, winners: usize, owners: usize, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  return settle<f64>(list, count, tops, runners, winners, owners, labels, uppers, lowers, G, norms, angular, e0, e1, e2, moved);
}
export function move64(sparse: bool, X: usize, indices: usize, values: usize, m: i32, moved: usize, count: i32, labels: usize, scales: usize, C: usize, S: usize): void {
  move<f64>(sparse, X, indices, values, m, moved, count, labels, scales, C, S);
}
