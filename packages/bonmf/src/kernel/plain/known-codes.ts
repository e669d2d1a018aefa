import type { Gaps } from "../../matrix/gaps.js";
import type { Step } from "../step.js";
import { rowDot, SETTLED } from "./cycle.js";
import { solveNnls } from "./nnls.js";
import { finite, lower } from "./rules.js";

/**
 * Codes of samples with gaps. What a prototype has at missing features must not count: it is taken out of WᵀW for this sample alone,
 * or where known features are listed, theirs alone is added up. No sample gets a matrix of its own where the rule can do without.
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

const RULES: Partial<Record<Step["rule"], (sample: Sample, step: Step) => void>> = { multiply, cyclic, binary, nnls };

/** Whether a rule looks at WᵀW, which differs from sample to sample. */
export function isByGram({ rule }: Step): boolean {
  return Object.hasOwn(RULES, rule);
}

/** m × k: W feature by feature. */
export function featureRows({ W, k }: Step): Float64Array {
  const m = W.length / k;
  const rows = new Float64Array(W.length);
  for (let r = 0, q = 0; r < k; r++) for (let f = 0; f < m; f++) rows[f * k + r] = W[q++];
  return rows;
}

/**
 * Renews codes, each by its sample's known features.
 *
 * @param rows IN m × k @param first IN the first sample
 * @param dots IN count × k @param H IN/OUT count × k
 */
export function renewByKnown(
  rows: Float64Array,
  { listed, offsets, features }: Gaps,
  step: Step,
  dots: Float64Array,
  H: Float64Array,
  first: number,
): void {
  const { k } = step;
  const rule = RULES[step.rule]!;
  const all = Array.from({ length: rows.length / k }, (_, f) => rows.subarray(f * k, (f + 1) * k));
  const sample = { WtX: new Float64Array(k), h: new Float64Array(k), known: listed === "known" };
  for (let base = 0, i = first; base < H.length; base += k, i++) {
    sample.WtX.set(dots.subarray(base, base + k));
    sample.h.set(H.subarray(base, base + k));
    const own: Float64Array[] = [];
    for (let at = offsets[i]; at < offsets[i + 1]; at++) own.push(all[features[at]]);
    rule({ ...sample, listed: own }, step);
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

/** The diagonal of WᵀW by known features; 0 where next to nothing is known. */
function diagonalOf({ listed, known }: Sample, gram: Float64Array, k: number): Float64Array {
  return Float64Array.from({ length: k }, (_, r) => {
    const whole = gram[r * (k + 1)];
    let own = known ? 0 : whole;
    for (const w of listed) own += known ? w[r] * w[r] : -(w[r] * w[r]);
    return own > LEAST * whole ? own : 0;
  });
}

/** ⟨w, v⟩ of each listed feature. */
function seenOf(listed: readonly Float64Array[], v: Float64Array): Float64Array {
  return Float64Array.from(listed, (w) => v.reduce((sum, value, r) => sum + w[r] * value, 0));
}

/** Row r of WᵀW by known features, times v. @param seen IN ⟨w, v⟩ of each listed feature */
function knownRow(
  { listed, known }: Sample,
  gram: Float64Array,
  r: number,
  v: Float64Array,
  seen: Float64Array,
): number {
  let sum = 0;
  for (let t = 0; t < listed.length; t++) sum += listed[t][r] * seen[t];
  return known ? sum : rowDot(gram, r, v, v.length) - sum;
}

/** Sets entry r, and what is seen of the code. Returns the change. */
function setEntry({ h, listed }: Sample, r: number, value: number, seen: Float64Array): number {
  const change = value - h[r];
  for (let t = 0; t < listed.length; t++) seen[t] += listed[t][r] * change;
  h[r] = value;
  return change;
}

/** As `cycleColumn` of the rules. */
function cyclic(sample: Sample, { k, gram, sweeps = 1, beyond = 0, l1 = 0 }: Step): void {
  const { WtX, h, listed } = sample;
  lower(WtX, l1);
  const own = diagonalOf(sample, gram!, k);
  const before = h.slice();
  const seen = seenOf(listed, h);
  let least = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    for (let r = 0; r < k; r++) {
      if (own[r] > 0) {
        const value = Math.max(0, h[r] + (WtX[r] - knownRow(sample, gram!, r, h, seen)) / own[r]);
        const change = setEntry(sample, r, value, seen);
        moved += own[r] * change * change;
      } else setEntry(sample, r, 0, seen);
    }
    if (sweep === 0) least = SETTLED * moved;
    if (!(moved > least)) break;
  }
  if (beyond > 0) relax(sample, gram!, before, beyond);
}

function relax(sample: Sample, gram: Float64Array, before: Float64Array, beyond: number): void {
  const { WtX, h, listed } = sample;
  const next = h.map((value, r) => Math.max(0, value + beyond * (value - before[r])));
  const both = next.map((value, r) => value + before[r]);
  const seen = seenOf(listed, both);
  let change = 0;
  for (let r = 0; r < h.length; r++) {
    change += (next[r] - before[r]) * (knownRow(sample, gram, r, both, seen) - 2 * WtX[r]);
  }
  if (change <= 0) h.set(next);
}

function binary(sample: Sample, { k, gram, sweeps = 1 }: Step): void {
  const { WtX, h, listed } = sample;
  const own = diagonalOf(sample, gram!, k);
  const seen = seenOf(listed, h);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = false;
    for (let r = 0; r < k; r++) {
      const residual = WtX[r] - knownRow(sample, gram!, r, h, seen) + own[r] * h[r];
      const bit = residual > 0.5 * own[r] ? 1 : 0;
      if (bit === h[r]) continue;
      setEntry(sample, r, bit, seen);
      moved = true;
    }
    if (!moved) return;
  }
}

function nnls({ WtX, h, listed, known }: Sample, { k, gram, l1 = 0 }: Step): void {
  lower(WtX, l1);
  const G = known ? new Float64Array(k * k) : gram!.slice();
  for (const w of listed) {
    for (let r = 0; r < k; r++) {
      const share = known ? w[r] : -w[r];
      for (let s = 0; s < k; s++) G[r * k + s] += share * w[s];
    }
  }
  for (let p = 0; p < k * k; p += k + 1) if (!(G[p] > LEAST * gram![p])) G[p] = 0;
  solveNnls(G, WtX, h, k);
}
