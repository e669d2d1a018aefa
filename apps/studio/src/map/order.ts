/**
 * An order in which every beginning is spread evenly over the list, so that the first points drawn stand for all, and no
 * class lies on top because it is last in the file.
 *
 * @param count so many, from the beginning
 */
export function spreadOrder(n: number, count = n): Uint32Array {
  // Near the golden section of n, and coprime to it.
  let step = Math.max(1, Math.round(n * 0.618_033_988_75));
  while (gcd(step, n) > 1) step++;
  const order = new Uint32Array(count);
  for (let p = 0, i = 0; p < count; p++, i = (i + step) % n) order[p] = i;
  return order;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
