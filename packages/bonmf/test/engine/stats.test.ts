import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockSize, emptyStats, mergeStats, pushStats, type Stats, totalStats } from "../../src/engine/stats.js";
import { insertRanked, mixLabel, type Ranked, type Sums, zeroSums } from "../../src/kernel/sums.js";
import { bits, draws } from "../synthetic.js";

const RANK = 4;

/** Totals of one block, of numbers so different in size that the order of addition shows. */
function blockSums(seed: number, block: number): Sums {
  const next = draws(seed * 1000 + block);
  const value = () => (next() - 0.5) * 10 ** Math.floor(next() * 20);
  const sums = zeroSums({ XHt: 6, HHt: 2 });
  for (let p = 0; p < 6; p++) sums.XHt[p] = value();
  for (let p = 0; p < 2; p++) sums.HHt[p] = value();
  sums.changed = Math.floor(next() * 100);
  sums.hash0 = Math.floor(next() * 2 ** 32);
  sums.hash1 = Math.floor(next() * 2 ** 32);
  sums.normSq = value();
  sums.total = value();
  sums.weight = value();
  sums.zeros = Math.floor(next() * 10);
  sums.zeroWeight = value();
  for (let i = 0; i < 3; i++) {
    // Few different keys: ties are common and go to the lower id.
    const entry = { id: block * 10 + i, key: Math.floor(next() * 4), label: 0, value: 1, weight: 1 };
    insertRanked(sums.ranked, entry, RANK);
  }
  return sums;
}

function statsOf(seed: number, from: number, to: number): Stats {
  const stats = emptyStats(RANK);
  for (let block = from; block < to; block++) pushStats(stats, block, 0, blockSums(seed, block));
  return stats;
}

const show = ({ XHt, HHt, ...rest }: Sums) => ({ XHt: bits(XHt), HHt: bits(HHt), ...rest });

/** Merges neighbours in a random order until one is left. */
function mergeAnyhow(parts: Stats[], next: () => number): Stats {
  const left = [...parts];
  while (left.length > 1) {
    const at = Math.floor(next() * (left.length - 1));
    left.splice(at, 2, mergeStats(left[at], left[at + 1]));
  }
  return left[0];
}

describe("totals", () => {
  it("have the same bits for every sharding and every order of merging", () => {
    let plainDiffers = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 1e6 }),
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 9 }),
        (blocks, seed, cuts) => {
          const ends = [...cuts.filter((cut) => cut < blocks).sort((a, b) => a - b), blocks];
          const starts = [0, ...ends.slice(0, -1)];
          const parts = starts.map((from, s) => statsOf(seed, from, ends[s]));
          const whole = show(totalStats(statsOf(seed, 0, blocks)));
          expect(show(totalStats(mergeAnyhow(parts, draws(seed))))).toEqual(whole);

          const shards = starts.map((from, s) => {
            let sum = 0;
            for (let block = from; block < ends[s]; block++) sum += blockSums(seed, block).normSq;
            return sum;
          });
          if (shards.reduce((a, b) => a + b, 0) !== whole.normSq) plainDiffers++;
        },
      ),
      { numRuns: 300 },
    );
    // The test can fail: adding shard by shard gives other bits.
    expect(plainDiffers).toBeGreaterThan(30);
  });

  it("are sums", () => {
    const total = totalStats(statsOf(3, 0, 11));
    const all = Array.from({ length: 11 }, (_, block) => blockSums(3, block));
    expect(total.changed).toBe(all.reduce((sum, { changed }) => sum + changed, 0));
    expect(total.zeros).toBe(all.reduce((sum, { zeros }) => sum + zeros, 0));
    expect(total.hash0).toBe(all.reduce((hash, { hash0 }) => (hash ^ hash0) >>> 0, 0));
    const ranked = all.flatMap((sums) => sums.ranked).sort((a, b) => a.key - b.key || a.id - b.id);
    expect(total.ranked).toEqual(ranked.slice(0, RANK));
    const size = all.reduce((sum, { normSq }) => sum + Math.abs(normSq), 0);
    expect(Math.abs(total.normSq - all.reduce((sum, { normSq }) => sum + normSq, 0))).toBeLessThan(1e-14 * size);
  });

  it("hold no more parts than the tree has levels", () => {
    expect(statsOf(1, 0, 32).parts.length).toBe(1);
    expect(statsOf(1, 0, 31).parts.length).toBe(5);
    expect(statsOf(1, 1, 32).parts.map(({ start, level }) => [start, level])).toEqual([
      [1, 0],
      [2, 1],
      [4, 2],
      [8, 3],
      [16, 4],
    ]);
  });

  it("leave arrays to be used again, and no empty ones, which would be searched for every block", () => {
    const stats = emptyStats(0);
    const spares: Float64Array[] = [];
    for (let block = 0; block < 8; block++) pushStats(stats, block, 0, blockSums(1, block), spares);
    expect(spares.map(({ length }) => length)).toEqual(new Array(7).fill(6));
  });
});

describe("blockSize", () => {
  it("is a power of two of 256 … 65,536 that never falls", () => {
    let last = 256;
    for (let n = 1; n < 1e8; n = Math.ceil(n * 1.37)) {
      const size = blockSize(n);
      expect(Math.log2(size) % 1).toBe(0);
      expect(size >= last && size <= 65_536).toBe(true);
      last = size;
    }
    expect(last).toBe(65_536);
  });

  it("makes at most 64 blocks while blocks may grow", () => {
    expect([1, 3000, 16_384, 16_385, 32_768, 32_769, 4_194_304, 1e9].map((n) => blockSize(n))).toEqual([
      256, 256, 256, 512, 512, 1024, 65_536, 65_536,
    ]);
  });
});

describe("insertRanked", () => {
  it("keeps the first by key, then id, whatever the order of arrival", () => {
    const entry = fc.record({ id: fc.integer({ min: 0, max: 30 }), key: fc.integer({ min: 0, max: 5 }) });
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ id }) => id }), fc.integer({ min: 0, max: 6 }), (some, rank) => {
        const entries: Ranked[] = some.map((e) => ({ ...e, label: 0, value: 1, weight: 1 }));
        const ranked: Ranked[] = [];
        for (const e of entries) insertRanked(ranked, e, rank);
        expect(ranked).toEqual([...entries].sort((a, b) => a.key - b.key || a.id - b.id).slice(0, rank));
      }),
    );
  });
});

describe("mixLabel", () => {
  it("tells samples, labels and salts apart", () => {
    const seen = new Set<number>();
    for (let i = 0; i < 200; i++)
      for (let j = 0; j < 20; j++) for (const salt of [0, 0x5bd1e995]) seen.add(mixLabel(i, j, salt));
    expect(seen.size).toBeGreaterThan(7990);
  });
});
