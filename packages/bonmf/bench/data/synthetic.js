import { bell, seeded } from "./random.js";

/**
 * Overlapping clusters, non-negative: x = |centre + noise|, with clusters of unequal size and noise that is wider in
 * some features than in others, as in real data.
 */
export function makeBlobs(samples, features, clusters, seed) {
  const next = seeded(seed);
  const centres = Float32Array.from({ length: clusters * features }, () => Math.abs(bell(next)));
  const width = Float32Array.from({ length: features }, () => 0.2 + 0.8 * next() ** 2);
  const data = new Float32Array(samples * features);
  for (let i = 0; i < samples; i++) {
    const centre = Math.floor(clusters * next() ** 1.5) * features;
    const scale = 0.5 + next();
    for (let f = 0; f < features; f++) {
      data[i * features + f] = scale * Math.abs(centres[centre + f] + width[f] * bell(next));
    }
  }
  return { kind: "dense", samples, features, data };
}

/**
 * Counts of words: each document draws most of its distinct words from all (rank-frequency power law) and a third
 * from its topic, which is the same law over words in another order.
 */
export function makeText(samples, features, perRow, topics, seed) {
  const next = seeded(seed);
  const shifts = Array.from({ length: topics }, () => Math.floor(next() * features));
  const offsets = Uint32Array.from({ length: samples + 1 }, (_, i) => i * perRow);
  const indices = new Uint32Array(samples * perRow);
  const values = new Float32Array(samples * perRow);
  for (let i = 0; i < samples; i++) {
    const shift = shifts[Math.floor(topics * next())];
    const words = new Map();
    while (words.size < perRow) {
      const rank = Math.floor(features ** next()) - 1;
      const word = next() < 0.7 ? rank : (rank * 7919 + shift) % features;
      words.set(word, (words.get(word) ?? 0) + 1);
    }
    const row = [...words].sort((a, b) => a[0] - b[0]);
    row.forEach(([word, count], p) => {
      indices[i * perRow + p] = word;
      values[i * perRow + p] = 1 + Math.log(count);
    });
  }
  return { kind: "sparse", samples, features, offsets, indices, values };
}

/** Copies of the given samples, each value changed by a few percent, to `samples` of them. */
export function tile({ features, samples: given, data, labels }, samples, seed) {
  const next = seeded(seed);
  const out = new Float32Array(samples * features);
  for (let p = 0; p < out.length; p++) out[p] = data[p % (given * features)] * (1 + 0.05 * bell(next));
  const tiled = labels && Int32Array.from({ length: samples }, (_, i) => labels[i % given]);
  return { kind: "dense", samples, features, data: out.map(Math.abs), labels: tiled };
}

/** The same samples with something up to `most` added to every value: no zero is left. */
export function addNoise({ data, ...set }, most, seed) {
  const next = seeded(seed);
  return { ...set, data: data.map((value) => value + most * next()) };
}
