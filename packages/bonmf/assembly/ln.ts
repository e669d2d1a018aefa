// ln of src/random.ts, two at a time.
@inline export function lnTwo(x: v128): v128 {
  const high = v128.shuffle<i32>(x, x, 1, 3, 1, 3);
  let exponent = f64x2.convert_low_i32x4_s(i32x4.sub(i32x4.shr_u(high, 20), i32x4.splat(1023)));
  let f = v128.or(v128.and(x, i64x2.splat(0x000fffffffffffff)), i64x2.splat(0x3ff0000000000000));
  const one = f64x2.splat(1);
  const over = f64x2.gt(f, f64x2.splat(Math.SQRT2));
  f = v128.bitselect(f64x2.mul(f, f64x2.splat(0.5)), f, over);
  exponent = f64x2.add(exponent, v128.and(over, one));
  const t = f64x2.div(f64x2.sub(f, one), f64x2.add(f, one));
  const tt = f64x2.mul(t, t);
  let sum = f64x2.splat(2.0 / 27.0);
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 25.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 23.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 21.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 19.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 17.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 15.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 13.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 11.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 9.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 7.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 5.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0 / 3.0));
  sum = f64x2.add(f64x2.mul(sum, tt), f64x2.splat(2.0));
  return f64x2.add(f64x2.mul(exponent, f64x2.splat(Math.LN2)), f64x2.mul(sum, t));
}
