import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { resampleCounts } from "../measure/null-reference.js";
import { drawOneGroup } from "../measure/one-group.js";
import { ari } from "../measure/rand-index.js";
import type { Model } from "../model/model.js";
import { Random, STREAM } from "../random.js";
import { embed } from "./embedding.js";
import { assign, type Gaps, measureGaps, type Partition } from "./gaps.js";
import { type PathOptions, walkPath } from "./merge-path.js";
import type { PathStep } from "./recommend.js";

/** The gaps between k clusters. Plain data. */
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

export interface GapSample {
  /** As the caller gave them. */
  readonly raw: Matrix;
  /** Scaled. */
  readonly X: Matrix;
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
  return { raw, X: scaler.transform(raw), scaler, weights: weights && normalise(Array.from(ids, (i) => weights[i])) };
}

/** Weights with a mean of 1. */
function normalise(weights: readonly number[]): Float64Array {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return Float64Array.from(weights, (weight) => weight / mean);
}

/**
 * Partitions into 2 … `last` clusters, and what they say of gaps. Each part of the samples is measured by a partition of
 * the others.
 */
export async function measurePath(
  sample: GapSample,
  last: number,
  options: PathOptions & { byAngle: boolean },
): Promise<GapStep[]> {
  const { byAngle, seed } = options;
  const counts = byAngle && isCounts(sample.raw);
  const points = embed(counts ? takeRoots(sample.X) : sample.X, byAngle, seed);
  const n = points.samples;
  if (n < LEAST_SAMPLES) return [];
  const parts = n < FEW_SAMPLES ? MORE_PARTS : PARTS;
  const order = new Random(seed, STREAM.split).permutation(n);
  const partOf = new Uint8Array(n);
  order.forEach((i, place) => {
    partOf[i] = place % parts;
  });
  const steps = new Map<number, Gaps>();
  const labelings = new Map<number, Uint32Array[]>();
  for (let part = 0; part < parts; part++) {
    const split = cut(points, sample.weights, (i) => partOf[i] === part);
    for await (const partition of pathOf(split.rest, last, { ...options, seed: seed + part })) {
      const { k } = partition;
      if (k > last) continue;
      const { evidence, balance, separation } = measureGaps(split.part.X, split.part.weights, partition);
      const before = steps.get(k) ?? { evidence: 0, balance: 0, separation: 0 };
      steps.set(k, {
        evidence: before.evidence + evidence,
        balance: before.balance + balance,
        separation: before.separation + separation / parts,
      });
      if (parts === 2) labelings.set(k, [...(labelings.get(k) ?? []), assign(points, partition)]);
    }
  }
  if (parts > 2) await labelByHalves(points, sample.weights, (i) => partOf[i] % 2 === 0, last, options, labelings);
  const reference = await measureReference(sample, points, last, options);
  return [...steps]
    .sort(([a], [b]) => a - b)
    .map(([k, step]) => {
      const [labels, others] = labelings.get(k) ?? [];
      return { k, ...step, stability: others ? ari(labels, others) : 0, reference: reference.get(k) ?? 0 };
    });
}

interface Weighted {
  readonly X: Dense;
  readonly weights: Float64Array | null;
}

function pathOf({ X, weights }: Weighted, last: number, options: PathOptions): AsyncGenerator<Partition> {
  const most = Math.min(Math.ceil(SPARE_SHARE * last) + 1, Math.max(last, Math.floor(X.samples / LEAST_MEMBERS)));
  return walkPath(X, weights, Math.min(most, X.samples), options);
}

function cut(X: Dense, weights: Float64Array | null, isPart: (i: number) => boolean) {
  const ids = allOf(X.samples);
  const take = (some: Uint32Array): Weighted => ({
    X: X.take(some),
    weights: weights && Float64Array.from(some, (i) => weights[i]),
  });
  return { part: take(ids.filter(isPart)), rest: take(ids.filter((i) => !isPart(i))) };
}

/** Two disjoint halves are divided; all samples are assigned by either. */
async function labelByHalves(
  points: Dense,
  weights: Float64Array | null,
  isPart: (i: number) => boolean,
  last: number,
  options: PathOptions,
  labelings: Map<number, Uint32Array[]>,
): Promise<void> {
  const { part, rest } = cut(points, weights, isPart);
  for (const half of [part, rest]) {
    for await (const partition of pathOf(half, last, options)) {
      const { k } = partition;
      if (k <= last) labelings.set(k, [...(labelings.get(k) ?? []), assign(points, partition)]);
    }
  }
}

/**
 * The separation that the same way of measuring finds in one group: a normal cloud with the covariance of the samples, or
 * counts drawn anew from the totals of all.
 */
async function measureReference(
  { raw, scaler }: GapSample,
  points: Dense,
  last: number,
  options: PathOptions & { byAngle: boolean },
): Promise<Map<number, number>> {
  const { byAngle, seed } = options;
  const n = points.samples;
  const some = new Random(seed, STREAM.reference).choose(n, Math.min(n, MOST_REFERENCE)).sort();
  const group =
    byAngle && isCounts(raw)
      ? embed(takeRoots(scaler.transform(resampleCounts(raw.take(some), seed))), byAngle, seed)
      : drawOneGroup(points.take(some), "covariance", seed);
  const { part, rest } = cut(group, null, (i) => i % 2 === 0);
  const found = new Map<number, number>();
  for await (const partition of pathOf(rest, Math.min(last, rest.X.samples), options)) {
    found.set(partition.k, measureGaps(part.X, null, partition).separation);
  }
  return found;
}

/** Square roots, which give counts of all sizes the same variance; angles between them are Hellinger distances. */
function takeRoots(X: Matrix): Matrix {
  if (X.kind === "dense") return new Dense(X.samples, X.features, X.data.map(Math.sqrt));
  return Sparse.trust(X.samples, X.features, X.offsets, X.indices, X.values.map(Math.sqrt));
}

/** Sparse whole numbers: words, most likely. */
function isCounts(X: Matrix): boolean {
  return X.kind === "sparse" && X.values.every((value) => value >= 0 && Number.isInteger(value) && value < 1000);
}

function allOf(n: number): Uint32Array {
  return Uint32Array.from({ length: n }, (_, i) => i);
}
