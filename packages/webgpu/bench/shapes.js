// The same samples for every program: blobs made by whole-number arithmetic alone, so that Python makes the same bits.

/** n samples, m features, k clusters. */
export const SHAPES = {
  large: [1_000_000, 128, 256],
  mnist100: [60_000, 784, 100],
  mnist10: [60_000, 784, 10],
  narrow: [1_000_000, 16, 10],
  wide: [2_000_000, 64, 10],
};

/** The same of sparse samples, with the number of values that each stores. */
export const SPARSE_SHAPES = {
  texts: [2_000_000, 2000, 100, 60],
  words: [500_000, 20_000, 100, 60],
};

/** A number of 32 bits for each number (the finaliser of MurmurHash3). */
function mix(x) {
  let h = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Values of 0 … 4095 / 1024: a centre's, 0 … 1023, plus noise of up to 3 times that. */
export function makeBlobs(n, m, k, data = new Float32Array(n * m)) {
  const centres = Uint32Array.from({ length: k * m }, (_, q) => mix(q + 0x51ed270b) & 1023);
  for (let i = 0, p = 0; i < n; i++) {
    const centre = (mix(i + 0x2545f491) % k) * m;
    for (let f = 0; f < m; f++, p++) data[p] = (centres[centre + f] + (mix(p) & 3071)) / 1024;
  }
  return data;
}

/** Word counts, one word of each of `stored` ranges; words of the cluster's own are more frequent. */
export function makeTexts(n, m, k, stored) {
  const width = Math.floor(m / stored);
  const offsets = Uint32Array.from({ length: n + 1 }, (_, i) => i * stored);
  const indices = new Uint32Array(n * stored);
  const values = new Float32Array(n * stored);
  for (let i = 0, p = 0; i < n; i++) {
    const cluster = mix(i + 0x2545f491) % k;
    for (let r = 0; r < stored; r++, p++) {
      const word = mix(p);
      // Half of the words are one of four that the cluster has in this range.
      const own = (word & 1) === 0 ? mix(cluster * stored * 4 + r * 4 + ((word >>> 1) & 3)) : word >>> 3;
      indices[p] = r * width + (own % width);
      values[p] = 1 + ((word >>> 20) & 3);
    }
  }
  return [offsets, indices, values];
}

/** The first prototypes: k samples, spread evenly. */
export function firstOf(n, k) {
  return Array.from({ length: k }, (_, j) => Math.floor((j * n) / k));
}
