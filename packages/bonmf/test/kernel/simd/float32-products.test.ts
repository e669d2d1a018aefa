/** Products in 32 bits: the kernels' to the bit those of plain TypeScript, and near those in 64 bits. */
import { describe, expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { CHUNK, type Products, plainProducts } from "../../../src/kernel/plain/products.js";
import { rowsOf } from "../../../src/kernel/plain/rows.js";
import { prepareFloat32, TINY } from "../../../src/kernel/prepared-prototypes.js";
import type { Placed } from "../../../src/kernel/region.js";
import { SimdProducts } from "../../../src/kernel/simd/simd-products.js";
import type { Step } from "../../../src/kernel/step.js";
import { makeSums } from "../../../src/kernel/sums.js";
import type { Dense } from "../../../src/matrix/dense.js";
import type { Matrix } from "../../../src/matrix/matrix.js";
import { gramOf } from "../../../src/matrix/prototypes.js";
import { Sparse } from "../../../src/matrix/sparse.js";
import { bits, dense, draws, randomRows } from "../../synthetic.js";

const LENGTH = 4;

/** Samples put where kernels can read them. */
async function place(X: Matrix): Promise<Placed> {
  const region = (await makeRegion(0))!;
  const put = (array: Float32Array | Uint32Array) => {
    const at = region.reserve(array.byteLength);
    if (array instanceof Float32Array) region.f32(at, array.length).set(array);
    else region.u32(at, array.length).set(array);
    return at;
  };
  const { samples, features } = X;
  const values = put((X.kind === "dense" ? X.data : X.values) as Float32Array);
  const sparse = X.kind === "sparse";
  const [first, indices] = sparse ? [put(X.offsets), put(X.indices)] : [values, 0];
  const more = { bytes: 0, longest: features, norms: 0, offset: 0, weights: 0 };
  return { region, samples, features, precision: "f32", sparse, X: first, indices, values, ...more };
}

/** A pass over all samples, in two blocks. @param run how many samples are summed in 32 bits */
function sweepAll(products: Products, X: Matrix, step: Step, float32: number | null, H: Float64Array, run = 64) {
  const { k, W } = step;
  const prepared = float32 === null ? null : prepareFloat32(W, k, float32);
  products.begin(step, prepared && { ...prepared, float32: { ...prepared.float32!, run } });
  const dots = new Float64Array(X.samples * k);
  const blocks: Float64Array[] = [];
  const grams: Float64Array[] = [];
  for (let from = 0; from < X.samples; from += 2 * CHUNK) {
    const S = new Float64Array(W.length);
    const HHt = new Float64Array(k * k);
    for (let at = from; at < Math.min(from + 2 * CHUNK, X.samples); at += CHUNK) {
      const to = Math.min(at + CHUNK, X.samples);
      dots.set(products.dots(at, to), at * k);
      const codes = H.subarray(at * k, to * k);
      products.addCodes(codes, codes, HHt);
      products.add(at, to, codes, S);
    }
    products.finish(makeSums(S, HHt));
    blocks.push(S);
    grams.push(HHt);
  }
  return { dots, blocks, grams };
}

function drawStep(k: number, m: number): Step {
  const next = draws(k * m);
  const W = Float64Array.from(randomRows(m, k, m, 0.3).flat(), (w) => w * (next() < 0.1 ? 1e-25 : 1));
  // Prototypes of very different lengths, one of them zero.
  for (let j = 0; j < k; j++) for (let f = 0; f < m; f++) W[j * m + f] *= 1000 ** ((j % 5) - 2);
  if (k > 3) W.fill(0, 3 * m, 4 * m);
  return { rule: "multiply", k, W, gram: gramOf(W, k) };
}

function drawCodes(n: number, { k, W }: Step): Float64Array {
  const m = W.length / k;
  const next = draws(n);
  return Float64Array.from({ length: n * k }, (_, p) => {
    const most = Math.max(...W.subarray((p % k) * m, ((p % k) + 1) * m));
    return next() < 0.1 ? 0 : (next() * (next() < 0.1 ? TINY : 1)) / (most || 1);
  });
}

describe.each([
  [300, 1, 1],
  [128, 3, 2],
  [257, 4, 5],
  [384, 12, 12],
  [399, 13, 13],
  [263, 50, 24],
  [300, 64, 10],
  [200, 128, 25],
  [131, 300, 7],
  [140, 1100, 3],
])("%i × %i, k = %i", (n, m, k) => {
  const X = dense(randomRows(n, n, m, 0.6), "f32") as Dense;
  X.data.fill(0, 5 * m, 6 * m);
  const step = drawStep(k, m);
  const H = drawCodes(n, step);
  const plain = sweepAll(plainProducts(rowsOf(X)), X, step, LENGTH, H);

  it.each([
    ["dense", X],
    ["sparse", Sparse.fromDense(X)],
  ] as const)("%s samples in the kernels give the bits of plain TypeScript", async (_, samples) => {
    const products = new SimdProducts(await place(samples));
    // Another k first: what it leaves must not show.
    sweepAll(products, samples, drawStep(k + 3, m), LENGTH, drawCodes(n, drawStep(k + 3, m)));
    for (const { dots, blocks, grams } of [
      sweepAll(products, samples, step, LENGTH, H),
      sweepAll(plainProducts(rowsOf(samples)), samples, step, LENGTH, H),
    ]) {
      expect(bits(dots)).toBe(bits(plain.dots));
      expect(blocks.map(bits)).toEqual(plain.blocks.map(bits));
      expect(grams.map(bits)).toEqual(plain.grams.map(bits));
    }
    const [long, same] = [products, plainProducts(rowsOf(X))].map((by) => sweepAll(by, samples, step, LENGTH, H, 128));
    expect(long.blocks.map(bits)).toEqual(same.blocks.map(bits));
    if (m * k > 1) expect(bits(long.blocks[0])).not.toBe(bits(plain.blocks[0]));
  });

  it("are near the products in 64 bits", () => {
    const wide = sweepAll(plainProducts(rowsOf(X)), X, step, null, H);
    const { scores, codes } = prepareFloat32(step.W, k, LENGTH).float32!;
    const near = (a: Float64Array, b: Float64Array, terms: number, slack: (p: number) => number) =>
      a.forEach((value, p) => {
        expect(Math.abs(value - b[p])).toBeLessThanOrEqual(terms * (2 ** -23 * Math.abs(b[p]) + slack(p)));
      });
    // What counts as 0 is far below what anything else may come to.
    near(plain.dots, wide.dots, m, (p) => TINY * scores[p % k]);
    plain.blocks.forEach((S, b) => {
      near(S, wide.blocks[b], 2 * CHUNK, (q) => TINY / codes[Math.floor(q / m)]);
    });
    plain.grams.forEach((HHt, b) => {
      near(HHt, wide.grams[b], CHUNK, (p) => TINY / (codes[p % k] * codes[Math.floor(p / k)]));
      for (let p = 0; p < k * k; p++) expect(HHt[p]).toBe(HHt[(p % k) * k + Math.floor(p / k)]);
    });
    if (n * m * k > 1) expect(bits(plain.dots)).not.toBe(bits(wide.dots));
  });
});

it("the very sparse are summed where they have something", async () => {
  const [n, m, k] = [300, 5000, 6];
  const next = draws(4);
  const indices = Uint32Array.from({ length: n * 3 }, (_, p) => Math.floor((m * ((p % 3) + next())) / 3));
  const offsets = Uint32Array.from({ length: n + 1 }, (_, i) => 3 * i);
  const X = new Sparse(
    n,
    m,
    offsets,
    indices,
    Float32Array.from(indices, () => next()),
  );
  const step = drawStep(k, m);
  const H = drawCodes(n, step);
  const plain = sweepAll(plainProducts(rowsOf(X)), X, step, LENGTH, H);
  const swift = sweepAll(new SimdProducts(await place(X)), X, step, LENGTH, H);
  expect(bits(swift.dots)).toBe(bits(plain.dots));
  expect(swift.blocks.map(bits)).toEqual(plain.blocks.map(bits));
});

it("scales by powers of two, and leaves out what is tiny", () => {
  const { rows, float32 } = prepareFloat32(Float64Array.of(3, 1.5, 3 * 2 ** -70, 0, 0, 0), 2, 8);
  expect([...rows]).toEqual([0.75, 0.375, 0, 0, 0, 0]);
  expect([...float32!.scores]).toEqual([4, 1]);
  expect([...float32!.codes]).toEqual([0.5, 0.125]);
});
