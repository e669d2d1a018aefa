/** mulberry32: numbers in [0, 1), the same for the same seed. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** About normal: a sum of four uniform numbers, with mean 0 and variance 1. */
export function bell(next) {
  return (next() + next() + next() + next() - 2) * Math.sqrt(3);
}

/** 0 … n − 1 in random order. */
export function shuffle(n, next) {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
