// Random numbers of many samples: Threefry-2x32 as in src/random.ts, four at a time.

@inline function rotate(v: v128, r: i32, x: v128): v128 {
  return v128.xor(v128.or(i32x4.shl(v, r), i32x4.shr_u(v, 32 - r)), x);
}

// Two numbers in [0, 1) of 53 bits.
@inline function putTwo(high: v128, low: v128, out: usize): void {
  const a = f64x2.convert_low_i32x4_u(i32x4.shr_u(high, 5)), b = f64x2.convert_low_i32x4_u(i32x4.shr_u(low, 6));
  v128.store(out, f64x2.mul(f64x2.add(f64x2.mul(a, f64x2.splat(67108864)), b), f64x2.splat(1.1102230246251565e-16)));
}

// Those of samples first … first + count − 1, and up to three more.
export function draw(k0: u32, k1: u32, stream: u32, first: u32, count: i32, out: usize): void {
  const a = i32x4.splat(k0), b = i32x4.splat(k1), c = i32x4.splat(0x1bd11bda ^ k0 ^ k1);
  for (let s: i32 = 0; s < count; s += 4, out += 32) {
    let x = i32x4.add(i32x4.add(i32x4.splat(first + s), i32x4(0, 1, 2, 3)), a), y = i32x4.add(i32x4.splat(stream), b);
    let now = b, next = c, last = a;
    for (let group: i32 = 1; group <= 5; group++) {
      if (group & 1) {
        x = i32x4.add(x, y); y = rotate(y, 13, x);
        x = i32x4.add(x, y); y = rotate(y, 15, x);
        x = i32x4.add(x, y); y = rotate(y, 26, x);
        x = i32x4.add(x, y); y = rotate(y, 6, x);
      } else {
        x = i32x4.add(x, y); y = rotate(y, 17, x);
        x = i32x4.add(x, y); y = rotate(y, 29, x);
        x = i32x4.add(x, y); y = rotate(y, 16, x);
        x = i32x4.add(x, y); y = rotate(y, 24, x);
      }
      x = i32x4.add(x, now);
      y = i32x4.add(y, i32x4.add(next, i32x4.splat(group)));
      const used = now;
      now = next; next = last; last = used;
    }
    putTwo(x, y, out);
    putTwo(v128.shuffle<i32>(x, x, 2, 3, 2, 3), v128.shuffle<i32>(y, y, 2, 3, 2, 3), out + 16);
  }
}
