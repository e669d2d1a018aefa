import { Random } from "../../src/random.js";

/** About normal, with mean 0 and variance 1. */
function bell(random: Random): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.next();
  return sum;
}

/** Samples in turn around k centres, `apart` standard deviations from the middle, each along a feature of its own. */
export function drawClusters(k: number, samples: number, apart: number, seed = 1): number[][] {
  const random = new Random(seed);
  const features = k + 1;
  return Array.from({ length: samples }, (_, i) =>
    Array.from({ length: features }, (_, f) => 10 + (f === i % k ? apart : 0) + bell(random)),
  );
}

export function drawUniform(samples: number, features: number, seed = 1): number[][] {
  const random = new Random(seed);
  return Array.from({ length: samples }, () => Array.from({ length: features }, () => random.next()));
}

/** One normal cloud, twenty times as long as wide. */
export function drawCloud(samples: number, features: number, seed = 1): number[][] {
  const random = new Random(seed);
  return Array.from({ length: samples }, () => {
    const along = 20 * bell(random);
    return Array.from({ length: features }, () => 100 + along + bell(random));
  });
}

/** Sums of `rank` non-negative prototypes, half of whose values are 0, with noise: `noise` times a typical value. */
export function drawMixtures(samples: number, features: number, rank: number, noise: number, seed = 1): number[][] {
  const random = new Random(seed);
  const draw = (count: number) =>
    Array.from({ length: count }, () => Array.from({ length: rank }, () => Math.max(0, 2 * random.next() - 1)));
  const [H, W] = [draw(samples), draw(features)];
  const typical = rank / 16;
  return H.map((h) =>
    W.map((w) => {
      const x = h.reduce((sum, code, j) => sum + code * w[j], 0);
      return Math.max(0, x + noise * typical * bell(random));
    }),
  );
}
