// Dense 32-bit samples without their zeros.

// Appends the values of `count` samples from X on that are not 0 at place `next` of indices and values, and notes where
// each sample ends at `offsets`. Returns the next place. `orders` has 16 bytes for each set of lanes: those in it first. What
// is written of the others is written over by the next.
export function denseToCsr32(X: usize, m: i32, count: i32, offsets: usize, indices: usize, values: usize, next: i32, orders: usize): i32 {
  const zero = f32x4.splat(0), lanes = i32x4(0, 1, 2, 3);
  let to = <usize>next;
  for (let i: i32 = 0; i < count; i++) {
    let f: i32 = 0;
    for (; f + 4 <= m; f += 4, X += 16) {
      const v = v128.load(X);
      const filled = i32x4.bitmask(f32x4.ne(v, zero));
      if (filled == 0) continue;
      const order = v128.load(orders + (<usize>filled) * 16);
      v128.store(values + to * 4, i8x16.swizzle(v, order));
      v128.store(indices + to * 4, i8x16.swizzle(i32x4.add(i32x4.splat(f), lanes), order));
      to += <usize>popcnt(filled);
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
