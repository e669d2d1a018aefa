import { OptionError } from "../../errors.js";
import type { Precision } from "../../matrix/dense.js";
import type { Gaps } from "../../matrix/gaps.js";
import { rowLengths } from "../../matrix/prototypes.js";
import {
  type PreparedPrototypes,
  prepareErrors,
  prepareFloat32,
  prepareLinear,
  preparePrototypes,
} from "../prepared-prototypes.js";
import { type Codes, FORM, goesOnFrom, type RuleName, type Step } from "../step.js";
import { insertRanked, isRanked, markLabel, type Sums } from "../sums.js";
import { addListedLabel, gramOf, prepareKnown, shareFeatures, triangle } from "./gaps.js";
import { featureRows, isByGram, isComplete, renewByKnown } from "./known-codes.js";
import { race } from "./race.js";
import { cyclicIn32Bits, IN_32_BITS, REAL, type RealRule, unitsOf } from "./rules.js";
import { normFor, type PreparedStep, type Shard, weightOf } from "./shard.js";

function isOneHot(rule: RuleName): boolean {
  return rule === "cosine" || rule === "distance" || rule === "ray";
}

function prepareFor(step: Step, real: boolean, precision: Precision, gaps: Gaps | null): PreparedPrototypes | null {
  const { rule, W, k, gram, float32, grid, byTerm, sumGrid } = step;
  // One score is multiplied faster in 64 bits.
  if (rule === "softmax") return grid && k > 1 && precision === "f32" ? prepareErrors(W, k, grid, byTerm) : null;
  if (isOneHot(rule)) return prepareKnown(preparePrototypes(rule, W, k, precision), gaps);
  if (!real || float32 === undefined || precision !== "f32") return null;
  const given = rule === "linear" || rule === "probe";
  if (given && gram) return null;
  const prepared = given
    ? prepareLinear(W, k, float32, step.floor ?? 0, sumGrid)
    : prepareFloat32(W, k, float32, sumGrid);
  const inRuns = step.run === undefined ? prepared : { ...prepared, float32: { ...prepared.float32!, run: step.run } };
  return gaps === null ? inRuns : withoutGrid(inRuns);
}

/** Samples with gaps have no exact sums, and sums of few of them are what those of others are taken from. */
function withoutGrid({ rows, bias, float32 }: PreparedPrototypes): PreparedPrototypes {
  const { grid: _, ...scales } = float32!;
  return { rows, bias, float32: { ...scales, wideCodes: true } };
}

/**
 * @param codes IN the codes at hand: `hold` sums them whatever their form
 * @param gaps IN what is missing of the samples
 */
export function prepareStep(
  step: Step,
  features: number,
  precision: Precision,
  codes: Codes | null,
  gaps: Gaps | null,
): PreparedStep {
  const { rule, k } = step;
  const real = rule === "probe" || (FORM[rule] ?? codes?.form) === "real";
  const summing = rule !== "race" && !step.codesOnly;
  const listing = summing && gaps !== null && rule !== "probe";
  return {
    step,
    norms: FORM[rule] === "real" || rule === "softmax" ? new Float64Array(0) : rowLengths(step.W, k),
    prepared: prepareFor(step, real, precision, gaps),
    shares: gaps !== null && (rule === "race" || (step.rank ?? 0) > 0) ? shareFeatures(step, features, codes) : null,
    featureRows: gaps !== null && isByGram(step) ? featureRows(step) : null,
    layout: {
      XHt: summing && step.only !== "HHt" ? k * features : 0,
      HHt: summing && step.only !== "XHt" ? (real ? k * k : k) : 0,
      known: listing && rule !== "divide" ? features * (real ? triangle(k) : k) : 0,
      listedCodes: listing && rule === "divide" ? features * k : 0,
      lacking: listing && gaps.listed === "missing",
      codes: summing && (rule === "divide" || step.l1 !== undefined) ? k : 0,
    },
  };
}

/**
 * One sweep over samples from … to − 1 of a shard, at most `CHUNK`: updates their codes by the step's rule and adds up
 * what the algorithms need. Not for `survey`, which the engine answers from its survey at opening.
 *
 * @param codes IN H before
 * @param next OUT H after, the same object where the rule leaves H alone
 * @param sums IN/OUT the totals of the samples before these in their block
 */
export function sweep(
  shard: Shard,
  ready: PreparedStep,
  codes: Codes | null,
  next: Codes | null,
  from: number,
  to: number,
  sums: Sums,
): void {
  switch (ready.step.rule) {
    case "race":
      race(shard, ready, sums, from, to);
      break;
    case "cosine":
    case "distance":
    case "ray":
      assign(shard, ready, codes, next!, sums, from, to);
      break;
    case "hold":
      if (codes === null) throw new OptionError("rule", "hold", "there are no codes to hold yet");
      hold(shard, ready, codes, sums, from, to);
      break;
    case "softmax":
      if (codes?.form !== "labels") throw new OptionError("rule", "softmax", "there are no classes to learn yet");
      shard.products.addErrors(
        from,
        to,
        codes.labels!.subarray(from, to),
        shard.weights?.subarray(from, to) ?? null,
        sums,
      );
      break;
    default:
      refine(shard, ready, codes, next, sums, from, to);
  }
}

/** The one-hot rules. */
function assign(
  shard: Shard,
  ready: PreparedStep,
  codes: Codes | null,
  next: Codes,
  sums: Sums,
  from: number,
  to: number,
): void {
  const { step, norms } = ready;
  const before = codes?.labels ?? null;
  sums.products += (to - from) * step.k;
  const labels = shard.products.labels(from, to).slice();
  const own = next.values ? shard.products.own(from, to, labels) : null;
  for (let i = from; i < to; i++) {
    const label = labels[i - from];
    if (before === null || before[i] !== label) sums.changed++;
    next.labels![i] = label;
    if (own === null) continue;
    const lengthSq = norms[label] * norms[label];
    next.values![i] = lengthSq > 0 ? own[i - from] / lengthSq : 0;
  }
  if (!step.codesOnly) addLabelled(shard, step, next, sums, from, to);
}

/** Adds samples to the sums of their clusters. */
function addLabelled(shard: Shard, step: Step, codes: Codes, sums: Sums, from: number, to: number): void {
  const exact = codes.form === "labels" && step.grid !== undefined;
  const shares = new Float64Array(exact ? 0 : (to - from) * step.k);
  for (let i = from; i < to; i++) {
    const label = codes.labels![i];
    const value = codes.values ? codes.values[i] : 1;
    const weight = weightOf(shard, i);
    const length = shard.norms[i];
    if (weight !== 0 && length > 0) {
      const scale = step.unit ? weight / length : weight * value;
      if (exact) shard.rows.addExact(i, scale, sums.XHt, label, step.grid!);
      else shares[(i - from) * step.k + label] = scale;
    }
    const share = exact ? weight + step.weightGrid! - step.weightGrid! : weight * value * value;
    sums.HHt[label] += share;
    if (shard.gaps !== null) addListedLabel(shard.gaps, sums, i, label, share);
    markLabel(sums, shard.offset + i, label);
  }
  if (!exact) shard.products.add(from, to, shares, sums.XHt);
}

/** The real-valued rules. */
function refine(
  shard: Shard,
  ready: PreparedStep,
  codes: Codes | null,
  next: Codes | null,
  sums: Sums,
  from: number,
  to: number,
): void {
  const { step } = ready;
  const { k } = step;
  const store = step.rule !== "probe";
  sums.products += (to - from) * k;
  const renewed = shard.products.refine?.(codes, next, from, to) ?? null;
  if (renewed !== null) {
    sums.changed += renewed;
    return;
  }
  const H = store ? next!.values!.subarray(from * k, to * k) : new Float64Array((to - from) * k);
  const before = goesOnFrom(step, codes) ? codes!.values!.subarray(from * k, to * k) : null;
  if (step.rule === "divide") {
    const weights = shard.weights?.subarray(from, to) ?? null;
    shard.products.divide(from, to, before, H, weights, sums);
  } else renewCodes(shard, ready, before, H, from, to);
  const units = unitsOf(step, ready.prepared?.float32);
  if (store) sums.changed += before === null ? to - from : countChanged(before, H, k, units?.codes);
  if (!step.codesOnly) addReal(shard, step, H, sums, from, to);
}

/** @param before IN (to − from) × k; null for zeros @param H OUT (to − from) × k */
function renewCodes(
  shard: Shard,
  { step, prepared, featureRows }: PreparedStep,
  before: Float64Array | null,
  H: Float64Array,
  from: number,
  to: number,
): void {
  const dots = shard.products.dots(from, to);
  if (shard.products.renew(before, H)) return;
  if (before !== null) H.set(before);
  else H.fill(0);
  if (featureRows === null) renewPlainly(step, prepared, dots, H, shard.offset + from);
  else {
    const { gaps } = shard;
    renewByKnown(featureRows, gaps!, step, dots, H, from, prepared?.float32);
    renewPlainly(step, prepared, dots, H, shard.offset + from, (s) => isComplete(step, gaps!, from + s));
  }
}

/** @param id the number of the first sample @param takes which samples, counted from there; default: all */
function renewPlainly(
  step: Step,
  prepared: PreparedPrototypes | null,
  dots: Float64Array,
  H: Float64Array,
  id: number,
  takes: (s: number) => boolean = () => true,
): void {
  const { k } = step;
  const rule = ruleFor(step, prepared);
  const WtX = new Float64Array(k);
  const h = new Float64Array(k);
  const old = new Float64Array(k);
  for (let base = 0, s = 0; base < H.length; base += k, s++) {
    if (!takes(s)) continue;
    for (let r = 0; r < k; r++) {
      WtX[r] = dots[base + r];
      h[r] = H[base + r];
    }
    rule(WtX, h, old, step, id + s);
    for (let r = 0; r < k; r++) H[base + r] = h[r];
  }
}

function ruleFor(step: Step, prepared: PreparedPrototypes | null): RealRule {
  const units = unitsOf(step, prepared?.float32);
  if (units !== null) return IN_32_BITS[step.rule]!(step, units);
  return prepared?.float32 && step.rule === "cyclic" ? cyclicIn32Bits(step, prepared.float32) : REAL[step.rule]!;
}

/** @param units of 32 bits, which the codes before are rounded to */
function countChanged(before: Float64Array, H: Float64Array, k: number, units?: Float64Array): number {
  const roundTo = (code: number, r: number) => (units ? Math.fround(code * units[r]) / units[r] : code);
  let changed = 0;
  for (let base = 0; base < H.length; base += k) {
    let r = 0;
    while (r < k && roundTo(before[base + r], r) === H[base + r]) r++;
    if (r < k) changed++;
  }
  return changed;
}

/** @param H IN (to − from) × k */
function addReal(shard: Shard, { rule, k, only }: Step, H: Float64Array, sums: Sums, from: number, to: number): void {
  const { weights, products } = shard;
  const shares = weights === null ? H : H.map((h, p) => weights[from + Math.floor(p / k)] * h);
  if (only !== "XHt") products.addCodes(H, shares, sums.HHt);
  if (rule !== "divide" && only !== "HHt") products.add(from, to, shares, sums.XHt);
  if (sums.codes.length > 0) for (let p = 0; p < shares.length; p++) sums.codes[p % k] += shares[p];
  if (sums.known.length > 0) products.addListed(from, H, shares, sums.known);
}

/** Sums the codes as they are, and ranks the samples that fit their own cluster worst. */
function hold(shard: Shard, ready: PreparedStep, codes: Codes, sums: Sums, from: number, to: number): void {
  const { step } = ready;
  const rank = step.rank ?? 0;
  if (codes.form === "real") {
    if (!step.codesOnly) addReal(shard, step, codes.values!.subarray(from * codes.k, to * codes.k), sums, from, to);
    if (rank > 0) rankResiduals(shard, ready, codes, sums, rank, from, to);
    return;
  }
  addLabelled(shard, step, codes, sums, from, to);
  if (rank === 0) return;
  for (let i = from; i < to; i++) {
    if (weightOf(shard, i) === 0) continue;
    const label = codes.labels![i];
    const key = fitOf(shard, ready, i, label);
    if (key === null || !isRanked(sums.ranked, key, shard.offset + i, rank)) continue;
    const value = codes.values ? codes.values[i] : 1;
    insertRanked(sums.ranked, { id: shard.offset + i, key, label, value, weight: weightOf(shard, i) }, rank);
  }
}

/** Ranks the samples of which real codes leave most: ‖x − Wh‖² = ‖x‖² − 2⟨h, Wᵀx⟩ + ⟨h, Gh⟩, G = WᵀW the step's gram. */
function rankResiduals(
  shard: Shard,
  { step: { k, gram }, shares }: PreparedStep,
  codes: Codes,
  sums: Sums,
  rank: number,
  from: number,
  to: number,
): void {
  const dots = shard.products.dots(from, to);
  for (let i = from; i < to; i++) {
    const weight = weightOf(shard, i);
    if (weight === 0) continue;
    const h = codes.values!.subarray(i * k, (i + 1) * k);
    const WtX = dots.subarray((i - from) * k, (i - from + 1) * k);
    const square = shard.norms[i] * shard.norms[i];
    const own = shard.gaps === null ? gram! : gramOf(shares!, shard.gaps, i, k);
    let left = square;
    for (let r = 0; r < k; r++) {
      let Gh = 0;
      for (let s = 0; s < k; s++) Gh += own[r * k + s] * h[s];
      left += h[r] * (Gh - 2 * WtX[r]);
    }
    const id = shard.offset + i;
    // What rounding leaves of a sample that fits is not ranked.
    if (!(left > 1e-12 * square) || !isRanked(sums.ranked, -left, id, rank)) continue;
    insertRanked(sums.ranked, { id, key: -left, label: 0, value: 1, weight }, rank);
  }
}

/** How well sample i fits prototype j: its cosine, or minus its squared distance; null if it cannot fit better. */
function fitOf(shard: Shard, ready: PreparedStep, i: number, j: number): number | null {
  const { step } = ready;
  const length = shard.norms[i];
  const norm = normFor(shard, ready, i, j);
  const dot = shard.rows.dot(i, step.W, j);
  if (step.fit === "distance") {
    const distance = length * length - 2 * dot + norm * norm;
    return distance > 1e-12 * length * length ? -distance : null;
  }
  if (length === 0) return null;
  const cosine = norm > 0 ? dot / (length * norm) : 0;
  return cosine < 1 - 1e-12 ? cosine : null;
}
