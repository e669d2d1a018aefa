import { multiplySamples } from "../kernel/encode.js";
import { squaredNorms } from "../kernel/squared-norms.js";
import { Dense } from "../matrix/dense.js";
import { insert, type Neighbor } from "./query.js";

/**
 * How much each feature tells the classes apart, by ReliefF (Kononenko, "Estimating attributes", 1994): a feature is relevant where
 * it differs between a sample and the nearest samples of other classes more than between the sample and the nearest of its own. It
 * sees features that matter only together, which no feature shows alone.
 */

/** Samples that are asked, at most, and neighbours of each class. */
const ASKED = 500;
const NEAREST = 10;

/**
 * @param Z IN n × m
 * @param y IN n class numbers
 * @returns m weights, the largest 1; 0 for features that tell nothing
 */
export function weighFeatures(Z: Dense, y: Uint32Array, classes: number): Float64Array {
  const { samples: n, features: m } = Z;
  const members = Array.from({ length: classes }, (_, c) => {
    return Uint32Array.from({ length: n }, (_, i) => i).filter((i) => y[i] === c);
  });
  const told = Math.min(n, ASKED);
  const asked = Uint32Array.from({ length: told }, (_, s) => Math.floor((s * n) / told));
  const gains = new Float64Array(m);
  members.forEach((own, c) => {
    if (own.length === 0) return;
    const lists = findNearest(Z, own, asked);
    lists.forEach((found, s) => {
      addDifferences(Z, asked[s], found, shareOf(c, y[asked[s]], members, n), gains);
    });
  });
  const most = gains.reduce((a, b) => Math.max(a, b), 0);
  // Where nothing tells the classes apart, all features count.
  return most > 0 ? gains.map((gain) => Math.max(0, gain) / most) : gains.fill(1);
}

/** What the neighbours of class c count for a sample of class `own`: those of other classes by how common they are. */
function shareOf(c: number, own: number, members: readonly Uint32Array[], n: number): number {
  if (c === own) return -1;
  const rest = n - members[own].length;
  return rest === 0 ? 0 : members[c].length / rest;
}

/** Every feature times its weight. */
export function scaleColumns(Z: Dense, weights: Float64Array): Dense {
  const m = Z.features;
  const out = Dense.zeros(Z.samples, m, "f64");
  for (let p = 0; p < out.data.length; p++) out.data[p] = Z.data[p] * weights[p % m];
  return out;
}

/** For each asked sample its nearest of `own`, without itself. */
function findNearest(Z: Dense, own: Uint32Array, asked: Uint32Array): Neighbor[][] {
  const mates = Z.take(own) as Dense;
  const queries = Z.take(asked) as Dense;
  const products = multiplySamples(mates, Float64Array.from(queries.data), asked.length);
  const squares = squaredNorms(mates);
  const lists = Array.from(asked, (): Neighbor[] => []);
  for (let j = 0, p = 0; j < own.length; j++) {
    for (let s = 0; s < asked.length; s++, p++) {
      if (own[j] === asked[s]) continue;
      const closeness = 2 * products[p] - squares[j];
      const found = lists[s];
      if (found.length === NEAREST && closeness < found[NEAREST - 1].closeness) continue;
      insert(found, own[j], closeness, NEAREST);
    }
  }
  return lists;
}

/** Adds the mean absolute difference of each feature between sample i and those found, times `share`. */
function addDifferences(
  { data, features: m }: Dense,
  i: number,
  found: readonly Neighbor[],
  share: number,
  gains: Float64Array,
) {
  for (const { index } of found) {
    for (let f = 0, p = i * m, q = index * m; f < m; f++, p++, q++) {
      gains[f] += (share * Math.abs(data[p] - data[q])) / found.length;
    }
  }
}
