/** How a claim about repeated splits gets its error bar. */

export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The sample standard deviation; null for a single value. */
export function deviationOf(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The 95 % interval of the mean of paired differences over random splits of the same samples. Splits share samples, so
 * the variance of the mean is (1/J + n_test/n_train) s², not s²/J (Nadeau and Bengio, Inference for the generalization
 * error, 2003). Null for a single pair.
 */
export function pair(a: readonly number[], b: readonly number[], testToTrain: number): Interval | null {
  const differences = a.map((value, i) => value - b[i]);
  const deviation = deviationOf(differences);
  if (deviation === null) return null;
  const mean = meanOf(differences);
  const reach = quantile(differences.length - 1) * deviation * Math.sqrt(1 / differences.length + testToTrain);
  return { mean, low: mean - reach, high: mean + reach };
}

/** The t that 95 % of Student's distribution with so many degrees of freedom lie within, ±t. */
export function quantile(freedom: number): number {
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (within(middle, freedom) < 0.95) low = middle;
    else high = middle;
  }
  return Math.tan(low) * Math.sqrt(freedom);
}

/** P(|t| < √ν tan θ): Abramowitz and Stegun 26.7.3 and 26.7.4. */
function within(theta: number, freedom: number): number {
  const odd = freedom % 2;
  const squared = Math.cos(theta) ** 2;
  let term = odd ? Math.cos(theta) : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let i = 2 + odd; i < freedom; i += 2) {
    term *= (squared * (i - 1)) / i;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum;
}
