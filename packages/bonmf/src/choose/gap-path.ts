import { runSteps } from "../engine/yield.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { resampleCounts } from "../measure/null-reference.js";
import { drawOneGroup } from "../measure/one-group.js";
import { ari } from "../measure/rand-index.js";
import type { Model } from "../model/model.js";
import { Random, STREAM } from "../random.js";
import { countDirections, embed, MOST_AXES } from "./embedding.js";
import { assign, type Gaps, measureGaps, type Partition } from "./gaps.js";
import { type PathOptions, walkPath } from "./merge-path.js";
import { walkMixtures } from "./mixture-path.js";
import { findMixture, isStructured, type PathStep } from "./recommend.js";
import { blurSteps } from "./steps.js";

/** Measures of k clusters. Plain data. */
export interface GapStep extends PathStep {
  /** How much sparser samples are at boundaries than inside: 1 empty, 0 the same, below 0 denser. */
  readonly separation: number;
  /** That of one group with the same covariance, or of the same words drawn anew. */
  readonly reference: number;
  /** Agreement of the partitions of two disjoint parts about all samples: the adjusted Rand index. */
  readonly stability: number;
}

/** Gaps are measured on no more samples than this. */
const MOST_SAMPLES = 10_000;
/** Of fewer nothing can be said. */
const LEAST_SAMPLES = 16;
/** The null reference is made of no more than these. */
const MOST_REFERENCE = 2000;
/** Few samples are cut into more parts, so that more of them form the clusters. */
const FEW_SAMPLES = 3000;
const [PARTS, MORE_PARTS] = [2, 4];
/** In the first partition of a path: clusters more than asked for, and samples in each at least. */
const SPARE_SHARE = 1.5;
const LEAST_MEMBERS = 4;

interface MeasureOptions extends PathOptions {
  readonly byAngle: boolean;
  /** Whether features may be years, grades or categories, other than pixels, words and embeddings. */
  readonly isTable: boolean;
}

export interface GapSample {
  /** As the caller gave them. */
  readonly raw: Matrix;
  /** Scaled. */
  readonly X: Matrix;
  /** Whether a last feature of ones was left out, for which angles stood for distances. */
  readonly unlifted: boolean;
  readonly weights: Float64Array | null;
  readonly scaler: Model["scaler"];
}

/** The samples on which gaps are measured: all, or some drawn at random. */
export function drawSample(X: Matrix, weights: Float64Array | null, { scaler }: Model, seed: number): GapSample {
  const positive = weights && Uint32Array.from(weights.keys()).filter((i) => weights[i] > 0);
  const known = positive?.length ?? X.samples;
  const drawn =
    known > MOST_SAMPLES ? new Random(seed, STREAM.measure).choose(known, MOST_SAMPLES).sort() : allOf(known);
  const ids = positive ? drawn.map((i) => positive[i]) : drawn;
  const raw = ids.length === X.samples ? X : X.take(ids);
  const scaled = scaler.transform(raw);
  const unlifted = isLifted(scaled);
  const drawnWeights = weights && normalise(Array.from(ids, (i) => weights[i]));
  return { raw, X: unlifted ? dropLast(scaled) : scaled, unlifted, scaler, weights: drawnWeights };
}

/**
 * Whether angles stand for distances, as after `lift`: the last feature is 1 throughout. In few dimensions the sphere of directions has
 * another shape than a cloud, so distances are measured then.
 */
function isLifted(X: Matrix): X is Dense {
  const { samples: n, features: m } = X;
  if (X.kind === "sparse" || m < 2 || m > MOST_AXES + 1) return false;
  for (let i = 0; i < n; i++) if (X.data[i * m + m - 1] !== 1) return false;
  return n > 0;
}

function dropLast({ samples: n, features: m, data, precision }: Dense): Dense {
  const out = Dense.zeros(n, m - 1, precision);
  for (let i = 0; i < n; i++) out.row(i).set(data.subarray(i * m, (i + 1) * m - 1));
  return out;
}

/** Weights with a mean of 1. */
function normalise(weights: readonly number[]): Float64Array {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return Float64Array.from(weights, (weight) => weight / mean);
}

/**
 * Measures of 2 … `ks` clusters and some more. Each part of the samples is measured by a partition of the others.
 *
 * @param ks the range, ascending
 */
export async function measurePath(
  sample: GapSample,
  ks: readonly number[],
  options: MeasureOptions,
): Promise<GapStep[]> {
  const { byAngle, seed, isTable, signal } = options;
  const counts = byAngle && isCounts(sample.raw) ? sample.raw : null;
  const seen = counts ? takeRoots(sample.X) : isTable ? blurSteps(sample.X, seed) : sample.X;
  const points = await runSteps(embed(seen, byAngle, seed), signal);
  if (points.samples < LEAST_SAMPLES) return [];
  const parts = cutParts(points, sample.weights, seed);
  const most = mostClusters(ks[ks.length - 1], Math.min(...parts.map(({ rest }) => rest.X.samples)));
  const steps = await measurePartitions(sample, points, parts, most, options);
  if (!isStructured(steps.filter(({ k }) => ks.includes(k)))) return steps;
  const criteria = new Map<number, number>();
  for await (const { k, criterion } of walkMixtures(points, sample.weights, most, options)) criteria.set(k, criterion);
  const least = 1 + ((counts && (await runSteps(countDirections(counts, seed), signal))) ?? 0);
  const known = steps.map((step) => ({
    ...step,
    criterion: criteria.get(step.k)! - criteria.get(1)!,
    tooFew: step.k < least,
  }));
  // Where it is beyond the range, the balance tells whether a longer range is worth while.
  const { k } = (findMixture(known, ks) ?? findMixture(known, known.map((step) => step.k)))!; // biome-ignore format: one line
  const balance = await measureBalance(parts, most, k, options);
  return known.map((step) => (step.k === k ? { ...step, balance } : step));
}

/** Gaps by k-means, their null reference, and how alike the partitions of two halves are. */
async function measurePartitions(
  sample: GapSample,
  points: Dense,
  parts: readonly Split[],
  most: number,
  options: MeasureOptions,
): Promise<GapStep[]> {
  const gaps = new Map<number, Gaps>();
  const labelings = new Map<number, Uint32Array[]>();
  const label = ({ k }: Partition, labels: Uint32Array) => labelings.set(k, [...(labelings.get(k) ?? []), labels]);
  for (const [p, { rest, part }] of parts.entries()) {
    for await (const partition of walkPath(rest.X, rest.weights, most, { ...options, seed: options.seed + p })) {
      addTo(gaps, partition.k, measureGaps(part.X, part.weights, partition), parts.length);
      if (parts.length === 2) label(partition, assign(points, partition));
    }
  }
  if (parts.length > 2) {
    for (const { X, weights } of halve(parts)) {
      for await (const partition of walkPath(X, weights, Math.min(most, X.samples), options)) {
        label(partition, assign(points, partition));
      }
    }
  }
  const reference = await measureReference(sample, points, most, options);
  return [...gaps]
    .sort(([a], [b]) => a - b)
    .map(([k, { evidence, separation, nearness, evenNearness }]) => {
      const group = reference.get(k) ?? NOTHING;
      const [labels, others] = labelings.get(k) ?? [];
      const stability = others ? ari(labels, others) : 0;
      const contrast = nearness - group.nearness;
      return {
        k,
        evidence,
        separation,
        reference: group.separation,
        contrast,
        evenContrast: evenNearness - group.evenNearness,
        stability,
        criterion: null,
        balance: null,
        tooFew: false,
      };
    });
}

/** Whether gaps set off the clusters of mixtures of k clusters, by samples that took no part in them. */
async function measureBalance(
  parts: readonly Split[],
  most: number,
  k: number,
  options: MeasureOptions,
): Promise<number> {
  let sum = 0;
  for (const [p, { rest, part }] of parts.entries()) {
    for await (const mixture of walkMixtures(rest.X, rest.weights, most, { ...options, seed: options.seed + p })) {
      if (mixture.k > k) continue;
      sum += measureGaps(part.X, part.weights, mixture).balance;
      break;
    }
  }
  return sum;
}

/** In the first partition of a path: more than asked for, and still some samples in each. */
function mostClusters(last: number, samples: number): number {
  return Math.min(samples, Math.ceil(SPARE_SHARE * last) + 1, Math.max(last, Math.floor(samples / LEAST_MEMBERS)));
}

/** Evidence adds up over the parts, the others are means. */
function addTo(sums: Map<number, Gaps>, k: number, gaps: Gaps, parts: number): void {
  const before = sums.get(k) ?? NOTHING;
  sums.set(k, {
    evidence: before.evidence + gaps.evidence,
    balance: before.balance + gaps.balance,
    separation: before.separation + gaps.separation / parts,
    nearness: before.nearness + gaps.nearness / parts,
    evenNearness: before.evenNearness + gaps.evenNearness / parts,
  });
}

const NOTHING: Gaps = { evidence: 0, balance: 0, separation: 0, nearness: 0, evenNearness: 0 };

interface Weighted {
  readonly X: Dense;
  readonly weights: Float64Array | null;
}

/** One part of the samples, and the others. */
interface Split {
  readonly part: Weighted;
  readonly rest: Weighted;
}

/** Every part once, drawn at random. */
function cutParts(points: Dense, weights: Float64Array | null, seed: number): Split[] {
  const n = points.samples;
  const parts = n < FEW_SAMPLES ? MORE_PARTS : PARTS;
  const partOf = new Uint8Array(n);
  new Random(seed, STREAM.split).permutation(n).forEach((i, place) => {
    partOf[i] = place % parts;
  });
  return Array.from({ length: parts }, (_, part) => cut(points, weights, (i) => partOf[i] === part));
}

function cut(X: Dense, weights: Float64Array | null, isPart: (i: number) => boolean): Split {
  const ids = allOf(X.samples);
  const take = (some: Uint32Array): Weighted => ({
    X: X.take(some),
    weights: weights && Float64Array.from(some, (i) => weights[i]),
  });
  return { part: take(ids.filter(isPart)), rest: take(ids.filter((i) => !isPart(i))) };
}

/** Two disjoint halves of four parts. */
function halve(parts: readonly Split[]): Weighted[] {
  const [a, b, c, d] = parts.map(({ part }) => part);
  return [join(a, c), join(b, d)];
}

function join(a: Weighted, b: Weighted): Weighted {
  const X = new Dense(a.X.samples + b.X.samples, a.X.features, Float64Array.from([...a.X.data, ...b.X.data]));
  return { X, weights: a.weights && b.weights && Float64Array.from([...a.weights, ...b.weights]) };
}

/**
 * What the same way of measuring finds in one group: a cloud with the covariance of the samples, for nearness also one with
 * their skew and tails, if that is nearer; for counts, those drawn anew from the totals of all.
 */
async function measureReference(
  { raw, scaler }: GapSample,
  points: Dense,
  most: number,
  options: MeasureOptions,
): Promise<Map<number, Gaps>> {
  const { byAngle, seed, signal } = options;
  const n = points.samples;
  const some = new Random(seed, STREAM.reference).choose(n, Math.min(n, MOST_REFERENCE)).sort();
  const groups =
    byAngle && isCounts(raw)
      ? [
          await runSteps(
            embed(takeRoots(scaler.transform(resampleCounts(raw.take(some), seed))), byAngle, seed),
            signal,
          ),
        ]
      : (["covariance", "features"] as const).map((keep) => drawOneGroup(points.take(some), keep, seed));
  const found = new Map<number, Gaps>();
  for (const group of groups) {
    const { part, rest } = cut(group, null, (i) => i % 2 === 0);
    for await (const partition of walkPath(rest.X, null, Math.min(most, rest.X.samples), options)) {
      const gaps = measureGaps(part.X, null, partition);
      const before = found.get(partition.k) ?? gaps;
      found.set(partition.k, {
        ...before,
        nearness: Math.max(gaps.nearness, before.nearness),
        evenNearness: Math.max(gaps.evenNearness, before.evenNearness),
      });
    }
  }
  return found;
}

/** Square roots, which give counts of all sizes the same variance; angles between them are Hellinger distances. */
function takeRoots(X: Matrix): Matrix {
  if (X.kind === "dense") return new Dense(X.samples, X.features, X.data.map(Math.sqrt));
  return Sparse.trust(X.samples, X.features, X.offsets, X.indices, X.values.map(Math.sqrt));
}

/** Sparse whole numbers: words, most likely. */
function isCounts(X: Matrix): X is Sparse {
  return X.kind === "sparse" && X.values.every((value) => value >= 0 && Number.isInteger(value) && value < 1000);
}

function allOf(n: number): Uint32Array {
  return Uint32Array.from({ length: n }, (_, i) => i);
}
