import { mirror, multiplyRows } from "../../matrix/prototypes.js";
import { multipliesOnScratch } from "../choose.js";
import {
  type Cycling,
  cycleColumn,
  cycleInUnits,
  gramInUnits,
  listUnits,
  SETTLED,
  type Units,
  unitsFor,
} from "../plain/cycle.js";
import { fillPanels } from "../prepared-prototypes.js";
import type { Region } from "../region.js";
import { takeScratch } from "./scratch.js";

/** Products of prototypes with each other and with k × k matrices: in WebAssembly where that pays, to the same bits. */

/** Columns of a panel: three vectors of two. */
const WIDTH = 6;
function scratchFor(W: Float64Array, k: number): Region | null {
  return multipliesOnScratch(k, W.length / k) ? takeScratch() : null;
}

/**
 * ⟨a_r, b_s⟩, k × k.
 *
 * @param A IN k × m
 * @param B IN k × m
 */
export function correlate(A: Float64Array, B: Float64Array, k: number): Float64Array {
  const region = scratchFor(A, k);
  if (region === null) return multiplyRows(A, B, k);
  const m = A.length / k;
  const [rows, panel, out] = [A.length, WIDTH * m, k * k + WIDTH].map((length) => region.reserve(8 * length));
  region.f64(rows, A.length).set(A);
  // From the last panel to the first, which comes after what the last one leaves in the next row's place.
  for (let first = WIDTH * (Math.ceil(k / WIDTH) - 1); first >= 0; first -= WIDTH) {
    const last = Math.min(first + WIDTH, k);
    fillPanels(B.subarray(first * m, last * m), last - first, WIDTH, region.f64(panel, WIDTH * m));
    const above = A === B ? first : 0;
    region.kernel.dotDense64(rows + 8 * above * m, m, k - above, panel, out + 8 * (above * k + first), 8 * k);
  }
  const G = region.f64(out, k * k).slice();
  if (A === B) mirror(G, k);
  return G;
}

/**
 * W·HHᵀ, k × m.
 *
 * @param W IN k × m
 * @param HHt IN k × k
 */
export function multiplyGram(W: Float64Array, HHt: Float64Array, k: number): Float64Array {
  const m = W.length / k;
  const mixed = new Float64Array(W.length);
  const region = scratchFor(W, k);
  if (region === null) {
    for (let j = 0; j < k; j++) addGramRow(W, k, HHt, j, mixed.subarray(j * m, (j + 1) * m));
    return mixed;
  }
  const wide = m + (m % 2);
  const [pairs, even] = [Math.ceil(k / 2), 2 * Math.ceil(k / 2)];
  const lengths = [W.length, k * even, even * wide, 24 * k];
  const [rows, couples, out, scratch] = lengths.map((length) => region.reserve(8 * length));
  region.f64(rows, W.length).set(W);
  const coupled = region.f64(couples, k * even);
  for (let p = 0; p < pairs; p++) {
    for (let s = 0; s < k; s++) {
      for (let j = 2 * p; j < Math.min(2 * p + 2, k); j++) coupled[2 * (p * k + s) + (j % 2)] = HHt[s * k + j];
    }
  }
  region.kernel.shareRows64(rows, m, k, couples, k, out, 8 * wide, scratch);
  for (let j = 0; j < k; j++) mixed.set(region.f64(out + 8 * j * wide, m), j * m);
  return mixed;
}

/** @param sum IN/OUT m: Σ_s w_s · HHt[s, j] is added, s rising */
export function addGramRow(W: Float64Array, k: number, HHt: Float64Array, j: number, sum: Float64Array): void {
  const m = W.length / k;
  let s = 0;
  // Four rows at a time spare three of four times to fetch a sum and put it back.
  for (; s + 4 <= k; s += 4) {
    const [a, b, c, d] = [s, s + 1, s + 2, s + 3].map((row) => HHt[row * k + j]);
    for (let f = 0, q = s * m; f < m; f++, q++) {
      sum[f] = sum[f] + W[q] * a + W[q + m] * b + W[q + 2 * m] * c + W[q + 3 * m] * d;
    }
  }
  for (; s < k; s++) {
    const share = HHt[s * k + j];
    for (let f = 0, q = s * m; f < m; f++, q++) sum[f] += W[q] * share;
  }
}

/**
 * Each row of W in turn its non-negative optimum, several times and on in that direction, feature by feature (kernel/plain/cycle).
 *
 * @param W IN k × m
 * @param XHt IN k × m
 * @param HHt IN k × k
 * @param in32Bits in units that 32 bits hold
 * @returns k × m
 */
export function cycleRows(
  W: Float64Array,
  XHt: Float64Array,
  HHt: Float64Array,
  k: number,
  how: Pick<Cycling, "sweeps" | "beyond">,
  in32Bits = false,
): Float64Array {
  const region = scratchFor(W, k);
  const units = in32Bits ? unitsFor(XHt, HHt, k) : null;
  if (region === null) return cyclePlainly(W, XHt, HHt, k, { ...how, stay: true }, units);
  const lengths = [W.length, W.length, k * k, 8 * (4 * k + 3), 3 * k];
  const [rows, products, square, scratch, scales] = lengths.map((length) => region.reserve(8 * length, true));
  region.f64(rows, W.length).set(W);
  region.f64(products, W.length).set(XHt);
  const { kernel } = region;
  const m = W.length / k;
  const { sweeps, beyond } = how;
  if (units !== null) {
    region.f32(square, k * k).set(gramInUnits(HHt, units));
    region.f64(scales, 3 * k).set(listUnits(units));
    kernel.cycleRows32(rows, products, square, k, m, sweeps, SETTLED, beyond, scales, scratch);
  } else {
    region.f64(square, k * k).set(HHt);
    kernel.cycleRows64(rows, products, square, k, m, sweeps, SETTLED, beyond, scales, scratch);
  }
  return region.f64(rows, W.length).slice();
}

/** Of the whole: less is known of a feature's component than rounding leaves. */
const LEAST = 1e-12;
/** Bytes of triangles that are copied to the kernels at a time. */
const TRIANGLE_BYTES = 2 ** 20;

/**
 * The same where every feature has an HHᵀ of its own.
 *
 * @param known IN m lower triangles of k(k + 1)/2
 * @param HHt IN k × k, of all samples
 */
export function cycleRowsEach(
  W: Float64Array,
  XHt: Float64Array,
  known: Float64Array,
  HHt: Float64Array,
  k: number,
  how: Pick<Cycling, "sweeps" | "beyond">,
): Float64Array {
  const region = scratchFor(W, k);
  if (region === null) return cycleEachPlainly(W, XHt, known, HHt, k, { ...how, stay: true });
  const m = W.length / k;
  const each = known.length / m;
  // A vector has features of one call alone.
  const most = 8 * Math.ceil(TRIANGLE_BYTES / (64 * each));
  const lengths = [W.length, W.length, Math.min(m, most) * each, k * k, 8 * (k * k + 4 * k + 3)];
  const [rows, products, triangles, square, scratch] = lengths.map((length) => region.reserve(8 * length, true));
  region.f64(rows, W.length).set(W);
  region.f64(products, W.length).set(XHt);
  region.f64(square, k * k).set(HHt);
  const { sweeps, beyond } = how;
  for (let f = 0; f < m; f += most) {
    const count = Math.min(most, m - f);
    region.f64(triangles, count * each).set(known.subarray(f * each, (f + count) * each));
    const [w, b] = [rows + 8 * f, products + 8 * f];
    region.kernel.cycleRowsEach(w, b, triangles, square, k, m, count, sweeps, SETTLED, beyond, scratch);
  }
  return region.f64(rows, W.length).slice();
}

function cycleEachPlainly(
  W: Float64Array,
  XHt: Float64Array,
  known: Float64Array,
  HHt: Float64Array,
  k: number,
  how: Cycling,
): Float64Array {
  const m = W.length / k;
  const out = W.slice();
  const [b, w, before, G] = [k, k, k, k * k].map((length) => new Float64Array(length));
  for (let f = 0, t = 0; f < m; f++) {
    for (let r = 0, q = f; r < k; r++, q += m) {
      for (let s = 0; s <= r; s++) G[r * k + s] = G[s * k + r] = known[t++];
      if (!(G[r * (k + 1)] > LEAST * HHt[r * (k + 1)])) G[r * (k + 1)] = 0;
      b[r] = XHt[q];
      w[r] = W[q];
    }
    cycleColumn(b, w, G, k, before, how);
    for (let r = 0, q = f; r < k; r++, q += m) out[q] = w[r];
  }
  return out;
}

function cyclePlainly(
  W: Float64Array,
  XHt: Float64Array,
  HHt: Float64Array,
  k: number,
  how: Cycling,
  units: Units | null,
): Float64Array {
  const m = W.length / k;
  const out = W.slice();
  const [b, w, before] = [new Float64Array(k), new Float64Array(k), new Float64Array(k)];
  const G = units && gramInUnits(HHt, units);
  for (let f = 0; f < m; f++) {
    for (let r = 0, q = f; r < k; r++, q += m) {
      b[r] = XHt[q];
      w[r] = W[q];
    }
    if (units === null) cycleColumn(b, w, HHt, k, before, how);
    else cycleInUnits(b, w, G!, units, before, how);
    for (let r = 0, q = f; r < k; r++, q += m) out[q] = w[r];
  }
  return out;
}
