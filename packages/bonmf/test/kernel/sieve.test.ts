import { describe, expect, it } from "vitest";
import { makeRegion } from "../../src/engine/memory.js";
import { BITS, FIRST, Frame } from "../../src/kernel/frame.js";
import { rowsOf } from "../../src/kernel/rows.js";
import { inverse, type Sieve } from "../../src/kernel/sieve.js";
import { canSift, makeSieve, siftBytes } from "../../src/kernel/sieves.js";
import { squaresOf } from "../../src/kernel/squares.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { randomRows } from "../synthetic.js";

const FEATURES = [1, 3, 4, 5, 8, 9, 17, 70];
const PRECISIONS = ["f32", "f64"] as const;

/** Rows of very different lengths, one of them zero. */
function lengthyRows(seed: number, n: number, m: number, zeros: number): number[][] {
  const rows = randomRows(seed, n, m, zeros).map((row, i) => row.map((v) => v * [1e-9, 1, 3, 1e9][i % 4]));
  rows[n >> 1].fill(0);
  return rows;
}

const lengthsOf = (X: Matrix) => squaresOf(X).map(Math.sqrt);

async function openSieve(Z: Matrix, k: number): Promise<{ sieve: Sieve; ids: Uint32Array }> {
  const clusters = Uint32Array.from({ length: Z.samples }, (_, i) => i % k);
  const ids = Uint32Array.from(clusters.keys()).sort((a, b) => clusters[a] - clusters[b] || a - b);
  const starts = Uint32Array.from({ length: k + 1 }, (_, j) => clusters.filter((c) => c < j).length);
  expect(canSift(Z, lengthsOf(Z))).toBe(true);
  const region = await makeRegion(siftBytes(Z, k));
  return { sieve: makeSieve(region!, Z, lengthsOf(Z), clusters, ids, starts), ids };
}

/** All hits of queries, lane by lane: member → score. */
function siftAll(sieve: Sieve, Q: Dense, count: number, k: number): Map<number, number>[] {
  const lengths = lengthsOf(Q);
  const hits = Array.from({ length: sieve.lanes }, () => new Map<number, number>());
  sieve.expect(count);
  for (let lane = 0; lane < sieve.lanes; lane++) {
    if (lane < Q.samples) sieve.load(lane, Float64Array.from(Q.row(lane)), lengths[lane]);
    sieve.open(lane, lane < Q.samples);
  }
  for (let j = 0; j < k; j++) {
    sieve.sift(j, (lane, member, score) => {
      expect(hits[lane].has(member)).toBe(false);
      hits[lane].set(member, score);
    });
    for (let lane = 0; lane < Q.samples; lane++) sieve.open(lane, true);
  }
  return hits.slice(0, Q.samples);
}

const cosineOf = (z: ArrayLike<number>, x: ArrayLike<number>) => {
  let [dot, zz, xx] = [0, 0, 0];
  for (let f = 0; f < z.length; f++) {
    dot += z[f] * x[f];
    zz += z[f] * z[f];
    xx += x[f] * x[f];
  }
  return zz * xx > 0 ? dot / Math.sqrt(zz * xx) : 0;
};

/** A score as the kernel sums it up, all in 32 bits. */
function scoreOf(frame: Frame, z: Float64Array, zScale: number, x: Float64Array, xScale: number): number {
  const [s, r] = [new Float32Array(frame.size), new Float32Array(frame.size)];
  let sum = Math.fround(frame.write(z, zScale, s));
  const offset = frame.write(x, xScale, r) + frame.square;
  // Before features 4, 8, 16 … stands the length of what follows, which is no part of the sum.
  for (let q = 0, at = 0, next = FIRST; q < z.length; q++, at++) {
    if (q === next) {
      next *= 2;
      at++;
    }
    sum = Math.fround(sum + Math.fround(r[at] * s[at]));
  }
  return sum + offset;
}

describe("the kernels that lay members out", () => {
  it.each(FEATURES)("do as the frame does: %i features", async (m) => {
    for (const precision of PRECISIONS) {
      const Z = Dense.from(lengthyRows(m, 50, m, 0.3), precision);
      const scales = lengthsOf(Z).map(inverse);
      const frame = new Frame(rowsOf(Z), m, scales);
      const region = (await makeRegion(2 ** 20))!;
      const put = (array: Float32Array | Float64Array | Uint32Array) => {
        const at = region.reserve(array.byteLength);
        const room =
          array instanceof Uint32Array ? region.u32 : array instanceof Float32Array ? region.f32 : region.f64;
        room(at, array.length).set(array);
        return at;
      };
      const ids = Uint32Array.from({ length: 72 }, (_, p) => (p % 24 < 17 ? (p * 7) % 50 : 0xffffffff));
      const staged = Z.take(ids.map((id) => id % 50));
      const [X, ordered, places, scalesAt] = [put(Z.data), put(staged.data), put(ids), put(scales)];
      const [order, centre, codes] = [put(frame.order), put(frame.centre), put(new Uint32Array(50))];
      const block = 24 * (frame.size + 1);
      const out = put(new Float32Array(3 * block));
      const { encode32, encode64, frame32, frame64 } = region.kernel;
      const [encode, layOut] = precision === "f64" ? [encode64, frame64] : [encode32, frame32];
      encode(X, m, Math.min(m, BITS), scalesAt, order, centre, 0, 50, codes);
      layOut(ordered, m, FIRST, places, scalesAt, order, centre, 0, 3, out, 4 * block);

      const rows = Array.from({ length: 50 }, (_, i) => Float64Array.from(Z.row(i)));
      expect(Array.from(region.u32(codes, 50))).toEqual(rows.map((x, i) => frame.codeOf(x, scales[i])));
      const members = region.f32(out, 3 * block);
      ids.forEach((id, p) => {
        const at = Math.floor(p / 24) * block + (p % 24);
        const nobody = id === 0xffffffff;
        const expected = new Float32Array(frame.size);
        const [x, scale] = nobody ? [new Float64Array(m), 0] : [rows[id], scales[id]];
        const along = frame.write(x, scale, expected);
        expect(members[at]).toBe(nobody ? -16 : Math.fround(along));
        expect(Array.from(expected, (_, q) => members[at + 24 * (q + 1)])).toEqual(Array.from(expected));
      });
    }
  });
});

describe("a sieve", () => {
  it.each(FEATURES)("scores to the bit as its 32-bit sums would: %i features", async (m) => {
    for (const precision of PRECISIONS) {
      const Z = Dense.from(lengthyRows(m, 130, m, 0.2), precision);
      const Q = Dense.from(randomRows(m + 1, 11, m), precision);
      const frame = new Frame(rowsOf(Z), m, lengthsOf(Z).map(inverse));
      const { sieve } = await openSieve(Z, 3);
      siftAll(sieve, Q, 130, 3).forEach((hits, lane) => {
        expect(hits.size).toBe(130);
        for (const [member, score] of hits) {
          const [z, x] = [Z.row(member), Q.row(lane)].map((row) => Float64Array.from(row));
          const [zScale, xScale] = [inverse(lengthsOf(Z)[member]), 1 / lengthsOf(Q)[lane]];
          expect(score).toBe(scoreOf(frame, z, zScale, x, xScale));
        }
      });
    }
  });

  it.each([
    ["dense", 0.2, (X: Dense): Matrix => X],
    ["nearly full", 0.5, Sparse.fromDense],
    ["sparse", 0.9, Sparse.fromDense],
  ] as const)("is off by less than its error, and lets the closest through: %s", async (_name, zeros, make) => {
    for (const m of FEATURES) {
      const X = Dense.from(lengthyRows(m, 200, m, zeros), "f32");
      const Q = Dense.from(randomRows(m + 1, 12, m), "f32");
      const { sieve } = await openSieve(make(X), 4);
      for (const count of [1, 7]) {
        siftAll(sieve, Q, count, 4).forEach((hits, lane) => {
          const cosines = Array.from({ length: 200 }, (_, i) => cosineOf(X.row(i), Q.row(lane)));
          for (const [member, score] of hits) expect(Math.abs(score - cosines[member])).toBeLessThan(sieve.error);
          const worst = [...cosines].sort((a, b) => b - a)[count - 1];
          cosines.forEach((cosine, member) => {
            if (cosine >= worst) expect(hits.has(member)).toBe(true);
          });
          expect(sieve.worst(lane)).toBeCloseTo(worst, 4);
          expect(hits.size).toBeLessThan(200);
        });
      }
    }
  });

  it("makes room for all hits by further calls", async () => {
    const [n, lanes] = [1500, 32];
    const Z = Dense.from(randomRows(1, n, 6), "f32");
    const { sieve } = await openSieve(Z, 1);
    expect(sieve.lanes).toBe(lanes);
    const hits = siftAll(sieve, Dense.from(randomRows(2, lanes, 6), "f32"), 1000, 1);
    for (const { size } of hits) expect(size).toBeGreaterThanOrEqual(1000);
    expect(hits.reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(2 ** 14);
  });
});
