import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Random, STREAM } from "../random.js";
import { restoreScaler } from "../scale/scaler.js";
import { findComponents, project } from "./components.js";

/** Samples with no more features than this are taken as they are. */
const MOST_AXES = 40;
const LEAST_AXES = 8;
/** So many samples tell the axes well enough. */
const SURVEYED = 4000;
/** Above the largest variance that noise alone would have, with a margin. */
const MARGIN = 1.05;

/**
 * Samples as points around 0 in which clusters by the method's rule are clusters by distance: directions where it decides
 * by angle, and the principal components that rise above noise where there are many features.
 *
 * @param X n × m, scaled
 * @param byAngle whether the method compares directions
 */
export function embed(X: Matrix, byAngle: boolean, seed: number): Dense {
  const seen = byAngle ? restoreScaler("l2", X.features, {}).transform(X) : X;
  const { samples: n, features: m } = seen;
  if (m <= MOST_AXES) return centre(seen.toDense());
  const surveyed = n > SURVEYED ? seen.take(new Random(seed, STREAM.measure).choose(n, SURVEYED).sort()) : seen;
  const found = findComponents(surveyed, MOST_AXES, seed);
  return project(seen, found, countAxes(found, surveyed.samples, m));
}

/** How many variances are above the Marchenko–Pastur edge of the variance that is left. */
function countAxes({ variances, total }: { variances: Float64Array; total: number }, n: number, m: number): number {
  const kept = variances.reduce((sum, variance) => sum + variance, 0);
  const noise = Math.max(0, total - kept) / Math.max(1, Math.min(m, n) - variances.length);
  // Fewer samples than features: the noise of m features lies in n directions.
  const ratio = Math.min(m, n) / n;
  const edge = MARGIN * noise * (1 + Math.sqrt(ratio)) ** 2;
  const above = variances.filter((variance) => variance > edge).length;
  return Math.min(variances.length, Math.max(LEAST_AXES, above));
}

/** Far from the origin, squares would lose what differs. */
function centre({ samples: n, features: m, data }: Dense): Dense {
  const out = Float64Array.from(data);
  for (let f = 0; f < m; f++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += data[i * m + f] / n;
    for (let i = 0; i < n; i++) out[i * m + f] -= mean;
  }
  return new Dense(n, m, out);
}
