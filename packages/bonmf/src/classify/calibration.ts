import { exp } from "../exp.js";
import { ln } from "../random.js";

/**
 * Turns shares of classes into probabilities that mean what they say: p_c ∝ (share_c + floor)^power. The floor keeps a class
 * without votes possible; the power is 1 / temperature. Both keep the order of the classes.
 */
export interface CalibrationMap {
  readonly floor: number;
  readonly power: number;
}

/** Rewrites the shares of one sample, c numbers from `base` on. */
export function calibrate(shares: Float64Array, base: number, classes: number, { floor, power }: CalibrationMap): void {
  let most = Number.NEGATIVE_INFINITY;
  for (let p = base; p < base + classes; p++) {
    shares[p] = power * ln(shares[p] + floor);
    if (shares[p] > most) most = shares[p];
  }
  let total = 0;
  for (let p = base; p < base + classes; p++) {
    shares[p] = exp(shares[p] - most);
    total += shares[p];
  }
  for (let p = base; p < base + classes; p++) shares[p] /= total;
}

const FLOORS = [1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1];
/** Powers by factors of about 1.15, from 0.1 to 10. */
const POWERS = Array.from({ length: 33 }, (_, s) => exp(((s - 16) * Math.LN10) / 16));

/**
 * The calibration with the least log loss on samples that were left out of the training. As in Platt's scaling, n samples of which none is
 * wrong do not prove that none can be: the truth is counted as 1 − 1 / (n + 2), the rest is shared by the other classes.
 *
 * @param shares IN n × c
 * @param y IN n class numbers
 * @param worth IN of a sample of each class; null: 1 each
 */
export function fitCalibration(
  shares: Float64Array,
  y: ArrayLike<number>,
  classes: number,
  worth: Float64Array | null = null,
): CalibrationMap {
  let best: CalibrationMap = { floor: FLOORS[0], power: 1 };
  let least = Number.POSITIVE_INFINITY;
  let at = (POWERS.length - 1) / 2;
  for (const floor of FLOORS) {
    const logs = shares.map((share) => ln(share + floor));
    const known = new Map<number, number>();
    const lossAt = (s: number) => {
      const loss =
        known.get(s) ??
        (s >= 0 && s < POWERS.length ? lossOf(logs, y, classes, POWERS[s], worth) : Number.POSITIVE_INFINITY);
      known.set(s, loss);
      return loss;
    };
    // The loss is convex in the power, and its minimum near that of the floor before.
    while (lossAt(at + 1) < lossAt(at)) at++;
    while (lossAt(at - 1) <= lossAt(at)) at--;
    if (lossAt(at) < least) {
      least = lossAt(at);
      best = { floor, power: POWERS[at] };
    }
  }
  return best;
}

/** @param logs IN n × c, c of 2 or more: ln(share + floor) */
function lossOf(
  logs: Float64Array,
  y: ArrayLike<number>,
  classes: number,
  power: number,
  worth: Float64Array | null,
): number {
  const doubt = 1 / (y.length + 2);
  let loss = 0;
  for (let i = 0, base = 0; i < y.length; i++, base += classes) {
    let most = Number.NEGATIVE_INFINITY;
    for (let p = base; p < base + classes; p++) if (logs[p] > most) most = logs[p];
    let [total, sum] = [0, 0];
    for (let p = base; p < base + classes; p++) {
      total += exp(power * (logs[p] - most));
      sum += logs[p] - most;
    }
    const own = logs[base + y[i]] - most;
    const more = ln(total) - power * ((1 - doubt) * own + (doubt / (classes - 1)) * (sum - own));
    loss += worth === null ? more : worth[y[i]] * more;
  }
  return loss;
}
