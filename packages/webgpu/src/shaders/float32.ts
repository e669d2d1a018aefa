/**
 * Products and sums of 32-bit floats in integers, rounded to nearest, ties to even, with subnormals: to the bit what a CPU
 * computes. WGSL leaves the rounding of its own floats open, may fuse and reorder them, and may flush subnormals. For finite
 * numbers whose results are finite. −0 may come out as 0.
 */
export const FLOAT32 = /* wgsl */ `
// mantissa · 2^exponent, the mantissa in [2²³, 2²⁴), or 0.
struct Parts { mantissa: u32, exponent: i32 }

fn split(bits: u32) -> Parts {
  let exponent = i32((bits >> 23u) & 0xffu);
  let fraction = bits & 0x7fffffu;
  if (exponent != 0) { return Parts(fraction | 0x800000u, exponent - 150); }
  let up = countLeadingZeros(fraction) - 8u;
  return Parts(select(0u, fraction << (up & 31u), fraction != 0u), -149 - i32(up));
}

// (mantissa + rest / 2³²) · 2^exponent rounded, the mantissa in [2²³, 2²⁴).
fn join(sign: u32, mantissa: u32, rest: u32, exponent: i32) -> u32 {
  let biased = exponent + 150;
  var m = mantissa;
  var r = rest;
  if (biased <= 0) {
    let down = u32(1 - biased);
    if (down > 24u) {
      return sign;
    }
    r = (m << (32u - down)) | select(0u, 1u, r != 0u);
    m = m >> down;
  }
  let up = select(0u, 1u, r > 0x80000000u || (r == 0x80000000u && (m & 1u) == 1u));
  if (biased <= 0) { return sign | (m + up); }
  return sign | ((u32(biased) << 23u) + (m - 0x800000u) + up);
}

fn multiply(a: u32, b: u32) -> u32 {
  let sign = (a ^ b) & 0x80000000u;
  let x = split(a);
  let y = split(b);
  if (x.mantissa == 0u || y.mantissa == 0u) { return sign; }
  // 24 × 24 bits, twelve at a time.
  let x1 = x.mantissa >> 12u;
  let x0 = x.mantissa & 0xfffu;
  let y1 = y.mantissa >> 12u;
  let y0 = y.mantissa & 0xfffu;
  let middle = x1 * y0 + x0 * y1;
  let below = ((middle & 0xfffu) << 12u) + x0 * y0;
  let high = x1 * y1 + (middle >> 12u) + (below >> 24u);
  let low = below & 0xffffffu;
  if (high >= 0x800000u) { return join(sign, high, low << 8u, x.exponent + y.exponent + 24); }
  return join(sign, (high << 1u) | (low >> 23u), low << 9u, x.exponent + y.exponent + 23);
}

fn plus(first: u32, other: u32) -> u32 {
  let swap = (first & 0x7fffffffu) < (other & 0x7fffffffu);
  let a = select(first, other, swap);
  let b = select(other, first, swap);
  if ((b & 0x7fffffffu) == 0u) { return select(a, 0u, (a & 0x7fffffffu) == 0u); }
  let sign = a & 0x80000000u;
  let x = split(a);
  let y = split(b);
  let apart = u32(x.exponent - y.exponent);
  var high = 0u;
  var rest = 1u;
  if (apart == 0u) {
    high = y.mantissa;
    rest = 0u;
  } else if (apart < 32u) {
    high = y.mantissa >> apart;
    rest = y.mantissa << (32u - apart);
  }
  if (((a ^ b) & 0x80000000u) == 0u) {
    let sum = x.mantissa + high;
    if (sum < 0x1000000u) { return join(sign, sum, rest, x.exponent); }
    return join(sign, sum >> 1u, ((sum & 1u) << 31u) | (rest >> 1u) | (rest & 1u), x.exponent + 1);
  }
  var m = x.mantissa - high - select(0u, 1u, rest != 0u);
  rest = 0u - rest;
  if (m == 0u) {
    // Then the rest is one bit, or nothing.
    if (rest == 0u) { return 0u; }
    return join(sign, rest >> 8u, 0u, x.exponent - 24);
  }
  let up = countLeadingZeros(m) - 8u;
  if (up > 0u) {
    m = (m << up) | (rest >> (32u - up));
    rest = rest << up;
  }
  return join(sign, m, rest, x.exponent - i32(up));
}

// Orders floats as unsigned numbers; −0 equals 0.
fn rank(bits: u32) -> u32 {
  if ((bits & 0x7fffffffu) == 0u) { return 0x80000000u; }
  return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}
`;
