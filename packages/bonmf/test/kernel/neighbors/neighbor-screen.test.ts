import { describe, expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { inverse } from "../../../src/kernel/neighbors/error-bound.js";
import { countLeading } from "../../../src/kernel/neighbors/feature-order.js";
import { buildTiles } from "../../../src/kernel/neighbors/member-tiles.js";
import { NeighborScreen, type SearchedClusters } from "../../../src/kernel/neighbors/neighbor-screen.js";
import { squaredNorms } from "../../../src/kernel/squared-norms.js";
import { Dense } from "../../../src/matrix/dense.js";
import type { Matrix } from "../../../src/matrix/matrix.js";
import { Sparse } from "../../../src/matrix/sparse.js";
import { cosineOf, draws, lengthyRows, randomRows } from "../../synthetic.js";

const FEATURES = [1, 2, 3, 4, 5, 8, 9, 17, 70];
const KINDS = (["f32", "f64"] as const).flatMap((precision) =>
  (["dense", "sparse"] as const).map((kind) => ({ precision, kind })),
);
const NO_MEMBER = 0xffffffff;

/** Rows of very different lengths, the last ones copies of the first. */
function repeatedRows(seed: number, n: number, m: number, zeros: number): number[][] {
  const rows = lengthyRows(seed, n, m, zeros);
  for (let i = 0; i < 5; i++) rows[n - 1 - i] = rows[Math.floor(i / 2)].slice();
  return rows;
}

const lengthsOf = (X: Matrix) => squaredNorms(X).map(Math.sqrt);

function makeSamples(rows: number[][], { precision, kind }: (typeof KINDS)[number]): Matrix {
  const X = Dense.from(rows, precision);
  return kind === "dense" ? X : Sparse.fromDense(X);
}

/** Members i, i + k, i + 2k … make cluster i. */
function group(n: number, k: number) {
  const ids = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => (a % k) - (b % k) || a - b);
  const starts = Uint32Array.from({ length: k + 1 }, (_, j) => ids.filter((i) => i % k < j).length);
  return { ids, starts };
}

async function openScreen(Z: Matrix, k: number): Promise<NeighborScreen> {
  const { ids, starts } = group(Z.samples, k);
  expect(NeighborScreen.suits(Z, lengthsOf(Z))).toBe(true);
  return new NeighborScreen((await makeRegion(NeighborScreen.bytesOf(Z, k)))!, Z, lengthsOf(Z), ids, starts);
}

/** All hits of queries: member → score; null where the screen cannot answer. */
function siftAll(
  screen: NeighborScreen,
  Q: Matrix,
  count: number,
  clusters: SearchedClusters,
): (Map<number, number> | null)[] {
  const found: (Map<number, number> | null)[] = [];
  const scores = new Float32Array(screen.hits.buffer, screen.hits.byteOffset, screen.hits.length);
  screen.search(Q, count, clusters, (i, from, to) => {
    expect(i in found).toBe(false);
    const hits = Array.from({ length: to - from }, (_, h) => 2 * (from + h));
    found[i] = to === from ? null : new Map(hits.map((h) => [screen.hits[h], scores[h + 1]]));
    if (to > from) expect(found[i]!.size).toBe(to - from);
  });
  expect(found.length).toBe(Q.samples);
  return found;
}

const everywhere: SearchedClusters = { reach: (_i, out) => out.fill(2) };

/** To the nearest whole number, halves to the even one. */
function round(value: number): number {
  const low = Math.floor(value);
  const over = value - low;
  return over > 0.5 || (over === 0.5 && low % 2 !== 0) ? low + 1 : low;
}

/** A score as the kernel sums it up: lanes of 16 bytes, two of them in turns. */
function scoreOf(Z: Matrix, member: number, x: ArrayLike<number>, lengths: Float64Array): number {
  const narrow = Z.precision === "f32";
  const fit = narrow ? Math.fround : (v: number) => v;
  const unit = Array.from(x, (v) => fit(v * (1 / Math.sqrt(Array.from(x).reduce((sum, v) => sum + v * v, 0)))));
  let dot = 0;
  if (Z.kind === "sparse") {
    const parts = [0, 0];
    const [from, to] = [Z.offsets[member], Z.offsets[member + 1]];
    for (let p = from; p < to; p++) {
      const part = (p - from) % 2;
      parts[part] = fit(parts[part] + fit(Z.values[p] * unit[Z.indices[p]]));
    }
    dot = fit(parts[0] + parts[1]);
  } else {
    const z = Z.row(member);
    const lanes = narrow ? 4 : 2;
    const [a, b] = [new Array<number>(lanes).fill(0), new Array<number>(lanes).fill(0)];
    const whole = z.length - (z.length % lanes);
    let rest = 0;
    for (let f = 0; f < whole; f++) {
      const turn = Math.floor(f / lanes);
      const part = turn % 2 === 0 ? a : b;
      part[f % lanes] = fit(part[f % lanes] + fit(unit[f] * z[f]));
    }
    for (let f = whole; f < z.length; f++) rest = fit(rest + fit(unit[f] * z[f]));
    const sum = a.map((v, lane) => fit(v + b[lane]));
    dot = narrow ? fit(fit(fit(sum[0] + sum[2]) + fit(sum[1] + sum[3])) + rest) : sum[0] + sum[1] + rest;
  }
  return Math.fround(dot * inverse(lengths[member]));
}

describe("the kernels that build tiles", () => {
  it.each(KINDS)("do as plain sums do: $precision $kind", async (kind) => {
    for (const m of FEATURES) {
      const [n, k] = [140, 3];
      const Z = makeSamples(repeatedRows(m, n, m, 0.3), kind);
      const lengths = lengthsOf(Z);
      const scales = lengths.map(inverse);
      const { ids, starts } = group(n, k);
      const region = (await makeRegion(2 ** 20))!;
      const { fields } = buildTiles(region, Z, lengths, ids, starts, region.reserve(16 * n + 2 ** 13));
      const unitRow = (i: number) => Array.from(Z.row(i), (v) => v * scales[i]);
      const { leading, pairs } = fields;
      expect(leading).toBeGreaterThanOrEqual(countLeading(m, 0));
      expect(2 * pairs - leading).toBe(leading < m ? 1 : m % 2);
      const firsts = region.u32(fields.starts, k + 1);
      for (let j = 0; j < k; j++) {
        const members = Array.from(ids.subarray(starts[j], starts[j + 1]));
        const centre = new Array<number>(m).fill(0);
        for (const i of members) for (const [f, v] of unitRow(i).entries()) centre[f] += v;
        for (let f = 0; f < m; f++) centre[f] *= 1 / members.length;
        expect(Array.from(region.f64(fields.centres + 8 * j * m, m))).toEqual(centre);

        const order = region.u32(fields.orders + 4 * j * leading, leading);
        const spread = (f: number) => members.reduce((sum, i) => sum + (unitRow(i)[f] - centre[f]) ** 2, 0);
        const others = Array.from({ length: m }, (_, f) => f).filter((f) => !order.includes(f));
        expect(new Set(order).size).toBe(leading);
        for (const f of others) expect(spread(f)).toBeLessThan(spread(order[leading - 1]) + 1e-6);

        const squares = region.f64(fields.residualSquares, n);
        const unit = region.f64(fields.quantScales, k)[j];
        const alive = members.filter((i) => scales[i] > 0);
        for (const i of alive) {
          const s = unitRow(i).map((v, f) => v - centre[f]);
          expect(squares[i]).toBeCloseTo(
            s.reduce((sum, v) => sum + v * v, 0),
            12,
          );
          expect(Math.sqrt(squares[i]) * unit).toBeLessThan(2 ** 14 + 1e-6);
        }
        // Equal members are laid out once; a chain leads from one to all of them.
        const nexts = region.u32(fields.nextEqual, n);
        const names = region.u32(fields.ids + 96 * firsts[j], 24 * (firsts[j + 1] - firsts[j]));
        const chained = Array.from(names.filter((id) => id !== NO_MEMBER)).flatMap((id) => {
          const chain = [];
          for (let i = id; i !== NO_MEMBER; i = nexts[i]) chain.push(i);
          expect(new Set(chain.map((i) => Array.from(Z.row(i)).join())).size).toBe(1);
          return chain;
        });
        expect(chained.sort((a, b) => a - b)).toEqual(alive);
        const distinct = new Set(alive.map((i) => Array.from(Z.row(i)).join())).size;
        expect(names.filter((id) => id !== NO_MEMBER).length).toBe(distinct);

        names.forEach((id, place) => {
          const tile = fields.tiles + 96 * (1 + pairs) * (firsts[j] + Math.floor(place / 24));
          const lane = place % 24;
          const bias = region.u32(tile, 24)[lane] | 0;
          const laid = Array.from({ length: 2 * pairs }, (_, q) => {
            const word = region.u32(tile + 96 * (1 + (q >> 1)), 24)[lane];
            return ((word >>> (16 * (q & 1))) << 16) >> 16;
          });
          if (id === NO_MEMBER) {
            expect([bias, ...laid]).toEqual([-(2 ** 30), ...laid.map(() => 0)]);
            return;
          }
          const heading = Array.from(order, (f) => unitRow(id)[f] - centre[f]);
          const left = heading.reduce((sum, v) => sum - v * v, squares[id]);
          if (leading < 2 * pairs) heading.push(leading < m ? Math.sqrt(Math.max(0, left)) : 0);
          expect(laid).toEqual(heading.map((v) => round(v * unit) | 0));
          expect(bias).toBe(round(-0.5 * squares[id] * unit * unit) | 0);
        });
      }
    }
  });
});

describe("a screen", () => {
  it.each(KINDS)("scores to the bit as plain sums do: $precision $kind", async (kind) => {
    for (const m of FEATURES) {
      const Z = makeSamples(repeatedRows(m, 130, m, 0.2), kind);
      const Q = Dense.from(randomRows(m + 1, 11, m), kind.precision);
      const screen = await openScreen(Z, 3);
      const lengths = lengthsOf(Z);
      const alive = lengths.filter((length) => length > 0).length;
      siftAll(screen, Q, alive, everywhere).forEach((hits, i) => {
        // Where the farthest is as far as zero members are, the screen cannot answer.
        if (hits === null) return;
        expect(hits.size).toBe(alive);
        for (const [member, score] of hits) expect(score).toBe(scoreOf(Z, member, Q.row(i), lengths));
      });
    }
  });

  it.each([...KINDS.map((kind) => [kind, 0.2] as const), [KINDS[1], 0.6] as const])(
    "is off by less than its error, and lets the closest through: %j, %d zeros",
    async (kind, zeros) => {
      for (const m of FEATURES) {
        const rows = repeatedRows(m, 400, m, zeros);
        const Z = makeSamples(rows, kind);
        const Q = makeSamples(randomRows(m + 1, 40, m), kind);
        const screen = await openScreen(Z, 4);
        const homes = Array.from({ length: 40 }, (_, i) => (i * i) % 4);
        const atHome: SearchedClusters = { reach: (i, out) => out.fill(-2).fill(2, homes[i], homes[i] + 1) };
        for (const count of [1, 7]) {
          const byHome = siftAll(screen, Q, count, { homes });
          // Two queries at once find what each finds alone.
          expect(byHome).toEqual(siftAll(screen, Q, count, atHome));
          for (const [all, hitLists] of [
            [true, siftAll(screen, Q, count, everywhere)],
            [false, byHome],
          ] as const) {
            hitLists.forEach((hits, i) => {
              if (hits === null) return;
              const near = rows.flatMap((_, member) => (all || member % 4 === homes[i] ? [member] : []));
              const cosines = new Map(near.map((member) => [member, cosineOf(Z.row(member), Q.row(i))]));
              for (const [member, score] of hits) {
                expect(Math.abs(score - cosines.get(member)!)).toBeLessThan(screen.error);
              }
              const worst = [...cosines.values()].sort((a, b) => b - a)[count - 1];
              for (const [member, cosine] of cosines) if (cosine >= worst) expect(hits.has(member)).toBe(true);
              if (m > 2) expect(hits.size).toBeLessThan(near.length / 2);
            });
            expect(hitLists.filter((hits) => hits !== null).length).toBeGreaterThan(20);
          }
        }
      }
    },
  );

  it("rules nothing out for queries that are far from a narrow cluster", async () => {
    const next = draws(3);
    const rows = Array.from({ length: 200 }, () => [1, 1 + 1e-3 * next(), 1 + 1e-3 * next(), 1 + 1e-3 * next(), 1]);
    const Z = Dense.from(rows, "f64");
    const Q = Dense.from([[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], rows[7]], "f64");
    const found = siftAll(await openScreen(Z, 1), Q, 1, { homes: [0, 0, 0] });
    found.forEach((hits, i) => {
      const cosines = rows.map((row) => cosineOf(row, Q.row(i)));
      expect(hits!.has(cosines.indexOf(Math.max(...cosines)))).toBe(true);
    });
  });

  it("does not answer for zero queries, nor for those that nothing is close to", async () => {
    const Z = Dense.from([...randomRows(1, 50, 3).map((row) => [...row, 0]), [0, 0, 0, 0]], "f32");
    const Q = Dense.from(
      [
        [0, 0, 0, 0],
        [0, 0, 0, 1],
        [1, 0, 0, 0],
        [1e-35, 0, 0, 0],
      ],
      "f32",
    );
    const found = siftAll(await openScreen(Z, 1), Q, 1, { homes: [0, 0, 0, 0] });
    expect(found.map((hits) => hits === null)).toEqual([true, true, false, true]);
  });

  it("finds nothing in a cluster of zeros, after one that two queries at once looked through", async () => {
    const rows = randomRows(4, 180, 3).map((row, i) => (i % 3 === 1 ? row.map(() => 0) : row));
    const screen = await openScreen(Dense.from(rows, "f32"), 3);
    const homes = Array.from({ length: 80 }, (_, i) => Number(i >= 40));
    const found = siftAll(screen, Dense.from(randomRows(6, 80, 3), "f32"), 1, { homes });
    expect(found.map((hits) => hits === null)).toEqual(homes.map((home) => home === 1));
  });

  it("makes room for all hits by further calls", async () => {
    const [n, queries] = [1500, 64];
    const screen = await openScreen(Dense.from(randomRows(1, n, 6), "f32"), 1);
    const hits = siftAll(screen, Dense.from(randomRows(2, queries, 6), "f32"), 1000, {
      homes: new Uint32Array(queries),
    });
    for (const found of hits) expect(found!.size).toBeGreaterThanOrEqual(1000);
    expect(hits.reduce((sum, found) => sum + found!.size, 0)).toBeGreaterThan(2 * 2 ** 14);
  });
});
