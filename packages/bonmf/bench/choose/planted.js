// Mixtures whose number of clusters is known, and data without clusters.
//
// The overlap of a mixture is the largest share of one cluster's samples that the Bayes rule, which knows the true densities
// and sizes, gives to other clusters. Centres are drawn at random and then moved apart or together until the overlap is
// the one asked for. The smallest cluster of unbalanced sets has 1/20 of the samples of the largest, and 40 at least.
import { seeded } from "../data/random.js";
import { cumulate, dirichlet, normal, pick, poisson } from "./draw.js";

const RATIO = 20;
const SMALLEST = 40;
const TRIED = 2000;

/** How many samples each cluster has. */
function sizesOf(k, balanced, next) {
  const weights = Array.from({ length: k }, (_, j) => (balanced || k === 1 ? 1 : RATIO ** (j / (k - 1))));
  const scale = Math.max(SMALLEST, Math.max(1000, 100 * k) / weights.reduce((sum, weight) => sum + weight, 0));
  const sizes = weights.map((weight) => Math.round(weight * scale));
  return sizes.sort(() => next() - 0.5);
}

/** The scale at which `overlapAt` falls to the target. */
function findScale(target, overlapAt) {
  let [low, high] = [1e-3, 1e3];
  for (let step = 0; step < 24; step++) {
    const middle = Math.sqrt(low * high);
    if (overlapAt(middle) > target) low = middle;
    else high = middle;
  }
  return high;
}

/** The largest share of a cluster's samples that the Bayes rule gives away. */
function measureOverlap(k, sizes, draw, logDensity, next) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const each = Math.ceil(TRIED / k);
  let worst = 0;
  for (let j = 0; j < k; j++) {
    let lost = 0;
    for (let i = 0; i < each; i++) {
      const x = draw(j, next);
      const own = logDensity(x, j) + Math.log(sizes[j] / total);
      for (let other = 0; other < k; other++) {
        if (other !== j && logDensity(x, other) + Math.log(sizes[other] / total) > own) {
          lost++;
          break;
        }
      }
    }
    worst = Math.max(worst, lost / each);
  }
  return worst;
}

/** Spherical normal clusters, shifted so that no value is negative. */
export function makeDense({ k, m, balanced, overlap, seed }) {
  const next = seeded(seed);
  const sizes = sizesOf(k, balanced, next);
  const centres = placeCentres(k, m, next);
  const scale = findScale(overlap, (scale) => {
    const draw = (j, next) => centres[j].map((c) => scale * c + normal(next));
    const logDensity = (x, j) => x.reduce((sum, value, f) => sum - (value - scale * centres[j][f]) ** 2 / 2, 0);
    return measureOverlap(k, sizes, draw, logDensity, seeded(seed + 1));
  });
  const rows = sizes.flatMap((size, j) =>
    Array.from({ length: size }, () => centres[j].map((c) => scale * c + normal(next))),
  );
  return shiftUp(rows);
}

/** In few dimensions the farthest of twenty candidates each time, so that no two centres coincide. */
function placeCentres(k, m, next) {
  const centres = [];
  while (centres.length < k) {
    const candidates = Array.from({ length: m <= 5 ? 20 : 1 }, () => Array.from({ length: m }, () => normal(next)));
    const nearest = (c) => Math.min(...centres.map((d) => c.reduce((sum, x, f) => sum + (x - d[f]) ** 2, 0)));
    centres.push(candidates.reduce((best, c) => (nearest(c) > nearest(best) ? c : best)));
  }
  return centres;
}

function shiftUp(rows) {
  const least = rows[0].map((_, f) => rows.reduce((low, row) => Math.min(low, row[f]), 0));
  return rows.map((row) => row.map((x, f) => x - least[f]));
}

/** Counts: each cluster has its own shares of m kinds, away from common ones as far as the overlap says. */
export function makeCounts({ k, m, balanced, overlap, seed, length = 60, burst = 0 }) {
  const next = seeded(seed);
  const sizes = sizesOf(k, balanced, next);
  const common = wordShares(m);
  const own = Array.from({ length: k }, () => permute(common, next));
  const mix = (scale) => own.map((shares) => shares.map((share, f) => (common[f] + scale * share) / (1 + scale)));
  const drawFrom = (topics, burst) => (j, next) => drawDocument(topics[j], length, burst, next);
  const scale = findScale(overlap, (scale) => {
    const topics = mix(scale);
    const roots = topics.map((topic) => topic.map(Math.sqrt));
    // By angle between square roots (Hellinger), sizes aside: large enough that they do not matter.
    const logDensity = (x, j) => 1e6 * x.reduce((sum, [f, count]) => sum + Math.sqrt(count) * roots[j][f], 0);
    return measureOverlap(k, sizes, drawFrom(topics, burst), logDensity, seeded(seed + 1));
  });
  const topics = mix(scale);
  return sizes.flatMap((size, j) => Array.from({ length: size }, () => drawFrom(topics, burst)(j, next)));
}

/** Zipf's law. */
function wordShares(m) {
  const shares = Array.from({ length: m }, (_, f) => 1 / (f + 2));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

function permute(values, next) {
  const keys = values.map(() => next());
  return values.map((_, f) => f).sort((a, b) => keys[a] - keys[b]).map((f) => values[f]); // biome-ignore format: one line
}

/** [word, count] pairs; with `burst`, words of a document repeat (Dirichlet-multinomial with that concentration). */
function drawDocument(topic, length, burst, next) {
  const shares = burst > 0 ? dirichlet(topic.map((share) => share * burst), next) : topic; // biome-ignore format: one line
  const cumulative = cumulate(shares);
  const counts = new Map();
  for (let words = 5 + poisson(length, next); words > 0; words--) {
    const word = pick(cumulative, next);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts];
}

/** Data without clusters. */
export const UNSTRUCTURED = {
  uniform: ({ n, m, seed }) => {
    const next = seeded(seed);
    return Array.from({ length: n }, () => Array.from({ length: m }, next));
  },
  gaussian: ({ n, m, seed }) => {
    const next = seeded(seed);
    return shiftUp(Array.from({ length: n }, () => Array.from({ length: m }, () => normal(next))));
  },
  skewed: ({ n, m, seed }) => {
    const next = seeded(seed);
    return Array.from({ length: n }, () => Array.from({ length: m }, () => -Math.log(1 - next())));
  },
  correlated: ({ n, m, seed }) => {
    const next = seeded(seed);
    const mixing = Array.from({ length: m }, (_, f) => Array.from({ length: m }, () => normal(next) * 0.7 ** f));
    const row = () => {
      const factors = mixing.map(() => normal(next));
      return mixing[0].map((_, f) => factors.reduce((sum, factor, g) => sum + factor * mixing[g][f], 0));
    };
    return shiftUp(Array.from({ length: n }, row));
  },
  words: ({ n, m, seed }) => {
    const next = seeded(seed);
    const shares = wordShares(m);
    return Array.from({ length: n }, () => drawDocument(shares, 80, 100, next));
  },
};
