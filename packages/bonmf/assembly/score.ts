// Scores of samples against packed prototypes.

// @ts-ignore
@inline function lanes<T>(): i32 { return 16 / sizeof<T>(); }
// @ts-ignore
@inline function width<T>(): i32 { return 3 * lanes<T>(); }

// One sample's three vectors of scores against the best so far; labels names the panel's columns. Of equal scores the
// lowest label wins, whatever the order of the columns.
// @ts-ignore
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
// @ts-ignore
@inline function take<T>(all: bool, a: v128, b: v128, c: v128, at: usize, labels: usize, scratch: usize, best: usize, second: usize, label: usize): void {
  if (all) {
    v128.store(best + at * 48, a);
    v128.store(best + at * 48, b, 16);
    v128.store(best + at * 48, c, 32);
  } else keep<T>(a, b, c, labels, scratch, best + at * sizeof<T>(), second + at * sizeof<T>(), label + at * 4);
}

// Scores of `count` dense samples, named by ids, against one panel.
// @ts-ignore
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
// @ts-ignore
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

