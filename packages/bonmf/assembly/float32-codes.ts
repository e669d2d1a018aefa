// Codes of 32 bits as rows, sample after sample, `wide` bytes each: a multiple of four numbers, zeros behind the last code. Products with
// prototypes are rows, too, `apart` bytes from each other, to be multiplied by `unit`. Results of less than `tiny` are 0.

import { cycleLines, LINE } from "./cyclic";

@inline function keep(v: v128, least: v128): v128 { return v128.and(v, f32x4.ge(f32x4.abs(v), least)); }

// Rows times a number for each column.
export function scaleRows32(from: usize, wide: usize, count: i32, scales: usize, to: usize): void {
  for (; count > 0; count--) {
    for (let at: usize = 0; at < wide; at += 16, from += 16, to += 16) v128.store(to, f32x4.mul(v128.load(from), v128.load(scales + at)));
  }
}

// Products times a number for each column, but at least the column's floor.
export function linearRows32(products: usize, apart: usize, count: i32, scales: usize, floors: usize, tiny: f32, wide: usize, to: usize): void {
  const least = f32x4.splat(tiny);
  for (; count > 0; count--, products += apart) {
    for (let at: usize = 0; at < wide; at += 16, to += 16) {
      const v = f32x4.max(v128.load(floors + at), f32x4.mul(v128.load(products + at), v128.load(scales + at)));
      v128.store(to, keep(v, least));
    }
  }
}

// The multiplicative rule of kernel/plain/rules.ts: C ∘ (products + αC) ⊘ (below + l1); α and l1 are rows. Returns how many rows changed.
export function multiplyRows32(C: usize, wide: usize, products: usize, below: usize, apart: usize, count: i32, unit: f32, alphas: usize, l1s: usize, tiny: f32): i32 {
  const scale = f32x4.splat(unit), least = f32x4.splat(tiny), zero = f32x4.splat(0);
  let changed = 0;
  for (; count > 0; count--, C += wide, products += apart, below += apart) {
    let other = zero;
    for (let at: usize = 0; at < wide; at += 16) {
      const c = v128.load(C + at);
      const above = f32x4.add(f32x4.mul(v128.load(products + at), scale), f32x4.mul(v128.load(alphas + at), c));
      const v = f32x4.div(f32x4.mul(c, above), f32x4.add(v128.load(below + at), v128.load(l1s + at)));
      const kept = v128.and(keep(v, least), f32x4.eq(f32x4.sub(v, v), zero));
      other = v128.or(other, f32x4.ne(kept, c));
      v128.store(C + at, kept);
    }
    if (v128.any_true(other)) changed++;
  }
  return changed;
}

// Four numbers of four rows each, as four lines of four, and back.
@inline function turn(a: v128, b: v128, c: v128, d: v128, to: usize, apart: usize): void {
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5), cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const AB = v128.shuffle<f32>(a, b, 2, 6, 3, 7), CD = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
  v128.store(to + apart, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
  v128.store(to + 2 * apart, v128.shuffle<f32>(AB, CD, 0, 1, 4, 5));
  v128.store(to + 3 * apart, v128.shuffle<f32>(AB, CD, 2, 3, 6, 7));
}

@inline function scaled(row: usize, scale: v128, less: v128): v128 { return f32x4.sub(f32x4.mul(scale, v128.load(row)), less); }

// Rows, `apart` bytes from each other, to lines: times a number for each column, less another. The lines of samples that are missing are those of the last.
@inline function toLines(rows: usize, apart: usize, wide: usize, samples: usize, scales: usize, less: usize, lines: usize): void {
  const last = rows + (samples - 1) * apart;
  for (let s: usize = 0; s < 16; s += 4) {
    const a = min<usize>(rows + s * apart, last), b = min<usize>(a + apart, last), c = min<usize>(b + apart, last), d = min<usize>(c + apart, last);
    for (let at: usize = 0; at < wide; at += 16) {
      const scale = v128.load(scales + at), low = less == 0 ? f32x4.splat(0) : v128.load(less + at);
      const line = lines + at * (LINE / 4) + s * 4;
      turn(scaled(a + at, scale, low), scaled(b + at, scale, low), scaled(c + at, scale, low), scaled(d + at, scale, low), line, LINE);
    }
  }
}

// Lines to rows; what is behind the last code becomes 0. `scratch`: 64 bytes.
@inline function fromLines(lines: usize, k: usize, wide: usize, samples: usize, tiny: f32, rows: usize, scratch: usize): void {
  const least = f32x4.splat(tiny), zero = f32x4.splat(0);
  for (let s: usize = 0; s < samples; s += 4) {
    for (let r: usize = 0; r < k; r += 4) {
      const line = lines + r * LINE + s * 4;
      const a = v128.load(line), b = r + 1 < k ? v128.load(line + LINE) : zero;
      const c = r + 2 < k ? v128.load(line + 2 * LINE) : zero, d = r + 3 < k ? v128.load(line + 3 * LINE) : zero;
      const to = rows + s * wide + r * 4;
      if (s + 4 <= samples) {
        turn(keep(a, least), keep(b, least), keep(c, least), keep(d, least), to, wide);
        continue;
      }
      turn(keep(a, least), keep(b, least), keep(c, least), keep(d, least), scratch, 16);
      for (let t: usize = 0; s + t < samples; t++) v128.store(to + t * wide, v128.load(scratch + t * 16));
    }
  }
}

// In how many of the first `samples` columns the codes are not what they were.
@inline function countMoved(lines: usize, before: usize, k: usize, samples: usize, tiny: f32): i32 {
  const least = f32x4.splat(tiny);
  let moved: i32 = 0;
  for (let s: usize = 0; s < samples; s += 4) {
    let other = f32x4.splat(0);
    for (let at = s * 4; at < k * LINE; at += LINE) other = v128.or(other, f32x4.ne(keep(v128.load(lines + at), least), v128.load(before + at)));
    moved += popcnt<i32>(i32x4.bitmask(other) & ((1 << <i32>min<usize>(4, samples - s)) - 1));
  }
  return moved;
}

// The cyclic rule (cyclic.ts) for rows of codes A, each times its column's scale, as rows B; products times `units`, less `l1s`, a number for each column.
// Returns how many rows changed. `scratch`: 64(4k + 7) bytes.
export function cycleRowsOfCodes32(A: usize, scales: usize, products: usize, apart: usize, units: usize, l1s: usize, G: usize, width: i32, count: i32, sweeps: i32, settled: f64, beyond: f64, tiny: f32, B: usize, scratch: usize): i32 {
  const k = <usize>width, wide = ((k + 3) & ~3) * 4, WtX = scratch + k * LINE;
  let changed = 0;
  for (let left = <usize>count; left > 0;) {
    const samples = min<usize>(left, 16);
    // The lines beyond the last code are overwritten by what comes next.
    toLines(A, wide, wide, samples, scales, 0, scratch);
    toLines(products, apart, wide, samples, units, l1s, WtX);
    cycleLines<f32>(scratch, G, k, sweeps, settled, beyond, false);
    changed += countMoved(scratch, scratch + 2 * k * LINE, k, samples, tiny);
    fromLines(scratch, k, wide, samples, tiny, B, scratch + k * LINE);
    A += samples * wide; B += samples * wide; products += samples * apart;
    left -= samples;
  }
  return changed;
}

// Rows two columns at a time: [column pair][sample][2].
export function coupleRows32(rows: usize, wide: usize, k: i32, count: i32, couples: usize): void {
  for (; k > 0; k -= 2, rows += 8) {
    let from = rows;
    for (let s: i32 = 0; s < count; s++, from += wide, couples += 8) store<u64>(couples, load<u64>(from));
  }
}
