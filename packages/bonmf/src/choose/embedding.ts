import { Dense } from "../matrix/dense.js";
import { countValues, type Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { ln } from "../random.js";
import { restoreScaler } from "../scale/scaler.js";
import type { Steps } from "../steps.js";
import { COVARIANCES, type Components, findComponents, meanOf, project, stepsOfComponents } from "./components.js";
import { expMinus } from "./likelihood.js";

/** Samples with no more features than this are taken as they are. */
export const MOST_AXES = 40;
const LEAST_AXES = 8;
/** The 99 % quantile of the Tracy–Widom law of order 1. */
const TRACY_WIDOM = 2.02;

/**
 * Samples as points around 0 in which clusters by the method's rule are clusters by distance: directions where it decides
 * by angle, and the principal components that rise above noise where there are many features.
 *
 * @param X n × m, scaled
 * @param byAngle whether the method compares directions
 */
export function* embed(X: Matrix, byAngle: boolean, seed: number): Steps<Dense> {
  const seen = byAngle ? restoreScaler("l2", X.features, {}).transform(X) : X;
  if (seen.features <= MOST_AXES) {
    const points = seen.toDense();
    return centre(byAngle && points.features > 1 ? flatten(points) : points);
  }
  const found = yield* findComponents(seen, MOST_AXES, seed);
  return yield* project(seen, found, Math.max(LEAST_AXES, countAxes(found, seen.samples, seen.features)));
}

/** Multiplications of {@link embed} for each sample of many features, about. */
export function workOfEmbedding(X: Matrix): number {
  return X.features <= MOST_AXES ? 0 : COVARIANCES * MOST_AXES * countValues(X);
}

/** About how many steps {@link embed} and {@link countDirections} take. */
export function countSteps(X: Matrix): number {
  return Math.max(1, stepsOfComponents(X, MOST_AXES));
}

/**
 * In how many directions counts differ beyond noise: the axes of correspondence analysis above it. There, in Pearson's
 * residuals, noise is the same in frequent words and in rare ones.
 *
 * @param X n × m whole numbers, 0 or more
 * @returns null where they are too many to be counted
 */
export function* countDirections(X: Sparse, seed: number): Steps<number | null> {
  const { residuals, expected } = takeResiduals(X);
  const used = expected.profile.filter((share) => share > 0).length;
  // Shares add up to 1: they have a direction less than there are words.
  const found = yield* findComponents(residuals, MOST_AXES, seed, expected);
  const count = countAxes(found, X.samples, used - 1);
  return count < MOST_AXES ? count : null;
}

/** Counts in units of the standard deviation they would have if all samples had one topic, and what would be expected then. */
function takeResiduals({ samples: n, features: m, offsets, indices, values }: Sparse) {
  const levels = new Float64Array(n);
  const profile = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    for (let p = offsets[i]; p < offsets[i + 1]; p++) {
      levels[i] += values[p];
      profile[indices[p]] += values[p];
    }
  }
  const total = levels.reduce((sum, level) => sum + level, 0);
  for (let i = 0; i < n; i++) levels[i] = Math.sqrt(levels[i]);
  for (let f = 0; f < m; f++) profile[f] = total > 0 ? Math.sqrt(profile[f] / total) : 0;
  // A rare word that one text repeats is no direction (Lause, Berens, Kobak 2021).
  const most = Math.sqrt(n);
  const scaled = Float64Array.from(values);
  for (let i = 0; i < n; i++) {
    for (let p = offsets[i]; p < offsets[i + 1]; p++) {
      if (scaled[p] > 0) scaled[p] = Math.min(most, scaled[p] / (levels[i] * profile[indices[p]]));
    }
  }
  return { residuals: Sparse.trust(n, m, offsets, indices, scaled), expected: { levels, profile } };
}

/**
 * How many variances are above what noise alone would reach once in a hundred times (Johnstone 2001), the noise being the
 * variance that those leave.
 */
function countAxes({ variances, total }: Components, n: number, m: number): number {
  const [a, b] = [Math.sqrt(n), Math.sqrt(m)];
  const edge = ((a + b) ** 2 + TRACY_WIDOM * (a + b) * expMinus(-ln(1 / a + 1 / b) / 3)) / n;
  // Not from the first axis on: those beyond it are no noise, and would hide it.
  let above = Math.max(0, Math.min(variances.length, m - 1));
  let left = total;
  for (let c = 0; c < above; c++) left -= variances[c];
  for (; above > 0; above--) {
    const noise = Math.max(0, left) / (m - above);
    if (variances[above - 1] > edge * noise) break;
    left += variances[above - 1];
  }
  return above;
}

/**
 * Unit vectors without the direction of their mean, n × (m − 1). On the sphere they are a shell, which a cloud of as many
 * dimensions does not resemble: its samples would be farther from their centres. By a Householder reflection that takes that
 * direction to the last coordinate.
 */
function flatten(X: Dense): Dense {
  const { samples: n, features: m, data } = X;
  const { profile } = meanOf(X);
  const length = Math.sqrt(profile.reduce((sum, p) => sum + p * p, 0));
  const last = profile[m - 1];
  const normal = profile.slice();
  normal[m - 1] += last < 0 ? -length : length;
  const squares = normal.reduce((sum, v) => sum + v * v, 0);
  const out = Dense.zeros(n, m - 1, "f64");
  for (let i = 0; i < n; i++) {
    let along = 0;
    for (let f = 0; f < m; f++) along += normal[f] * data[i * m + f];
    const twice = squares > 0 ? (2 * along) / squares : 0;
    for (let f = 0; f < m - 1; f++) out.data[i * (m - 1) + f] = data[i * m + f] - twice * normal[f];
  }
  return out;
}

/** Far from the origin, squares would lose what differs. */
function centre(X: Dense): Dense {
  const { profile } = meanOf(X);
  return new Dense(
    X.samples,
    X.features,
    Float64Array.from(X.data, (x, p) => x - profile[p % X.features]),
  );
}
