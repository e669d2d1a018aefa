/**
 * One generator for everything: Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
 * as easy as 1, 2, 3", SC 2011). It is a function of (seed, stream, index), so a sample's random number does not
 * depend on which thread, block or machine asks for it. Only 32-bit adds, rotations and xors: the same bits everywhere.
 */
const PARITY = 0x1bd11bda;

/** Encrypts the counter (c0, c1) under the key (k0, k1); the two words go to out[0] and out[1]. */
export function threefry(k0: number, k1: number, c0: number, c1: number, out: Uint32Array): void {
  const k2 = PARITY ^ k0 ^ k1;
  let x0 = (c0 + k0) | 0;
  let x1 = (c1 + k1) | 0;
  // The words of the key take turns; naming them anew in each group is quicker than to look them up.
  let [a, b, c] = [k1 | 0, k2 | 0, k0 | 0];
  for (let group = 1; group <= 5; group++) {
    const first = (group & 1) === 1;
    x0 = (x0 + x1) | 0;
    x1 = (first ? (x1 << 13) | (x1 >>> 19) : (x1 << 17) | (x1 >>> 15)) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = (first ? (x1 << 15) | (x1 >>> 17) : (x1 << 29) | (x1 >>> 3)) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = (first ? (x1 << 26) | (x1 >>> 6) : (x1 << 16) | (x1 >>> 16)) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = (first ? (x1 << 6) | (x1 >>> 26) : (x1 << 24) | (x1 >>> 8)) ^ x0;
    x0 = (x0 + a) | 0;
    x1 = (x1 + b + group) | 0;
    [a, b, c] = [b, c, a];
  }
  out[0] = x0;
  out[1] = x1;
}

const words = new Uint32Array(2);

/** A number in [0, 1) with 53 random bits, a pure function of its arguments. */
export function uniform(seed: number, stream: number, index: number): number {
  threefry(seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0, index >>> 0, stream >>> 0, words);
  return ((words[0] >>> 5) * 2 ** 26 + (words[1] >>> 6)) / 2 ** 53;
}

const bits = new DataView(new ArrayBuffer(8));

/**
 * Natural logarithm of a positive normal number, from + − × ÷ alone: `Math.log` may differ in the last bit from one
 * JavaScript engine to the next, and a draw must not.
 */
export function ln(x: number): number {
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  let exponent = (high >>> 20) - 1023;
  bits.setUint32(0, (high & 0xfffff) | 0x3ff00000);
  let f = bits.getFloat64(0);
  if (f > Math.SQRT2) {
    f /= 2;
    exponent++;
  }
  const t = (f - 1) / (f + 1);
  const tt = t * t;
  let sum = 0;
  for (let n = 27; n >= 1; n -= 2) sum = sum * tt + 2 / n;
  return exponent * Math.LN2 + sum * t;
}

/** An exponential variate with mean 1 of a uniform one in [0, 1); never zero or infinite. */
export function exponentialOf(u: number): number {
  return -ln(u + 2 ** -54);
}

/** Streams keep independent uses of one seed apart. */
export const STREAM = {
  driver: 0,
  codes: 1,
  race: 2,
  split: 3,
  measure: 4,
  subspace: 5,
  reference: 6,
  hidden: 7,
  map: 8,
} as const;

/** The same generator as a sequence, for code that draws one number after another. */
export class Random {
  readonly seed: number;
  readonly stream: number;
  #index = 0;

  constructor(seed: number, stream: number = STREAM.driver) {
    this.seed = seed;
    this.stream = stream;
  }

  /** Uniform in [0, 1). */
  next(): number {
    return uniform(this.seed, this.stream, this.#index++);
  }

  /** Uniform among 0 … n − 1. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** `count` distinct numbers of 0 … n − 1, in random order. */
  choose(n: number, count: number): Uint32Array {
    const moved = new Map<number, number>();
    const out = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const j = i + this.below(n - i);
      out[i] = moved.get(j) ?? j;
      moved.set(j, moved.get(i) ?? i);
    }
    return out;
  }

  /** A random order of 0 … n − 1. */
  permutation(n: number): Uint32Array {
    return this.choose(n, n);
  }
}

/** A seed for the r-th independent run; run 0 keeps the seed itself. */
export function deriveSeed(seed: number, run: number): number {
  if (run === 0) return seed;
  threefry(seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0, run, 0xffffffff, words);
  return (words[0] & 0x1fffff) * 2 ** 32 + words[1];
}
