// Columns to rows.

// Rows of a tile: what is written for four columns is still in the L1 cache when the next four are written.
const TILE: i32 = 128;

// Without their sign bit, infinity and NaN are at least this.
const INFINITE: i32 = 0x7f800000;
const SIGN: i32 = 0x7fffffff;

// Writes `rows` values of each of `m` columns, whose addresses stand at `columns`, as rows of m values. Returns whether
// all are finite.
export function transpose(columns: usize, m: i32, rows: i32, out: usize): bool {
  const sign = i32x4.splat(SIGN);
  const row = (<usize>m) << 2;
  const fours = m & ~3;
  const rest = columns + ((<usize>fours) << 2);
  let top = i32x4.splat(0);
  let most: i32 = 0;
  for (let first: i32 = 0; first < rows; first += TILE) {
    const from = (<usize>first) << 2;
    const last = (<usize>min(rows, first + TILE)) << 2;
    const even = last & ~15;
    const start = out + <usize>first * row;
    for (let c: i32 = 0, p = columns; c < fours; c += 4, p += 16) {
      const p0 = <usize>load<u32>(p);
      const p1 = <usize>load<u32>(p, 4);
      const p2 = <usize>load<u32>(p, 8);
      const p3 = <usize>load<u32>(p, 12);
      let to = start + ((<usize>c) << 2);
      let at = from;
      for (; at < even; at += 16, to += row << 2) {
        const v0 = v128.load(p0 + at);
        const v1 = v128.load(p1 + at);
        const v2 = v128.load(p2 + at);
        const v3 = v128.load(p3 + at);
        top = i32x4.max_s(top, i32x4.max_s(v128.and(v0, sign), v128.and(v1, sign)));
        top = i32x4.max_s(top, i32x4.max_s(v128.and(v2, sign), v128.and(v3, sign)));
        const a = v128.shuffle<i32>(v0, v1, 0, 4, 1, 5);
        const b = v128.shuffle<i32>(v2, v3, 0, 4, 1, 5);
        const d = v128.shuffle<i32>(v0, v1, 2, 6, 3, 7);
        const e = v128.shuffle<i32>(v2, v3, 2, 6, 3, 7);
        v128.store(to, v128.shuffle<i64>(a, b, 0, 2));
        v128.store(to + row, v128.shuffle<i64>(a, b, 1, 3));
        v128.store(to + 2 * row, v128.shuffle<i64>(d, e, 0, 2));
        v128.store(to + 3 * row, v128.shuffle<i64>(d, e, 1, 3));
      }
      most = max(most, max(copyColumn(p0, at, last, to, row), copyColumn(p1, at, last, to + 4, row)));
      most = max(most, max(copyColumn(p2, at, last, to + 8, row), copyColumn(p3, at, last, to + 12, row)));
    }
    for (let c = fours, p = rest; c < m; c++, p += 4) {
      most = max(most, copyColumn(<usize>load<u32>(p), from, last, start + ((<usize>c) << 2), row));
    }
  }
  return i32x4.all_true(i32x4.lt_s(top, i32x4.splat(INFINITE))) && most < INFINITE;
}

// Copies one column; returns the largest of its values without their sign bits.
@inline
function copyColumn(column: usize, at: usize, last: usize, to: usize, row: usize): i32 {
  let most: i32 = 0;
  for (; at < last; at += 4, to += row) {
    const value = load<i32>(column + at);
    most = max(most, value & SIGN);
    store<i32>(to, value);
  }
  return most;
}
