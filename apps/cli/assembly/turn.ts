// Columns made rows.

// Writes `rows` values of each of `m` columns, whose addresses stand at `columns`, as rows of m values. Returns whether
// all are finite: 0 times anything else is NaN, and stays.
export function turn(columns: usize, m: i32, rows: i32, out: usize): bool {
  const zero = f32x4.splat(0);
  const row = (<usize>m) << 2;
  let odd = zero;
  let r: i32 = 0;
  for (; r + 4 <= rows; r += 4, out += row << 2) {
    const at = (<usize>r) << 2;
    let to = out;
    let c: i32 = 0;
    let p = columns;
    for (; c + 4 <= m; c += 4, p += 16, to += 16) {
      const v0 = v128.load(<usize>load<u32>(p) + at);
      const v1 = v128.load(<usize>load<u32>(p, 4) + at);
      const v2 = v128.load(<usize>load<u32>(p, 8) + at);
      const v3 = v128.load(<usize>load<u32>(p, 12) + at);
      odd = f32x4.add(odd, f32x4.add(f32x4.mul(v0, zero), f32x4.mul(v1, zero)));
      odd = f32x4.add(odd, f32x4.add(f32x4.mul(v2, zero), f32x4.mul(v3, zero)));
      const a = v128.shuffle<i32>(v0, v1, 0, 4, 1, 5);
      const b = v128.shuffle<i32>(v2, v3, 0, 4, 1, 5);
      const d = v128.shuffle<i32>(v0, v1, 2, 6, 3, 7);
      const e = v128.shuffle<i32>(v2, v3, 2, 6, 3, 7);
      v128.store(to, v128.shuffle<i64>(a, b, 0, 2));
      v128.store(to + row, v128.shuffle<i64>(a, b, 1, 3));
      v128.store(to + 2 * row, v128.shuffle<i64>(d, e, 0, 2));
      v128.store(to + 3 * row, v128.shuffle<i64>(d, e, 1, 3));
    }
    for (; c < m; c++, p += 4, to += 4) {
      const v = v128.load(<usize>load<u32>(p) + at);
      odd = f32x4.add(odd, f32x4.mul(v, zero));
      store<f32>(to, f32x4.extract_lane(v, 0));
      store<f32>(to + row, f32x4.extract_lane(v, 1));
      store<f32>(to + 2 * row, f32x4.extract_lane(v, 2));
      store<f32>(to + 3 * row, f32x4.extract_lane(v, 3));
    }
  }
  let last: f32 = 0;
  for (; r < rows; r++) {
    for (let c: i32 = 0; c < m; c++, out += 4) {
      const value = load<f32>(<usize>load<u32>(columns + ((<usize>c) << 2)) + ((<usize>r) << 2));
      last += value * 0;
      store<f32>(out, value);
    }
  }
  return i32x4.all_true(f32x4.eq(odd, odd)) && last == last;
}

// Whether `count` numbers are all the one given.
export function areAll(values: usize, count: i32, value: f32): bool {
  const end = values + ((<usize>count) << 2);
  for (; values < end; values += 4) if (load<f32>(values) != value) return false;
  return true;
}
