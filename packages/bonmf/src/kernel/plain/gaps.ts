import { allocate, type Floats } from "../../matrix/dense.js";
import type { Gaps } from "../../matrix/gaps.js";
import type { PreparedPrototypes } from "../prepared-prototypes.js";
import { type Codes, FORM, type Step } from "../step.js";
import type { Sums } from "../sums.js";

/**
 * What missing entries change in a sweep. Products with a sample are right as they are, its missing entries being 0. What a
 * prototype has at those features must not count: it is taken out of WᵀW, or of ‖w‖², for this sample alone.
 */

/** Of each feature, what it adds to WᵀW (lower triangle, k(k + 1)/2 numbers), or for one-hot codes to the k squares ‖w_j‖². */
export interface FeatureShares {
  readonly real: boolean;
  readonly width: number;
  /** m × width. */
  readonly each: Float64Array;
  /** The same of all features. */
  readonly whole: Float64Array;
  /** SCRATCH width numbers, those of one sample, and k × k numbers. */
  readonly own: Float64Array;
  readonly gram: Float64Array;
}

/** Of the whole: less of a prototype is known to a sample than rounding leaves. */
const LEAST = 1e-12;

export function triangle(k: number): number {
  return (k * (k + 1)) / 2;
}

/** @param codes IN the codes at hand: `hold` ranks samples by them */
export function shareFeatures({ rule, k, W }: Step, features: number, codes: Codes | null): FeatureShares {
  const real = (FORM[rule] ?? (rule === "race" ? "labels" : codes?.form)) === "real";
  const width = real ? triangle(k) : k;
  const each = new Float64Array(features * width);
  const whole = new Float64Array(width);
  for (let f = 0, at = 0; f < features; f++) {
    for (let r = 0; r < k; r++) {
      const w = W[r * features + f];
      if (!real) each[at++] = w * w;
      else for (let s = 0; s <= r; s++) each[at++] = w * W[s * features + f];
    }
  }
  for (let at = 0; at < each.length; at += width) for (let t = 0; t < width; t++) whole[t] += each[at + t];
  return { real, width, each, whole, own: new Float64Array(width), gram: new Float64Array(real ? k * k : 0) };
}

/** The sum over the features that sample i has, in the scratch `own`. */
export function sumKnown({ width, each, whole, own }: FeatureShares, gaps: Gaps, i: number): Float64Array {
  const { listed, offsets, features } = gaps;
  const end = offsets[i + 1];
  if (listed === "missing") own.set(whole);
  else own.fill(0);
  for (let at = offsets[i]; at < end; at++) {
    const base = features[at] * width;
    if (listed === "missing") for (let t = 0; t < width; t++) own[t] -= each[base + t];
    else for (let t = 0; t < width; t++) own[t] += each[base + t];
  }
  return own;
}

/** WᵀW of the features that sample i has, k × k, in the scratch `gram`. */
export function gramOf(shares: FeatureShares, gaps: Gaps, i: number, k: number): Float64Array {
  const { whole, gram } = shares;
  const own = sumKnown(shares, gaps, i);
  for (let r = 0, t = 0; r < k; r++) {
    for (let s = 0; s < r; s++, t++) gram[r * k + s] = gram[s * k + r] = own[t];
    gram[r * k + r] = own[t] > LEAST * whole[t] ? own[t] : 0;
    t++;
  }
  return gram;
}

/** ‖w_j‖ of the features that sample i has. */
export function knownNorm({ width, each, whole }: FeatureShares, gaps: Gaps, i: number, j: number): number {
  const { listed, offsets, features } = gaps;
  const end = offsets[i + 1];
  let sum = 0;
  for (let at = offsets[i]; at < end; at++) sum += each[features[at] * width + j];
  const square = listed === "missing" ? whole[j] - sum : sum;
  return square > LEAST * whole[j] ? Math.sqrt(square) : 0;
}

/** Prototypes for samples with gaps: where what they know is listed, no score begins with ‖w‖² of all features. */
export function prepareKnown(prepared: PreparedPrototypes, gaps: Gaps | null): PreparedPrototypes {
  return gaps?.listed === "known"
    ? { ...prepared, bias: allocate(precisionOf(prepared.bias), prepared.bias.length) }
    : prepared;
}

const precisionOf = (values: Floats) => (values instanceof Float32Array ? "f32" : "f64");

/** Less of a unit vector is known to a sample than rounding leaves. */
const LEAST_OF_UNIT = { f32: 2 ** -16, f64: LEAST };

/**
 * Corrects the scores of sample i, bias_j + ⟨x, p_j⟩: what a prototype has at missing features does not count. By angle they are
 * divided by the length that the sample knows; a prototype that it knows nothing of scores no more than 0.
 *
 * @param scores IN/OUT k, in the precision of the samples
 */
export function correctScores(
  { listed, offsets, features }: Gaps,
  i: number,
  byAngle: boolean,
  { rows, bias }: PreparedPrototypes,
  scores: Float64Array,
): void {
  const [from, end] = [offsets[i], offsets[i + 1]];
  if (from === end) return;
  const precision = precisionOf(rows);
  const round = precision === "f32" ? Math.fround : (x: number) => x;
  const m = rows.length / bias.length;
  for (let j = 0; j < bias.length; j++) {
    let sum = 0;
    for (let at = from; at < end; at++) {
      const w = rows[j * m + features[at]];
      sum = round(sum + round(w * w));
    }
    if (!byAngle) {
      scores[j] = round(scores[j] + (listed === "known" ? -0.5 : 0.5) * sum);
      continue;
    }
    const square = listed === "known" ? sum : round(1 - sum);
    const seen = square > LEAST_OF_UNIT[precision];
    scores[j] = seen ? round(scores[j] / round(Math.sqrt(square))) : Math.min(scores[j], 0);
  }
}

/** Adds ω h hᵀ of samples from `from` on to the features that `gaps` lists for them. @param shares IN ω h @param known IN/OUT m triangles */
export function addListed(
  { offsets, features }: Gaps,
  from: number,
  H: Float64Array,
  shares: Float64Array,
  k: number,
  known: Float64Array,
): void {
  const width = triangle(k);
  const outer = new Float64Array(width);
  for (let base = 0, i = from; base < H.length; base += k, i++) {
    const end = offsets[i + 1];
    if (offsets[i] === end) continue;
    for (let r = 0, t = 0; r < k; r++) for (let s = 0; s <= r; s++) outer[t++] = shares[base + r] * H[base + s];
    for (let at = offsets[i]; at < end; at++) {
      const to = features[at] * width;
      for (let t = 0; t < width; t++) known[to + t] += outer[t];
    }
  }
}

/** The same for one labelled sample. @param weight on the grid of weights */
export function addListedLabel(gaps: Gaps, sums: Sums, i: number, label: number, weight: number): void {
  const { offsets, features, means } = gaps;
  const base = label * means.length;
  for (let at = offsets[i], end = offsets[i + 1]; at < end; at++) sums.known[base + features[at]] += weight;
}
