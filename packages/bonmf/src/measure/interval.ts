import { OptionError, quote } from "../errors.js";

/** The 0.975 quantile of the normal distribution: 95 % lie between it and its negative. */
const Z95 = 1.959963984540054;

/**
 * The confidence interval of an accuracy by Wilson's score method, which stays within 0 … 1 and holds for few samples and
 * for shares near 0 or 1.
 *
 * @param right how many samples were classified correctly
 * @param samples how many were tested
 * @param z the quantile of the normal distribution; default 1.96 for 95 %
 * @throws OptionError when `right` is not a whole number of 0 … `samples`, or `z` not a positive number
 *
 * @example
 * ```ts
 * import { accuracyInterval } from "bonmf";
 * accuracyInterval(90, 100); // → { low: 0.825…, high: 0.944… }
 * accuracyInterval(10, 10).low; // → 0.722…
 * ```
 */
export function accuracyInterval(right: number, samples: number, z = Z95): { low: number; high: number } {
  if (!Number.isInteger(samples) || samples < 1) {
    throw new OptionError("samples", samples, `samples must be a whole number of 1 or more, not ${quote(samples)}`);
  }
  if (!Number.isInteger(right) || right < 0 || right > samples) {
    throw new OptionError("right", right, `right must be a whole number of 0 … ${samples}, not ${quote(right)}`);
  }
  if (!(z > 0 && z < Number.POSITIVE_INFINITY)) {
    throw new OptionError("z", z, `z must be a positive number, not ${quote(z)}`);
  }
  const wrong = samples - right;
  const centre = right + (z * z) / 2;
  const reach = z * Math.sqrt((right * wrong) / samples + (z * z) / 4);
  const total = samples + z * z;
  return {
    low: (centre - reach) / total,
    high: wrong === 0 ? 1 : (centre + reach) / total,
  };
}
