import { Dense } from "bonmf";

/** mulberry32: uniform numbers in [0, 1). */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Overlapping clouds around k centres. @param change what becomes of a value */
export function clouds(
  samples: number,
  features: number,
  k: number,
  change = (value: number, _sample: number): number => value,
): Dense {
  const next = draws(samples + features);
  const centres = Float64Array.from({ length: k * features }, next);
  const data = new Float32Array(samples * features);
  for (let i = 0, p = 0; i < samples; i++) {
    const centre = Math.floor(next() * k) * features;
    for (let f = 0; f < features; f++, p++) {
      data[p] = change(Math.max(0, centres[centre + f] + 0.6 * (next() - 0.5)), i);
    }
  }
  return new Dense(samples, features, data);
}
