// Scores of samples against packed prototypes.

@inline function lanes<T>(): i32 { return 16 / sizeof<T>(); }
@inline function width<T>(): i32 { return 3 * lanes<T>(); }

// One sample's three vectors of scores against the best so far; labels names the panel's columns. Of equal scores the
// lowest label wins, whatever the order of the columns.
@inline function keep<T>(a: v128, b: v128, c: v128, labels: usize, scratch: usize, best: usize, second: usize, label: usize): void {
  v128.store(scratch, a);
  v128.store(scratch, b, 16);
  v128.store(scratch, c, 32);
  let most = load<T>(best);
  let next = load<T>(second);
  let at = load<u32>(label);
  for (let j: i32 = 0; j < width<T>(); j++) {
    const s = load<T>(scratch + (<usize>j) * sizeof<T>());
    if (s > next) {
      if (s > most) { next = most; most = s; at = load<u32>(labels + (<usize>j) * 4); }
      else if (s == most) { next = s; at = min<u32>(at, load<u32>(labels + (<usize>j) * 4)); }
      else next = s;
    }
  }
  store<T>(best, most);
  store<T>(second, next);
  store<u32>(label, at);
}

// What becomes of one sample's scores: all are kept, 48 bytes a sample, or only the best two.
@inline function take<T>(all: bool, a: v128, b: v128, c: v128, at: usize, labels: usize, scratch: usize, best: usize, second: usize, label: usize): void {
  if (all) {
    v128.store(best + at * 48, a);
    v128.store(best + at * 48, b, 16);
    v128.store(best + at * 48, c, 32);
  } else keep<T>(a, b, c, labels, scratch, best + at * sizeof<T>(), second + at * sizeof<T>(), label + at * 4);
}

// Scores of `count` dense samples, named by ids, against one panel.
@inline export function scoreDense<T>(all: bool, X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize, scratch: usize): void {
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
    take<T>(all, a0, a1, a2, at, labels, scratch, best, second, label);
    take<T>(all, c0, c1, c2, at + 1, labels, scratch, best, second, label);
    take<T>(all, d0, d1, d2, at + 2, labels, scratch, best, second, label);
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
    take<T>(all, a0, a1, a2, at, labels, scratch, best, second, label);
  }
}


// Scores of `count` sparse samples against one panel: the same sums without the zeros.
@inline export function scoreSparse<T>(all: bool, offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize, scratch: usize): void {
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
    take<T>(all, a0, a1, a2, at, labels, scratch, best, second, label);
  }
}


// The column of the largest of three vectors of scores; of equal ones the lowest.
@inline function argMax<T>(a: v128, b: v128, c: v128): u32 {
  let most = v128.max<T>(v128.max<T>(a, b), c);
  if (sizeof<T>() == 4) {
    most = f32x4.max(most, v128.shuffle<f32>(most, most, 2, 3, 0, 1));
    most = f32x4.max(most, v128.shuffle<f32>(most, most, 1, 0, 3, 2));
    return ctz<u32>(i32x4.bitmask(f32x4.eq(a, most)) | (i32x4.bitmask(f32x4.eq(b, most)) << 4) | (i32x4.bitmask(f32x4.eq(c, most)) << 8));
  }
  most = f64x2.max(most, v128.shuffle<f64>(most, most, 1, 0));
  return ctz<u32>(i64x2.bitmask(f64x2.eq(a, most)) | (i64x2.bitmask(f64x2.eq(b, most)) << 2) | (i64x2.bitmask(f64x2.eq(c, most)) << 4));
}

// Gives sample i its label; one that changed is listed with its old label. Returns how many are listed.
@inline function relabel(i: i32, label: u32, labels: usize, moved: usize, changed: i32): i32 {
  const at = labels + (<usize>i) * 4;
  const old = load<u32>(at);
  if (old == label) return changed;
  store<u32>(at, label);
  store<u32>(moved + (<usize>changed) * 8, i);
  store<u32>(moved + (<usize>changed) * 8, old, 4);
  return changed + 1;
}

// Labels samples from … to − 1 by the only panel, without any bounds.
@inline export function labelDense<T>(X: usize, m: i32, from: i32, to: i32, panel: usize, bias: usize, labels: usize, moved: usize): i32 {
  const size = sizeof<T>();
  const row = (<usize>m) * size;
  const b0 = v128.load(bias), b1 = v128.load(bias, 16), b2 = v128.load(bias, 32);
  let changed: i32 = 0;
  let i = from;
  for (; i + 3 <= to; i += 3) {
    let x = X + row * (<usize>i);
    let a0 = b0, a1 = b1, a2 = b2, c0 = b0, c1 = b1, c2 = b2, d0 = b0, d1 = b1, d2 = b2;
    let w = panel;
    const end = x + row;
    while (x < end) {
      const w0 = v128.load(w), w1 = v128.load(w, 16), w2 = v128.load(w, 32);
      let v = v128.load_splat<T>(x);
      a0 = v128.add<T>(a0, v128.mul<T>(v, w0));
      a1 = v128.add<T>(a1, v128.mul<T>(v, w1));
      a2 = v128.add<T>(a2, v128.mul<T>(v, w2));
      v = v128.load_splat<T>(x + row);
      c0 = v128.add<T>(c0, v128.mul<T>(v, w0));
      c1 = v128.add<T>(c1, v128.mul<T>(v, w1));
      c2 = v128.add<T>(c2, v128.mul<T>(v, w2));
      v = v128.load_splat<T>(x + 2 * row);
      d0 = v128.add<T>(d0, v128.mul<T>(v, w0));
      d1 = v128.add<T>(d1, v128.mul<T>(v, w1));
      d2 = v128.add<T>(d2, v128.mul<T>(v, w2));
      x += size; w += 48;
    }
    changed = relabel(i, argMax<T>(a0, a1, a2), labels, moved, changed);
    changed = relabel(i + 1, argMax<T>(c0, c1, c2), labels, moved, changed);
    changed = relabel(i + 2, argMax<T>(d0, d1, d2), labels, moved, changed);
  }
  for (; i < to; i++) {
    let x = X + row * (<usize>i);
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
    changed = relabel(i, argMax<T>(a0, a1, a2), labels, moved, changed);
  }
  return changed;
}

@inline export function labelSparse<T>(offsets: usize, indices: usize, values: usize, from: i32, to: i32, panel: usize, bias: usize, labels: usize, moved: usize): i32 {
  const b0 = v128.load(bias), b1 = v128.load(bias, 16), b2 = v128.load(bias, 32);
  let changed: i32 = 0;
  for (let i = from; i < to; i++) {
    const row = offsets + (<usize>i) * 4;
    const end = <usize>load<u32>(row, 4);
    let a0 = b0, a1 = b1, a2 = b2;
    for (let p = <usize>load<u32>(row); p < end; p++) {
      const w = panel + (<usize>load<u32>(indices + p * 4)) * 48;
      const v = v128.load_splat<T>(values + p * sizeof<T>());
      a0 = v128.add<T>(a0, v128.mul<T>(v, v128.load(w)));
      a1 = v128.add<T>(a1, v128.mul<T>(v, v128.load(w, 16)));
      a2 = v128.add<T>(a2, v128.mul<T>(v, v128.load(w, 32)));
    }
    changed = relabel(i, argMax<T>(a0, a1, a2), labels, moved, changed);
  }
  return changed;
}
