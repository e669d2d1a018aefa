import { OptionError } from "../errors.js";
import type { Precision } from "../matrix/dense.js";
import { rowLengths } from "../matrix/prototypes.js";
import { exponential, STREAM } from "../random.js";
import { type Pack, packPrototypes } from "./pack.js";
import type { Rows } from "./rows.js";
import { argMax, REAL, type RealRule } from "./rules.js";
import { type Codes, FORM, type RuleName, type Step } from "./step.js";
import { insertRanked, isRanked, type Layout, mixLabel, type Sums } from "./sums.js";

/** Samples that lie together, and what is known of each. */
export interface Shard {
  readonly rows: Rows;
  readonly features: number;
  /** ‖x‖ of every sample. */
  readonly norms: Float64Array;
  readonly weights: Float64Array | null;
  /** The number of the first sample in the whole data. */
  readonly offset: number;
  /** For `race`: the least dissimilarity of each sample to the prototypes seen so far. */
  readonly nearest: () => Float64Array;
}

/** A step made ready once for all blocks. */
export interface Plan {
  readonly step: Step;
  /** ‖w_j‖. */
  readonly norms: Float64Array;
  /** For the one-hot rules. */
  readonly pack: Pack | null;
  readonly layout: Layout;
}

function isOneHot(rule: RuleName): boolean {
  return rule === "cosine" || rule === "distance" || rule === "ray";
}

/** @param codes IN the codes at hand: `hold` sums them whatever their form. */
export function planStep(step: Step, features: number, precision: Precision, codes: Codes | null): Plan {
  const { rule, k } = step;
  const real = rule === "probe" || (FORM[rule] ?? codes?.form) === "real";
  const summing = rule !== "survey" && rule !== "race" && !step.codesOnly;
  return {
    step,
    norms: rowLengths(step.W, k),
    pack: isOneHot(rule) ? packPrototypes(rule, step.W, k, precision) : null,
    layout: summing ? { XHt: k * features, HHt: real ? k * k : k } : { XHt: 0, HHt: 0 },
  };
}

/**
 * One sweep over samples from … to − 1 of a shard: updates their codes by the step's rule and adds up what the
 * algorithms need. X is read here and nowhere else.
 *
 * @param codes IN H before
 * @param next OUT H after, the same object where the rule leaves H alone
 * @param sums IN/OUT the totals of the samples before these in their block
 */
export function sweep(
  shard: Shard,
  plan: Plan,
  codes: Codes | null,
  next: Codes | null,
  from: number,
  to: number,
  sums: Sums,
): void {
  switch (plan.step.rule) {
    case "survey":
      survey(shard, plan, sums, from, to);
      break;
    case "race":
      race(shard, plan, sums, from, to);
      break;
    case "cosine":
    case "distance":
    case "ray":
      assign(shard, plan, codes, next!, sums, from, to);
      break;
    case "hold":
      if (codes === null) throw new OptionError("rule", "hold", "there are no codes to hold yet");
      hold(shard, plan, codes, sums, from, to);
      break;
    default:
      refine(shard, plan, codes, next, sums, from, to);
  }
}

function weightOf(shard: Shard, i: number): number {
  return shard.weights === null ? 1 : shard.weights[i];
}

/** The one-hot rules. */
function assign(
  shard: Shard,
  plan: Plan,
  codes: Codes | null,
  next: Codes,
  sums: Sums,
  from: number,
  to: number,
): void {
  const { step, norms } = plan;
  const pack = plan.pack!;
  const scores = new Float64Array(step.k);
  const before = codes?.labels ?? null;
  for (let i = from; i < to; i++) {
    shard.rows.scores(i, pack, scores);
    const label = argMax(scores);
    if (before === null || before[i] !== label) sums.changed++;
    next.labels![i] = label;
    if (next.values) {
      const lengthSq = norms[label] * norms[label];
      next.values[i] = lengthSq > 0 ? shard.rows.dot(i, step.W, label) / lengthSq : 0;
    }
    if (!step.codesOnly) addLabelled(shard, step, next, sums, i);
  }
}

/** Adds sample i to the sums of its cluster. */
function addLabelled(shard: Shard, step: Step, codes: Codes, sums: Sums, i: number): void {
  const label = codes.labels![i];
  const value = codes.values ? codes.values[i] : 1;
  const weight = weightOf(shard, i);
  const length = shard.norms[i];
  const exact = codes.form === "labels" && step.grid !== undefined;
  if (weight !== 0 && length > 0) {
    const scale = step.unit ? weight / length : weight * value;
    if (exact) shard.rows.addExact(i, scale, sums.XHt, label, step.grid!);
    else shard.rows.add(i, scale, sums.XHt, label);
  }
  if (exact) sums.HHt[label] += weight + step.weightGrid! - step.weightGrid!;
  else sums.HHt[label] += weight * value * value;
  const id = shard.offset + i;
  sums.hash0 = (sums.hash0 ^ mixLabel(id, label, 0)) >>> 0;
  sums.hash1 = (sums.hash1 ^ mixLabel(id, label, 0x5bd1e995)) >>> 0;
}

/** The real-valued rules. */
function refine(
  shard: Shard,
  plan: Plan,
  codes: Codes | null,
  next: Codes | null,
  sums: Sums,
  from: number,
  to: number,
): void {
  const { step } = plan;
  const { k, W } = step;
  const rule = REAL[step.rule] as RealRule;
  const store = step.rule !== "probe";
  const WtX = new Float64Array(k);
  const h = new Float64Array(k);
  const old = new Float64Array(k);
  const before = codes?.form === "real" && codes.k === k ? codes.values : null;
  for (let i = from; i < to; i++) {
    shard.rows.dots(i, W, k, WtX);
    for (let r = 0; r < k; r++) h[r] = before === null ? 0 : before[i * k + r];
    rule(WtX, h, old, step, shard.offset + i);
    if (store) {
      let differs = before === null;
      for (let r = 0; r < k; r++) {
        if (before !== null && before[i * k + r] !== h[r]) differs = true;
        next!.values![i * k + r] = h[r];
      }
      if (differs) sums.changed++;
    }
    if (!step.codesOnly) addReal(shard, h, sums, k, i);
  }
}

function addReal(shard: Shard, h: Float64Array, sums: Sums, k: number, i: number): void {
  const weight = weightOf(shard, i);
  for (let r = 0; r < k; r++) {
    if (h[r] === 0) continue;
    const share = weight * h[r];
    shard.rows.add(i, share, sums.XHt, r);
    for (let s = 0; s < k; s++) sums.HHt[r * k + s] += share * h[s];
  }
}

/** Sums the codes as they are, and ranks the samples that fit their own cluster worst. */
function hold(shard: Shard, plan: Plan, codes: Codes, sums: Sums, from: number, to: number): void {
  const { step } = plan;
  const rank = step.rank ?? 0;
  for (let i = from; i < to; i++) {
    if (codes.form === "real") {
      addReal(shard, codes.values!.subarray(i * codes.k, (i + 1) * codes.k), sums, codes.k, i);
      continue;
    }
    addLabelled(shard, step, codes, sums, i);
    if (rank === 0 || weightOf(shard, i) === 0) continue;
    const label = codes.labels![i];
    const key = fitOf(shard, plan, i, label);
    if (key === null || !isRanked(sums.ranked, key, shard.offset + i, rank)) continue;
    const value = codes.values ? codes.values[i] : 1;
    insertRanked(sums.ranked, { id: shard.offset + i, key, label, value, weight: weightOf(shard, i) }, rank);
  }
}

/** How well sample i fits prototype j: its cosine, or minus its squared distance; null if it cannot fit better. */
function fitOf(shard: Shard, { step, norms }: Plan, i: number, j: number): number | null {
  const length = shard.norms[i];
  const dot = shard.rows.dot(i, step.W, j);
  if (step.fit === "distance") {
    const distance = length * length - 2 * dot + norms[j] * norms[j];
    return distance > 1e-12 * length * length ? -distance : null;
  }
  if (length === 0) return null;
  const cosine = norms[j] > 0 ? dot / (length * norms[j]) : 0;
  return cosine < 1 - 1e-12 ? cosine : null;
}

/** Norms and totals; ranks the longest samples. */
function survey(shard: Shard, { step }: Plan, sums: Sums, from: number, to: number): void {
  const rank = step.rank ?? 0;
  if (sums.most.length === 0) sums.most = new Float64Array(shard.features);
  for (let i = from; i < to; i++) {
    const weight = weightOf(shard, i);
    const length = shard.norms[i];
    sums.normSq += weight * shard.rows.normSq(i);
    sums.total += weight * shard.rows.sum(i);
    shard.rows.raise(i, sums.most);
    sums.weight += weight;
    if (length === 0) {
      sums.zeros++;
      sums.zeroWeight += weight;
    }
    if (weight > 0 && length > 0 && isRanked(sums.ranked, -length, shard.offset + i, rank)) {
      insertRanked(sums.ranked, { id: shard.offset + i, key: -length, label: 0, value: 1, weight }, rank);
    }
  }
}

/**
 * Draws samples with probability ∝ ω · dissimilarity to the nearest prototype seen so far, without any running sum:
 * the smallest Exp(1) / probability wins (an exponential race), whatever the order of the samples.
 */
function race(shard: Shard, plan: Plan, sums: Sums, from: number, to: number): void {
  const { step, norms } = plan;
  const nearest = shard.nearest();
  for (let i = from; i < to; i++) {
    const weight = weightOf(shard, i);
    let least = step.fresh ? Number.POSITIVE_INFINITY : nearest[i];
    for (let j = 0; j < step.k; j++) least = Math.min(least, dissimilarity(shard, step, norms, i, j));
    nearest[i] = least;
    const chance = weight * (least === Number.POSITIVE_INFINITY ? anyChance(shard, step, i) : least);
    if (!(chance > 0)) continue;
    const id = shard.offset + i;
    const key = exponential(step.seed ?? 0, STREAM.race + 16 * (step.stream ?? 0), id) / chance;
    insertRanked(sums.ranked, { id, key, label: 0, value: 1, weight }, step.rank ?? 1);
  }
}

/** With no prototype yet every sample has the same chance, except that a zero sample has no direction to offer. */
function anyChance(shard: Shard, step: Step, i: number): number {
  return step.fit === "distance" || shard.norms[i] > 0 ? 1 : 0;
}

function dissimilarity(shard: Shard, { W, fit, unit }: Step, norms: Float64Array, i: number, j: number): number {
  const length = shard.norms[i];
  const dot = shard.rows.dot(i, W, j);
  let value: number;
  if (fit === "distance") value = length * length - 2 * dot + norms[j] * norms[j];
  else {
    const along = norms[j] > 0 ? dot / norms[j] : 0;
    if (fit === "ray") value = length * length - along * along;
    else value = unit ? (length > 0 ? 1 - along / length : 0) : length - along;
  }
  // What rounding leaves of an exact match is not a dissimilarity.
  return value > 1e-12 * (fit === "cosine" ? (unit ? 1 : length) : length * length) ? value : 0;
}
