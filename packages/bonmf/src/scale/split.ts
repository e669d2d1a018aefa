import { Dense } from "../matrix/dense.js";
import { checkDense } from "./map.js";
import { findMoments } from "./moments.js";
import type { Scaling } from "./scaling.js";

/**
 * z = (x − mean) / sd for every feature, then the m positive parts max(0, z) and the m negative parts max(0, −z): signed
 * data without loss. A constant feature becomes zeros. The result is dense, since 0 becomes −mean / sd.
 */
export const split: Scaling = {
  least: { mean: Number.NEGATIVE_INFINITY, sd: 0 },
  outputs: (features) => 2 * features,
  names: (names) => [" +", " −"].flatMap((ending) => names.map((name) => name + ending)),
  *fit(X, weights, groups) {
    const { mean, sd } = yield* findMoments(X, weights, groups);
    return { mean, sd };
  },
  transform(X, { mean, sd }) {
    const { samples, features } = X;
    checkDense(X, 2 * features);
    const Z = Dense.zeros(samples, 2 * features, X.precision);
    for (let i = 0; i < samples; i++) {
      const from = X.row(i);
      const to = Z.row(i);
      for (let f = 0; f < features; f++) {
        if (Number.isNaN(from[f])) to[f] = to[features + f] = Number.NaN;
        if (sd[f] === 0 || Number.isNaN(from[f])) continue;
        const z = (from[f] - mean[f]) / sd[f];
        to[z > 0 ? f : features + f] = Math.abs(z);
      }
    }
    return Z;
  },
  inverse(Z, { mean, sd }) {
    const features = mean.length;
    const X = Dense.zeros(Z.samples, features, Z.precision);
    for (let i = 0; i < Z.samples; i++) {
      const from = Z.row(i);
      const to = X.row(i);
      for (let f = 0; f < features; f++) to[f] = (from[f] - from[features + f]) * sd[f] + mean[f];
    }
    return X;
  },
};
