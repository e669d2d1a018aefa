import { CSR } from "./labelling.js";
import { TASK } from "./task.js";

/**
 * Sums of 64-bit floats that are not negative, in integers: rounded to nearest, ties to even. A number is a whole number of 53 bits,
 * in two words, times a power of two, or 0.
 */
export const FLOAT64 = /* wgsl */ `
struct Float { high: u32, low: u32, power: i32 }

// A whole number of at most 53 bits, shifted up to 53.
fn normal(high: u32, low: u32, power: i32) -> Float {
  if ((high | low) == 0u) { return Float(0u, 0u, 0); }
  var h = high;
  var l = low;
  var p = power;
  if (h == 0u) {
    h = l;
    l = 0u;
    p -= 32;
    // Too far by at most eleven bits.
    if (h >= 0x200000u) {
      let down = 11u - countLeadingZeros(h);
      return Float(h >> down, h << (32u - down), p + i32(down));
    }
  }
  let up = countLeadingZeros(h) - 11u;
  if (up == 0u) { return Float(h, l, p); }
  return Float((h << up) | (l >> (32u - up)), l << up, p - i32(up));
}

fn add64(first: Float, other: Float) -> Float {
  if ((first.high | first.low) == 0u) { return other; }
  if ((other.high | other.low) == 0u) { return first; }
  let swap = first.power < other.power;
  var a = first;
  var b = other;
  if (swap) {
    a = other;
    b = first;
  }
  let apart = u32(a.power - b.power);
  if (apart > 54u) { return a; }
  // b shifted down; what falls off is kept in a third word.
  var high = b.high;
  var low = b.low;
  var rest = 0u;
  if (apart >= 32u) {
    rest = low;
    low = high;
    high = 0u;
  }
  let bits = apart & 31u;
  if (bits > 0u) {
    let lost = rest << (32u - bits);
    rest = (low << (32u - bits)) | (rest >> bits) | select(0u, 1u, lost != 0u);
    low = (low >> bits) | (high << (32u - bits));
    high = high >> bits;
  }
  low = a.low + low;
  high = a.high + high + select(0u, 1u, low < a.low);
  var power = a.power;
  if (high >= 0x200000u) {
    rest = (low << 31u) | (rest >> 1u) | (rest & 1u);
    low = (low >> 1u) | (high << 31u);
    high = high >> 1u;
    power++;
  }
  if (rest > 0x80000000u || (rest == 0x80000000u && (low & 1u) == 1u)) {
    low++;
    if (low == 0u) {
      high++;
      if (high == 0x200000u) {
        high = 0x100000u;
        power++;
      }
    }
  }
  return Float(high, low, power);
}

// As the words of a 64-bit float, low word first; of magnitudes that 32-bit floats and their squares have.
fn pack64(x: Float) -> vec2u {
  if ((x.high | x.low) == 0u) { return vec2u(); }
  return vec2u(x.low, (u32(x.power + 1075) << 20u) | (x.high & 0xfffffu));
}

// |x| of a 32-bit float, and its square.
fn widen(bits: u32) -> Float {
  let exponent = (bits >> 23u) & 0xffu;
  let mantissa = (bits & 0x7fffffu) | select(0u, 0x800000u, exponent != 0u);
  return normal(0u, mantissa, max(i32(exponent), 1) - 150);
}

fn square(bits: u32) -> Float {
  let exponent = (bits >> 23u) & 0xffu;
  let mantissa = (bits & 0x7fffffu) | select(0u, 0x800000u, exponent != 0u);
  let a = mantissa >> 12u;
  let b = mantissa & 0xfffu;
  // (a·2¹² + b)² = a²·2²⁴ + ab·2¹³ + b².
  let middle = a * b;
  let below = ((middle & 0x7ffffu) << 13u) + b * b;
  let carry = select(0u, 1u, below < b * b);
  let low = (a * a) << 24u;
  let sum = low + below;
  let high = ((a * a) >> 8u) + (middle >> 19u) + carry + select(0u, 1u, sum < low);
  return normal(high, sum, 2 * (max(i32(exponent), 1) - 150));
}
`;

const ADD = /* wgsl */ `
        if (bits == 0u) { continue; }
        squares[lane] = add64(squares[lane], square(bits));
        sums[lane] = add64(sums[lane], widen(bits));`;

/**
 * ‖x‖² and the sum of the values of every sample, in four interleaved parts, to the bit of a CPU with 64-bit floats; of samples that are not
 * negative.
 */
export const squaresShader = (sparse: boolean) => /* wgsl */ `
${TASK}
${sparse ? CSR : "@group(0) @binding(1) var<storage, read> X: array<vec4u>;"}
@group(0) @binding(2) var<storage, read_write> out: array<vec4u>;
${FLOAT64}
fn total(parts: array<Float, 4>) -> vec2u {
  var p = parts;
  var sums: array<Float, 2>;
  for (var half = 0u; half < 2u; half++) { sums[half] = add64(p[2u * half], p[2u * half + 1u]); }
  return pack64(add64(sums[0], sums[1]));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  for (var i = group.x * 64u + t; i < task.samples; i += groups.x * 64u) {
    // Not every compiler sets variables without a value to 0 in every turn of a loop.
    var squares = array<Float, 4>(Float(0u, 0u, 0), Float(0u, 0u, 0), Float(0u, 0u, 0), Float(0u, 0u, 0));
    var sums = squares;
    ${
      sparse
        ? `
    for (var p = offsets[i]; p < offsets[i + 1u]; p++) {
      let lane = X[p].x & 3u;
      let bits = X[p].y & 0x7fffffffu;
      ${ADD}
    }`
        : `
    for (var q = 0u; q < task.quads; q++) {
      let x = X[i * task.quads + q];
      for (var lane = 0u; lane < 4u; lane++) {
        let bits = x[lane] & 0x7fffffffu;
        ${ADD}
      }
    }`
    }
    out[i] = vec4u(total(squares), total(sums));
  }
}
`;

/**
 * The largest |value| of each feature; first, as one number, whether any value is negative (1) or not finite (2); and last how far the
 * smallest |value| that is not 0 is below infinity, in words.
 */
export const largestShader = (sparse: boolean) => /* wgsl */ `
${TASK}
${sparse ? CSR : "@group(0) @binding(1) var<storage, read> X: array<u32>;"}
@group(0) @binding(2) var<storage, read_write> most: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  var largest = 0u;
  var least = 0x7f800000u;
  var flags = 0u;
  ${sparse ? LARGEST_PAIRS : LARGEST_COLUMNS}
  if (largest >= 0x7f800000u) { flags |= 2u; }
  if (flags != 0u) { atomicOr(&most[0], flags); }
  atomicMax(&most[task.features + 1u], 0x7f800000u - least);
}
`;

const LOOK = /* wgsl */ `
    let size = bits & 0x7fffffffu;
    largest = max(largest, size);
    if (size != 0u) { least = min(least, size); }
    if (bits > 0x80000000u) { flags |= 1u; }`;

/** Threads side by side take features, each some of the samples. */
const LARGEST_COLUMNS = /* wgsl */ `
  let width = 4u * task.quads;
  var side = 64u;
  while (side / 2u >= width) { side /= 2u; }
  let lanes = 64u / side;
  let column = group.y * 64u + t % side;
  if (column >= task.features) { return; }
  for (var i = group.x * lanes + t / side; i < task.samples; i += groups.x * lanes) {
    let bits = X[i * width + column];
    ${LOOK}
  }
  atomicMax(&most[column + 1u], largest);`;

/** Most values are no larger than what is known already, so that few threads write. */
const LARGEST_PAIRS = /* wgsl */ `
  for (var p = group.x * 64u + t; p < offsets[task.samples]; p += groups.x * 64u) {
    let bits = X[p].y;
    ${LOOK}
    let at = X[p].x + 1u;
    if (size > atomicLoad(&most[at])) { atomicMax(&most[at], size); }
  }`;
