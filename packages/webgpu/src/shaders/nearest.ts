/**
 * 32-bit products and sums of which nothing is fused, reordered or guessed: each result goes through an operation on integers with a
 * number that no compiler knows to be 0. On an adapter that rounds to nearest (rounding.ts asks it) they are those of a CPU, as long
 * as no operand or result is subnormal.
 */
export const NEAREST = /* wgsl */ `
fn kept(x: f32, zero: u32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ zero); }

fn plusProduct(sum: f32, a: f32, b: f32, zero: u32) -> f32 { return kept(sum + kept(a * b, zero), zero); }
`;
