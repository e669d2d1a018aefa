import { CSR } from "./labelling.js";
import { HEAD, TASK } from "./task.js";

/** Entries that a lane adds before it turns to others. */
const CHUNK = 32;

/** Entries of samples in CSR format that a workgroup adds side by side, and its threads for each. */
const SIDE = 4;
const WIDE = 64 / SIDE;

/** Sums of which samples: in CSR format or dense, each times a number of its own, a weight for each or 1. */
export interface SumsVariant {
  readonly sparse: boolean;
  readonly scaled: boolean;
  readonly weighted: boolean;
}

/**
 * A value as a whole number of steps of its feature's grid (kernel/sums.ts of the library: a term t becomes (t + c) − c, c = 1.5 · 2^e,
 * whose steps are 2^(e − 52)), rounded to nearest, ties to even; |t| ≤ 2^(e − 1). Two's complement of 64 bits, low word first.
 */
export const TERM = /* wgsl */ `
struct Wide { low: u32, middle: u32, high: u32 }

fn bitsOf(p: Wide) -> u32 {
  if (p.high != 0u) { return 96u - countLeadingZeros(p.high); }
  if (p.middle != 0u) { return 64u - countLeadingZeros(p.middle); }
  return 32u - countLeadingZeros(p.low);
}

fn word(p: Wide, at: u32) -> u32 {
  return select(select(select(0u, p.high, at == 2u), p.middle, at == 1u), p.low, at == 0u);
}

// p / 2^by, rounded to nearest, ties to even; by > 0.
fn shiftDown(p: Wide, by: u32) -> Wide {
  if (by > 96u) { return Wide(0u, 0u, 0u); }
  let words = by >> 5u;
  let bits = by & 31u;
  let a = word(p, words);
  let b = word(p, words + 1u);
  let c = word(p, words + 2u);
  var q = Wide(a, b, c);
  if (bits > 0u) { q = Wide((a >> bits) | (b << (32u - bits)), (b >> bits) | (c << (32u - bits)), c >> bits); }
  // The highest bit that falls off, and whether any other does.
  let last = by - 1u;
  let half = (word(p, last >> 5u) >> (last & 31u)) & 1u;
  var rest = word(p, last >> 5u) & ((1u << (last & 31u)) - 1u);
  if (last >= 32u) { rest |= p.low; }
  if (last >= 64u) { rest |= p.middle; }
  if (half == 1u && (rest != 0u || (q.low & 1u) == 1u)) {
    q.low += 1u;
    if (q.low == 0u) {
      q.middle += 1u;
      if (q.middle == 0u) { q.high += 1u; }
    }
  }
  return q;
}

// p · 2^by of 64 bits.
fn shiftUp(p: Wide, by: u32) -> vec2u {
  if (by >= 64u) { return vec2u(); }
  if (by >= 32u) { return vec2u(0u, p.low << (by - 32u)); }
  if (by == 0u) { return vec2u(p.low, p.middle); }
  return vec2u(p.low << by, (p.middle << by) | (p.low >> (32u - by)));
}

fn negate(t: vec2u) -> vec2u {
  return vec2u(0u - t.x, ~t.y + select(0u, 1u, t.x == 0u));
}

fn plus64(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// The product of two words.
fn times(a: u32, b: u32) -> vec2u {
  let a1 = a >> 16u;
  let a0 = a & 0xffffu;
  let b1 = b >> 16u;
  let b0 = b & 0xffffu;
  let p = a0 * b0;
  let q = a1 * b0 + (p >> 16u);
  let r = a0 * b1 + (q & 0xffffu);
  return vec2u((r << 16u) | (p & 0xffffu), a1 * b1 + (q >> 16u) + (r >> 16u));
}

// value is p · 2^exponent.
fn onGrid(p: Wide, exponent: i32, e: i32, negative: bool) -> vec2u {
  let by = exponent - e + 52;
  var t: vec2u;
  if (by >= 0) {
    t = shiftUp(p, u32(by));
  } else {
    let q = shiftDown(p, u32(-by));
    t = vec2u(q.low, q.middle);
  }
  if (negative) { return negate(t); }
  return t;
}

fn termOf(x: u32, e: i32) -> vec2u {
  let exponent = (x >> 23u) & 0xffu;
  let mantissa = (x & 0x7fffffu) | select(0u, 0x800000u, exponent != 0u);
  if (mantissa == 0u) { return vec2u(); }
  return onGrid(Wide(mantissa, 0u, 0u), max(i32(exponent), 1) - 150, e, (x >> 31u) == 1u);
}

// Of x times a 64-bit float, whose product is first rounded to 53 bits.
fn scaledTerm(x: u32, scale: vec2u, e: i32) -> vec2u {
  let exponent = (x >> 23u) & 0xffu;
  let mantissa = (x & 0x7fffffu) | select(0u, 0x800000u, exponent != 0u);
  if (mantissa == 0u || (scale.x | scale.y) == 0u) { return vec2u(); }
  let low = times(mantissa, scale.x);
  let high = times(mantissa, (scale.y & 0xfffffu) | 0x100000u);
  let sum = plus64(vec2u(low.y, 0u), high);
  var p = Wide(low.x, sum.x, sum.y);
  var power = max(i32(exponent), 1) - 150 + i32(scale.y >> 20u) - 1075;
  let bits = bitsOf(p);
  if (bits > 53u) {
    p = shiftDown(p, bits - 53u);
    power += i32(bits) - 53;
  }
  return onGrid(p, power, e, (x >> 31u) == 1u);
}
`;

/** Adds the entries to the sums of their clusters: whole numbers, so that no order has to be kept. */
export function sumsShader({ sparse, scaled, weighted }: SumsVariant): string {
  return /* wgsl */ `
${TASK}
${sparse ? CSR : "@group(0) @binding(1) var<storage, read> X: array<u32>;"}
@group(0) @binding(2) var<storage, read> entries: array<vec2u>;
@group(0) @binding(3) var<storage, read> grid: array<i32>;
@group(0) @binding(4) var<storage, read_write> totals: array<atomic<u32>>;
${scaled ? "@group(0) @binding(5) var<storage, read> scales: array<vec2u>;" : ""}
${weighted ? "@group(0) @binding(6) var<storage, read> weights: array<vec2u>;" : ""}
${TERM}
fn hand(key: u32, column: u32, sum: vec2u) {
  let at = ${HEAD.length}u + 2u * (key * (task.features + 1u) + column);
  if (sum.x != 0u) {
    let before = atomicAdd(&totals[at], sum.x);
    let high = sum.y + select(0u, 1u, before + sum.x < before);
    if (high != 0u) { atomicAdd(&totals[at + 1u], high); }
  } else if (sum.y != 0u) { atomicAdd(&totals[at + 1u], sum.y); }
}

fn valueOf(x: u32, i: u32, e: i32) -> vec2u {
  return ${scaled ? "scaledTerm(x, scales[i], e)" : "termOf(x, e)"};
}

fn weightOf(i: u32) -> vec2u {
  return ${weighted ? "weights[i]" : "vec2u(1u, 0u)"};
}
${sparse ? SPARSE : DENSE}`;
}

/** A lane takes a feature, adds entries that follow each other in registers, and hands over where the cluster changes. */
const DENSE = /* wgsl */ `
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  let count = atomicLoad(&totals[${HEAD.entries}]);
  // As many features side by side as there are, and the column of weights; in what is left of the 64 threads further lanes.
  var wide = 64u;
  while (wide / 2u >= task.features + 1u) { wide /= 2u; }
  let lanes = 64u / wide;
  let column = group.y * 64u + t % wide;
  if (column > task.features) { return; }
  let isWeight = column == task.features;
  var e = 0;
  if (!isWeight) { e = grid[column]; }
  let width = 4u * task.quads;
  for (var start = (group.x * lanes + t / wide) * ${CHUNK}u; start < count; start += groups.x * lanes * ${CHUNK}u) {
    let to = min(start + ${CHUNK}u, count);
    var key = entries[start].y;
    var sum = vec2u();
    for (var at = start; at < to; at++) {
      let entry = entries[at];
      if (entry.y != key) {
        hand(key, column, sum);
        key = entry.y;
        sum = vec2u();
      }
      let i = entry.x & 0x7fffffffu;
      var term: vec2u;
      if (isWeight) {
        term = weightOf(i);
      } else {
        term = valueOf(X[i * width + column], i, e);
      }
      if ((entry.x >> 31u) == 1u) { term = negate(term); }
      sum = plus64(sum, term);
    }
    hand(key, column, sum);
  }
}
`;

/** Threads take the values of a sample, and one of them its weight. */
const SPARSE = /* wgsl */ `
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  let count = atomicLoad(&totals[${HEAD.entries}]);
  for (var at = group.x * ${SIDE}u + t / ${WIDE}u; at < count; at += groups.x * ${SIDE}u) {
    let entry = entries[at];
    let i = entry.x & 0x7fffffffu;
    let leaves = (entry.x >> 31u) == 1u;
    let lane = t % ${WIDE}u;
    let stop = offsets[i + 1u];
    for (var p = offsets[i] + lane; p < stop; p += ${WIDE}u) {
      let x = X[p];
      let term = valueOf(x.y, i, grid[x.x]);
      hand(entry.y, x.x, select(term, negate(term), vec2<bool>(leaves)));
    }
    if (lane == 0u) {
      let term = weightOf(i);
      hand(entry.y, task.features, select(term, negate(term), vec2<bool>(leaves)));
    }
  }
}
`;
