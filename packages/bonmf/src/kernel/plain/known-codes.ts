import type { Gaps } from "../../matrix/gaps.js";
import type { Step } from "../step.js";
import { rowDot, type Units } from "./cycle.js";
import { cyclicIn32Bits, finite, REAL, type RealRule } from "./rules.js";

/**
 * Codes of samples with gaps. What a prototype has at missing features must not count: it is taken out of WᵀW for this sample alone,
 * or where known features are listed, theirs alone is added up. `multiply` needs no matrix for that.
 */

/** Of the whole: less of a component is known to a sample than rounding leaves. */
const LEAST = 1e-12;

/** A sample, to its rule. */
interface Sample {
  /** k: the column of WᵀX. */
  readonly WtX: Float64Array;
  /** k: IN/OUT. */
  readonly h: Float64Array;
  /** W's k numbers of each feature that is listed. */
  readonly listed: readonly Float64Array[];
  /** Whether these are the features that the sample knows. */
  readonly known: boolean;
}

const RULES: ReadonlySet<Step["rule"]> = new Set(["multiply", "cyclic", "binary", "nnls"]);

/** Whether a rule looks at WᵀW, which differs from sample to sample. */
export function isByGram({ rule }: Step): boolean {
  return RULES.has(rule);
}

/** Whether a sample is renewed as if no sample had gaps: the cyclic rule, where nothing of it is missing. */
export function isComplete({ rule }: Step, { listed, offsets }: Gaps, i: number): boolean {
  return rule === "cyclic" && listed === "missing" && offsets[i] === offsets[i + 1];
}

/** m × k: W feature by feature. */
export function featureRows({ W, k }: Step): Float64Array {
  const m = W.length / k;
  const rows = new Float64Array(W.length);
  for (let r = 0, q = 0; r < k; r++) for (let f = 0; f < m; f++) rows[f * k + r] = W[q++];
  return rows;
}

/**
 * Renews codes, each by its sample's known features; those of complete samples stay.
 *
 * @param rows IN m × k @param first IN the first sample @param units IN what 32 bits hold the codes of `cyclic` in
 * @param dots IN count × k @param H IN/OUT count × k
 */
export function renewByKnown(
  rows: Float64Array,
  gaps: Gaps,
  step: Step,
  dots: Float64Array,
  H: Float64Array,
  first: number,
  units?: Units,
): void {
  const { k } = step;
  const { listed, offsets, features } = gaps;
  const old = new Float64Array(k);
  const all = Array.from({ length: rows.length / k }, (_, f) => rows.subarray(f * k, (f + 1) * k));
  const sample = { WtX: new Float64Array(k), h: new Float64Array(k), known: listed === "known" };
  for (let base = 0, i = first; base < H.length; base += k, i++) {
    if (isComplete(step, gaps, i)) continue;
    sample.WtX.set(dots.subarray(base, base + k));
    sample.h.set(H.subarray(base, base + k));
    const own: Float64Array[] = [];
    for (let at = offsets[i]; at < offsets[i + 1]; at++) own.push(all[features[at]]);
    const found = { ...sample, listed: own };
    if (step.rule === "multiply") multiply(found, step);
    else {
      const alone = { ...step, gram: gramOf(found, step.gram!, k) };
      const rule = units && step.rule === "cyclic" ? cyclicIn32Bits(alone, units) : (REAL[step.rule] as RealRule);
      rule(sample.WtX, sample.h, old, alone, i);
    }
    H.set(sample.h, base);
  }
}

/** ⟨w, h⟩, even and odd entries apart, as vectors of two sum them. */
function dotPairs(w: Float64Array, h: Float64Array): number {
  const sums = [0, 0];
  for (let r = 0; r < w.length; r++) sums[r & 1] += w[r] * h[r];
  return sums[0] + sums[1];
}

function multiply({ WtX, h, listed, known }: Sample, { k, gram, alpha = 0, l1 = 0 }: Step): void {
  const below = h.map((_, r) => (known ? 0 : rowDot(gram!, r, h, k)));
  for (const w of listed) {
    const seen = known ? dotPairs(w, h) : -dotPairs(w, h);
    for (let r = 0; r < k; r++) below[r] += seen * w[r];
  }
  // What rounding leaves of a component that the sample knows nothing of must not make a code negative.
  for (let r = 0; r < k; r++) h[r] = Math.max(0, finite((h[r] * (WtX[r] + alpha * h[r])) / (below[r] + l1)));
}

/** WᵀW of the features that the sample has. */
function gramOf({ listed, known }: Sample, gram: Float64Array, k: number): Float64Array {
  const G = known ? new Float64Array(k * k) : gram.slice();
  for (const w of listed) {
    for (let r = 0; r < k; r++) {
      const share = known ? w[r] : -w[r];
      for (let s = 0; s < k; s++) G[r * k + s] += share * w[s];
    }
  }
  for (let p = 0; p < k * k; p += k + 1) if (!(G[p] > LEAST * gram[p])) G[p] = 0;
  return G;
}
