/** Most points on the map: more would overlap and make the page large. */
export const MOST_POINTS = 4000;

/** At most `most` of n rows, ascending: one seeded draw from each of equal intervals. */
export function chooseRows(n: number, seed: number, most = MOST_POINTS): Uint32Array {
  if (n <= most) return Uint32Array.from({ length: n }, (_, i) => i);
  const draw = openDraw(seed);
  return Uint32Array.from({ length: most }, (_, p) => {
    const from = Math.floor((p * n) / most);
    const to = Math.floor(((p + 1) * n) / most);
    return from + Math.floor(draw() * (to - from));
  });
}

/** Mulberry32: numbers of [0, 1), the same for the same seed. */
export function openDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
