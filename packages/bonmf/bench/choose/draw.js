// Random variates from a generator of numbers in [0, 1).

export function normal(next) {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** Gamma with scale 1 (Marsaglia and Tsang 2000). */
export function gamma(shape, next) {
  if (shape < 1) return gamma(shape + 1, next) * (1 - next()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(next);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** @param alphas any positive numbers */
export function dirichlet(alphas, next) {
  const draws = alphas.map((alpha) => (alpha > 0 ? gamma(alpha, next) : 0));
  const sum = draws.reduce((total, draw) => total + draw, 0);
  return sum > 0 ? draws.map((draw) => draw / sum) : alphas;
}

export function poisson(mean, next) {
  let count = 0;
  for (let product = 1 - next(); product > Math.exp(-mean); product *= 1 - next()) count++;
  return count;
}

/** Cumulative sums for `pick`. */
export function cumulate(shares) {
  let sum = 0;
  return shares.map((share) => {
    sum += share;
    return sum;
  });
}

/** An index by its share. */
export function pick(cumulative, next) {
  const u = next() * cumulative[cumulative.length - 1];
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle] > u) high = middle;
    else low = middle + 1;
  }
  return low;
}
