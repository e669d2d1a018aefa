import { Dense } from "../matrix/dense.js";
import { checkDense } from "./map.js";
import { findMoments } from "./moments.js";
import type { Scaling } from "./scaling.js";

/** The name of the constant feature. */
const CONSTANT = "(constant)";

/**
 * Standardised features, divided by one number so that the mean of ‖z‖² is 1, and a last feature that is always 1. By
 * angle, centred samples only have directions; with the constant they are seen from a point one typical length off the
 * centre, so that angles measure distances too, and far outliers count less than in k-means. `inverse` drops the constant.
 */
export const lift: Scaling = {
  least: { mean: Number.NEGATIVE_INFINITY, sd: 0 },
  outputs: (features) => features + 1,
  names: (names) => [...names, CONSTANT],
  *fit(X, weights, groups) {
    const { mean, sd, total } = yield* findMoments(X, weights, groups);
    const length = Math.sqrt(total);
    return { mean, sd: sd.map((s) => s * length) };
  },
  transform(X, { mean, sd }) {
    const { samples, features } = X;
    checkDense(X, features + 1);
    const Z = Dense.zeros(samples, features + 1, X.precision);
    for (let i = 0; i < samples; i++) {
      const from = X.row(i);
      const to = Z.row(i);
      for (let f = 0; f < features; f++) if (sd[f] > 0 || Number.isNaN(from[f])) to[f] = (from[f] - mean[f]) / sd[f];
      to[features] = 1;
    }
    return Z;
  },
  inverse(Z, { mean, sd }) {
    const features = mean.length;
    const X = Dense.zeros(Z.samples, features, Z.precision);
    for (let i = 0; i < Z.samples; i++) {
      const from = Z.row(i);
      const to = X.row(i);
      for (let f = 0; f < features; f++) to[f] = from[f] * sd[f] + mean[f];
    }
    return X;
  },
};
