// Dense 32-bit samples without their zeros.

// Appends the values of `count` samples from X on that are not 0 at place `next` of indices and values, and notes where
// each sample ends at `offsets`. Returns the next place.
export function squeeze32(X: usize, m: i32, count: i32, offsets: usize, indices: usize, values: usize, next: i32): i32 {
  const zero = f32x4.splat(0);
  let to = <usize>next;
  for (let i: i32 = 0; i < count; i++) {
    let f: i32 = 0;
    for (; f + 4 <= m; f += 4) {
      let lanes = i32x4.bitmask(f32x4.ne(v128.load(X), zero));
      while (lanes != 0) {
        const lane = ctz(lanes);
        store<u32>(indices + to * 4, f + lane);
        store<u32>(values + to * 4, load<u32>(X + (<usize>lane) * 4));
        to++;
        lanes &= lanes - 1;
      }
      X += 16;
    }
    for (; f < m; f++, X += 4) {
      if (load<f32>(X) == 0) continue;
      store<u32>(indices + to * 4, f);
      store<u32>(values + to * 4, load<u32>(X));
      to++;
    }
    store<u32>(offsets + (<usize>i) * 4, <u32>to);
  }
  return <i32>to;
}
