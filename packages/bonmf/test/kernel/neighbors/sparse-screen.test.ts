import { describe, expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { inverse } from "../../../src/kernel/neighbors/error-bound.js";
import { SparseScreen } from "../../../src/kernel/neighbors/sparse-screen.js";
import { squaredNorms } from "../../../src/kernel/squared-norms.js";
import { Dense } from "../../../src/matrix/dense.js";
import type { Matrix } from "../../../src/matrix/matrix.js";
import { Sparse } from "../../../src/matrix/sparse.js";
import { cosineOf, lengthyRows, randomRows } from "../../synthetic.js";

const FEATURES = [1, 3, 8, 17, 70];
const LANES = 12;

const lengthsOf = (X: Matrix) => squaredNorms(X).map(Math.sqrt);

async function openScreen(Z: Sparse, k: number): Promise<SparseScreen> {
  const clusters = Uint32Array.from({ length: Z.samples }, (_, i) => i % k);
  const ids = Uint32Array.from(clusters.keys()).sort((a, b) => clusters[a] - clusters[b] || a - b);
  const starts = Uint32Array.from({ length: k + 1 }, (_, j) => clusters.filter((c) => c < j).length);
  expect(SparseScreen.suits(Z, lengthsOf(Z))).toBe(true);
  const region = await makeRegion(SparseScreen.bytesOf(Z));
  return new SparseScreen(region!, Z, lengthsOf(Z), ids, starts);
}

/** All hits of queries, lane by lane: member → score. */
function siftAll(screen: SparseScreen, Q: Dense, count: number, k: number): Map<number, number>[] {
  const lengths = lengthsOf(Q);
  const hits = Array.from({ length: LANES }, () => new Map<number, number>());
  screen.expect(count);
  for (let lane = 0; lane < LANES; lane++) {
    if (lane < Q.samples) screen.load(lane, Float64Array.from(Q.row(lane)), lengths[lane]);
    screen.open(lane, lane < Q.samples);
  }
  for (let j = 0; j < k; j++) {
    screen.search(j, (lane, member, score) => {
      expect(hits[lane].has(member)).toBe(false);
      hits[lane].set(member, score);
    });
    for (let lane = 0; lane < Q.samples; lane++) screen.open(lane, true);
  }
  return hits.slice(0, Q.samples);
}

describe("a sparse screen", () => {
  it.each(FEATURES)("scores to the bit as its 32-bit sums would: %i features", async (m) => {
    const Z = Sparse.fromDense(Dense.from(lengthyRows(m, 130, m, 0.7), "f32"));
    const Q = Dense.from(randomRows(m + 1, 11, m), "f32");
    const screen = await openScreen(Z, 3);
    siftAll(screen, Q, 130, 3).forEach((hits, lane) => {
      expect(hits.size).toBe(130);
      for (const [member, score] of hits) {
        const [zScale, xScale] = [inverse(lengthsOf(Z)[member]), 1 / lengthsOf(Q)[lane]];
        let sum = 0;
        Z.each(member, (f, z) => {
          sum = Math.fround(sum + Math.fround(Math.fround(z * zScale) * Math.fround(Q.at(lane, f) * xScale)));
        });
        expect(score).toBe(sum);
      }
    });
  });

  it.each(FEATURES)("is off by less than its error, and lets the closest through: %i features", async (m) => {
    const X = Dense.from(lengthyRows(m, 200, m, 0.9), "f32");
    const Q = Dense.from(randomRows(m + 1, 12, m), "f32");
    const screen = await openScreen(Sparse.fromDense(X), 4);
    for (const count of [1, 7]) {
      siftAll(screen, Q, count, 4).forEach((hits, lane) => {
        const cosines = Array.from({ length: 200 }, (_, i) => cosineOf(X.row(i), Q.row(lane)));
        for (const [member, score] of hits) expect(Math.abs(score - cosines[member])).toBeLessThan(screen.error);
        const worst = [...cosines].sort((a, b) => b - a)[count - 1];
        cosines.forEach((cosine, member) => {
          if (cosine >= worst) expect(hits.has(member)).toBe(true);
        });
        expect(screen.worst(lane)).toBeCloseTo(worst, 4);
        expect(hits.size).toBeLessThan(200);
      });
    }
  });
});
