import { multiplySamples } from "../kernel/encode.js";
import { gramOf, shareFeatures } from "../kernel/plain/gaps.js";
import type { Codes } from "../kernel/step.js";
import { Dense } from "../matrix/dense.js";
import { countMissing, eachMissing, type Gaps, spread } from "../matrix/gaps.js";
import type { Matrix } from "../matrix/matrix.js";
import { lengthOf } from "./prototype-index.js";

/** What a fit says of the codes of any sample, for those of which little is known. */
export interface CodePrior {
  /** The codes of the training samples, n × k. */
  readonly codes: Float64Array;
  /** The squared error that they left. */
  readonly loss: number;
}

/**
 * Scaled samples with their gaps filled by WH: a copy.
 *
 * @param W IN k × m
 * @param unit whether W approximates samples of length 1
 * @param prior of real codes: see {@link shrinkCodes}
 * @param most the largest value that the scaler gives; Infinity where it has none
 */
export function fillByCodes(
  Z: Matrix,
  gaps: Gaps,
  codes: Codes,
  W: Float64Array,
  { unit, prior, most }: { readonly unit: boolean; readonly prior: CodePrior | null; readonly most: number },
): Dense {
  const { samples, features: m } = Z;
  const { k, labels } = codes;
  const values = prior === null || labels !== null ? codes.values : shrinkCodes(Z, gaps, codes, W, prior);
  const dense = Z.toDense();
  const out = new Dense(samples, m, Z.kind === "dense" ? dense.data.slice() : dense.data);
  for (let i = 0; i < samples; i++) {
    const row = out.row(i);
    const length = unit ? lengthOf(row) : 1;
    eachMissing(gaps, i, (f) => {
      let sum = 0;
      if (labels !== null) sum = length * W[labels[i] * m + f];
      else for (let r = 0; r < k; r++) sum += values![i * k + r] * W[r * m + f];
      row[f] = Math.min(sum, most);
    });
  }
  return out;
}

/** Times through the entries of a code, at most, and the change that ends it, as a share of the code. */
const [MOST_CYCLES, SETTLED] = [200, 1e-9];

/**
 * The codes by which gaps are filled: non-negative least squares over known entries, with Σ h_r²·noise/size_r added. Size_r is the square
 * of the median of the codes that use component r in the fit, and the noise the mean squared error that it left: the most probable codes, were both normal. What a sample knows next to
 * nothing of stays small, where least squares alone would have no bound.
 */
function shrinkCodes(Z: Matrix, gaps: Gaps, { k, values }: Codes, W: Float64Array, prior: CodePrior): Float64Array {
  const { samples, features: m } = Z;
  const trained = prior.codes.length / k;
  const share = 1 - countMissing(gaps) / (samples * m);
  const noise = prior.loss / (trained * m * share);
  const ridge = Float64Array.from({ length: k }, (_, r) => {
    const size = medianUse(prior.codes, k, r);
    return size > 0 ? noise / (size * size) : 0;
  });
  const shares = shareFeatures({ rule: "nnls", k, W }, m, null)!;
  const WtX = multiplySamples(Z, W, k);
  const out = values!.slice();
  for (let i = 0; i < samples; i++) {
    const G = gramOf(shares, gaps, i, k);
    for (let r = 0; r < k; r++) G[r * (k + 1)] += ridge[r];
    descend(out.subarray(i * k, (i + 1) * k), G, WtX.subarray(i * k, (i + 1) * k));
  }
  return out;
}

/** The median of the codes of component r that are not 0. The mean would be that of a few samples whose codes the fit let grow. */
function medianUse(codes: Float64Array, k: number, r: number): number {
  const used: number[] = [];
  for (let p = r; p < codes.length; p += k) if (codes[p] > 0) used.push(codes[p]);
  return Float64Array.from(used).sort()[used.length >> 1] ?? 0;
}

/** Each entry in turn its non-negative optimum, until they stay. */
function descend(h: Float64Array, G: Float64Array, b: Float64Array): void {
  const k = h.length;
  for (let cycle = 0; cycle < MOST_CYCLES; cycle++) {
    let [moved, size] = [0, 0];
    for (let r = 0; r < k; r++) {
      const curvature = G[r * (k + 1)];
      let slope = b[r];
      for (let s = 0; s < k; s++) slope -= G[r * k + s] * h[s];
      const next = curvature > 0 ? Math.max(0, h[r] + slope / curvature) : 0;
      moved += Math.abs(next - h[r]);
      size += next;
      h[r] = next;
    }
    if (moved <= SETTLED * size) return;
  }
}

/**
 * A copy whose missing values are those of another matrix; known values stay to the bit.
 *
 * @param guess gives that matrix for the samples with NaN where a value is missing; null: none is
 */
export function fillGaps(X: Matrix, guess: (raw: Dense) => Dense | null): Dense {
  const raw = X.kind === "sparse" ? spread(X) : X;
  const out = new Dense(raw.samples, raw.features, raw.data.slice());
  const guessed = guess(raw);
  if (guessed === null) return out;
  for (let p = 0; p < out.data.length; p++) if (Number.isNaN(out.data[p])) out.data[p] = guessed.data[p];
  return out;
}
